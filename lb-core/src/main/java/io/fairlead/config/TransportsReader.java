package io.fairlead.config;

import io.fairlead.ServiceSettings;
import io.fairlead.TransportSettings;
import io.fairlead.tls.ClientTls;
import io.fairlead.tls.Pem;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code http.serversTransports}. */
final class TransportsReader {
    private static final List<String> NOT_SUPPORTED =
            Collections.unmodifiableList(Arrays.asList("peerCertURI", "spiffe"));

    private final NamedFiles files;

    private TransportsReader(NamedFiles files) {
        this.files = files;
    }

    /**
     * The transports by name without case.
     *
     * @param files reads the certificates and keys
     */
    static Map<String, ServiceSettings> read(ConfigNode node, NamedFiles files) {
        TransportsReader reader = new TransportsReader(files);
        Map<String, ServiceSettings> transports = new LinkedHashMap<>();
        for (ConfigNode transport : node.entries()) {
            transports.put(transport.key().toLowerCase(Locale.ROOT), reader.settings(transport));
        }
        return Collections.unmodifiableMap(transports);
    }

    private ServiceSettings settings(ConfigNode node) {
        node.allow(
                "forwardingTimeouts",
                "serverName",
                "insecureSkipVerify",
                "rootCAs",
                "certificates",
                "maxIdleConnsPerHost",
                "disableHTTP2",
                "peerCertURI",
                "spiffe");
        for (String key : NOT_SUPPORTED) {
            if (node.has(key)) {
                // To go on without it would trust servers that were not meant.
                node.get(key).problem("is not supported; certificates are checked by rootCAs and serverName");
            }
        }
        TransportSettings.Builder transport = TransportSettings.builder()
                .tls(tls(node))
                .http2(!node.get("disableHTTP2").bool(false))
                .maxIdleConnsPerHost(node.get("maxIdleConnsPerHost").integer(-1, Integer.MAX_VALUE, 0));
        ServiceSettings timeouts = timeouts(node.get("forwardingTimeouts"), transport);
        return timeouts.withTransport(transport.build());
    }

    private ClientTls tls(ConfigNode node) {
        ClientTls.Builder tls = ClientTls.builder();
        ConfigNode name = node.get("serverName");
        if (!name.isMissing()) {
            String text = name.requiredString();
            if (text != null && !isName(text)) {
                name.problem(Quote.of(text) + " is not the name of a host");
            } else {
                tls.serverName(text);
            }
        }
        tls.insecureSkipVerify(node.get("insecureSkipVerify").bool(false));
        for (ConfigNode root : node.get("rootCAs").items()) {
            root.give(pem(root), tls::rootCAs);
        }
        for (ConfigNode certificate : node.get("certificates").items()) {
            certificate.allow("certFile", "keyFile");
            identity(certificate, tls);
        }
        return tls.build();
    }

    private void identity(ConfigNode node, ClientTls.Builder tls) {
        ConfigNode cert = node.get("certFile");
        ConfigNode key = node.get("keyFile");
        List<List<X509Certificate>> chain = new ArrayList<>(1);
        List<PrivateKey> keys = new ArrayList<>(1);
        cert.give(pem(cert), text -> chain.add(Pem.certificates(text)));
        key.give(pem(key), text -> keys.add(Pem.privateKey(text)));
        if (!chain.isEmpty() && !keys.isEmpty()) {
            key.give(keys.get(0), pair -> tls.certificate(chain.get(0), pair));
        }
    }

    /** PEM as it stands there, or that of the file of this name; null, with a problem, where there is none. */
    private @Nullable String pem(ConfigNode node) {
        String text = node.requiredString();
        return text == null || Pem.isPem(text) ? text : files.text(node, text);
    }

    private static boolean isName(String text) {
        return text.length() <= 253 && text.matches("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?|[0-9a-fA-F:.]+");
    }

    private static ServiceSettings timeouts(ConfigNode node, TransportSettings.Builder transport) {
        node.allow(
                "dialTimeout",
                "responseHeaderTimeout",
                "idleConnTimeout",
                "tunnelIdleTimeout",
                "readIdleTimeout",
                "pingTimeout");
        ConfigNode ping = node.get("pingTimeout");
        transport.readIdleTimeout(node.get("readIdleTimeout").duration(TransportSettings.DEFAULT.readIdleTimeout()));
        ping.give(ping.duration(), transport::pingTimeout);
        ServiceSettings defaults = ServiceSettings.DEFAULT;
        return defaults.withTimeouts(
                        node.get("dialTimeout").duration(defaults.dialTimeout()),
                        node.get("responseHeaderTimeout").duration(defaults.responseHeaderTimeout()),
                        node.get("idleConnTimeout").duration(defaults.idleConnTimeout()))
                .withTunnelIdleTimeout(node.get("tunnelIdleTimeout").duration(defaults.tunnelIdleTimeout()));
    }
}
