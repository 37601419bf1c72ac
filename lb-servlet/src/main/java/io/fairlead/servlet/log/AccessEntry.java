package io.fairlead.servlet.log;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one request.
 *
 * @param start when it came
 * @param clientHost the client's address, by the trusted proxies
 * @param user the name that basic authentication was given; null where there is none
 * @param method the method
 * @param host what the client named; empty where it did not
 * @param target path and query as they came
 * @param protocol such as {@code HTTP/1.1}
 * @param scheme http or https
 * @param router the router's name; empty for the one that nobody named
 * @param service the service that the router leads to
 * @param server the URL of the server that was tried last; null: none was picked
 * @param tries how many servers were sent the request, copies not counted
 * @param serverStatus what the server answered; 0 where it did not
 * @param status what the client was told; 0 where nothing was
 * @param requestBytes of the body, as many as have been read
 * @param answerBytes of the body, as many as have been given to the container
 * @param connectNanos from the start until a connection to the server was there; -1 where none was
 * @param firstByteNanos from the start until the head of the answer was there; -1 where none came
 * @param totalNanos from the start to the end
 * @param end how it ended
 * @param fields the request's fields that are kept, by the names that the log has for them
 */
public record AccessEntry(
        Instant start,
        String clientHost,
        @Nullable String user,
        String method,
        String host,
        String target,
        String protocol,
        String scheme,
        String router,
        String service,
        @Nullable String server,
        int tries,
        int serverStatus,
        int status,
        long requestBytes,
        long answerBytes,
        long connectNanos,
        long firstByteNanos,
        long totalNanos,
        End end,
        Map<String, String> fields) {
    /** How a request can end. */
    public enum End {
        /** The server's answer was passed on whole. */
        COMPLETE("complete"),
        /** The proxy, or a middleware, gave an answer of its own. */
        OWN_ANSWER("own-answer"),
        /** The client went away before its end. */
        CLIENT_GONE("client-gone"),
        /** The server broke off in the middle of its answer. */
        SERVER_BROKE_OFF("server-broke-off"),
        /** Nothing of the answer moved any more, or it could not be carried on. */
        GIVEN_UP("given-up"),
        /** The connection became a tunnel, a WebSocket's or that of CONNECT. */
        TUNNEL("tunnel");

        private final String text;

        End(String text) {
            this.text = text;
        }

        /** As it stands in the log. */
        public String text() {
            return text;
        }
    }
}
