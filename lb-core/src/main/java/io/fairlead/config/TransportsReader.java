package io.fairlead.config;

import io.fairlead.ServiceSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Reads {@code http.serversTransports}. */
final class TransportsReader {
    private TransportsReader() {}

    /** The transports by name without case. */
    static Map<String, ServiceSettings> read(ConfigNode node) {
        Map<String, ServiceSettings> transports = new LinkedHashMap<>();
        for (ConfigNode transport : node.entries()) {
            transports.put(transport.key().toLowerCase(Locale.ROOT), settings(transport));
        }
        return Collections.unmodifiableMap(transports);
    }

    private static ServiceSettings settings(ConfigNode node) {
        node.allow(
                "forwardingTimeouts",
                "serverName",
                "insecureSkipVerify",
                "rootCAs",
                "certificates",
                "maxIdleConnsPerHost");
        node.get("serverName").string();
        node.get("insecureSkipVerify").bool(false);
        node.get("rootCAs").strings();
        for (ConfigNode certificate : node.get("certificates").items()) {
            certificate.allow("certFile", "keyFile");
            certificate.get("certFile").requiredString();
            certificate.get("keyFile").requiredString();
        }
        node.get("maxIdleConnsPerHost").integer(-1, Integer.MAX_VALUE, 0);
        for (ConfigNode entry : node.entries()) {
            if (!entry.isMissing() && isWithoutEffect(entry.key())) {
                entry.notice(Notices.NO_EFFECT);
            }
        }
        return timeouts(node.get("forwardingTimeouts"));
    }

    private static boolean isWithoutEffect(String key) {
        switch (key.toLowerCase(Locale.ROOT)) {
            case "servername":
            case "insecureskipverify":
            case "rootcas":
            case "certificates":
            case "maxidleconnsperhost":
                return true;
            default:
                return false;
        }
    }

    private static ServiceSettings timeouts(ConfigNode node) {
        node.allow("dialTimeout", "responseHeaderTimeout", "idleConnTimeout", "tunnelIdleTimeout");
        ServiceSettings defaults = ServiceSettings.DEFAULT;
        return defaults.withTimeouts(
                        node.get("dialTimeout").duration(defaults.dialTimeout()),
                        node.get("responseHeaderTimeout").duration(defaults.responseHeaderTimeout()),
                        node.get("idleConnTimeout").duration(defaults.idleConnTimeout()))
                .withTunnelIdleTimeout(node.get("tunnelIdleTimeout").duration(defaults.tunnelIdleTimeout()));
    }
}
