package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields by which browsers protect a site, and which hosts it is. Immutable. */
final class SecurityFields {
    private final List<OwnAnswer.Field> always;
    private final @Nullable String transportSecurity;
    private final @Nullable String publicKey;
    private final boolean onPlain;
    private final List<OwnAnswer.Field> saysSecure;
    private final List<String> hosts;
    private final List<String> hostFields;

    private SecurityFields(ConfigNode node, List<OwnAnswer.Field> always) {
        this.always = List.copyOf(always);
        boolean development = node.get("isDevelopment").bool(false);
        String sts = transportSecurity(node);
        String key = value(node.get("publicKey"));
        transportSecurity = development ? null : sts;
        publicKey = development ? null : key;
        onPlain = node.get("forceSTSHeader").bool(false);
        saysSecure = FieldList.read(node.get("sslProxyHeaders")).fields();
        List<String> allowed = new ArrayList<>();
        node.get("allowedHosts").strings().forEach(host -> allowed.add(host.toLowerCase(Locale.ROOT)));
        hosts = development ? List.of() : List.copyOf(allowed);
        hostFields = List.copyOf(node.get("hostsProxyHeaders").strings());
    }

    /** Reads the keys of {@code headers}. */
    static SecurityFields read(ConfigNode node) {
        List<OwnAnswer.Field> fields = new ArrayList<>();
        String frame = value(node.get("customFrameOptionsValue"));
        boolean frameDeny = node.get("frameDeny").bool(false);
        add(fields, "X-Frame-Options", frame != null ? frame : frameDeny ? "DENY" : null);
        add(fields, "X-Content-Type-Options", node.get("contentTypeNosniff").bool(false) ? "nosniff" : null);
        String xss = value(node.get("customBrowserXSSValue"));
        boolean xssFilter = node.get("browserXssFilter").bool(false);
        add(fields, "X-XSS-Protection", xss != null ? xss : xssFilter ? "1; mode=block" : null);
        add(fields, "Content-Security-Policy", value(node.get("contentSecurityPolicy")));
        add(fields, "Content-Security-Policy-Report-Only", value(node.get("contentSecurityPolicyReportOnly")));
        add(fields, "Referrer-Policy", value(node.get("referrerPolicy")));
        add(fields, "Permissions-Policy", value(node.get("permissionsPolicy")));
        return new SecurityFields(node, fields);
    }

    private static void add(List<OwnAnswer.Field> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.add(new OwnAnswer.Field(name, value));
        }
    }

    /** A value that may stand in a field; null where there is none, or, with a problem, no such. */
    private static @Nullable String value(ConfigNode node) {
        String text = node.string("");
        if (!FieldRules.isValue(text)) {
            node.problem("holds a character that cannot stand in a field");
            return null;
        }
        return text.isEmpty() ? null : text;
    }

    private static @Nullable String transportSecurity(ConfigNode node) {
        int seconds = node.get("stsSeconds").integer(0, Integer.MAX_VALUE, 0);
        boolean subdomains = node.get("stsIncludeSubdomains").bool(false);
        boolean preload = node.get("stsPreload").bool(false);
        return seconds == 0
                ? null
                : "max-age=" + seconds + (subdomains ? "; includeSubDomains" : "") + (preload ? "; preload" : "");
    }

    /** Whether the client spoke https to us, or by the word of a field to whoever stands before us. */
    boolean isSecure(RoutedRequest request) {
        if (request.isSecure()) {
            return true;
        }
        for (OwnAnswer.Field field : saysSecure) {
            if (field.value().equals(request.facts().header(field.name()))) {
                return true;
            }
        }
        return false;
    }

    boolean isAllowedHost(RoutedRequest request) {
        if (hosts.isEmpty()) {
            return true;
        }
        String host = request.facts().authority();
        // Whoever is not trusted could name an allowed host there, and another one in Host.
        for (String field : request.facts().isPeerTrusted() ? hostFields : List.<String>of()) {
            String told = request.facts().header(field);
            if (told != null && !told.isEmpty()) {
                host = told;
                break;
            }
        }
        String lower = host.toLowerCase(Locale.ROOT);
        int port = lower.lastIndexOf(':');
        boolean bare = port < 0 || lower.endsWith("]");
        return hosts.contains(lower) || (!bare && hosts.contains(lower.substring(0, port)));
    }

    void addTo(AnswerHead head, boolean secure) {
        for (OwnAnswer.Field field : always) {
            head.setField(field.name(), field.value());
        }
        if (transportSecurity != null && (secure || onPlain)) {
            head.setField("Strict-Transport-Security", transportSecurity);
        }
        if (publicKey != null && secure) {
            head.setField("Public-Key-Pins", publicKey);
        }
    }
}
