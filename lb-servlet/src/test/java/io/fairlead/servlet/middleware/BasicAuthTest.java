package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
        return Configured.of(yaml, node -> BasicAuth.read(node, clock::get));
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
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test:test").through(auth).status()).isEqualTo(401);
        assertThat(as("test2:test2").through(auth).status()).isZero();
        assertThat(as("bob:myPassword").through(auth).status()).isZero();

        // What is wrong changes nothing.
        Files.writeString(file, TEST + "\nplain:secret\n");
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test2:test2").through(auth).status()).isZero();
        Files.delete(file);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test2:test2").through(auth).status()).isZero();

        Files.writeString(file, TEST);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(as("test2:test2").through(auth).status()).isEqualTo(401);
        assertThat(as("test:test").through(auth).status()).isZero();
    }

    @Test
    void mistakesAreToldWithoutTheSecret(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("users"), TEST + "\nann:s3cret\n");

        assertThat(Configured.problems("{users: [\"ann:s3cret\", \"s3cret\"], headerField: \"a b\"}", BasicAuth::read))
                .hasSize(3)
                .anyMatch(line -> line.startsWith(".users[0]: the password of the user 'ann' is no hash"))
                .anyMatch(line -> line.startsWith(".users[1]: must be name:hash"))
                .anyMatch(line -> line.startsWith(".headerField: 'a b' is not the name of a field"))
                .noneMatch(line -> line.contains("s3cret"));
        assertThat(Configured.problems("{usersFile: \"" + file + "\"}", BasicAuth::read))
                .singleElement()
                .asString()
                .startsWith(".usersFile: " + file + ":2: the password of the user 'ann'")
                .doesNotContain("s3cret");
        assertThat(Configured.problems("{usersFile: /nowhere/users}", BasicAuth::read))
                .containsExactly(".usersFile: the file '/nowhere/users' cannot be read");
        assertThat(Configured.problems("{realm: x}", BasicAuth::read))
                .containsExactly(": has no users: neither users nor usersFile names any");
    }
}
