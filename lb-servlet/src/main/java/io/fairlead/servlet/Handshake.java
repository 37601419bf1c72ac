package io.fairlead.servlet;

import io.fairlead.servlet.tunnel.Takeover;
import io.fairlead.servlet.tunnel.Tunnel;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Enumeration;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * A request that opens a WebSocket (RFC 6455, 4), over HTTP/1.1 or, where the container has it, over a stream of HTTP/2
 * (RFC 8441); to the server it goes over HTTP/1.1. No other protocol is changed to: the wish for one stays behind like
 * every hop-by-hop field, and the request is answered as one without it.
 */
final class Handshake {
    private static final String WEBSOCKET = "websocket";
    private static final int KEY_BYTES = 16;
    private static final String ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final Takeover takeover;
    private final boolean extendedConnect;
    /** Of a stream of HTTP/2, whose client has none; the server gets one all the same, and must answer to it. */
    private final String key;

    private Handshake(Takeover takeover, boolean extendedConnect) {
        this.takeover = takeover;
        this.extendedConnect = extendedConnect;
        this.key = extendedConnect ? newKey() : "";
    }

    /** The handshake that this request is; null: it is none, or the container keeps its connection. */
    static @Nullable Handshake of(HttpServletRequest request, Takeover takeover) {
        if ("GET".equals(request.getMethod())) {
            boolean asked = names(request.getHeaders("Upgrade"), WEBSOCKET)
                    && names(request.getHeaders("Connection"), "upgrade")
                    && request.getContentLengthLong() <= 0
                    && request.getHeader("Transfer-Encoding") == null;
            return asked && takeover.isPossible(request) ? new Handshake(takeover, false) : null;
        }
        return "CONNECT".equals(request.getMethod()) && takeover.isExtendedConnect(request)
                ? new Handshake(takeover, true)
                : null;
    }

    private static boolean names(@Nullable Enumeration<String> fields, String token) {
        while (fields != null && fields.hasMoreElements()) {
            if (isNamed(fields.nextElement(), token)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(String list, String token) {
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            if (i == list.length() || list.charAt(i) == ',') {
                if (list.substring(start, i).strip().equalsIgnoreCase(token)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    /** The method that the server sees. */
    String method() {
        return "GET";
    }

    /** Adds what makes the request a handshake on the way to the server. */
    void addTo(HttpFields.Mutable fields) {
        fields.put(HttpHeader.CONNECTION, "Upgrade");
        fields.put(HttpHeader.UPGRADE, WEBSOCKET);
        if (extendedConnect) {
            fields.put(HttpHeader.SEC_WEBSOCKET_KEY, key);
        }
    }

    private static String newKey() {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Whether the server has changed to what it was asked for. What it makes of the key is checked by whose key it is:
     * over HTTP/1.1 by the client (RFC 6455, 4.1), here only where the client has none.
     */
    boolean isAgreedTo(HttpFields answer) {
        String protocol = answer.get(HttpHeader.UPGRADE);
        return protocol != null
                && isNamed(protocol, WEBSOCKET)
                && (!extendedConnect || accept(key).equals(answer.get(HttpHeader.SEC_WEBSOCKET_ACCEPT)));
    }

    /** What a server answers to a key (RFC 6455, 4.2.2). */
    private static String accept(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            byte[] digest = sha1.digest((key + ACCEPT_GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /** What tells the client that its handshake has been agreed to. */
    int status() {
        return extendedConnect ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SWITCHING_PROTOCOLS;
    }

    /**
     * Hands the client's connection to the tunnel; the response has the server's fields, and is not completed.
     *
     * @throws IOException the container does not give it; the response can be another one
     */
    void take(HttpServletRequest request, HttpServletResponse response, Tunnel tunnel) throws IOException {
        response.setStatus(status());
        if (!extendedConnect) {
            response.setHeader("Connection", "Upgrade");
            response.setHeader("Upgrade", WEBSOCKET);
        }
        takeover.take(request, response, tunnel);
    }
}
