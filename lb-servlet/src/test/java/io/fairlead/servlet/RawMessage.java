package io.fairlead.servlet;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An HTTP/1.1 message as it stood on the wire. */
final class RawMessage {
    private final String startLine;
    private final List<String> fields;
    private final List<String> trailers = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean chunked;

    private RawMessage(String startLine, List<String> fields) {
        this.startLine = startLine;
        this.fields = fields;
    }

    /** Reads up to the empty line; null at the end of the connection. */
    static RawMessage readHead(InputStream in) throws IOException {
        String startLine = line(in);
        if (startLine == null) {
            return null;
        }
        List<String> fields = new ArrayList<>();
        while (true) {
            String field = line(in);
            if (field == null) {
                throw new EOFException("the head does not end: " + startLine + fields);
            }
            if (field.isEmpty()) {
                return new RawMessage(startLine, fields);
            }
            fields.add(field);
        }
    }

    /** Reads the body by the framing of the head. */
    void readBody(InputStream in, boolean untilClose) throws IOException {
        if (values("Transfer-Encoding").contains("chunked")) {
            chunked = true;
            while (true) {
                String size = line(in);
                if (size == null) {
                    throw new EOFException("the chunked body broke off after " + body.size());
                }
                int length = Integer.parseInt(size.strip(), 16);
                copy(in, length);
                String end = line(in);
                while (length == 0 && end != null && !end.isEmpty()) {
                    trailers.add(end);
                    end = line(in);
                }
                if (!"".equals(end)) {
                    throw new EOFException("the chunk does not end");
                }
                if (length == 0) {
                    return;
                }
            }
        } else if (!values("Content-Length").isEmpty()) {
            copy(in, Integer.parseInt(value("Content-Length")));
        } else if (untilClose) {
            in.transferTo(body);
        }
    }

    private void copy(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        body.write(bytes);
        if (bytes.length < length) {
            throw new EOFException("the body broke off after " + body.size());
        }
    }

    static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                String text = line.toString(StandardCharsets.ISO_8859_1);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(c);
        }
        if (line.size() > 0) {
            throw new EOFException("the line does not end: " + line);
        }
        return null;
    }

    /** The lines behind the last chunk. */
    List<String> trailers() {
        return trailers;
    }

    String startLine() {
        return startLine;
    }

    int status() {
        return Integer.parseInt(word(1));
    }

    String target() {
        return word(1);
    }

    private String word(int index) {
        return List.of(startLine.split(" ", -1)).get(index);
    }

    boolean isChunked() {
        return chunked;
    }

    byte[] bytes() {
        return body.toByteArray();
    }

    String body() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** The values of all fields of this name, in order. */
    List<String> values(String name) {
        List<String> values = new ArrayList<>();
        for (String field : fields) {
            int colon = field.indexOf(':');
            if (field.substring(0, colon).equalsIgnoreCase(name)) {
                values.add(field.substring(colon + 1).strip());
            }
        }
        return values;
    }

    /** The only value of this field; an assertion fails when there are more; null when there is none. */
    String value(String name) {
        List<String> values = values(name);
        if (values.size() > 1) {
            throw new AssertionError(name + " stands there more than once: " + values);
        }
        return values.isEmpty() ? null : values.get(0);
    }

    List<String> fields() {
        return fields;
    }

    @Override
    public String toString() {
        return startLine + " " + fields + " " + body();
    }
}
