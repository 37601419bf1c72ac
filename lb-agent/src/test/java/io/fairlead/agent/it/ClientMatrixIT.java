package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.it.Backend.Request;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every client gets, checked in a JVM of its own for each client and version, under the real jar. What it shows is
 * written to {@code target/client-matrix.md}, row by row.
 */
final class ClientMatrixIT {
    private static final String SERVER_FIELD = "X-Served-By";
    private static final int MORE_THAN_BUFFERS = 16 << 20;

    private static Certificates certificates;

    @TempDir
    Path folder;

    private final List<AutoCloseable> closing = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Map<String, Throwable> failed = new LinkedHashMap<>();
    private Cell cell;
    private Jvm app;
    private TestServer a;
    private TestServer b;
    private TestServer foreign;
    private TestServer slow;
    private TestServer kept;
    private TestServer dying;
    private TestServer broken;
    private TestServer ending;
    private TestServer resetting;
    private TestServer s1;
    private TestServer s2;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        certificates = Certificates.of("shop.example", folder);
    }

    /** One of each kind of client: blocking, with callbacks, on an event loop, the JDK's own. */
    private static final Set<String> EVERY_DAY =
            new HashSet<>(Arrays.asList("Apache4", "Apache5", "JdkHttp", "OkHttp", "ReactorNetty"));

    private static boolean isOfEveryDay(Cell cell) {
        return cell.newest && EVERY_DAY.contains(cell.program);
    }

    static Stream<Cell> everyDay() throws IOException {
        return Cell.all(true).stream().filter(ClientMatrixIT::isOfEveryDay);
    }

    static Stream<Cell> newest() throws IOException {
        return Cell.all(true).stream().filter(each -> !isOfEveryDay(each));
    }

    static Stream<Cell> older() throws IOException {
        return Cell.all(false).stream();
    }

    @ParameterizedTest
    @MethodSource("everyDay")
    void oneOfEachKindGetsWhatEveryClientGets(Cell cell) throws Exception {
        check(cell);
    }

    /** Apart, since large bodies take their time. */
    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("everyDay")
    void oneOfEachKindSendsABodyAgainWhereItMay(Cell checked) throws Exception {
        cell = checked;
        start();
        whatBreaksInTheBodyIsSentAgainWhereItMayBe();
        whatBeginsEnds();
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("newest")
    void theNewestVersionGetsWhatEveryClientGets(Cell cell) throws Exception {
        check(cell);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("older")
    void olderVersionsGetItToo(Cell cell) throws Exception {
        check(cell);
    }

    @AfterEach
    void stop() throws Exception {
        ended.countDown();
        for (AutoCloseable each : closing) {
            each.close();
        }
    }

    private void check(Cell checked) throws Exception {
        cell = checked;
        start();
        checked("in turn", this::serversAreReachedInTurnUnderTheLogicalName);
        checked("bytes", this::pathAndQueryAreThoseOfTheClient);
        checked("body", this::aBodyArrivesWhole);
        checked("redirects", this::redirectsAreBalancedAgainOrLeftAlone);
        checked("foreign", this::aForeignHostIsLeftAlone);
        checked("https", this::httpsIsCheckedForTheLogicalName);
        checked("one down", this::noCallFailsWhileAServerIsDown);
        checked("all down", this::whenAllAreDownTheExceptionIsTheUsualOne);
        checked("keep-alive", this::connectionsAreKeptAliveAndTheirDeathCostsNoCall);
        checked("broken", this::whatBreaksIsSentAgainWhereItMayBe);
        if (!isOfEveryDay(cell)) {
            checked("unread", this::whatBreaksInTheBodyIsSentAgainWhereItMayBe);
        }
        checked("time limit", this::aTimeLimitIsTheApplications);
        checked("cancel", this::aCallCanBeCancelled);
        checked("load", this::callsAtATimeDoNotMix);
        checked("server's field", this::requestsTellTheirServerWhereThatIsWanted);
        checked("ends", this::whatBeginsEnds);
        write();
        if (!failed.isEmpty()) {
            AssertionError error = new AssertionError(cell + ": " + failed.keySet() + "; standard error: "
                    + app.errorsWith("").stream()
                            .filter(line -> !line.contains(": debug: "))
                            .collect(java.util.stream.Collectors.toList()));
            failed.values().forEach(error::addSuppressed);
            throw error;
        }
    }

    private void start() throws Exception {
        a = server("a");
        b = server("b");
        foreign = server("foreign");
        slow = server("slow");
        kept = server("kept");
        dying = server("dying");
        broken = server("broken");
        ending = closing(Backend.hasty("ending", true));
        resetting = closing(Backend.hasty("resetting", false));
        s1 = secure("s1");
        s2 = secure("s2");
        String services = "http: {services: {"
                + service("orders", a.url(), b.url())
                + service("half", dead(), a.url(), b.url())
                + service("none", dead(), dead())
                + service("shop.example", s1.url(), s2.url())
                + service("idle", kept.url(), dying.url())
                + service("breaks", broken.url(), b.url())
                + service("posts", broken.url(), b.url())
                + service("ended", ending.url(), b.url())
                + service("endedposts", ending.url(), b.url())
                + service("reset", resetting.url(), b.url())
                + service("resetposts", resetting.url(), b.url())
                + service("slow", slow.url(), b.url())
                + service("cancel", slow.url())
                + "}}\n";
        List<String> options = new ArrayList<>();
        options.add("-javaagent:" + Jvm.agent() + "=" + Configs.file(folder, services));
        options.add("-Dfairlead.log=debug");
        options.add("-Dfairlead.serverHeader=" + SERVER_FIELD);
        Collections.addAll(options, certificates.trusting());
        Collections.addAll(options, "-cp", cell.classPath(), "app.client." + cell.program);
        app = closing(Jvm.java(options.toArray(new String[0])));
    }

    private void serversAreReachedInTurnUnderTheLogicalName() throws Exception {
        assertThat(app.ask("get http://orders/x", 4))
                .containsExactly(
                        "200 a http://orders/x",
                        "200 b http://orders/x",
                        "200 a http://orders/x",
                        "200 b http://orders/x");
        assertThat(app.ask("get http://orders:81/x", 2))
                .containsExactly("200 a http://orders:81/x", "200 b http://orders:81/x");
        assertThat(a.requests()).hasSize(3);
        assertThat(a.requests().get(0).field("Host")).isEqualTo("orders");
        assertThat(b.requests().get(2).field("Host")).isEqualTo("orders:81");
    }

    private void pathAndQueryAreThoseOfTheClient() throws Exception {
        String target = Sight.target(cell.program);
        app.ask("get " + foreign.url() + target);
        app.ask("get http://orders" + target, 2);
        String sent = last(foreign).target;
        if (!Sight.isFramework(cell.program)) {
            assertThat(sent).endsWith(target.substring(target.indexOf('?')));
        }
        assertThat(last(a).target).isEqualTo(sent);
        assertThat(last(b).target).isEqualTo(sent);
    }

    private void aBodyArrivesWhole() throws Exception {
        assertThat(app.ask("post http://orders/p 100000", 2))
                .containsExactly("200 a http://orders/p", "200 b http://orders/p");
        for (TestServer server : new TestServer[] {a, b}) {
            assertThat(last(server).method).isEqualTo("POST");
            if (cell.isSoap()) {
                assertThat(new String(last(server).body, StandardCharsets.UTF_8))
                        .containsPattern(">[a-z]{100000}</(\\w+:)?ask></(\\w+:)?Body></(\\w+:)?Envelope>$");
                continue;
            }
            assertThat(last(server).body).hasSize(100000);
            for (int i = 0; i < 100000; i++) {
                assertThat(last(server).body[i]).isEqualTo((byte) (i % 251));
            }
        }
    }

    private void redirectsAreBalancedAgainOrLeftAlone() throws Exception {
        int before = a.requests().size() + b.requests().size();
        assertRedirected("http://orders/redirect", "b", "http://orders/end");
        assertThat(last(b).field("Host")).isEqualTo("orders");
        assertRedirected("http://orders/relative", "b", "http://orders/end");
        assertThat(a.requests().size() + b.requests().size()).isEqualTo(before + 4);
        assertRedirected("http://orders/away", "foreign", foreign.url() + "/end");
        assertThat(last(foreign).field("Host")).isEqualTo(foreign.authority());
        app.ask("get http://orders/x");
    }

    private void aForeignHostIsLeftAlone() throws Exception {
        assertThat(app.ask("get " + foreign.url() + "/x?y")).isEqualTo("200 foreign " + foreign.url() + "/x?y");
        assertThat(last(foreign).field("Host")).isEqualTo(foreign.authority());
        assertThat(app.ask("get http://no-such-host.invalid/")).startsWith("! ");
    }

    private void httpsIsCheckedForTheLogicalName() throws Exception {
        assertThat(app.ask("get https://shop.example/x", 4))
                .containsExactly(
                        "200 s1 https://shop.example/x",
                        "200 s2 https://shop.example/x",
                        "200 s1 https://shop.example/x",
                        "200 s2 https://shop.example/x");
        assertThat(last(s1).field("Host")).isEqualTo("shop.example");
        app.ask("get https://shop.example/x", 6);
        assertThat(s1.requests()).hasSize(5);
        assertKept(s1);
    }

    private void noCallFailsWhileAServerIsDown() throws Exception {
        assertThat(app.ask("get http://half/x", 6)).allMatch(answer -> answer.startsWith("200 "));
        assertThat(app.ask("post http://half/x 10", 6)).allMatch(answer -> answer.startsWith("200 "));
        assertThat(app.errorsWith(" of half ended: CONNECT_FAILED")).isNotEmpty();
    }

    private void whenAllAreDownTheExceptionIsTheUsualOne() throws Exception {
        String usual = exception(app.ask("get " + dead() + "/x"));
        assertThat(exception(app.ask("get http://none/x"))).isEqualTo(usual);
        assertThat(exception(app.ask("post http://none/x 5"))).isEqualTo(usual);
        assertThat(app.errorsWith(" of none ended: CONNECT_FAILED"))
                .hasSize(Sight.connectsTwiceToPost(cell.program) ? 6 : 4);
    }

    private void connectionsAreKeptAliveAndTheirDeathCostsNoCall() throws Exception {
        app.ask("get http://idle/x", 20);
        assertThat(kept.requests()).hasSize(10);
        assertThat(dying.requests()).hasSize(10);
        assertKept(kept);
        assertKept(dying);
        dying.hangUp();
        if (cell.hasEventLoop()) {
            // It learns of it there, and ends its side. A request that came before would break, a POST for good.
            Jvm.await().until(() -> dying.openConnections() == 0);
        }
        dying.close();
        assertThat(app.ask("post http://idle/x 10", 4)).allMatch(answer -> answer.startsWith("200 kept"));
        assertThat(app.ask("get http://idle/x", 4)).allMatch(answer -> answer.startsWith("200 kept"));
    }

    private void whatBreaksIsSentAgainWhereItMayBe() throws Exception {
        if (!cell.isSoap()) {
            assertThat(app.ask("get http://breaks/x")).isEqualTo("200 b http://breaks/x");
        }
        int before = b.requests().size();
        assertThat(app.ask("post http://posts/x 10")).startsWith("! ");
        assertThat(b.requests()).hasSize(before);
    }

    private void whatBreaksInTheBodyIsSentAgainWhereItMayBe() throws Exception {
        if (cell.isHttp2() || cell.isSoap()) {
            return;
        }
        assertSentAgainWhereItMayBe("reset");
        if (cell.hasEventLoop()) {
            // A client that reads nothing while it writes learns nothing of this.
            assertSentAgainWhereItMayBe("ended");
        }
    }

    private void assertSentAgainWhereItMayBe(String service) throws Exception {
        int before = b.requests().size();
        String put = app.ask("put http://" + service + "/x " + MORE_THAN_BUFFERS);
        if (Sight.repeatsBodies(cell.program)) {
            assertThat(put).isEqualTo("200 b http://" + service + "/x");
            assertThat(last(b).body).hasSize(MORE_THAN_BUFFERS);
            before++;
        } else {
            assertThat(put).startsWith("! ");
        }
        assertThat(app.ask("post http://" + service + "posts/x " + MORE_THAN_BUFFERS))
                .startsWith("! ");
        assertThat(b.requests()).hasSize(before);
        assertThat(app.errorsWith(" of " + service + "posts ended: BROKEN")).hasSize(1);
    }

    private void aTimeLimitIsTheApplications() throws Exception {
        long begun = System.nanoTime();
        app.ask("get " + slow.url() + "/x");
        // Long enough, on a busy machine too, for a request to be sent before it runs out.
        long millis = 150 + 20 * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        String usual = exception(app.ask("timeout " + foreign.url() + "/slow " + millis));
        int before = slow.requests().size();
        assertThat(exception(app.ask("timeout http://slow/slow " + millis))).isEqualTo(usual);
        // On a busy machine the request may arrive after the limit.
        Jvm.await().untilAsserted(() -> assertThat(slow.requests()).hasSize(before + 1));
        assertThat(app.ask("get http://slow/x")).isEqualTo("200 b http://slow/x");
    }

    private void aCallCanBeCancelled() throws Exception {
        String usual = exception(cancelled(foreign, foreign.url() + "/slow"));
        assertThat(exception(cancelled(slow, "http://cancel/slow"))).isEqualTo(usual);
        // Where the client has threads of its own, they do it.
        Jvm.await().until(() -> app.errorsWith(" of cancel ended: CANCELLED").size() == 1);
    }

    private String cancelled(TestServer server, String url) throws Exception {
        int before = server.requests().size();
        assertThat(app.ask("begin " + url)).isEqualTo("begun");
        Jvm.await().until(() -> server.requests().size() > before);
        return app.ask("abort");
    }

    private void callsAtATimeDoNotMix() throws Exception {
        assertThat(app.ask("load http://orders/x 4 25")).isEqualTo("100");
    }

    private void requestsTellTheirServerWhereThatIsWanted() {
        for (TestServer server : new TestServer[] {a, b, kept, s1, s2}) {
            assertThat(server.requests())
                    .isNotEmpty()
                    .allSatisfy(
                            request -> assertThat(request.field(SERVER_FIELD)).isEqualTo(server.authority()));
        }
        assertThat(foreign.requests())
                .isNotEmpty()
                .allSatisfy(request -> assertThat(request.field(SERVER_FIELD)).isEmpty());
    }

    private void whatBeginsEnds() throws Exception {
        Jvm.await()
                .untilAsserted(() -> assertThat(app.errorsWith(" goes to ")).hasSameSizeAs(app.errorsWith(" ended: ")));
        assertThat(app.agentLines()).isEmpty();
        for (TestServer server : new TestServer[] {a, b, foreign, slow, kept, dying, broken, s1, s2}) {
            assertThat(server instanceof Http2Backend ? ((Http2Backend) server).overOther() : 0)
                    .isZero();
        }
    }

    // Helpers.

    /** A client with an event loop may give the answer away before its connection: a call then opens another. */
    private void assertKept(TestServer server) {
        if (cell.hasEventLoop()) {
            assertThat(server.connections()).isLessThan(server.requests().size());
        } else {
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    private void assertRedirected(String url, String server, String led) throws Exception {
        assertThat(app.ask("get " + url))
                .isEqualTo("200 " + server + " " + (Sight.showsRedirects(cell.program) ? led : url));
    }

    private static String exception(String answer) {
        assertThat(answer).startsWith("! ");
        return answer.substring(2, answer.indexOf(':'));
    }

    private static Request last(TestServer server) {
        return server.requests().get(server.requests().size() - 1);
    }

    private static String service(String name, String... urls) {
        StringBuilder text = new StringBuilder(name + ": {loadBalancer: {servers: [");
        for (String url : urls) {
            text.append("{url: \"").append(url).append("\"}, ");
        }
        return text.append("]}}, ").toString();
    }

    private TestServer server(String name) throws IOException {
        return closing(
                cell.isHttp2()
                        ? Http2Backend.start(request -> answer(name, request))
                        : Backend.start(name, request -> answer(name, request)));
    }

    private TestServer secure(String name) throws Exception {
        return closing(
                cell.isHttp2()
                        ? Http2Backend.secure(name, certificates.keys())
                        : Backend.secure(name, request -> ok(name, request), certificates.server()));
    }

    private String answer(String name, Request request) {
        switch (request.target) {
            case "/redirect":
                return Backend.answer("302 Found", "", "Location: http://orders/end");
            case "/relative":
                return Backend.answer("302 Found", "", "Location: /end");
            case "/away":
                return Backend.answer("302 Found", "", "Location: " + foreign.url() + "/end");
            case "/slow":
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return "";
            default:
                return name.equals("broken") ? "" : ok(name, request);
        }
    }

    /** In the form in which it was asked. */
    private static String ok(String name, Request request) {
        return request.field("Content-Type").startsWith("text/xml")
                ? Backend.ok(
                        "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><said xmlns=\"urn:app\">"
                                + name + "</said></e:Body></e:Envelope>",
                        "Content-Type: text/xml")
                : Backend.ok(name);
    }

    private static String dead() throws IOException {
        return "http://127.0.0.1:" + Backend.deadPort();
    }

    private void checked(String name, Check check) {
        if (cell.missing().contains(name)) {
            return;
        }
        try {
            check.run();
            failed.remove(name);
        } catch (Throwable e) {
            failed.put(name, e);
        }
    }

    private void write() throws IOException {
        String row = cell.row(Cell.feature(), failed.isEmpty() ? "all" : "not " + failed.keySet()) + '\n';
        Path table = new File("target/client-matrix.md").toPath();
        Files.write(table, row.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private <T extends AutoCloseable> T closing(T each) {
        closing.add(each);
        return each;
    }

    private interface Check {
        void run() throws Exception;
    }
}
