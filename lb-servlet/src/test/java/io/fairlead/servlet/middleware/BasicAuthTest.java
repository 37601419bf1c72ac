package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users and hashes are those of the examples of Traefik's and Apache's documentation. */
final class BasicAuthTest {
    private static final String TEST = "test:$apr1$H6uskkkW$IgXLP6ewTrSuBkTrqE8wj/";
    private static final String TEST2 = "test2:$apr1$d9hr9HBB$4HxwgUir3HP4EsggP/QNo0";

    private final AtomicLong clock = new AtomicLong();

    private Middleware auth(String yaml) {
        return Configured.of(yaml, node -> BasicAuth.read(node, Path::of, clock::get, new HashTurns(2)));
    }

    private static Middleware read(ConfigNode node) {
        return BasicAuth.read(node, Path::of, System::nanoTime, new HashTurns(2));
    }

    /** Lets the file be looked at twice, a second apart. */
    private void settle(Middleware auth) {
        for (int i = 0; i < 2; i++) {
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            as("x:y").through(auth);
        }
    }

    @Test
    void aFileThatIsBeingWrittenIsNotReadInHalves(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("users"), TEST + "\n" + TEST2 + "\n");
        Middleware auth = auth("{usersFile: \"" + file + "\"}");

        Files.writeString(file, TEST + "\n");
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test2:test2").through(auth).status()).isZero();
        Files.writeString(file, TEST2 + "\n");
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test:test").through(auth).status()).isZero();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test:test").through(auth).status()).isEqualTo(401);

        // One that has stood still for long is whole.
        Files.writeString(file, TEST + "\n");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test:test").through(auth).status()).isZero();
        assertThat(as("test2:test2").through(auth).status()).isEqualTo(401);
    }

    @Test
    void whoFindsAllTurnsTakenIsToldToComeAgain() {
        Middleware auth = Configured.of(
                "{users: [\"" + TEST + "\"]}", node -> BasicAuth.read(node, Path::of, clock::get, new HashTurns(0)));

        FakeRequest request = as("test:test").through(auth);

        assertThat(request.status()).isEqualTo(503);
        assertThat(request.answered("Retry-After")).isEqualTo("1");
    }

    @Test
    void allOfAFilterShareTheTurnsAlsoWithTheirSuccessors() {
        ConfigFile file = ConfigFile.parse(
                "lb.yaml",
                "http:\n  services:\n    orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}\n"
                        + "  middlewares:\n    one: {basicAuth: {users: [\"" + TEST + "\"]}}\n"
                        + "    two: {basicAuth: {users: [\"" + TEST2 + "\"]}}\n");
        Middlewares first = Middlewares.read(file, null);
        Middlewares second = Middlewares.read(file, first);

        for (String[] each : new String[][] {{"one", "a"}, {"two", "a"}, {"two", "b"}}) {
            Middleware auth = second.get(each[0], each[1]);
            assertThat(auth).isNotNull();
            as("x:y").through(auth);
        }

        assertThat(second.hashTurns()).isSameAs(first.hashTurns());
        assertThat(first.hashTurns().taken()).isEqualTo(3);
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static FakeRequest as(String credentials) {
        return FakeRequest.get("/").with("Authorization", basic(credentials));
    }

    @Test
    void onlyUsersPass() {
        Middleware auth = auth("{users: [\"" + TEST + "\", \"" + TEST2 + "\"]}");

        assertThat(as("test:test").through(auth).status()).isZero();
        assertThat(as("test2:test2").through(auth).status()).isZero();
        assertThat(as("test:test2").through(auth).status()).isEqualTo(401);
        assertThat(as("nobody:test").through(auth).status()).isEqualTo(401);
        FakeRequest without = FakeRequest.get("/").through(auth);
        assertThat(without.status()).isEqualTo(401);
        assertThat(without.answered("WWW-Authenticate")).isEqualTo("Basic realm=\"traefik\"");
    }

    @Test
    void whatIsMalformedIsNobody() {
        Middleware auth = auth("{users: [\"" + TEST + "\"], realm: 'my \"own\"'}");

        for (String field : new String[] {
            "",
            "Basic",
            "Basic ",
            "Basic !!!",
            "Basic dGVzdA==",
            "Bearer dGVzdDp0ZXN0",
            "Basic dGVzdDp0ZXN0 x",
            "dGVzdDp0ZXN0"
        }) {
            FakeRequest request =
                    FakeRequest.get("/").with("Authorization", field).through(auth);
            assertThat(request.status()).as(field).isEqualTo(401);
            assertThat(request.answered("WWW-Authenticate")).isEqualTo("Basic realm=\"my \\\"own\\\"\"");
        }
        assertThat(FakeRequest.get("/")
                        .with("Authorization", "bASIC  dGVzdDp0ZXN0")
                        .through(auth)
                        .status())
                .isZero();
        // Two answers to the one question: servers could take the other one.
        assertThat(as("test:test")
                        .with("Authorization", basic("x:y"))
                        .through(auth)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void theUserIsToldAndTheFieldTakenAwayByOption() {
        FakeRequest request = as("test:test")
                .through(auth("{users: [\"" + TEST + "\"], headerField: X-Web-User, removeHeader: true}"));

        assertThat(request.edits()).containsExactly("X-Web-User=test", "-Authorization");
        assertThat(as("test:test").through(auth("{users: [\"" + TEST + "\"]}")).edits())
                .isEmpty();
    }

    @Test
    void aFileOfUsersIsReadAgainWhenItChanges(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("users"), "# who may\n\n" + TEST + "\n");
        Middleware auth = auth("{usersFile: \"" + file + "\", users: [\"bob:{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=\"]}");
        assertThat(as("test:test").through(auth).status()).isZero();
        assertThat(as("bob:myPassword").through(auth).status()).isZero();
        assertThat(as("test2:test2").through(auth).status()).isEqualTo(401);

        Files.writeString(file, TEST2 + "\r\n");
        assertThat(as("test:test").through(auth).status()).isZero();
        settle(auth);
        assertThat(as("test:test").through(auth).status()).isEqualTo(401);
        assertThat(as("test2:test2").through(auth).status()).isZero();
        assertThat(as("bob:myPassword").through(auth).status()).isZero();

        // What is wrong changes nothing.
        Files.writeString(file, TEST + "\nplain:secret\n");
        settle(auth);
        assertThat(as("test2:test2").through(auth).status()).isZero();
        Files.delete(file);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test2:test2").through(auth).status()).isZero();

        Files.writeString(file, TEST);
        settle(auth);
        assertThat(as("test2:test2").through(auth).status()).isEqualTo(401);
        assertThat(as("test:test").through(auth).status()).isZero();
    }

    @Test
    void mistakesAreToldWithoutTheSecret(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("users"), TEST + "\nann:s3cret\n");

        assertThat(Configured.problems(
                        "{users: [\"ann:s3cret\", \"s3cret\"], headerField: \"a b\"}", BasicAuthTest::read))
                .hasSize(3)
                .anyMatch(line -> line.startsWith(".users[0]: the password of the user 'ann' is no hash"))
                .anyMatch(line -> line.startsWith(".users[1]: must be name:hash"))
                .anyMatch(line -> line.startsWith(".headerField: 'a b' is not the name of a field"))
                .noneMatch(line -> line.contains("s3cret"));
        assertThat(Configured.problems("{usersFile: \"" + file + "\"}", BasicAuthTest::read))
                .singleElement()
                .asString()
                .startsWith(".usersFile: " + file + ":2: the password of the user 'ann'")
                .doesNotContain("s3cret");
        assertThat(Configured.problems("{usersFile: /nowhere/users}", BasicAuthTest::read))
                .containsExactly(".usersFile: the file '/nowhere/users' cannot be read");
        assertThat(Configured.problems("{realm: x}", BasicAuthTest::read))
                .containsExactly(": has no users: neither users nor usersFile names any");
    }

    @Test
    void theFileIsLookedForBesideTheConfiguration(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("users"), TEST + "\n");
        Path configuration = directory.resolve("lb.yaml");
        Files.writeString(configuration, """
                http:
                  services: {orders: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}}
                  middlewares: {staff: {basicAuth: {usersFile: users}}}
                """);

        ConfigFile read = ConfigFile.read(configuration);
        Middlewares.read(read, null);

        assertThat(read.problems().list()).isEmpty();
    }

    @Test
    void whatIsEmptyIsAsIfItWereNotThere() {
        assertThat(Configured.problems(
                        "{users: [\"" + TEST + "\"], usersFile: \"\", realm: \"\", headerField: \"\"}",
                        BasicAuthTest::read))
                .isEmpty();
        assertThat(Configured.problems("{usersFile: \"\"}", BasicAuthTest::read))
                .containsExactly(": has no users: neither users nor usersFile names any");
    }
}
