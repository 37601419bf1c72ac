package io.fairlead.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * The fields behind a body (RFC 9110, 6.5): carried both ways where both sides can have them, without those that mean
 * one hop, or that could change what has been done with the head.
 */
final class Trailers {
    /** What may not be sent as a trailer (RFC 9110, 6.5.1), beside the fields of one hop. */
    private static final Set<String> NEVER = Set.of(
            "age",
            "authorization",
            "cache-control",
            "content-encoding",
            "content-range",
            "content-type",
            "cookie",
            "date",
            "expect",
            "expires",
            "forwarded",
            "host",
            "location",
            "max-forwards",
            "pragma",
            "range",
            "retry-after",
            "set-cookie",
            "vary",
            "via",
            "www-authenticate");

    private static final HopByHop ONE_HOP = HopByHop.of(HttpFields.EMPTY);

    private Trailers() {}

    /** Whether the client says that it takes them. */
    static boolean areTaken(HttpServletRequest request) {
        Enumeration<String> values = request.getHeaders("TE");
        while (values != null && values.hasMoreElements()) {
            for (String coding : values.nextElement().split(",", -1)) {
                if (coding.strip().equalsIgnoreCase("trailers")) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Those of a request whose body has been read to its end.
     *
     * @return null when there are none
     */
    static @Nullable HttpFields of(HttpServletRequest request) {
        if (!request.isTrailerFieldsReady()) {
            return null;
        }
        HttpFields.Mutable fields = HttpFields.build();
        request.getTrailerFields().forEach((name, value) -> {
            if (isAllowed(name, HttpHeader.CACHE.get(name))) {
                fields.add(new HttpField(name, value));
            }
        });
        return fields.size() == 0 ? null : fields;
    }

    /**
     * Lets the client have those of the server, where there may be any.
     *
     * @param length the announced length of the answer's body; -1 where there is none
     */
    static void passOn(Response answer, HttpServletRequest request, HttpServletResponse response, long length) {
        if (length >= 0) {
            return;
        }
        String announced = answer.getHeaders().get(HttpHeader.TRAILER);
        boolean mayCome = announced != null || answer.getVersion() == HttpVersion.HTTP_2 || areTaken(request);
        if (!mayCome || request.getProtocol().equals("HTTP/1.0")) {
            return;
        }
        if (announced != null) {
            response.setHeader("Trailer", announced);
        }
        response.setTrailerFields(() -> toMap(answer.getTrailers()));
    }

    private static Map<String, String> toMap(@Nullable HttpFields trailers) {
        Map<String, String> map = new LinkedHashMap<>();
        if (trailers != null) {
            for (HttpField field : trailers) {
                if (isAllowed(field.getName(), field.getHeader()) && field.getValue() != null) {
                    map.merge(field.getName(), field.getValue(), (one, other) -> one + ", " + other);
                }
            }
        }
        return map;
    }

    private static boolean isAllowed(String name, @Nullable HttpHeader known) {
        return !ONE_HOP.holds(name, known)
                && !NEVER.contains(name.toLowerCase(Locale.ROOT))
                // A server that takes trailers for fields of the head would believe the client.
                && !RequestFields.isForwardedName(name);
    }
}
