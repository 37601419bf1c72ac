package io.fairlead.servlet.middleware;

import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Which codings of the content a client takes (RFC 9110, 12.5.3). */
final class AcceptedCodings {
    private final Map<String, Double> weights = new HashMap<>();
    private final boolean told;

    private AcceptedCodings(boolean told) {
        this.told = told;
    }

    /** Reads the {@code Accept-Encoding} fields of a request; a part that cannot be read counts for nothing. */
    static AcceptedCodings of(Enumeration<String> fields) {
        AcceptedCodings codings = new AcceptedCodings(fields.hasMoreElements());
        for (String field : Collections.list(fields)) {
            for (String part : field.split(",", -1)) {
                codings.add(part);
            }
        }
        return codings;
    }

    private void add(String part) {
        int semicolon = part.indexOf(';');
        String coding =
                (semicolon < 0 ? part : part.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        if (!coding.isEmpty()) {
            weights.put(coding, semicolon < 0 ? 1.0 : weight(part.substring(semicolon + 1)));
        }
    }

    private static double weight(String parameter) {
        String text = parameter.strip().toLowerCase(Locale.ROOT);
        return text.matches("q\\s*=\\s*(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
                ? Double.parseDouble(text.substring(text.indexOf('=') + 1).strip())
                : 0;
    }

    /** Whether the request says anything at all. */
    boolean isTold() {
        return told;
    }

    /** Whether the coding is named or meant by the wildcard, and not less wanted than none at all. */
    boolean takes(String coding) {
        double weight = weights.getOrDefault(coding, weights.getOrDefault("*", 0.0));
        double none = weights.getOrDefault("identity", 0.0);
        return weight > 0 && weight >= none;
    }
}
