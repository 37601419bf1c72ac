package io.fairlead.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpGenerator;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;

/**
 * HTTP/1.1 with heads that say nothing of a body where there is none: Jetty writes {@code Content-Length: 0} into the answer
 * that opens a tunnel, which RFC 9110, 9.3.6, forbids, and {@code Transfer-Encoding: chunked} into one to HEAD whose length
 * nobody knows.
 */
final class Http1 extends HttpConnectionFactory {
    Http1(HttpConfiguration configuration) {
        super(configuration);
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        Http1Connection connection = new Http1Connection(getHttpConfiguration(), connector, endPoint);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    /** The answer to this request opens a tunnel. To be called before it is sent; nothing happens for other protocols. */
    static void opensTunnel(Request request) {
        if (request.getConnectionMetaData() instanceof Http1Connection connection
                && connection.getGenerator() instanceof Generator generator) {
            generator.opensTunnel = true;
        }
    }

    private static final class Http1Connection extends HttpConnection {
        private Http1Connection(HttpConfiguration configuration, Connector connector, EndPoint endPoint) {
            super(configuration, connector, endPoint);
        }

        @Override
        protected HttpGenerator newHttpGenerator() {
            return new Generator();
        }
    }

    private static final class Generator extends HttpGenerator {
        private static final Pattern FRAMING = Pattern.compile("(?i)\r\n(?:content-length|transfer-encoding):[^\r]*");

        private boolean opensTunnel;

        @Override
        public Result generateResponse(
                MetaData.Response info,
                boolean head,
                ByteBuffer header,
                ByteBuffer chunk,
                ByteBuffer content,
                boolean last)
                throws IOException {
            boolean begins = isState(State.START);
            Result result = super.generateResponse(info, head, header, chunk, content, last);
            if (begins && result == Result.FLUSH && (opensTunnel || (head && isChunking()))) {
                String written = BufferUtil.toString(header, StandardCharsets.ISO_8859_1);
                BufferUtil.clear(header);
                BufferUtil.append(
                        header, FRAMING.matcher(written).replaceAll("").getBytes(StandardCharsets.ISO_8859_1));
            }
            return result;
        }
    }
}
