package io.fairlead.servlet;

import io.fairlead.servlet.container.StreamEnd;
import io.fairlead.servlet.log.AccessEntry.End;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer to a request that is refused before anything has been done with it, so that neither middlewares nor hooks see
 * it.
 *
 * @param answer what is answered
 * @param service the name of the service, null where none is known
 * @param record what is told to the access log; null: there is none
 */
record Refusal(
        Answer answer, @Nullable String service, @Nullable AccessRecord record) {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    /**
     * Writes the answer. Where that may have to wait for the client it is done by a thread of the container's that may:
     * this one may have other connections to look after.
     *
     * @throws IOException the client is gone
     */
    void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!RequestBody.isPresent(request) || !request.isAsyncSupported()) {
            writeNow(request, response);
            return;
        }
        AsyncContext context = request.startAsync(request, response);
        context.setTimeout(0);
        try {
            context.start(() -> writeAndComplete(context, request, response));
        } catch (RuntimeException e) {
            log.debug("the container has no thread for an answer", e);
            writeAndComplete(context, request, response);
        }
    }

    private void writeAndComplete(AsyncContext context, HttpServletRequest request, HttpServletResponse response) {
        try {
            writeNow(request, response);
        } catch (IOException | RuntimeException e) {
            log.debug("a refusal could not be written", e);
        }
        StreamEnd.withoutError(request);
        try {
            context.complete();
        } catch (RuntimeException e) {
            log.debug("the request had been ended by the container", e);
        }
    }

    private void writeNow(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int length = 0;
        try {
            length = answer.writeTo(request, response, service);
        } finally {
            if (record != null) {
                record.ends(End.OWN_ANSWER);
                record.close(answer.status(), 0, length);
            }
        }
    }
}
