package io.fairlead.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers that are not a server's as {@code application/problem+json} (RFC 9457): what Jetty's parser refuses, and what
 * nothing matched. They say the status and nothing of the inside.
 */
final class Problems implements Request.Handler {
    static final String TYPE = "application/problem+json";

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException refused) {
            response.setStatus(refused.getCode());
        }
        write(response, callback, response.getStatus());
        return true;
    }

    static void write(Response response, Callback callback, int status) {
        response.setStatus(status);
        if (HttpStatus.hasNoBody(status)) {
            callback.succeeded();
            return;
        }
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        writeJson(response, callback, TYPE, json(status));
    }

    static byte[] json(int status) {
        Json json = new Json().object().name("status").value(status);
        json.name("title").value(HttpStatus.getMessage(status)).endObject();
        return json.toString().getBytes(StandardCharsets.UTF_8);
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
