package io.fairlead.gateway;

import org.jspecify.annotations.Nullable;

/** Writes JSON (RFC 8259), as much of it as the admin endpoints and the problems need. The caller keeps the order. */
final class Json {
    private final StringBuilder out = new StringBuilder();
    private boolean comma;

    Json object() {
        return open('{');
    }

    Json endObject() {
        return close('}');
    }

    Json array() {
        return open('[');
    }

    Json endArray() {
        return close(']');
    }

    Json name(String name) {
        separate();
        quote(name);
        out.append(':');
        comma = false;
        return this;
    }

    Json value(@Nullable String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    Json value(long value) {
        separate();
        out.append(value);
        return this;
    }

    Json value(double value) {
        separate();
        out.append(value);
        return this;
    }

    Json value(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    private Json open(char bracket) {
        separate();
        out.append(bracket);
        comma = false;
        return this;
    }

    private Json close(char bracket) {
        out.append(bracket);
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) {
            out.append(',');
        }
        comma = true;
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                // A lone surrogate has no UTF-8; as an escape any of them survives.
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** What has been written. */
    @Override
    public String toString() {
        return out.toString();
    }
}
