package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What servers say of their own URLs, as clients get it. */
final class RewriteTest extends ContainerTest {
    /** A server that answers with the fields that a request has in X-Say, between bars. */
    private RawBackend saying() throws Exception {
        return backend(peer -> {
            while (true) {
                RawMessage request = peer.readHead();
                if (request == null) {
                    return;
                }
                peer.write(answer(302, "", request.value("X-Say").split("\\|")));
            }
        });
    }

    private static String proxied(RawBackend backend, String base, String rewrite) {
        return """
                http:
                  forwardedHeaders: {trustedIPs: ["127.0.0.0/8"]}
                  routers:
                    orders: {rule: "PathPrefix(`/orders`)", service: orders, middlewares: [strip, add]}
                    replaced: {rule: "PathPrefix(`/replaced`)", service: orders, middlewares: [replace]}
                    plain: {rule: "PathPrefix(`/`)", service: orders}
                  middlewares:
                    strip: {stripPrefix: {prefixes: [/orders]}}
                    add: {addPrefix: {prefix: /v2}}
                    replace: {replacePath: {path: /other}}
                  services:
                    orders: {loadBalancer: {servers: [{url: "%s"}], rewrite: %s}}
                """.formatted(backend.url() + base, rewrite);
    }

    private String said(RawClient client, String target, String field, String... more) throws Exception {
        String[] fields = new String[more.length + 1];
        fields[0] = "X-Say: " + field;
        System.arraycopy(more, 0, fields, 1, more.length);
        return client.get(target, fields).value(field.substring(0, field.indexOf(':')));
    }

    @Test
    void aRedirectToTheServerLeadsThroughTheProxy() throws Exception {
        RawBackend backend = saying();
        proxy(proxied(backend, "/base", "{location: true}"));
        RawClient client = client();
        String own = backend.url();

        for (String[] each : new String[][] {
            // By the server's own name.
            {own + "/base/v2/x?y#z", "http://shop.example/orders/x?y#z"},
            {"//127.0.0.1:" + backend.port() + "/base/v2/x", "http://shop.example/orders/x"},
            {own.replace("http:", "HTTP:") + "/base/v2", "http://shop.example/orders"},
            // By the name that it was asked for.
            {"http://SHOP.example/base/v2/x", "http://shop.example/orders/x"},
            {"http://shop.example:80/base/v2/x", "http://shop.example/orders/x"},
            {"/base/v2/x/../y", "/base/v2/x/../y"},
            {"/base/v2/x;a=1?b", "/orders/x;a=1?b"},
            {"/base/v2", "/orders"},
            {"/base/v2?q", "/orders?q"},
            // What is not its own, or cannot be asked for here, stays.
            {own + "/else", own + "/else"},
            {own + "0/base/v2/x", own + "0/base/v2/x"},
            {own + "@evil.example/base/v2/x", own + "@evil.example/base/v2/x"},
            {"https://127.0.0.1:" + backend.port() + "/base/v2/x", "https://127.0.0.1:" + backend.port() + "/base/v2/x"
            },
            {"https://shop.example/base/v2/x", "https://shop.example/base/v2/x"},
            {"http://elsewhere.example/base/v2/x", "http://elsewhere.example/base/v2/x"},
            {"/based/v2/x", "/based/v2/x"},
            {"/base/v23", "/base/v23"},
            {"x/y", "x/y"},
            {"?q", "?q"},
            {"#f", "#f"},
            {"", ""},
            {"mailto:x@y.example", "mailto:x@y.example"},
        }) {
            assertThat(said(client, "/orders/a", "Location: " + each[0])).isEqualTo(each[1]);
        }
        assertThat(said(client, "/orders/a", "Content-Location: /base/v2/x")).isEqualTo("/orders/x");
        assertThat(said(client, "/orders/a", "Refresh: 5; URL=" + own + "/base/v2/x"))
                .isEqualTo("5; URL=http://shop.example/orders/x");
        assertThat(said(client, "/orders/a", "Refresh: 0;url='/base/v2/x'")).isEqualTo("0;url='/orders/x'");
        assertThat(said(client, "/orders/a", "Refresh: 7")).isEqualTo("7");
        assertThat(said(client, "/orders/a", "X-Location: " + own)).isEqualTo(own);
        // A path that was replaced leads nowhere back.
        assertThat(said(client, "/replaced/a", "Location: " + own + "/base/other"))
                .isEqualTo(own + "/base/other");
        assertThat(said(client, "/plain", "Location: " + own + "/base/x")).isEqualTo("http://shop.example/x");
        // The client speaks https to who is before us.
        assertThat(said(client, "/orders/a", "Location: http://shop.example/base/v2/x", "X-Forwarded-Proto: https"))
                .isEqualTo("https://shop.example/orders/x");
        assertThat(said(client, "/orders/a", "Location: https://shop.example/base/v2/x", "X-Forwarded-Proto: https"))
                .isEqualTo("https://shop.example/orders/x");
    }

