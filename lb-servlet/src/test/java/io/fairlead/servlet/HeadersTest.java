package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code headers}. */
final class HeadersTest extends ContainerTest {
    @Test
    void fieldsOfRequestAndAnswerAreSetAndTakenOut() throws Exception {
        RawBackend backend = backend(answer(200, "x", "Server: inner", "X-Powered-By: luck", "X-A: 1"));
        proxy(through(
                backend.url(),
                "h: {headers: {customRequestHeaders: {X-Script-Name: test, X-Secret: \"\", Host: in.example},"
                        + " customResponseHeaders: {X-Powered-By: \"\", X-A: two, X-B: three}}}"));

        RawMessage answer = client().get("/", "X-Secret: s", "x-script-name: old");

        RawMessage sent = backend.request();
        assertThat(sent.value("X-Script-Name")).isEqualTo("test");
        assertThat(sent.value("X-Secret")).isNull();
        assertThat(sent.value("Host")).isEqualTo("in.example");
        assertThat(answer.value("X-Powered-By")).isNull();
        assertThat(answer.value("X-A")).isEqualTo("two");
        assertThat(answer.value("X-B")).isEqualTo("three");
        assertThat(answer.value("Server")).isEqualTo("inner");
        assertThat(answer.body()).isEqualTo("x");
    }

    @Test
    void theFieldsThatProtectASiteStandInEveryAnswer() throws Exception {
        proxy(through(
                "http://127.0.0.1:" + RawBackend.refusedPort(),
                "h: {headers: {frameDeny: true, contentTypeNosniff: true, browserXssFilter: true, referrerPolicy: no-referrer,"
                        + " permissionsPolicy: camera=(), contentSecurityPolicy: \"default-src 'self'\", stsSeconds: 31536000,"
                        + " stsIncludeSubdomains: true, stsPreload: true, sslProxyHeaders: {X-Proto: https}}}"));

        RawMessage plain = client().get("/");
        RawMessage secure = client().get("/", "X-Proto: https");

        assertThat(plain.status()).isEqualTo(502);
        assertThat(plain.value("X-Frame-Options")).isEqualTo("DENY");
        assertThat(plain.value("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(plain.value("X-XSS-Protection")).isEqualTo("1; mode=block");
        assertThat(plain.value("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(plain.value("Permissions-Policy")).isEqualTo("camera=()");
        assertThat(plain.value("Content-Security-Policy")).isEqualTo("default-src 'self'");
        assertThat(plain.value("Strict-Transport-Security")).isNull();
        assertThat(secure.value("Strict-Transport-Security")).isEqualTo("max-age=31536000; includeSubDomains; preload");
    }

    @Test
    void ownValuesGoBeforeTheUsualOnes() throws Exception {
        RawBackend backend = backend(answer(200, "x", "X-Frame-Options: ALLOWALL"));
        proxy(through(
                backend.url(),
                "h: {headers: {frameDeny: true, customFrameOptionsValue: SAMEORIGIN, browserXssFilter: true,"
                        + " customBrowserXSSValue: \"0\", stsSeconds: 5, forceSTSHeader: true,"
                        + " contentSecurityPolicyReportOnly: \"default-src 'none'\"}}"));

        RawMessage answer = client().get("/");

        assertThat(answer.value("X-Frame-Options")).isEqualTo("SAMEORIGIN");
        assertThat(answer.value("X-XSS-Protection")).isEqualTo("0");
        assertThat(answer.value("Strict-Transport-Security")).isEqualTo("max-age=5");
        assertThat(answer.value("Content-Security-Policy-Report-Only")).isEqualTo("default-src 'none'");
    }

    @Test
    void otherHostsAreRefused() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        String configuration = through(
                backend.url(),
                "h: {headers: {allowedHosts: [Shop.example], hostsProxyHeaders: [X-Host], frameDeny: true}}");
        proxy(configuration.replace(
                "http:\n  routers", "http:\n  forwardedHeaders: {trustedIPs: [127.0.0.1]}\n  routers"));

        assertThat(client().get("/", "Host: shop.EXAMPLE:8080").status()).isEqualTo(200);
        assertThat(client().get("/", "Host: other.example", "X-Host: shop.example")
                        .status())
                .isEqualTo(200);
        RawMessage refused = client().get("/", "Host: other.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.value("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.value("X-Frame-Options")).isEqualTo("DENY");
    }

    @Test
    void aClientCannotNameAnAllowedHostBesideItsOwn() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy(through(backend.url(), "h: {headers: {allowedHosts: [shop.example], hostsProxyHeaders: [X-Host]}}"));

        assertThat(client().get("/", "Host: other.example", "X-Host: shop.example")
                        .status())
                .isEqualTo(403);
        assertThat(client().get("/", "Host: shop.example", "X-Host: other.example")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aTypeMakesNoLengthWhereThereIsNoBody() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxy(through(backend.url(), "h: {headers: {customRequestHeaders: {Content-Type: text/plain}}}"));

        client().get("/");
        RawMessage sent = backend.request();
        assertThat(sent.value("Content-Type")).isEqualTo("text/plain");
        assertThat(sent.value("Content-Length")).isNull();
        client().exchange("POST", "/", "abc", "Content-Length: 3", "Content-Type: text/html");
        sent = backend.request();
        assertThat(sent.values("Content-Type")).containsExactly("text/plain");
        assertThat(sent.body()).isEqualTo("abc");
    }

    @Test
    void aPreflightIsAnsweredAndNotSentOn() throws Exception {
        RawBackend backend = backend(answer(200, "x", "Access-Control-Allow-Origin: *", "Vary: Accept"));
        proxy(
                through(
                        backend.url(),
                        "h: {headers: {accessControlAllowMethods: [GET, PUT], accessControlAllowHeaders: [X-A, X-B],"
                                + " accessControlAllowOriginList: [\"https://a.example\"], accessControlMaxAge: 100,"
                                + " accessControlAllowOriginListRegex: [\"^https://[a-z]+[.]b[.]example$\"],"
                                + " accessControlAllowCredentials: true, accessControlExposeHeaders: [X-C], addVaryHeader: true}}"));

        RawMessage preflight = client().exchange(
                        "OPTIONS", "/", "", "Origin: https://a.example", "Access-Control-Request-Method: PUT");
        RawMessage foreign = client().exchange(
                        "OPTIONS", "/", "", "Origin: https://c.example", "Access-Control-Request-Method: PUT");

        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.value("Access-Control-Allow-Origin")).isEqualTo("https://a.example");
        assertThat(preflight.value("Access-Control-Allow-Methods")).isEqualTo("GET,PUT");
        assertThat(preflight.value("Access-Control-Allow-Headers")).isEqualTo("X-A,X-B");
        assertThat(preflight.value("Access-Control-Max-Age")).isEqualTo("100");
        assertThat(preflight.value("Access-Control-Allow-Credentials")).isEqualTo("true");
        assertThat(preflight.value("Content-Length")).isEqualTo("0");
        assertThat(foreign.value("Access-Control-Allow-Origin")).isNull();
        assertThat(backend.connections()).isZero();

        RawMessage answer = client().get("/", "Origin: https://x.b.example");
        assertThat(answer.value("Access-Control-Allow-Origin")).isEqualTo("https://x.b.example");
        assertThat(answer.value("Access-Control-Expose-Headers")).isEqualTo("X-C");
        assertThat(answer.values("Vary")).containsExactly("Accept", "Origin");
        // No preflight: it is the service's.
        assertThat(client().exchange("OPTIONS", "/", "", "Origin: https://a.example")
                        .body())
                .isEqualTo("x");
    }
}
