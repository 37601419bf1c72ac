package io.fairlead.gateway;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * Lets the authority of a request's target stand in the place of {@code Host}, where a client sends a whole URL and another
 * host beside it (RFC 9112, 3.2.2): whoever looks at either sees the same.
 */
final class TargetAuthority implements HttpConfiguration.Customizer {
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        String target = request.getHttpURI().getAuthority();
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (target == null || host == null || host.equalsIgnoreCase(target)) {
            return request;
        }
        HttpFields fields = HttpFields.build(request.getHeaders())
                .put(HttpHeader.HOST, target)
                .asImmutable();
        return new Request.Wrapper(request) {
            @Override
            public HttpFields getHeaders() {
                return fields;
            }
        };
    }
}
