package io.fairlead.servlet.middleware;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is given instead of a server's. By default its body is {@code application/problem+json} (RFC 9457) with
 * the status, the title and the service's name.
 *
 * <p>Immutable.
 */
public final class OwnAnswer {
    private final int status;
    private final String title;
    private final List<Field> fields;
    private final @Nullable String contentType;
    private final byte @Nullable [] body;

    private OwnAnswer(
            int status, String title, List<Field> fields, @Nullable String contentType, byte @Nullable [] body) {
        this.status = status;
        this.title = title;
        this.fields = List.copyOf(fields);
        this.contentType = contentType;
        this.body = body;
    }

    /**
     * A problem.
     *
     * @param status from 200 to 599
     * @param title one short sentence for the client, the same for every problem of its kind, with nothing of the inside
     * @throws IllegalArgumentException the status is out of range
     */
    public static OwnAnswer of(int status, String title) {
        checkStatus(status);
        return new OwnAnswer(status, title, List.of(), null, null);
    }

    /** An answer without a body, such as a redirect. */
    public static OwnAnswer empty(int status) {
        checkStatus(status);
        return new OwnAnswer(status, "", List.of(), null, new byte[0]);
    }

    private static void checkStatus(int status) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("the status of an answer is from 200 to 599, not " + status);
        }
    }

    /** The same with one more field. */
    public OwnAnswer withField(String name, String value) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(FieldRules.name(name), FieldRules.value(name, value)));
        return new OwnAnswer(status, title, more, contentType, body);
    }

    /** The same with this body; the array is copied. */
    public OwnAnswer withBody(String type, byte[] bytes) {
        return new OwnAnswer(status, title, fields, FieldRules.value("Content-Type", type), bytes.clone());
    }

    /** The same with another status, from 200 to 599. */
    public OwnAnswer withStatus(int other) {
        checkStatus(other);
        return new OwnAnswer(other, title, fields, contentType, body);
    }

    /** The status. */
    public int status() {
        return status;
    }

    /** The title; empty: none. */
    public String title() {
        return title;
    }

    /** The fields, without those that are made from the body; unmodifiable. */
    public List<Field> fields() {
        return fields;
    }

    /** The type of the body; null where there is none. */
    public @Nullable String contentType() {
        return body == null ? "application/problem+json" : contentType;
    }

    /**
     * The body; empty: none.
     *
     * @param service the name of the service that was meant; null where none is known
     */
    public byte[] body(@Nullable String service) {
        return body == null ? problem(service).getBytes(StandardCharsets.UTF_8) : body.clone();
    }

    private String problem(@Nullable String service) {
        StringBuilder json = new StringBuilder("{\"title\":");
        quote(json, title).append(",\"status\":").append(status);
        if (service != null && !service.isEmpty()) {
            quote(json.append(",\"service\":"), service);
        }
        return json.append('}').toString();
    }

    private static StringBuilder quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"');
    }

    @Override
    public String toString() {
        return "OwnAnswer{" + status + " " + title + " " + fields + "}";
    }

    /**
     * A field of an answer.
     *
     * @param name its name
     * @param value its value
     */
    public record Field(String name, String value) {}
}
