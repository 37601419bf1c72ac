package io.fairlead.servlet;

import io.fairlead.tls.ClientTls;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** TLS to servers by the settings of a service: Jetty's factory, with the names and certificates of those. */
final class UpstreamTls extends SslContextFactory.Client {
    private final ClientTls settings;

    /** @throws IllegalStateException this Java cannot use one of the certificates or keys */
    UpstreamTls(ClientTls settings) {
        this.settings = settings;
        if (!settings.isCustom()) {
            return;
        }
        try {
            setSslContext(settings.context());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS cannot be spoken to the servers", e);
        }
        if (settings.insecureSkipVerify()) {
            setEndpointIdentificationAlgorithm(null);
        }
    }

    /** Jetty warns of what has been asked for. */
    @Override
    protected void checkEndPointIdentificationAlgorithm() {
        if (!settings.insecureSkipVerify()) {
            super.checkEndPointIdentificationAlgorithm();
        }
    }

    /** The peer's name is what is sent as SNI and what the certificate is checked for. */
    @Override
    public SSLEngine newSSLEngine(String host, int port) {
        return super.newSSLEngine(settings.nameFor(host), port);
    }
}
