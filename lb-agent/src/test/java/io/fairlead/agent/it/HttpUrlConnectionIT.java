package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.it.Backend.Request;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application's {@code HttpURLConnection} under the real agent, against real servers. */
final class HttpUrlConnectionIT {
    @TempDir
    Path folder;

    private final List<AutoCloseable> closing = new ArrayList<>();
    private Backend a;
    private Backend b;

    @BeforeEach
    void startServers() throws IOException {
        a = server("a");
        b = server("b");
    }

    @AfterEach
    void stop() throws Exception {
        try {
            for (AutoCloseable each : closing) {
                if (each instanceof Jvm) {
                    assertThat(((Jvm) each).errorsWith("a fault of the agent")).isEmpty();
                }
            }
        } finally {
            for (AutoCloseable each : closing) {
                each.close();
            }
        }
    }

    @Test
    void serversAreReachedInTurnAndTheApplicationSeesTheLogicalName() throws Exception {
        Jvm app = orders(a, b);

        assertThat(app.ask("get http://orders/x", 4))
                .containsExactly(
                        "200 a http://orders/x",
                        "200 b http://orders/x",
                        "200 a http://orders/x",
                        "200 b http://orders/x");
        assertThat(a.requests())
                .allSatisfy(request -> assertThat(request.field("Host")).isEqualTo("orders"));
        assertThat(b.requests())
                .allSatisfy(request -> assertThat(request.field("Host")).isEqualTo("orders"));
    }

    @Test
    void caseAndPortOfTheUrlDoNotMatterAndStayAsTheyAre() throws Exception {
        Jvm app = orders(a);

        assertThat(app.ask("get http://Orders:81/x")).isEqualTo("200 a http://Orders:81/x");
        assertThat(a.only().field("Host")).isEqualTo("Orders:81");
    }

    @Test
    void aNameWithAnUnderscoreIsAServiceToo() throws Exception {
        Jvm app = app(Configs.file(folder, Configs.service("my_orders", "", a.url())));

        assertThat(app.ask("get http://my_orders/x")).isEqualTo("200 a http://my_orders/x");
    }

    @Test
    void pathAndQueryArriveByteForByte() throws Exception {
        Jvm app = orders(a);
        String target = "/a%20b/%2e%2E/%2F//c;d=e/%C3%A4?q=%00&r=a+b&&%3f?";

        assertThat(app.ask("get http://orders" + target)).startsWith("200 a ");
        assertThat(a.only().target).isEqualTo(target);
    }

    @Test
    void aBodyArrivesWholeHoweverItIsSent() throws Exception {
        Jvm app = orders(a);

        assertThat(app.ask("post http://orders/p 100000")).startsWith("200 a");
        assertThat(app.ask("fixed http://orders/p 100000")).startsWith("200 a");
        assertThat(app.ask("chunked http://orders/p 100000")).startsWith("200 a");

        assertThat(a.requests()).hasSize(3).allSatisfy(request -> {
            assertThat(request.method).isEqualTo("POST");
            assertThat(request.body).isEqualTo(pattern(100000));
        });
    }

    @Test
    void aRedirectToALogicalNameIsBalancedAgain() throws Exception {
        Backend first = server("first", request -> Backend.answer("302 Found", "", "Location: http://orders/end"));
        Jvm app = orders(first, b);

        assertThat(app.ask("get http://orders/begin")).isEqualTo("200 b http://orders/end");
        assertThat(b.only().field("Host")).isEqualTo("orders");
    }

    @Test
    void aRelativeRedirectStaysWithTheLogicalName() throws Exception {
        Backend first = server("first", request -> Backend.answer("302 Found", "", "Location: /end?x=1"));
        Jvm app = orders(first, b);

        assertThat(app.ask("get http://orders/begin")).isEqualTo("200 b http://orders/end?x=1");
    }

    @Test
    void aRedirectToAnotherHostIsLeftAlone() throws Exception {
        Backend elsewhere = server("elsewhere");
        Backend first = server("first", r -> Backend.answer("302 Found", "", "Location: " + elsewhere.url() + "/end"));
        Jvm app = orders(first);

        assertThat(app.ask("get http://orders/begin")).isEqualTo("200 elsewhere " + elsewhere.url() + "/end");
        assertThat(elsewhere.only().field("Host")).isEqualTo(elsewhere.authority());
        assertThat(app.errorsWith("elsewhere")).isEmpty();
    }