    @Test
    void aRedirectThatIsRewrittenNeverLeadsToAnotherHost() throws Exception {
        RawBackend backend = saying();
        proxy(proxied(backend, "/base", "{location: true}"));
        RawClient client = client();

        assertThat(said(client, "/plain", "Location: /base//evil.example/x"))
                .isEqualTo("http://shop.example//evil.example/x");
        assertThat(said(client, "/plain", "Location: /base/\\evil.example"))
                .isEqualTo("http://shop.example/\\evil.example");
        assertThat(said(client, "/plain", "Location: " + backend.url() + "/base//evil.example"))
                .isEqualTo("http://shop.example//evil.example");
        assertThat(said(client, "/plain", "Location: " + backend.url() + "\\@evil.example/"))
                .isEqualTo(backend.url() + "\\@evil.example/");
    }

    @Test
    void cookiesAreMeantForTheClientsHostAndPath() throws Exception {
        RawBackend backend = saying();
        proxy(
                proxied(
                        backend,
                        "/base",
                        "{cookies: true, cookieDomain: {old.example: shop.example, gone.example: \"\"}, cookiePath: {/legacy: /new}}"));
        RawClient client = client();

        for (String[] each : new String[][] {
            {"a=1; Path=/base/v2; HttpOnly", "a=1; Path=/orders; HttpOnly"},
            {"a=1; path=/base/v2/x/; Secure", "a=1; path=/orders/x; Secure"},
            {"a=1;Path=/", "a=1;Path=/orders"},
            {"a=1; Path=/base/", "a=1; Path=/orders"},
            {"a=1; Path=/elsewhere", "a=1; Path=/elsewhere"},
            {"a=1; Path=/legacy/x", "a=1; Path=/new/x"},
            {"a=1; Domain=127.0.0.1; Path=/elsewhere", "a=1; Path=/elsewhere"},
            {"a=1; Domain=.shop.example", "a=1; Domain=.shop.example"},
            {"a=1; domain=Old.example; SameSite=Lax", "a=1; domain=shop.example; SameSite=Lax"},
            {"a=1; Domain=gone.example", "a=1"},
            {"a=1; Domain=third.example", "a=1; Domain=third.example"},
            {"a=\"x; Path=/base/v2\"; Path", "a=\"x; Path=/base/v2\"; Path"},
            {"__Host-a=1; Path=/; Secure", "__Host-a=1; Path=/; Secure"},
            {"a=b=c; Expires=Thu, 01 Jan 2037 00:00:00 GMT", "a=b=c; Expires=Thu, 01 Jan 2037 00:00:00 GMT"},
        }) {
            assertThat(said(client, "/orders/a", "Set-Cookie: " + each[0])).isEqualTo(each[1]);
        }
        assertThat(said(client, "/plain", "Set-Cookie: a=1; Path=/")).isEqualTo("a=1; Path=/");
        // Locations are another option.
        assertThat(said(client, "/orders/a", "Location: /base/v2/x")).isEqualTo("/base/v2/x");
        assertThat(client.get("/orders/a", "X-Say: Set-Cookie: a=1; Path=/|Set-Cookie: b=2; Path=/base/v2/c")
                        .values("Set-Cookie"))
                .containsExactly("a=1; Path=/orders", "b=2; Path=/orders/c");
    }

    @Test
    void theWebApplicationsPlaceStandsBeforeWhatIsRewritten() throws Exception {
        RawBackend backend = saying();
        proxy(proxied(backend, "", "{location: true, cookies: true}"), Map.of(), "/app");
        RawClient client = client();

        assertThat(said(client, "/app/orders/a", "Location: /v2/x")).isEqualTo("/app/orders/x");
        assertThat(said(client, "/app/plain", "Location: " + backend.url())).isEqualTo("http://shop.example/app/");
        assertThat(said(client, "/app/orders/a", "Set-Cookie: a=1; Path=/")).isEqualTo("a=1; Path=/app/orders");
        assertThat(said(client, "/app/plain", "Set-Cookie: a=1; Path=/x")).isEqualTo("a=1; Path=/app/x");
    }

    @Test
    void nothingIsRewrittenUnlessAskedFor() throws Exception {
        RawBackend backend = saying();
        proxy(proxied(backend, "/base", "{}"));
        RawClient client = client();

        assertThat(said(client, "/orders/a", "Location: " + backend.url() + "/base/v2/x"))
                .isEqualTo(backend.url() + "/base/v2/x");
        assertThat(said(client, "/orders/a", "Set-Cookie: a=1; Domain=127.0.0.1; Path=/"))
                .isEqualTo("a=1; Domain=127.0.0.1; Path=/");
    }

    @Test
    void aReplacedPathIsNotUndone() throws Exception {
        RawBackend backend = saying();
        proxy(proxied(backend, "", "{location: true}").replace("path: /other", "path: /"));

        // A client that is sent from /replaced to /replaced/login would be sent on for ever.
        assertThat(said(client(), "/replaced", "Location: /login")).isEqualTo("/login");
    }
}
