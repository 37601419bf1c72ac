package io.fairlead.examples.webxml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
import java.util.Arrays;
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
        useWebSocket(URI.create(url));
        HttpResponse<String> down = send(HttpRequest.newBuilder(URI.create(url + "/orders/7")));
        assertThat(down.statusCode()).isEqualTo(502);
        assertThat(down.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    }

    /** The WAR has its own Jetty client beside the classes of the server, and gets the connection nevertheless. */
    private void useWebSocket(URI url) throws Exception {
        String config = Files.readString(directory.resolve("WEB-INF/lb.yaml"));
        int port = Integer.parseInt(config.replaceAll("(?s).*?127\\.0\\.0\\.1:([0-9]+).*", "$1"));
        try (ServerSocket listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
                Socket client = new Socket(url.getHost(), url.getPort())) {
            listening.setSoTimeout(20_000);
            client.setSoTimeout(20_000);
            client.getOutputStream()
                    .write(("GET /orders/chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\nearly")
                            .getBytes(StandardCharsets.US_ASCII));
            try (Socket server = listening.accept()) {
                server.setSoTimeout(20_000);
                assertThat(head(server)).startsWith("GET /chat HTTP/1.1\r\n").contains("Upgrade: websocket\r\n");
                server.getOutputStream()
                        .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nhello")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(head(client)).startsWith("HTTP/1.1 101 ");
                assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
                assertThat(server.getInputStream().readNBytes(5)).asString().isEqualTo("early");
                byte[] large = new byte[1024 * 1024];
                Arrays.fill(large, (byte) 'x');
                Thread sending = new Thread(() -> {
                    try {
                        client.getOutputStream().write(large);
                        client.shutdownOutput();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                sending.start();
                assertThat(server.getInputStream().readAllBytes()).isEqualTo(large);
                server.getOutputStream().write(large);
                server.shutdownOutput();
                assertThat(client.getInputStream().readAllBytes()).isEqualTo(large);
                sending.join();
            }
        }
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
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
