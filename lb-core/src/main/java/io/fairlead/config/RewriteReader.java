package io.fairlead.config;

import io.fairlead.AnswerRewrite;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@code rewrite}: what is translated in the answers of a service. */
final class RewriteReader {
    private RewriteReader() {}

    static AnswerRewrite read(ConfigNode node) {
        node.allow("location", "cookies", "cookieDomain", "cookiePath");
        boolean location = node.get("location").bool(false);
        boolean cookies = node.get("cookies").bool(false);
        return AnswerRewrite.of(location, cookies, domains(node.get("cookieDomain")), paths(node.get("cookiePath")));
    }

    private static Map<String, String> domains(ConfigNode node) {
        Map<String, String> domains = new LinkedHashMap<>();
        for (ConfigNode entry : node.entries()) {
            String to = entry.string("");
            if (isClean(to)) {
                domains.put(entry.key(), to);
            } else {
                entry.problem(Quote.of(to) + " cannot be the domain of a cookie");
            }
        }
        return domains;
    }

    private static Map<String, String> paths(ConfigNode node) {
        Map<String, String> paths = new LinkedHashMap<>();
        for (ConfigNode entry : node.entries()) {
            String to = entry.requiredString();
            if (!entry.key().startsWith("/")) {
                entry.problem("the path " + Quote.of(entry.key()) + " does not begin with /");
            } else if (to != null && (!to.startsWith("/") || !isClean(to))) {
                entry.problem(Quote.of(to) + " cannot be the path of a cookie, which begins with /");
            } else if (to != null) {
                paths.put(entry.key(), to);
            }
        }
        return paths;
    }

    /** Whether the text can stand in an attribute of a cookie. */
    private static boolean isClean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == ';' || c == ',') {
                return false;
            }
        }
        return true;
    }
}
