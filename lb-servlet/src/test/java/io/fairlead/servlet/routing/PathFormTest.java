package io.fairlead.servlet.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathFormTest {
    @ParameterizedTest
    @CsvSource({
        "/a/b,/a/b",
        "/%61%2D%2e%5F%7e%39,/a-._~9",
        "/a%2Fb%20c%zz%4,/a%2Fb%20c%zz%4",
        "/%2541,/%2541",
    })
    void theNormalFormHasNoEscapesOfUnreservedCharacters(String path, String normal) {
        assertThat(PathForm.normal(path)).isEqualTo(normal);
    }

    @Test
    void theLengthOfAPrefixIsFoundInThePathAsItCame() {
        assertThat(PathForm.rawLength("/%6Frders/x", "/orders".length())).isEqualTo("/%6Frders".length());
        assertThat(PathForm.rawLength("/a%2Fb", "/a%2F".length())).isEqualTo("/a%2F".length());
        assertThat(PathForm.rawLength("/orders", 7)).isEqualTo(7);
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
                "/..%3bx"
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
}
