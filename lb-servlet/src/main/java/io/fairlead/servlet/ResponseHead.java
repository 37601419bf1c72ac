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

    /** @param via our name in {@code Via}; null: the field is not added to */
    static void copy(Response from, HttpServletResponse to, @Nullable String via) {
        to.setStatus(from.getStatus());
        HttpFields fields = from.getHeaders();
        HopByHop hopByHop = HopByHop.of(fields);
        for (HttpField field : fields) {
            HttpHeader known = field.getHeader();
            String value = field.getValue();
            if (value == null || hopByHop.holds(field.getName(), known)) {
                continue;
            }
            if (known == HttpHeader.CONTENT_TYPE) {
                setType(to, value);
            } else if (known == HttpHeader.DATE || known == HttpHeader.SERVER) {
                // The container may have set its own before; there is to be one.
                to.setHeader(field.getName(), value);
            } else {
                to.addHeader(field.getName(), value);
            }
        }
        if (via != null) {
            to.addHeader("Via", RequestFields.version(from.getVersion().asString()) + " " + via);
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

    /** Whether an answer to this method with this status never has a body (RFC 9110, 6.4.1). */
    static boolean isBodiless(String method, int status) {
        return HttpMethod.HEAD.is(method) || status == 204 || status == 304;
    }

    /** The length that the server announced; -1 where it did not. */
    static long length(Response response) {
        return response.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
    }
}
