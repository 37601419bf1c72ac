package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.tunnel.Takeover;
import io.fairlead.servlet.tunnel.Tunnel;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collections;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.junit.jupiter.api.Test;

/** What a server's change of protocol is held against. */
final class HandshakeTest {
    @Test
    void ofAStreamTheServersAnswerToTheKeyIsChecked() throws Exception {
        Handshake handshake = handshake("CONNECT");
        HttpFields.Mutable sent = HttpFields.build();
        handshake.addTo(sent);
        String key = sent.get(HttpHeader.SEC_WEBSOCKET_KEY);

        assertThat(Base64.getDecoder().decode(key)).hasSize(16);
        assertThat(handshake.isAgreedTo(answer("websocket", accept(key)))).isTrue();
        assertThat(handshake.isAgreedTo(answer("WebSocket", accept(key)))).isTrue();
        assertThat(handshake.isAgreedTo(answer("websocket", accept("dGhlIHNhbXBsZSBub25jZQ=="))))
                .isFalse();
        assertThat(handshake.isAgreedTo(answer("websocket", null))).isFalse();
        assertThat(handshake.isAgreedTo(answer("chat", accept(key)))).isFalse();
    }

    @Test
    void ofAConnectionItIsLeftToTheClientWhoseKeyItIs() {
        Handshake handshake = handshake("GET");
        HttpFields.Mutable sent = HttpFields.build();
        handshake.addTo(sent);

        assertThat(sent.get(HttpHeader.SEC_WEBSOCKET_KEY)).isNull();
        assertThat(handshake.isAgreedTo(answer("websocket", null))).isTrue();
        assertThat(handshake.isAgreedTo(answer("chat", null))).isFalse();
    }

    private static HttpFields answer(String protocol, String accept) {
        HttpFields.Mutable fields = HttpFields.build().add(HttpHeader.UPGRADE, protocol);
        return accept == null ? fields : fields.add(HttpHeader.SEC_WEBSOCKET_ACCEPT, accept);
    }

    private static String accept(String key) throws Exception {
        byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    }

    private static Handshake handshake(String method) {
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(
                HandshakeTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, called, arguments) -> switch (called.getName()) {
                    case "getMethod" -> method;
                    case "getHeaders" ->
                        Collections.enumeration(
                                Collections.singleton(arguments[0].equals("Upgrade") ? "websocket" : "Upgrade"));
                    case "getContentLengthLong" -> -1L;
                    default -> null;
                });
        Handshake handshake = Handshake.of(request, new Anything());
        assertThat(handshake).isNotNull();
        return handshake;
    }

    private static final class Anything implements Takeover {
        @Override
        public boolean isPossible(HttpServletRequest request) {
            return true;
        }

        @Override
        public boolean isExtendedConnect(HttpServletRequest request) {
            return true;
        }

        @Override
        public void take(HttpServletRequest request, HttpServletResponse response, Tunnel tunnel) throws IOException {
            throw new IOException("nothing is joined here");
        }
    }
}
