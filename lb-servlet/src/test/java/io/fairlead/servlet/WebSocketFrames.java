package io.fairlead.servlet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Frames of RFC 6455, made by hand. */
final class WebSocketFrames {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final boolean masked;

    private WebSocketFrames(boolean masked) {
        this.masked = masked;
    }

    static WebSocketFrames ofClient() {
        return new WebSocketFrames(true);
    }

    static WebSocketFrames ofServer() {
        return new WebSocketFrames(false);
    }

    WebSocketFrames add(int opcode, boolean last, byte[] payload) {
        bytes.write(opcode | (last ? 0x80 : 0));
        int mask = masked ? 0x80 : 0;
        if (payload.length < 126) {
            bytes.write(mask | payload.length);
        } else if (payload.length < 65536) {
            bytes.write(mask | 126);
            bytes.writeBytes(
                    ByteBuffer.allocate(2).putShort((short) payload.length).array());
        } else {
            bytes.write(mask | 127);
            bytes.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
        }
        byte[] key = {0x37, (byte) 0xfa, 0x21, 0x3d};
        if (masked) {
            bytes.writeBytes(key);
        }
        for (int i = 0; i < payload.length; i++) {
            bytes.write(masked ? payload[i] ^ key[i % 4] : payload[i]);
        }
        return this;
    }

    WebSocketFrames text(String text) {
        return add(TEXT, true, text.getBytes(StandardCharsets.UTF_8));
    }

    WebSocketFrames close(int code, String reason) {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(ByteBuffer.allocate(2).putShort((short) code).array());
        payload.writeBytes(reason.getBytes(StandardCharsets.UTF_8));
        return add(CLOSE, true, payload.toByteArray());
    }

    WebSocketFrames raw(int... any) {
        for (int b : any) {
            bytes.write(b);
        }
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
