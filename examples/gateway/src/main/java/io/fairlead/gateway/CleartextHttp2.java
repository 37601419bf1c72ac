package io.fairlead.gateway;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 without TLS, by prior knowledge, or by {@code Upgrade: h2c} of a request that has no body. Jetty would read a
 * body in chunks for the beginning of HTTP/2; the server would get an empty one. Such a request stays with HTTP/1.1, as
 * RFC 9113, section 3.1, has it of every request that asks for this upgrade.
 */
final class CleartextHttp2 extends HTTP2CServerConnectionFactory {
    CleartextHttp2(HttpConfiguration configuration) {
        super(configuration);
        setRateControlFactory(new FrameRates.Factory());
    }

    @Override
    public @Nullable Connection upgradeConnection(
            Connector connector, EndPoint connection, MetaData.Request request, HttpFields.Mutable answer) {
        boolean hasChunks = request.getHttpFields().contains(HttpHeader.TRANSFER_ENCODING);
        return hasChunks ? null : super.upgradeConnection(connector, connection, request, answer);
    }
}
