package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WebSockets of the JDK's own client, over HTTP and HTTPS, through the real jar; the server repeats what it is sent. */
final class WebSocketIT {
    @TempDir
    Path directory;

    private ServerSocket server;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void startServer() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "server");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stopServer() throws IOException {
        server.close();
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket), "server-connection");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // Closed by the test.
        }
    }

    /** Repeats frames shorter than 126 bytes, without their mask. */
    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            String key = head.toString().replaceAll("(?si).*sec-websocket-key: *([^\r]+)\r.*", "$1");
            byte[] accept = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream()
                    .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    + "Sec-WebSocket-Accept: "
                                    + Base64.getEncoder().encodeToString(accept) + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            for (int first = in.read(); first >= 0; first = in.read()) {
                int length = in.read() & 0x7F;
                byte[] mask = in.readNBytes(4);
                byte[] frame = new byte[length + 2];
                frame[0] = (byte) first;
                frame[1] = (byte) length;
                for (int i = 0; i < length; i++) {
                    frame[i + 2] = (byte) (in.read() ^ mask[i % 4]);
                }
                socket.getOutputStream().write(frame);
            }
        } catch (Exception e) {
            // The connection is gone, which the test looks at from the other end.
        }
    }

    private WebSocket open(URI gateway, HttpClient client) throws Exception {
        URI target = URI.create(gateway.toString().replaceFirst("^http", "ws") + "/chat");
        return client.newWebSocketBuilder()
                .buildAsync(target, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                        heard.add(text.toString());
                        socket.request(1);
                        return null;
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                        heard.add(code + " " + reason);
                        return null;
                    }
                })
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    void overHttpAndHttpsAndUntilTheirEndThoughTheGatewayIsToStop() throws Exception {
        TestIdentity identity = TestIdentity.make(directory, "it", "EC");
        String config = "http: {services: {app: {loadBalancer: {servers: [{url: \"http://127.0.0.1:"
                + server.getLocalPort() + "\"}]}}}}\n";
        try (GatewayProcess gateway = GatewayProcess.start(
                "--config",
                ConfigText.file(directory, config),
                "--port",
                "0",
                "--admin-port",
                "0",
                "--tls-cert",
                identity.cert.toString(),
                "--tls-key",
                identity.key.toString(),
                "--tls-port",
                "0")) {
            WebSocket secure = open(
                    gateway.https(),
                    HttpClient.newBuilder().sslContext(identity.trust()).build());
            secure.sendText("secret", true).join();
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("secret");
            secure.sendClose(4999, "done").join();
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("4999 done");

            WebSocket socket = open(gateway.http(), HttpClient.newHttpClient());
            gateway.terminate();
            try (Wire admin = new Wire(gateway.admin())) {
                await().untilAsserted(
                                () -> assertThat(admin.get("/readyz").status()).isEqualTo(503));
            }
            socket.sendText("still here", true).join();
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("still here");
            assertThat(gateway.isAlive()).isTrue();

            socket.sendClose(1000, "bye").join();

            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("1000 bye");
            assertThat(gateway.awaitEnd()).isZero();
            assertThat(gateway.err()).isEmpty();
        }
    }
}
