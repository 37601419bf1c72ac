package io.fairlead.health;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a check's request (RFC 9112), as much of it as the check wants to know. Heads of 1xx are passed over.
 */
final class HttpAnswer {
    static final int MAX_BODY = 64 * 1024;
    private static final int MAX_STATUS_LINE = 1024;
    private static final int MAX_HEAD = 64 * 1024;
    private static final int SWITCHING = 101;

    /** How much of the answer is wanted. */
    enum Wanted {
        STATUS,
        HEAD,
        BODY
    }

    private enum Stage {
        STATUS_LINE,
        FIELDS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        COMPLETE
    }

    private final Wanted wanted;
    private final boolean bodyless;
    private final StringBuilder line = new StringBuilder();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private Stage stage = Stage.STATUS_LINE;
    private int headSize;
    private int status;
    private @Nullable String location;
    private boolean chunked;
    /** Of the body or the chunk: bytes still to come; negative: all until the end. */
    private long left = -1;

    /**
     * An answer of which nothing has come.
     *
     * @param bodyless whether the request was one whose answer has no body (HEAD)
     */
    HttpAnswer(Wanted wanted, boolean bodyless) {
        this.wanted = wanted;
        this.bodyless = bodyless;
    }

    boolean isComplete() {
        return stage == Stage.COMPLETE;
    }

    int status() {
        return status;
    }

    /** Where a redirect leads; null where it does not say. */
    @Nullable
    String location() {
        return location;
    }

    /** What has come of the body, {@link #MAX_BODY} at most. */
    byte[] body() {
        return body.toByteArray();
    }

    /** Takes bytes in until the answer is complete. */
    void feed(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && stage != Stage.COMPLETE) {
            if (stage == Stage.BODY || stage == Stage.CHUNK) {
                content(bytes);
            } else {
                character((char) (bytes.get() & 0xFF));
            }
        }
    }

    /** The connection has ended. */
    void end() throws IOException {
        if (stage == Stage.STATUS_LINE) {
            throw new IOException("the connection was closed before a status line");
        }
        if (stage == Stage.FIELDS) {
            throw new IOException("the connection was closed before the end of the head");
        }
        if (stage != Stage.COMPLETE && !(stage == Stage.BODY && left < 0)) {
            throw new IOException("the connection was closed before the end of the body");
        }
        stage = Stage.COMPLETE;
    }

    private void content(ByteBuffer bytes) {
        long most = Math.min(bytes.remaining(), MAX_BODY - body.size());
        int count = (int) (left < 0 ? most : Math.min(most, left));
        for (int i = 0; i < count; i++) {
            body.write(bytes.get());
        }
        left -= left < 0 ? 0 : count;
        if (body.size() == MAX_BODY) {
            stage = Stage.COMPLETE;
        } else if (left == 0) {
            stage = stage == Stage.CHUNK ? Stage.CHUNK_END : Stage.COMPLETE;
        }
    }

    private void character(char c) throws IOException {
        headSize++;
        if (c != '\n') {
            line.append(c);
            if (stage == Stage.STATUS_LINE && line.length() >= MAX_STATUS_LINE) {
                throw new IOException("the status line is longer than " + MAX_STATUS_LINE + " bytes");
            }
            if (stage != Stage.STATUS_LINE && (headSize > MAX_HEAD || line.length() > MAX_HEAD)) {
                throw new IOException("the head is longer than " + MAX_HEAD + " bytes");
            }
            return;
        }
        if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        String text = line.toString();
        line.setLength(0);
        switch (stage) {
            case STATUS_LINE:
                statusLine(text);
                break;
            case FIELDS:
                field(text);
                break;
            case CHUNK_SIZE:
                chunkSize(text);
                break;
            default:
                stage = Stage.CHUNK_SIZE;
                break;
        }
    }

    private void statusLine(String text) throws IOException {
        if (!text.matches("HTTP/1\\.[01] [1-9][0-9][0-9]( .*)?")) {
            throw new IOException("the answer is not HTTP");
        }
        status = Integer.parseInt(text.substring(9, 12));
        boolean informational = status < 200 && status != SWITCHING;
        stage = wanted == Wanted.STATUS && !informational ? Stage.COMPLETE : Stage.FIELDS;
    }

    private void field(String text) throws IOException {
        if (text.isEmpty()) {
            headEnded();
            return;
        }
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw new IOException("the answer's head is malformed");
        }
        String value = text.substring(colon + 1).trim();
        switch (text.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "location":
                location = value;
                break;
            case "content-length":
                if (!value.matches("[0-9]{1,18}")) {
                    throw new IOException("the answer's Content-Length is malformed");
                }
                left = Long.parseLong(value);
                break;
            case "transfer-encoding":
                chunked = value.toLowerCase(Locale.ROOT).endsWith("chunked");
                break;
            default:
                break;
        }
    }

    private void headEnded() {
        if (status < 200 && status != SWITCHING) {
            stage = Stage.STATUS_LINE;
            headSize = 0;
            left = -1;
            chunked = false;
        } else if (wanted != Wanted.BODY || bodyless || status == 204 || status == 304 || status == SWITCHING) {
            stage = Stage.COMPLETE;
        } else if (chunked) {
            stage = Stage.CHUNK_SIZE;
        } else {
            stage = left == 0 ? Stage.COMPLETE : Stage.BODY;
        }
    }

    private void chunkSize(String text) throws IOException {
        int end = 0;
        while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
            end++;
        }
        if (end == 0 || end > 15) {
            throw new IOException("the answer's chunks are malformed");
        }
        headSize = 0;
        left = Long.parseLong(text.substring(0, end), 16);
        // What may follow the last chunk is of no interest.
        stage = left == 0 ? Stage.COMPLETE : Stage.CHUNK;
    }

    /** The body as text. */
    String text() {
        return new String(body(), StandardCharsets.UTF_8);
    }
}
