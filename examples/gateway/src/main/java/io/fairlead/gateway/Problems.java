package io.fairlead.gateway;

import io.fairlead.servlet.log.AccessLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers that are not a server's as {@code application/problem+json} (RFC 9457): what Jetty's parser refuses, and what
 * nothing matched. They say the status and nothing of the inside.
 */
final class Problems implements Request.Handler {
    static final String TYPE = "application/problem+json";

    private final Supplier<@Nullable AccessLog> log;

    /** @param log told of what Jetty refuses by itself; null: nobody is */
    Problems(Supplier<@Nullable AccessLog> log) {
        this.log = log;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException refused) {
            response.setStatus(refused.getCode());
            GatewayRecord record = GatewayRecord.begin(log.get(), request);
            if (record != null) {
                record.refused(refused.getCode(), json(refused.getCode()).length);
            }
        }
        write(response, callback, response.getStatus());
        return true;
    }

    static void write(Response response, Callback callback, int status) {
        write(response, callback, status, null);
    }

    /** @param detail what is to be said beyond the title; null: nothing */
    static void write(Response response, Callback callback, int status, @Nullable String detail) {
        response.setStatus(status);
        if (HttpStatus.hasNoBody(status)) {
            callback.succeeded();
            return;
        }
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        writeJson(response, callback, TYPE, json(status, detail));
    }

    static byte[] json(int status) {
        return json(status, null);
    }

    static byte[] json(int status, @Nullable String detail) {
        Json json = new Json().object().name("status").value(status);
        json.name("title").value(HttpStatus.getMessage(status));
        if (detail != null) {
            json.name("detail").value(detail);
        }
        return json.endObject().toString().getBytes(StandardCharsets.UTF_8);
    }

    static void writeJson(Response response, Callback callback, String type, Json json) {
        writeJson(response, callback, type, json.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void writeJson(Response response, Callback callback, String type, byte[] body) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