    @Test
    void cookiesAreKeptUnderTheLogicalNameAndSentToEveryServer() throws Exception {
        Backend first = server("first", request -> Backend.ok("first", "Set-Cookie: session=42; Path=/"));
        Jvm app = orders(first, b);

        app.ask("cookies");
        app.ask("get http://orders/login");
        app.ask("get http://orders/next");

        assertThat(b.only().field("Cookie")).contains("session=42");
        assertThat(app.ask("stored http://orders/")).contains("session=");
        assertThat(app.ask("stored " + first.url() + "/")).isEqualTo("[]");
    }

    @Test
    void aForeignHostIsLeftAlone() throws Exception {
        Backend foreign = server("foreign");
        Jvm app = orders(a);
        Jvm without = closing(Jvm.console());

        String known = "get " + foreign.url() + "/x?y";
        assertThat(app.ask(known)).isEqualTo(without.ask(known)).isEqualTo("200 foreign " + foreign.url() + "/x?y");
        String unknown = "get http://no-such-host.invalid/";
        assertThat(app.ask(unknown))
                .isEqualTo(without.ask(unknown))
                .startsWith("! java.net.UnknownHostException: no-such-host.invalid");
        String dead = "get http://127.0.0.1:" + Backend.deadPort() + "/";
        assertThat(app.ask(dead)).isEqualTo(without.ask(dead)).startsWith("! java.net.ConnectException");
        assertThat(a.requests()).isEmpty();
        assertThat(app.errorsWith("goes to")).isEmpty();
    }

    @Test
    void noCallFailsWhileAServerIsDown() throws Exception {
        Jvm app = app(Configs.orders(folder, a.url(), dead(), b.url()));

        assertThat(app.ask("get http://orders/x", 9)).allMatch(answer -> answer.startsWith("200 "));
        assertThat(app.ask("post http://orders/x 10", 9)).allMatch(answer -> answer.startsWith("200 "));
        assertThat(app.ask("chunked http://orders/x 10", 9)).allMatch(answer -> answer.startsWith("200 "));
        assertThat(a.requests().size() + b.requests().size()).isEqualTo(27);
    }

    @Test
    void whenAllServersAreDownTheApplicationGetsTheUsualException() throws Exception {
        Jvm app = app(Configs.orders(folder, dead(), dead()));
        Jvm without = closing(Jvm.console());

        assertThat(app.ask("get http://orders/x"))
                .isEqualTo(without.ask("get " + dead() + "/x"))
                .startsWith("! java.net.ConnectException: ");
        assertThat(app.ask("post http://orders/x 5")).startsWith("! java.net.ConnectException: ");
        assertThat(app.errorsWith("ended: CONNECT_FAILED")).hasSize(4);
    }

    @Test
    void aServerWhoseNameIsUnknownIsNotNamedToTheApplication() throws Exception {
        Jvm app = app(Configs.orders(folder, "http://no-such-server.invalid:80"));

        assertThat(app.ask("get http://orders/x")).isEqualTo("! java.net.UnknownHostException: orders");
    }

    @Test
    void aServiceWithoutUsableServersRefuses() throws Exception {
        File file = Configs.file(
                folder,
                "http: {services: {orders: {loadBalancer: {servers: [{url: \"" + a.url() + "\", fenced: true}]}}}}\n");
        Jvm app = app(file);

        assertThat(app.ask("get http://orders/x"))
                .isEqualTo("! java.net.ConnectException: no server of service 'orders' can be used");
        assertThat(a.connections()).isZero();
    }

    @Test
    void connectionsAreKeptAliveForEachServer() throws Exception {
        Jvm app = orders(a, b);

        app.ask("get http://orders/x", 20);

        assertThat(a.requests()).hasSize(10);
        assertThat(b.requests()).hasSize(10);
        assertThat(a.connections()).isEqualTo(1);
        assertThat(b.connections()).isEqualTo(1);
    }

    @Test
    void noCallFailsWhenAServerDiesThatConnectionsWereKeptAliveTo() throws Exception {
        Jvm app = orders(a, b);
        app.ask("get http://orders/x", 4);

        a.close();

        assertThat(app.ask("get http://orders/x", 4)).allMatch(answer -> answer.startsWith("200 b"));
        assertThat(app.ask("post http://orders/x 10", 4)).allMatch(answer -> answer.startsWith("200 b"));
        assertThat(app.ask("chunked http://orders/x 10", 4)).allMatch(answer -> answer.startsWith("200 b"));
    }

    @Test
    void aConnectionThatBreaksBeforeTheHeadSendsAGetToTheNextServerOnce() throws Exception {
        Backend broken = server("broken", request -> "");
        Jvm app = orders(broken, b);

        assertThat(app.ask("get http://orders/x")).isEqualTo("200 b http://orders/x");
        assertThat(broken.requests()).hasSize(1);
        assertThat(b.requests()).hasSize(1);
    }

