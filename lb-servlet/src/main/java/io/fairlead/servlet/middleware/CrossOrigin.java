package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.GoPattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which other origins may read the answers (the Fetch standard's CORS protocol). Immutable. */
final class CrossOrigin {
    private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

    private final List<String> origins;
    private final List<GoPattern> patterns;
    private final boolean credentials;
    private final String headers;
    private final String methods;
    private final String exposed;
    private final int maxAge;
    private final boolean vary;

    private CrossOrigin(ConfigNode node, List<GoPattern> patterns) {
        origins = texts(node.get("accessControlAllowOriginList"));
        this.patterns = List.copyOf(patterns);
        credentials = node.get("accessControlAllowCredentials").bool(false);
        headers = String.join(",", texts(node.get("accessControlAllowHeaders")));
        methods = String.join(",", texts(node.get("accessControlAllowMethods")));
        exposed = String.join(",", texts(node.get("accessControlExposeHeaders")));
        maxAge = node.get("accessControlMaxAge").integer(0, Integer.MAX_VALUE, 0);
        vary = node.get("addVaryHeader").bool(false);
    }

    /** Reads the keys of {@code headers}; null: there are none of cross-origin sharing. */
    static @Nullable CrossOrigin read(ConfigNode node) {
        List<GoPattern> patterns = new ArrayList<>();
        for (ConfigNode item : node.get("accessControlAllowOriginListRegex").items()) {
            String text = item.requiredString();
            if (text != null) {
                try {
                    patterns.add(GoPattern.compile(text));
                } catch (IllegalArgumentException e) {
                    item.problem(String.valueOf(e.getMessage()));
                }
            }
        }
        CrossOrigin read = new CrossOrigin(node, patterns);
        if (read.credentials && read.origins.contains("*")) {
            node.get("accessControlAllowCredentials")
                    .notice("browsers send no credentials to an origin that allows '*'; name the origins");
        }
        boolean any = !read.origins.isEmpty()
                || !patterns.isEmpty()
                || read.credentials
                || read.maxAge > 0
                || read.vary
                || !(read.headers + read.methods + read.exposed).isEmpty();
        return any ? read : null;
    }

    private static List<String> texts(ConfigNode list) {
        List<String> texts = new ArrayList<>();
        for (ConfigNode item : list.items()) {
            String text = item.requiredString();
            if (text != null && !FieldRules.isValue(text)) {
                item.problem("holds a character that cannot stand in a field");
            } else if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** The answer to a browser's question whether it may send a request; null: it is no such question. */
    @Nullable
    OwnAnswer preflight(RoutedRequest request, @Nullable String origin) {
        String method = request.facts().header("Access-Control-Request-Method");
        if (!request.facts().method().equals("OPTIONS")
                || origin == null
                || origin.isEmpty()
                || method == null
                || method.isEmpty()) {
            return null;
        }
        OwnAnswer answer = OwnAnswer.empty(200);
        if (!headers.isEmpty()) {
            answer = answer.withField("Access-Control-Allow-Headers", headers);
        }
        if (!methods.isEmpty()) {
            answer = answer.withField("Access-Control-Allow-Methods", methods);
        }
        return answer.withField("Access-Control-Max-Age", Integer.toString(maxAge));
    }

    void addTo(AnswerHead head, @Nullable String origin) {
        String allowed = allowed(origin);
        if (allowed != null) {
            head.setField(ALLOW_ORIGIN, allowed);
        }
        if (credentials) {
            head.setField("Access-Control-Allow-Credentials", "true");
        }
        if (!exposed.isEmpty()) {
            head.setField("Access-Control-Expose-Headers", exposed);
        }
        if (vary) {
            Vary.add(head, "Origin");
        }
    }

    private @Nullable String allowed(@Nullable String origin) {
        if (origins.contains("*")) {
            return "*";
        }
        if (origin == null || !FieldRules.isValue(origin)) {
            return null;
        }
        boolean listed = origins.contains(origin) || patterns.stream().anyMatch(pattern -> pattern.find(origin));
        return listed ? origin : null;
    }
}
