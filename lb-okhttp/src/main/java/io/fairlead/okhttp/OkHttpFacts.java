package io.fairlead.okhttp;

import io.fairlead.LocalAddress;
import io.fairlead.RequestFacts;
import java.util.List;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * What may be asked of an OkHttp request. Header fields and cookies are those that the request itself carries: what a
 * cookie jar adds comes later.
 */
final class OkHttpFacts implements RequestFacts {
    private final Request request;

    OkHttpFacts(Request request) {
        this.request = request;
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String path() {
        return request.url().encodedPath();
    }

    @Override
    public @Nullable String query() {
        return request.url().encodedQuery();
    }

    @Override
    public String host() {
        return request.url().host();
    }

    @Override
    public @Nullable String header(String name) {
        // The first, where OkHttp's own header(name) gives the last.
        for (int i = 0; i < request.headers().size(); i++) {
            if (request.headers().name(i).equalsIgnoreCase(name)) {
                return request.headers().value(i);
            }
        }
        return null;
    }

    @Override
    public @Nullable String cookie(String name) {
        List<String> fields = request.headers("Cookie");
        for (String field : fields) {
            int at = 0;
            while (at < field.length()) {
                int end = field.indexOf(';', at);
                end = end < 0 ? field.length() : end;
                int equals = field.indexOf('=', at);
                if (equals >= 0
                        && equals < end
                        && field.substring(at, equals).trim().equals(name)) {
                    return unquoted(field.substring(equals + 1, end).trim());
                }
                at = end + 1;
            }
        }
        return null;
    }

    /** The machine's own, the same for every call. */
    @Override
    public String remoteAddress() {
        return LocalAddress.text();
    }

    @Override
    public String toString() {
        return request.method() + " " + request.url().redact();
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }
}
