package io.fairlead.examples.webxml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the WAR as it was built, with the ports of its servers exchanged, in Jetty and in Tomcat. */
final class WarIT {
    @TempDir
    private Path directory;

    private final List<HttpServer> servers = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeEach
    void startServersAndUnpack() throws IOException {
        unpack(Path.of(System.getProperty("fairlead.war")));
        Path config = directory.resolve("WEB-INF/lb.yaml");
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("9001", Integer.toString(startServer("one")))
                        .replace("9002", Integer.toString(startServer("two"))));
    }

    @AfterEach
    void stopServers() {
        servers.forEach(server -> server.stop(0));
    }

    @Test
    void runsInJetty() throws Exception {
        Server jetty = new Server();
        ServerConnector connector = new ServerConnector(jetty);
        connector.setHost("127.0.0.1");
        jetty.addConnector(connector);
        jetty.setHandler(new WebAppContext(directory.toString(), "/"));
        try {
            jetty.start();
            useIt("http://127.0.0.1:" + connector.getLocalPort());
        } finally {
            jetty.stop();
        }
    }

    @Test
    void runsInTomcat(@TempDir Path base) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        tomcat.addWebapp(tomcat.getHost(), "", directory.toString(), new ContextConfig());
        try {
            tomcat.start();
            useIt("http://127.0.0.1:" + connector.getLocalPort());
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private void useIt(String url) throws Exception {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            answers.add(send(HttpRequest.newBuilder(URI.create(url + "/orders/7?x=%2F")))
                    .body());
        }
        assertThat(answers)
                .containsExactly(
                        "one: GET /7?x=%2F ", "two: GET /7?x=%2F ", "one: GET /7?x=%2F ", "two: GET /7?x=%2F ");
        HttpResponse<String> posted =
                send(HttpRequest.newBuilder(URI.create(url + "/orders")).POST(BodyPublishers.ofString("hello")));
        assertThat(posted.body()).isEqualTo("one: POST / hello");
        assertThat(send(HttpRequest.newBuilder(URI.create(url + "/index.html"))).body())
                .contains("the application's own");
        stopServers();
        HttpResponse<String> down = send(HttpRequest.newBuilder(URI.create(url + "/orders/7")));
        assertThat(down.statusCode()).isEqualTo(502);
        assertThat(down.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private int startServer(String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] answer = (name + ": " + exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    private void unpack(Path war) throws IOException {
        try (InputStream in = Files.newInputStream(war);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = directory.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    Files.copy(zip, target);
                }
            }
        }
    }
}
