package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.compose.Mirror;
import io.fairlead.compose.MirroringLoadBalancer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of requests go to a mirror, and nothing that becomes of them is felt. */
final class MirrorTest extends ContainerTest {
    private static final String LONG = "0123456789".repeat(30_000);

    private void mirrored(String options, String main, String mirror) throws Exception {
        proxy("""
                http:
                  services:
                    main: {loadBalancer: {servers: [{url: "%s"}]}}
                    spare: {loadBalancer: {servers: [{url: "%s"}]}}
                    shadow: {mirroring: {service: main, mirrors: [{name: spare, percent: 100}], %s}}
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: shadow}
                """.formatted(main, mirror, options));
    }

    private Mirror mirror() {
        return ((MirroringLoadBalancer) balancers().get("shadow")).mirrors().get(0);
    }

    private void awaitNoCopyUnderWay() {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> mirror().inFlight() == 0);
        awaitNothingInFlight();
    }

    /** Reads requests and answers none. */
    private RawBackend hanging() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        return backend(peer -> {
            peer.readRequest();
            never.await();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE"})
    void aCopyIsTheRequestAndItsAnswerIsThrownAway(String method) throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror", "Set-Cookie: from=mirror"));
        mirrored("timeout: 5s", main.url(), spare.url() + "/base");

        RawMessage answer = method.startsWith("P")
                ? client().exchange(
                                method,
                                "/a%20b?c=d",
                                "hello",
                                "Content-Length: 5",
                                "Content-Type: text/plain",
                                "X-One: 1")
                : client().exchange(method, "/a%20b?c=d", "", "X-One: 1");

        assertThat(answer.body()).isEqualTo("main");
        assertThat(answer.values("Set-Cookie")).isEmpty();
        RawMessage sent = main.request();
        RawMessage copy = spare.request();
        assertThat(copy.startLine()).isEqualTo(method + " /base/a%20b?c=d HTTP/1.1");
        assertThat(copy.body()).isEqualTo(sent.body());
        for (String field :
                new String[] {"Host", "X-One", "X-Forwarded-For", "X-Forwarded-Host", "Content-Length", "Content-Type"
                }) {
            assertThat(copy.values(field)).as(field).isEqualTo(sent.values(field));
        }
        assertThat(copy.values("Transfer-Encoding")).isEmpty();
        awaitNoCopyUnderWay();
    }

    @Test
    void aChunkedBodyIsCopiedWithItsLength() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror"));
        mirrored("timeout: 5s", main.url(), spare.url());

        RawMessage answer =
                client().exchange("PATCH", "/", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "Transfer-Encoding: chunked");

        assertThat(answer.body()).isEqualTo("main");
        assertThat(main.request().body()).isEqualTo("hello world");
        RawMessage copy = spare.request();
        assertThat(copy.body()).isEqualTo("hello world");
        assertThat(copy.value("Content-Length")).isEqualTo("11");
        awaitNoCopyUnderWay();
    }

    @Test
    void aBodyWithinTheLimitIsCopiedWhole() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror"));
        mirrored("timeout: 5s", main.url(), spare.url());

        client().exchange("POST", "/", LONG, "Content-Length: " + LONG.length());

        assertThat(main.request().body()).isEqualTo(LONG);
        assertThat(spare.request().body()).isEqualTo(LONG);
        awaitNoCopyUnderWay();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestWithABodyAboveTheLimitIsNotCopied(boolean chunked) throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror"));
        mirrored("maxBodySize: 200000", main.url(), spare.url());

        RawMessage answer = chunked
                ? client().exchange(
                                "POST",
                                "/",
                                Integer.toHexString(LONG.length()) + "\r\n" + LONG + "\r\n0\r\n\r\n",
                                "Transfer-Encoding: chunked")
                : client().exchange("POST", "/", LONG, "Content-Length: " + LONG.length());

        assertThat(answer.body()).isEqualTo("main");
        assertThat(main.request().body()).isEqualTo(LONG);
        awaitNoCopyUnderWay();
        assertThat(mirror().sent()).isZero();
        assertThat(mirror().dropped()).isEqualTo(1);
        assertThat(spare.connections()).isZero();
    }

    @Test
    void onlyTheHeadIsCopiedWhereBodiesAreNotToBe() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror"));
        mirrored("mirrorBody: false, maxBodySize: 10", main.url(), spare.url());

        client().exchange("POST", "/x", LONG, "Content-Length: " + LONG.length());

        assertThat(main.request().body()).isEqualTo(LONG);
        RawMessage copy = spare.request();
        assertThat(copy.startLine()).startsWith("POST /x ");
        assertThat(copy.body()).isEmpty();
        awaitNoCopyUnderWay();
    }

    @Test
    void aMirrorThatRefusesBreaksOffOrFailsIsNotFelt() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend broken = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: 100\r\n\r\nhalf");
        });
        RawBackend failing = backend(answer(503, "no"));
        String refused = "http://127.0.0.1:" + RawBackend.refusedPort();
        for (String mirror : new String[] {refused, broken.url(), failing.url()}) {
            mirrored("timeout: 5s", main.url(), mirror);
            for (int i = 0; i < 5; i++) {
                assertThat(client().exchange("POST", "/", "hello", "Content-Length: 5")
                                .body())
                        .isEqualTo("main");
            }
            awaitNoCopyUnderWay();
            assertThat(mirror().sent()).isEqualTo(5);
            assertThat(balancers().get("spare").snapshot().endpoints().get(0).failures())
                    .isEqualTo(5);
            assertThat(balancers().get("main").snapshot().endpoints().get(0).failures())
                    .isZero();
            stopProxy();
        }
    }

    @Test
    void aMirrorThatHangsIsNotFeltAndLeavesNothingBehind() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = hanging();
        mirrored("maxInFlight: 20, timeout: 1m", main.url(), spare.url());
        RawClient client = client();
        for (int i = 0; i < 1000; i++) {
            if (i % 50 == 49) {
                // Tomcat closes a connection after a hundred requests.
                client = client();
            }
            RawMessage answer =
                    i % 2 == 0 ? client.get("/" + i) : client.exchange("POST", "/" + i, "hello", "Content-Length: 5");
            assertThat(answer.body()).isEqualTo("main");
        }

        assertThat(mirror().inFlight()).isEqualTo(20);
        assertThat(mirror().dropped()).isEqualTo(980);
        assertThat(spare.connections()).isLessThanOrEqualTo(21);
        stopProxy();
        assertThat(mirror().inFlight()).isZero();
        assertThat(inFlight()).isZero();
    }

    @Test
    void aCopyIsGivenUpWhenItsTimeIsOver() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        mirrored("timeout: 200ms", main.url(), hanging().url());

        assertThat(client().get("/").body()).isEqualTo("main");

        awaitNoCopyUnderWay();
        assertThat(balancers().get("spare").snapshot().endpoints().get(0).failures())
                .isEqualTo(1);
    }

    @Test
    void anAnswerWithoutEndIsGivenUpToo() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend endless = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n");
            while (true) {
                peer.write("8\r\n12345678\r\n");
            }
        });
        mirrored("timeout: 300ms", main.url(), endless.url());

        assertThat(client().get("/").body()).isEqualTo("main");

        awaitNoCopyUnderWay();
    }

    @Test
    void aMirrorThatDoesNotReadDoesNotSlowTheBodyDown() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        CountDownLatch never = new CountDownLatch(1);
        RawBackend spare = backend(peer -> {
            peer.readHead();
            never.await();
        });
        mirrored("maxBodySize: 100000000", main.url(), spare.url());
        String body = LONG.repeat(20);

        RawMessage answer = client().exchange("POST", "/", body, "Content-Length: " + body.length());

        assertThat(answer.body()).isEqualTo("main");
        assertThat(main.request().body()).hasSize(body.length());
        spare.request();
        stopProxy();
        assertThat(mirror().inFlight()).isZero();
    }

    @Test
    void aRequestWhoseBodyBreaksOffIsNotCopied() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror"));
        mirrored("timeout: 5s", main.url(), spare.url());
        try (RawClient client = client()) {
            client.send("POST", "/", "Content-Length: 100000");
            client.write("half");
            Awaitility.await().until(() -> mirror().inFlight() == 1);
        }

        awaitNoCopyUnderWay();
        assertThat(mirror().dropped()).isEqualTo(1);
        assertThat(spare.connections()).isZero();
    }

    @Test
    void aRequestThatIsTriedTwiceIsCopiedOnce() throws Exception {
        RawBackend bad = backend(RawBackend.Peer::readRequest);
        RawBackend good = backend(answer(200, "good"));
        RawBackend spare = backend(answer(200, "mirror"));
        proxy("""
                http:
                  services:
                    main: {loadBalancer: {strategy: priority, servers: [{url: "%s"}, {url: "%s"}]}}
                    spare: {loadBalancer: {servers: [{url: "%s"}]}}
                    shadow: {mirroring: {service: main, mirrors: [{name: spare, percent: 100}]}}
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: shadow}
                """.formatted(bad.url(), good.url(), spare.url()));

        assertThat(client().exchange("PUT", "/", "hello", "Content-Length: 5").body())
                .isEqualTo("good");

        assertThat(spare.request().body()).isEqualTo("hello");
        awaitNoCopyUnderWay();
        assertThat(spare.pendingRequests()).isZero();
        assertThat(mirror().sent()).isEqualTo(1);
    }

    @Test
    void halfOfTheRequestsAreCopiedWhereHalfAreDue() throws Exception {
        RawBackend main = backend(answer(200, "main"));
        RawBackend spare = backend(answer(200, "mirror"));
        proxy("""
                http:
                  services:
                    main: {loadBalancer: {servers: [{url: "%s"}]}}
                    spare: {loadBalancer: {servers: [{url: "%s"}]}}
                    shadow: {mirroring: {service: main, mirrors: [{name: spare, percent: 50}]}}
                  routers:
                    all: {rule: "PathPrefix(`/`)", service: shadow}
                """.formatted(main.url(), spare.url()));
        RawClient client = client();
        for (int i = 0; i < 40; i++) {
            client.get("/" + i);
        }

        awaitNoCopyUnderWay();
        assertThat(mirror().sent()).isEqualTo(20);
        assertThat(spare.pendingRequests()).isEqualTo(20);
    }
}
