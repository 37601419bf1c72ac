package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathMiddlewaresTest {
    @Test
    void aPathIsReplacedAndTold() {
        FakeRequest request = FakeRequest.get("/a//b;c?d").through(Configured.of("{path: /x%20y}", ReplacePath::read));

        assertThat(request.path()).isEqualTo("/x%20y");
        assertThat(request.query()).isEqualTo("d");
        assertThat(request.edits()).containsExactly("X-Replaced-Path+=/a//b;c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^/foo/(.*) /bar/$1 /foo/x /bar/x",
                "^/foo/(.*) /bar/$1 /foo/a%2Fb//c;d /bar/a%2Fb//c;d",
                "^/foo/(.*) /bar/$1 /f%6fo/%41%c3%a9 /bar/A%C3%A9",
                "^/foo/(.*) /bar/$1 /other -",
                "^/foo/(.*) $1 /foo/x /x",
                "[0-9]+ N /a1/b22 /aN/bN",
            })
    void aMatchIsReplacedInThePath(String regex, String replacement, String path, String to) {
        FakeRequest request = FakeRequest.get(path)
                .through(Configured.of(
                        "{regex: '" + regex + "', replacement: '" + replacement + "'}", ReplacePathRegex::read));

        assertThat(request.status()).isZero();
        assertThat(request.path()).isEqualTo(to.equals("-") ? path : to);
        assertThat(request.edits()).isEqualTo(to.equals("-") ? List.of() : List.of("X-Replaced-Path+=" + path));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                // What is made climbs.
                "^/a/(.*) /b/.$1 /a/./x",
                "^/a/(.*) /b/${1}e/x /a/%2e%2",
                // Some servers see it as the path that is to be replaced.
                "^/foo/(.*) /bar/$1 //foo/x",
                "^/foo/(.*) /bar/$1 /foo;v=1/x",
                "^/foo/(.*) /bar/$1 /foo%2Fx",
            })
    void whatCouldMeanSomethingElseIsRefused(String regex, String replacement, String path) {
        assertThat(FakeRequest.get(path)
                        .through(Configured.of(
                                "{regex: '" + regex + "', replacement: '" + replacement + "'}", ReplacePathRegex::read))
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^/v[0-9]+ /v2/x /x /v2",
                "^/v[0-9]+/ /v2/x /x /v2",
                "/v[0-9]+ /a/v2/x - -",
                "/v[0-9]+ /v2x - -",
                "/v[0-9]+ /%76%32//x;y //x;y /v2",
                "/[^/]+/[^/]+ /a/b/c /c /a/b",
                "/[^/]+/[^/]+ /a/b / /a/b",
                "/caf\u00e9 /caf%c3%a9/x /x /caf%C3%A9",
                "/two[[:space:]]words /two%20words/x /x /two%20words",
                "/(ab|a) /ab/x /x /ab",
                // As in Go the first alternative counts, not the longest.
                "/(a|ab) /ab/x - -",
            })
    void thePrefixThatAnExpressionMatchesIsCutOff(String regex, String path, String rest, String prefix) {
        FakeRequest request =
                FakeRequest.get(path).through(Configured.of("{regex: ['" + regex + "']}", StripPrefixRegex::read));

        assertThat(request.path()).isEqualTo(rest.equals("-") ? path : rest);
        assertThat(request.strippedPrefix()).isEqualTo(prefix.equals("-") ? "" : prefix);
    }

    @Test
    void theFirstExpressionThatMatchesCounts() {
        Middleware strip = Configured.of("{regex: [\"/none\", \"/a\", \"/a/b\"]}", StripPrefixRegex::read);

        assertThat(FakeRequest.get("/a/b/c").through(strip).path()).isEqualTo("/b/c");
        assertThat(FakeRequest.get("/a%2fb/c").through(strip).status()).isEqualTo(400);
    }

    @Test
    void mistakesAreTold() {
        assertThat(Configured.problems("{path: \"x\"}", ReplacePath::read))
                .containsExactly(".path: the path 'x' does not begin with /");
        assertThat(Configured.problems("{path: \"/x?y\"}", ReplacePath::read))
                .singleElement()
                .asString()
                .contains("must be escaped");
        assertThat(Configured.problems("{path: \"/x/%2e%2e\"}", ReplacePath::read))
                .singleElement()
                .asString()
                .contains("has a .. in it");
        assertThat(Configured.problems("{regex: \"a\", replacement: \"/x?y\"}", ReplacePathRegex::read))
                .singleElement()
                .asString()
                .startsWith(".replacement: has a character that must be escaped");
        assertThat(Configured.problems("{regex: [\"(\"]}", StripPrefixRegex::read))
                .singleElement()
                .asString()
                .startsWith(".regex[0]: '(' is not a regular expression");
        assertThat(Configured.problems("{prefix: \"/a/../b\"}", AddPrefix::read))
                .singleElement()
                .asString()
                .contains("has a .. in it");
    }
}
