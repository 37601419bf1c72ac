package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RedirectsTest {
    @ParameterizedTest
    @CsvSource({
        "{scheme: https},http://a.example,/x?y=%zz,https://a.example/x?y=%zz",
        "{scheme: https},http://a.example:8080,//x/?,https://a.example//x/?",
        "'{scheme: https, port: \"8443\"}',http://a.example:8080,/x,https://a.example:8443/x",
        "'{scheme: HTTPS, port: 443}',http://a.example,/x,https://a.example/x",
        "{scheme: https},http://[2001:db8::1]:81,/,https://[2001:db8::1]/",
        "{scheme: https},https://a.example,/x,",
        "{scheme: https},https://a.example:443,/x,",
        "{scheme: https},https://a.example:8443,/x,",
        "'{scheme: https, port: 8443}',https://a.example:8443,/x,",
        "'{scheme: https, port: 443}',https://a.example,/x,",
        "'{scheme: https, port: 8443}',https://a.example,/x,https://a.example:8443/x",
        "{scheme: http},https://a.example:443,/x,http://a.example/x",
    })
    void theSchemeIsExchangedAndThePortIsThatOfTheConfiguration(String yaml, String url, String target, String to) {
        FakeRequest request = FakeRequest.get(target).to(url).through(Configured.of(yaml, RedirectScheme::read));

        assertThat(request.answered("Location")).isEqualTo(to);
        assertThat(request.status()).isEqualTo(to == null ? 0 : 302);
    }

    @ParameterizedTest
    @CsvSource({"GET,false,302", "GET,true,301", "HEAD,false,307", "POST,false,307", "POST,true,308", "PUT,true,308"})
    void otherMethodsThanGetAreKept(String method, boolean permanent, int status) {
        Middleware scheme = Configured.of("{scheme: https, permanent: " + permanent + "}", RedirectScheme::read);
        Middleware regex = Configured.of(
                "{regex: \"^http:\", replacement: \"https:\", permanent: " + permanent + "}", RedirectRegex::read);

        assertThat(FakeRequest.get("/").method(method).through(scheme).status()).isEqualTo(status);
        assertThat(FakeRequest.get("/").method(method).through(regex).status()).isEqualTo(status);
    }

    /** The first three are examples of Traefik's documentation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^http://localhost/(.*) http://mydomain/${1} http://localhost /a/b?c http://mydomain/a/b?c",
                "^https://www.(.*) https://${1} https://www.a.example /x https://a.example/x",
                "^(https?://[^/]+/[a-z0-9_]+)$ ${1}/ http://a.example /x http://a.example/x/",
                "^(https?://[^/]+/[a-z0-9_]+)$ ${1}/ http://a.example /x/ -",
                "(.*) $1 http://a.example /x -",
                "(.*) ${1}?y http://a.example /x http://a.example/x?y",
                "^http://(?P<host>[^/]+)(?P<rest>.*)$ https://${host}${rest} http://a.example:81 /x https://a.example:81/x",
                "/caf\u00e9$ /th\u00e9 http://a.example /caf\u00e9 http://a.example/th%C3%A9",
                "nothing else http://a.example /x -",
            })
    void theWholeUrlIsExchanged(String regex, String replacement, String url, String target, String to) {
        Middleware redirect =
                Configured.of("{regex: '" + regex + "', replacement: '" + replacement + "'}", RedirectRegex::read);
        FakeRequest request = FakeRequest.get(target).to(url).through(redirect);

        assertThat(request.answered("Location")).isEqualTo(to.equals("-") ? null : to);
    }

    @Test
    void theClientIsSentToTheUrlThatItUsedWhateverWasStrippedBefore() {
        FakeRequest request = FakeRequest.get("/shop/x")
                .through(Configured.of("{prefixes: [/shop]}", StripPrefix::read))
                .through(Configured.of("{scheme: https}", RedirectScheme::read));

        assertThat(request.answered("Location")).isEqualTo("https://shop.example/shop/x");
    }

    @Test
    void aRequestThatNamesNoHostCannotBeRedirected() {
        assertThat(FakeRequest.get("/")
                        .to("http://")
                        .through(Configured.of("{scheme: https}", RedirectScheme::read))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void mistakesAreTold() {
        assertThat(Configured.problems("{scheme: \"a b\", port: 99999}", RedirectScheme::read))
                .containsExactly(
                        ".scheme: 'a b' is not the scheme of a URL",
                        ".port: must be a whole number from 1 to 65535, not '99999'");
        assertThat(Configured.problems("{regex: \"(\", replacement: x}", RedirectRegex::read))
                .singleElement()
                .asString()
                .startsWith(".regex: '(' is not a regular expression");
        assertThat(Configured.problems("{regex: \"(a)\", replacement: $1x}", RedirectRegex::read))
                .singleElement()
                .asString()
                .startsWith(".replacement: the regular expression has no group '1x'");
        assertThat(Configured.problems("{}", RedirectRegex::read))
                .containsExactly(".regex: is missing", ".replacement: is missing");
    }
}
