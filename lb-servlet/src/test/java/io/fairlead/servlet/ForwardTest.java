package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.containers.Container;
import org.junit.jupiter.api.Test;

/** Forward mode: requests that name a host. */
final class ForwardTest extends ContainerTest {
    private static String forwarding(String more) {
        return """
                http:
                  forwardProxy: {%s}
                  services: {orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}}
                  routers: {orders: {rule: "Host(`shop.example`) && PathPrefix(`/orders`)", service: orders}}
                """.formatted(more);
    }

    private RawMessage get(String url, String... fields) throws Exception {
        String authority = url.replaceAll("http://([^/]+).*", "$1");
        String[] all = new String[fields.length + 1];
        all[0] = "Host: " + authority;
        System.arraycopy(fields, 0, all, 1, fields.length);
        return client().get(url, all);
    }

    @Test
    void aHostOfTheListGetsTheRequestAsItIs() throws Exception {
        RawBackend host = backend(answer(200, "the host", "X-Own: 1", "Connection: X-Hop", "X-Hop: 1"));
        proxy(forwarding("hosts: [\"127.0.0.1:" + host.port() + "\"]"));

        RawMessage answer = get(
                host.url() + "/a%20b?q=%zz",
                "X-Forwarded-For: 9.9.9.9",
                "Proxy-Connection: keep-alive",
                "Proxy-Authorization: Basic eDp5",
                "Connection: X-Drop",
                "X-Drop: 1",
                "X-Keep: 1");
        RawMessage sent = host.request();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("the host");
        assertThat(answer.value("X-Own")).isEqualTo("1");
        assertThat(answer.values("X-Hop")).isEmpty();
        assertThat(sent.startLine()).isEqualTo("GET /a%20b?q=%zz HTTP/1.1");
        assertThat(sent.value("Host")).isEqualTo("127.0.0.1:" + host.port());
        assertThat(sent.value("X-Keep")).isEqualTo("1");
        assertThat(sent.fields())
                .noneMatch(field -> field.matches("(?i)(x-forwarded|x-real-ip|forwarded|proxy-|x-drop).*"));
    }

    @Test
    void theHostIsToldOfTheClientWhereThatIsWanted() throws Exception {
        RawBackend host = backend(answer(200, "x"));
        proxy(forwarding("hosts: [\"127.0.0.1:" + host.port() + "\"], xForwarded: true"));

        get(host.url() + "/", "X-Forwarded-For: 9.9.9.9");

        assertThat(host.request().value("X-Forwarded-For")).isEqualTo("127.0.0.1");
    }

    @Test
    void everyOtherHostIsRefused() throws Exception {
        RawBackend host = backend(answer(200, "never"));
        proxy(forwarding("hosts: [\"127.0.0.1:1\", \"*.example.org\"]"));

        for (String url : new String[] {
            host.url() + "/",
            "http://example.org/",
            "http://a.example.org:81/",
            "http://a.example.org.evil.example/",
            "http://evilexample.org/",
            "http://localhost/",
            "http://localhost:" + host.port() + "/"
        }) {
            RawMessage answer = get(url.replace("127.0.0.1", "127.0.0.2"));
            assertThat(answer.status()).as(url).isEqualTo(403);
            assertThat(answer.value("Content-Type")).startsWith("application/problem+json");
        }
        assertThat(host.connections()).isZero();
    }

    /** The name is one that resolves to the loopback address everywhere. */
    @Test
    void aNameThatMeansThisMachineIsRefusedUnlessTheAddressIsListed() throws Exception {
        RawBackend host = backend(answer(200, "reached"));
        String name = java.net.InetAddress.getLocalHost().getHostName();
        boolean loopback = java.net.InetAddress.getAllByName(name)[0].isLoopbackAddress();
        org.junit.jupiter.api.Assumptions.assumeTrue(loopback && name.matches("[A-Za-z][A-Za-z0-9.-]*"));
        proxy(forwarding("hosts: [\"" + name + ":" + host.port() + "\"]"));

        assertThat(get("http://" + name + ":" + host.port() + "/").status()).isEqualTo(403);
        assertThat(host.connections()).isZero();
    }

    @Test
    void localhostIsReachedWhenItIsListed() throws Exception {
        RawBackend host = backend(answer(200, "reached"));
        proxy(forwarding("hosts: [\"localhost:" + host.port() + "\"]"));

        assertThat(get("http://localhost:" + host.port() + "/").body()).isEqualTo("reached");
    }

    @Test
    void routersAndTheApplicationAreServedBesideIt() throws Exception {
        proxy(forwarding("hosts: [\"*.example.org\"]"));

        assertThat(client().get("/orders/1", "Host: shop.example").status()).isEqualTo(502);
        assertThat(client().get("/else", "Host: 127.0.0.1:" + port()).body()).isEqualTo(Container.APPLICATION);
    }

    @Test
    void aHostThatDoesNotAnswerIsA502() throws Exception {
        int port = RawBackend.refusedPort();
        proxy(forwarding("hosts: [\"127.0.0.1:" + port + "\"]"));

        assertThat(get("http://127.0.0.1:" + port + "/").status()).isEqualTo(502);
    }
}
