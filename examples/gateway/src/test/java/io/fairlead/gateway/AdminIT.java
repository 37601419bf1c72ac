package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdminIT {
    @TempDir
    static Path directory;

    private static Backend a;
    private static Backend b;
    private static String config;
    private static GatewayProcess gateway;
    private static Wire admin;

    @BeforeAll
    static void start() throws Exception {
        a = Backend.named("a");
        b = Backend.named("b");
        config = ConfigText.file(directory, """
                http:
                  services:
                    app:
                      loadBalancer:
                        strategy: round-robin
                        servers:
                          - {url: "%s", weight: 3, zone: eu-1}
                          - {url: "%s/base", id: "b/2"}
                    idle:
                      loadBalancer:
                        servers: [{url: "http://127.0.0.1:9", backup: true, fenced: true}]
                  routers:
                    app: {rule: "PathPrefix(`/`)", service: app}
                """.formatted(a.url(), b.url()));
        gateway = startGateway();
        admin = new Wire(gateway.admin());
    }

    private static GatewayProcess startGateway() throws Exception {
        return GatewayProcess.start("--config", config, "--port", "0", "--admin-port", "0");
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        gateway.close();
        a.close();
        b.close();
    }

    @AfterEach
    void unfence() throws Exception {
        for (String id : List.of(a.id(), "b%2F2")) {
            assertThat(post("/api/services/app/servers/" + id + "/unfence").status())
                    .isEqualTo(204);
        }
    }

    @Test
    void servicesAreToldWithEveryServer() throws Exception {
        Wire.Answer answer;
        try (GatewayProcess fresh = startGateway();
                Wire wire = new Wire(fresh.http());
                Wire freshAdmin = new Wire(fresh.admin())) {
            for (int i = 0; i < 4; i++) {
                assertThat(wire.get("/x").status()).isEqualTo(200);
            }
            answer = freshAdmin.get("/api/services");
        }

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.fields().get("content-type")).isEqualTo("application/json");
        assertThat(answer.body())
                .contains("\"consecutiveFailures\":0,\"effectiveWeight\":3.0,\"latencyMillis\":")
                .contains(
                        "\"ejectedSeconds\":0,\"backoffSeconds\":0,\"check\":\"unchecked\",\"checkError\":null,\"lastError\":null}");
        assertThat(answer.body().replaceAll(",\"consecutiveFailures\":[^}]*", ""))
                .isEqualTo(("{'services':["
                                + "{'name':'app','strategy':'round-robin','up':true,'servers':["
                                + "{'id':'A','url':'http://A','weight':3,'zone':'eu-1','up':true,'fenced':false,"
                                + "'backup':false,'ejected':false,'inFlight':0,'picks':3,'failures':0},"
                                + "{'id':'b/2','url':'http://B/base','weight':1,'zone':null,'up':true,'fenced':false,"
                                + "'backup':false,'ejected':false,'inFlight':0,'picks':1,'failures':0}]},"
                                + "{'name':'idle','strategy':'wrr','up':false,'servers':["
                                + "{'id':'127.0.0.1:9','url':'http://127.0.0.1:9','weight':1,'zone':null,'up':true,"
                                + "'fenced':true,'backup':true,'ejected':false,'inFlight':0,'picks':0,'failures':0}]}]}")
                        .replace('\'', '"')
                        .replace("\"A\"", '"' + a.id() + '"')
                        .replace("http://A", a.url())
                        .replace("http://B", b.url()));
    }

    @Test
    void aFencedServerGetsNoRequestUntilItIsBroughtBack() throws Exception {
        assertThat(post("/api/services/app/servers/" + a.id() + "/fence").status())
                .isEqualTo(204);
        assertThat(admin.get("/api/services").body()).contains("\"fenced\":true");
        assertThat(whoAnswersEightRequests()).containsExactly("b");

        assertThat(post("/api/services/app/servers/" + a.id() + "/unfence").status())
                .isEqualTo(204);
        assertThat(whoAnswersEightRequests()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void anIdWithASlashIsGivenEncoded() throws Exception {
        assertThat(post("/api/services/APP/servers/b%2F2/fence").status()).isEqualTo(204);
        assertThat(whoAnswersEightRequests()).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /api/services/app/servers/b%2F2/fence,   405",
        "POST, /api/services/app/servers/b%2F2/remove,  404",
        "POST, /api/services/app/servers/nobody/fence,  404",
        "POST, /api/services/nobody/servers/b%2F2/fence, 404",
        "POST, /api/services/app,                       404",
        "POST, /api/services,                           405",
        "PUT,  /healthz,                                405",
        "GET,  /elsewhere,                              404",
        "GET,  /healthz,                                200",
        "GET,  /readyz,                                 200"
    })
    void everythingElseIsAnsweredByItsStatus(String method, String path, int status) throws Exception {
        Wire.Answer answer =
                admin.exchange(method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");

        assertThat(answer.status()).isEqualTo(status);
        if (status != 200) {
            assertThat(answer.fields().get("content-type")).isEqualTo("application/problem+json");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9090,   ,                      204",
        "127.0.0.1:9090,   http://127.0.0.1:9090, 204",
        "127.0.0.1:9090,   http://evil.test,      403",
        "127.0.0.1:9090,   null,                  403",
        "localhost,        http://localhost,      204",
        "LOCALHOST:1,      ,                      204",
        "[::1]:9090,       http://[::1]:9090,     204",
        // Names that another site may let resolve to this address.
        "evil.test:9090,   http://evil.test:9090, 403",
        "evil.test,        ,                      403",
        "localhost.evil.test, ,                   403",
        "127.0.0.1.evil.test, ,                   403",
    })
    void aPageOfAnotherSiteCannotFence(String host, String origin, int status) throws Exception {
        Wire.Answer answer = admin.exchange("POST /api/services/app/servers/b%2F2/fence HTTP/1.1\r\nHost: " + host
                + "\r\nContent-Length: 0\r\n" + (origin == null ? "" : "Origin: " + origin + "\r\n") + "\r\n");

        assertThat(answer.status()).isEqualTo(status);
        if (status == 403) {
            assertThat(answer.fields().get("content-type")).isEqualTo("application/problem+json");
        }
    }

    private Set<String> whoAnswersEightRequests() throws Exception {
        Set<String> names = new HashSet<>();
        try (Wire wire = new Wire(gateway.http())) {
            for (int i = 0; i < 8; i++) {
                names.add(wire.get("/x").body().substring(0, 1));
            }
        }
        return names;
    }

    private static Wire.Answer post(String path) throws Exception {
        return admin.exchange("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");
    }
}
