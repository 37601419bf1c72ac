package io.fairlead.servlet;

import jakarta.servlet.http.HttpServletResponse;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/** Copies the head of a server's answer to the servlet response, without what belongs to the server's connection. */
final class ResponseHead {
    private ResponseHead() {}

    /** Takes the fields of an answer. */
    interface Target {
        /** Takes one; {@code known} is its name where Jetty knows it, else null. */
        void field(String name, @Nullable HttpHeader known, String value);
    }

    /** As {@link #forEach}. */
    static void copy(Response from, HttpServletResponse to, @Nullable String via, @Nullable Rewriting rewriting) {
        to.setStatus(from.getStatus());
        forEach(from, via, rewriting, (name, known, value) -> put(to, name, known, value));
    }

    /**
     * The fields that go on to the client, in order.
     *
     * @param via our name in {@code Via}; null: the field is not added to
     * @param rewriting translates what they say of the server; null: nothing is translated
     */
    static void forEach(Response from, @Nullable String via, @Nullable Rewriting rewriting, Target target) {
        HttpFields fields = from.getHeaders();
        HopByHop hopByHop = HopByHop.of(fields);
        for (HttpField field : fields) {
            HttpHeader known = field.getHeader();
            String value = field.getValue();
            if (value != null && !hopByHop.holds(field.getName(), known)) {
                String name = field.getName();
                target.field(name, known, rewriting == null ? value : rewriting.value(name, known, value));
            }
        }
        if (via != null) {
            target.field(
                    "Via",
                    HttpHeader.VIA,
                    RequestFields.version(from.getVersion().asString()) + " " + via);
        }
    }

    /**
     * Whether the body comes in another transfer coding than chunked, which would have to be undone here: the client is
     * framed anew. What has chunked elsewhere than at the end Jetty's client refuses by itself.
     */
    static boolean isCoded(Response response) {
        for (HttpField field : response.getHeaders()) {
            if (field.getHeader() == HttpHeader.TRANSFER_ENCODING && !"chunked".equalsIgnoreCase(field.getValue())) {
                return true;
            }
        }
        return false;
    }

    /** How many bytes the fields of an answer have, about. */
    static int size(HttpFields fields) {
        int size = 0;
        for (HttpField field : fields) {
            size += size(field.getName(), field.getValue());
        }
        return size;
    }

    /** How many bytes the largest of them has. */
    static int largest(HttpFields fields) {
        int largest = 0;
        for (HttpField field : fields) {
            largest = Math.max(largest, size(field.getName(), field.getValue()));
        }
        return largest;
    }

    /** How many bytes a field has in HTTP/1.1, if it is of ASCII. */
    static int size(String name, @Nullable String value) {
        return name.length() + (value == null ? 0 : value.length()) + 4;
    }

    /** Adds a field to the response. */
    static void put(HttpServletResponse to, String name, @Nullable HttpHeader known, String value) {
        if (known == HttpHeader.CONTENT_TYPE) {
            setType(to, value);
        } else if (known == HttpHeader.DATE || known == HttpHeader.SERVER) {
            // The container may have set its own before; there is to be one.
            to.setHeader(name, value);
        } else {
            to.addHeader(name, value);
        }
    }

    /** Some containers add the charset that they would guess, which may not be the one that the server wrote in. */
    private static void setType(HttpServletResponse to, String type) {
        to.setHeader("Content-Type", type);
        if (type.indexOf(';') < 0) {
            String set = to.getHeader("Content-Type");
            if (set != null && set.indexOf(';') >= 0) {
                to.setCharacterEncoding(null);
            }
        }
    }

    /** Whether an answer to this method with this status never has a body (RFC 9110, 6.4.1 and 15.3.6). */
    static boolean isBodiless(String method, int status) {
        return HttpMethod.HEAD.is(method) || status == 204 || status == 205 || status == 304;
    }

    /** The length that is announced of what the server sent; -1 where there is none. */
    static long length(Response response) {
        return length(response.getStatus(), response.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH));
    }

    /**
     * The length that an answer with this status may announce: a 204 none (RFC 9110, 8.6), and a 205 that of nothing,
     * since clients read it by its length.
     *
     * @param said by the server; -1 where it said none
     */
    static long length(int status, long said) {
        return switch (status) {
            case 204 -> -1;
            case 205 -> 0;
            default -> said;
        };
    }
}