    @Test
    void aConnectionThatBreaksNeverSendsAPostToAnotherServer() throws Exception {
        Backend broken = server("broken", request -> "");
        Jvm app = orders(broken, b);
        Jvm without = closing(Jvm.console());

        String answer = app.ask("post http://orders/x 10");

        assertThat(b.requests()).isEmpty();
        int sent = broken.requests().size();
        assertThat(answer).isEqualTo(without.ask("post " + broken.url() + "/x 10"));
        assertThat(sent)
                .as("as often as the JDK itself")
                .isEqualTo(broken.requests().size() - sent);
    }

    @Test
    void anAnswerIsPassedOnWhateverItsStatus() throws Exception {
        Backend failing = server("failing", request -> Backend.answer("503 Busy", "failing"));
        Jvm app = orders(failing, b);

        assertThat(app.ask("get http://orders/x")).isEqualTo("503 failing http://orders/x");
        assertThat(b.requests()).isEmpty();
        assertThat(app.errorsWith("ended: BAD_STATUS 503")).hasSize(1);
    }

    @Test
    void aReadTimeoutIsTheApplicationsAndIsNotSentAgain() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Backend slow = server("slow", request -> {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "";
        });
        Jvm app = orders(slow, b);

        assertThat(app.ask("timeout http://orders/x 300"))
                .startsWith("! java.net.SocketTimeoutException: Read timed out");
        ended.countDown();
        assertThat(slow.requests()).hasSize(1);
        assertThat(b.requests()).isEmpty();
        assertThat(app.errorsWith("ended: TIMED_OUT")).hasSize(1);
    }

    @Test
    void aCallThroughAProxyIsLeftAlone() throws Exception {
        Backend proxy = server("proxy");
        Jvm app = orders(a);

        assertThat(app.ask("proxy http://orders/x " + proxy.port())).isEqualTo("200 proxy http://orders/x");
        assertThat(proxy.only().target).isEqualTo("http://orders/x");
        assertThat(a.connections()).isZero();
    }

    @Test
    void serversThatTheAgentCannotUseAreLeftOutWithOneLineAtTheFirstTime() throws Exception {
        Jvm app = app(Configs.orders(folder, a.url(), "https://127.0.0.1:1", b.url() + "/base"));
        assertThat(app.ask("get " + b.url() + "/")).startsWith("200 b");
        assertThat(app.agentLines()).isEmpty();

        assertThat(app.ask("get http://orders/x", 6)).containsOnly("200 a http://orders/x");
        assertThat(app.agentLines())
                .hasSize(2)
                .anyMatch(line -> line.contains("'orders'") && line.contains("https://127.0.0.1:1"))
                .anyMatch(line -> line.contains("'orders'") && line.contains(b.url() + "/base"));
    }

    @Test
    void aCallOverHttpsFindsNoServerAmongThoseOfHttpAndIsToldSoOnce() throws Exception {
        Jvm app = orders(a);

        assertThat(app.ask("get https://orders/x", 2))
                .containsOnly("! java.net.ConnectException: no server of service 'orders' can be used");
        assertThat(app.agentLines()).hasSize(1).allMatch(line -> line.contains(a.url()) && line.contains("https"));
        assertThat(a.connections()).isZero();
    }

    @Test
    void hostIsTheServersOwnWhereTheConfigurationSaysSo() throws Exception {
        Jvm app = app(Configs.file(folder, Configs.service("orders", "passHostHeader: false", a.url(), b.url())));

        assertThat(app.ask("get http://orders/x", 2)).containsExactly("200 a http://orders/x", "200 b http://orders/x");
        assertThat(a.only().field("Host")).isEqualTo(a.authority());
        assertThat(b.only().field("Host")).isEqualTo(b.authority());
    }

    @Test
    void aHashStrategySeesTheRequest() throws Exception {
        Jvm app = app(Configs.file(
                folder, Configs.service("orders", "strategy: hrw\nhashBy: \"$http_x_user\"", a.url(), b.url())));

        List<String> users = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String first = app.ask("with http://orders/x X-User u" + i);
            assertThat(app.ask("with http://orders/x X-User u" + i)).isEqualTo(first);
            users.add(first);
        }
        assertThat(users).contains("200 a http://orders/x", "200 b http://orders/x");
    }

    @Test
    void whatBeginsEndsHoweverTheApplicationEndsIt() throws Exception {
        Backend mixed = server("mixed", HttpUrlConnectionIT::mixed);
        Jvm app = orders(mixed);

        assertThat(app.ask("get http://orders/sized")).isEqualTo("200 mixed http://orders/sized");
        assertThat(app.ask("get http://orders/chunked")).isEqualTo("200 mixed http://orders/chunked");
        assertThat(app.ask("get http://orders/empty")).isEqualTo("204  http://orders/empty");
        assertThat(app.ask("get http://orders/until-closed")).isEqualTo("200 mixed http://orders/until-closed");
        assertThat(app.ask("get http://orders/broken")).startsWith("! ");
        assertThat(app.ask("get http://orders/missing")).isEqualTo("404 gone http://orders/missing");
        assertThat(app.ask("get http://orders/redirect")).isEqualTo("200 mixed http://orders/sized");
        assertThat(app.ask("get http://orders/short")).startsWith("! ");
        assertThat(app.ask("get http://orders/garbage")).startsWith("! ");
        assertThat(app.ask("head http://orders/sized")).isEqualTo("200  http://orders/sized");
        assertThat(app.ask("post http://orders/sized 10")).startsWith("200 mixed");
        assertThat(app.ask("expect http://orders/sized 10")).startsWith("200 mixed");
        assertThat(app.ask("first-byte http://orders/sized")).isEqualTo("109");
        assertThat(app.ask("disconnect http://orders/sized")).isEqualTo("done");
        assertThat(app.errorsWith(" goes to "))
                .hasSameSizeAs(app.errorsWith(" ended: "))
                .hasSizeGreaterThan(12);
        assertThat(app.errorsWith(" ended: CANCELLED")).hasSize(1);
        assertThat(app.errorsWith(" ended: BROKEN"))
                .as("/broken, /short, /garbage")
                .hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void underLoadNoCallFailsWhenAServerDiesAndAllEnd() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        Backend dying = server("dying", request -> {
            answered.incrementAndGet();
            return Backend.ok("dying");
        });
        Jvm app = orders(dying, b);
        Thread killer = new Thread(() -> {
            Jvm.await().until(() -> answered.get() > 100);
            try {
                dying.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        killer.start();

        assertThat(app.ask("load http://orders/x 8 100")).isEqualTo("800");
        killer.join();
        assertThat(b.requests())
                .hasSizeGreaterThanOrEqualTo(800 - dying.requests().size());
        assertThat(app.errorsWith(" goes to ")).hasSameSizeAs(app.errorsWith(" ended: "));
    }

    @Test
    void aCallWhoseAnswerIsNeverReadEndsWithTheCollector() throws Exception {
        Jvm app = orders(a);
        assertThat(app.ask("code http://orders/x")).isEqualTo("200");
        assertThat(app.errorsWith(" ended: ")).isEmpty();

        for (int i = 0; i < 50 && app.errorsWith(" ended: SUCCESS 200").size() < 2; i++) {
            app.ask("gc");
            app.ask("get http://orders/y");
        }
        assertThat(app.errorsWith(" goes to ")).hasSameSizeAs(app.errorsWith(" ended: SUCCESS 200"));
    }

    private static String mixed(Request request) {
        switch (request.target) {
            case "/chunked":
                return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nmix\r\n2\r\ned\r\n0\r\n\r\n";
            case "/empty":
                return "HTTP/1.1 204 No Content\r\n\r\n";
            case "/missing":
                return Backend.answer("404 Not Found", "gone");
            case "/redirect":
                return Backend.answer("302 Found", "", "Location: /sized");
            case "/broken":
                return "";
            case "/short":
                return "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nmix";
            case "/until-closed":
                return "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nmixed";
            case "/garbage":
                return "SSH-2.0-OpenSSH_9.9\r\n";
            default:
                return Backend.ok("mixed");
        }
    }

    private static byte[] pattern(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i % 251);
        }
        return bytes;
    }

    private static String dead() throws IOException {
        return "http://127.0.0.1:" + Backend.deadPort();
    }

    private Jvm orders(Backend... servers) throws IOException {
        String[] urls = new String[servers.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = servers[i].url();
        }
        return app(Configs.orders(folder, urls));
    }

    private Jvm app(File configuration) throws IOException {
        return closing(Jvm.underAgent(configuration));
    }

    private Backend server(String name) throws IOException {
        return closing(Backend.start(name));
    }

    private Backend server(String name, Function<Request, String> answers) throws IOException {
        return closing(Backend.start(name, answers));
    }

    private <T extends AutoCloseable> T closing(T each) {
        closing.add(each);
        return each;
    }
}
