package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import org.jspecify.annotations.Nullable;

/**
 * {@code headers: {...}}: fields of the request and of the answer, cross-origin sharing, and the fields by which browsers
 * protect a site.
 */
final class Headers implements Middleware {
    private static final String[] KEYS = {
        "customRequestHeaders",
        "customResponseHeaders",
        "accessControlAllowCredentials",
        "accessControlAllowHeaders",
        "accessControlAllowMethods",
        "accessControlAllowOriginList",
        "accessControlAllowOriginListRegex",
        "accessControlExposeHeaders",
        "accessControlMaxAge",
        "addVaryHeader",
        "allowedHosts",
        "hostsProxyHeaders",
        "sslProxyHeaders",
        "stsSeconds",
        "stsIncludeSubdomains",
        "stsPreload",
        "forceSTSHeader",
        "frameDeny",
        "customFrameOptionsValue",
        "contentTypeNosniff",
        "browserXssFilter",
        "customBrowserXSSValue",
        "contentSecurityPolicy",
        "contentSecurityPolicyReportOnly",
        "publicKey",
        "referrerPolicy",
        "permissionsPolicy",
        "isDevelopment"
    };

    private final FieldList ofRequest;
    private final FieldList ofAnswer;
    private final @Nullable CrossOrigin crossOrigin;
    private final SecurityFields security;

    private Headers(
            FieldList ofRequest, FieldList ofAnswer, @Nullable CrossOrigin crossOrigin, SecurityFields security) {
        this.ofRequest = ofRequest;
        this.ofAnswer = ofAnswer;
        this.crossOrigin = crossOrigin;
        this.security = security;
    }

    static Middleware read(ConfigNode node) {
        node.allow(KEYS);
        if (node.entries().isEmpty()) {
            node.problem("sets nothing");
        }
        return new Headers(
                FieldList.read(node.get("customRequestHeaders")),
                FieldList.read(node.get("customResponseHeaders")),
                CrossOrigin.read(node),
                SecurityFields.read(node));
    }

    @Override
    public void apply(RoutedRequest request) {
        boolean secure = security.isSecure(request);
        String origin = request.facts().header("Origin");
        // Also those that are answered here or by whoever comes behind.
        request.onAnswer(head -> {
            security.addTo(head, secure);
            if (crossOrigin != null) {
                crossOrigin.addTo(head, origin);
            }
            ofAnswer.applyTo(head);
        });
        if (!security.isAllowedHost(request)) {
            request.answer(OwnAnswer.of(403, "The host is not allowed"));
            return;
        }
        OwnAnswer preflight = crossOrigin == null ? null : crossOrigin.preflight(request, origin);
        if (preflight != null) {
            request.answer(preflight);
            return;
        }
        ofRequest.applyTo(request);
    }
}
