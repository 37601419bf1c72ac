package io.fairlead.servlet.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathFormTest {
    @ParameterizedTest
    @CsvSource({
        "/,/",
        "/a/b,/a/b",
        "/a/,/a/",
        "*,*",
        // Escapes.
        "/%61%2D%2e%5F%7e%39,/a-._~9",
        "/%40a%2bb%3a,/@a+b:",
        "/%20%25%3f,/%20%25%3F",
        "/%zz%4,/%25zz%254",
        "/%2541,/%2541",
        "/caf%c3%a9,/caf%C3%A9",
        "/café,/caf%C3%A9",
        // Separators.
        "//a,/a",
        "///a///b,/a/b",
        "/a%2Fb,/a/b",
        "/a%5cb\\c,/a/b/c",
        "/%2fa,/a",
        "/a//,/a/",
        // Single dots.
        "/./a,/a",
        "/a/%2e/./b,/a/b",
        "/a/.,/a/",
        "/.a/b./...,/.a/b./...",
        // Parameters.
        "/a;v=1/b,/a/b",
        "/a;v=1;w,/a",
        "/a%3bv/b,/a/b",
        "/;v/a,/a",
        "/.;v/a,/a",
        "/a/;v,/a/",
        // These are refused elsewhere, and must not vanish before.
        "/a/../b,/a/../b",
        "/a/%2e%2E,/a/..",
    })
    void allSpellingsOfAPathHaveOneNormalForm(String path, String normal) {
        assertThat(PathForm.normal(path)).isEqualTo(normal);
        assertThat(PathForm.normal(normal)).isEqualTo(normal);
    }

    @ParameterizedTest
    @CsvSource({
        "/orders,/orders,''",
        "/orders/x,/orders,/x",
        "/%6Frders/x,/orders,/x",
        "//orders//x,/orders,//x",
        "/./orders;v=1/x;w=2,/orders,/x;w=2",
        "/a/./b/c%2fd,/a/b,/c%2fd",
        "/orders,'',/orders",
        "/%C3%a9/x,/%C3%A9,/x",
    })
    void aPrefixIsCutOffThePathAsItCame(String path, String prefix, String rest) {
        assertThat(PathForm.startsWith(PathForm.normal(path), prefix)).isTrue();
        assertThat(path.substring(PathForm.cut(path, prefix))).isEqualTo(rest);
    }

    @ParameterizedTest
    @CsvSource({
        "/orders%2fx,/orders",
        "/orders\\x,/orders",
        "/%5corders/x,/orders",
        "/a%2Fb/c,/a/b",
        "/orders%3bx/y,/orders"
    })
    void aPrefixWithAnEscapedSeparatorIsNotCut(String path, String prefix) {
        assertThat(PathForm.startsWith(PathForm.normal(path), prefix)).isTrue();
        assertThat(PathForm.cut(path, prefix)).isEqualTo(PathForm.UNCLEAR);
    }

    @ParameterizedTest
    @CsvSource({
        "/foo,/foo,true",
        "/foo/,/foo,true",
        "/foo/bar,/foo,true",
        "/foobar,/foo,false",
        "/fo,/foo,false",
        "/foo/bar,/foo/,true",
        "/foo,/foo/,false",
        "/any,/,true",
    })
    void prefixesEndAtTheBoundaryOfASegment(String path, String prefix, boolean matches) {
        assertThat(PathForm.startsWith(path, prefix)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/..",
                "/a/..",
                "/a/../b",
                "/a/..;x/b",
                "/a/%2e%2e/b",
                "/a/.%2E",
                "/a/%2e./b",
                "/a%2f..%2fb",
                "/a\\..\\b",
                "/a%5c..",
                "/%252e%252e/",
                "/%25252e./",
                "/%c0%ae./",
                "/%e0%80%ae%e0%80%ae/",
                "/..%c0%afx",
                "/..%c1%9cx",
                "/%u002e%u002e/",
                "/%uff0e%uff0e/",
                "/..%00",
                "/..%20/x",
                "/..%3bx",
                "/%f0%80%80%ae%f0%80%80%ae/",
                "/%2525252525252e%2525252525252e/",
                "/%%32%65%%32%65/",
                "/a;b=c/..",
                "/.%2e;a/",
                "/%uFF0E%2e/",
                "/..%0d%0a/x",
            })
    void climbingIsSeenThroughEveryDisguise(String path) {
        assertThat(PathForm.climbs(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a.b",
                "/...",
                "/..a",
                "/a..",
                "/a/.../b",
                "/.well-known/x",
                "/.",
                "/a/./b",
                "/%2e",
                "/100%25",
                "/%C0propos",
                "/a%20..b",
                "/%zz",
                "/%",
                "/%2",
                "/caf%C3%A9",
                "/a;..",
                "/x=..y",
                "/..%2523"
            })
    void ordinaryPathsDoNotClimb(String path) {
        assertThat(PathForm.climbs(path)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/a,/a",
        "/%61%2D%7e,/a-~",
        "/%2f%3b,/%2F%3B",
        "/café,/caf%C3%A9",
        "//a/./b;c,//a/./b;c",
        "/%zz%,/%zz%",
        "/%21,/%21",
    })
    void theUniformSpellingMeansTheSameToEveryServer(String path, String uniform) {
        assertThat(PathForm.uniform(path)).isEqualTo(uniform);
    }
}
