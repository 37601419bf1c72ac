package io.fairlead.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Reads the text of a hash key. */
final class HashKeyParser {
    private static final List<String> VARIABLES = Collections.unmodifiableList(
            Arrays.asList("remote_addr", "host", "uri", "request_uri", "request_method", "args"));
    /** The beginnings of variables that go on with a name of the request's. */
    private static final List<String> FAMILIES =
            Collections.unmodifiableList(Arrays.asList("arg_", "http_", "cookie_"));

    private final String text;
    private final List<KeyPart> parts = new ArrayList<>();
    private int position;

    private HashKeyParser(String text) {
        this.text = text;
    }

    static List<KeyPart> parse(String text) {
        return new HashKeyParser(text).parse();
    }

    private List<KeyPart> parse() {
        boolean variable = false;
        while (position < text.length()) {
            int dollar = text.indexOf('$', position);
            if (dollar != position) {
                int end = dollar < 0 ? text.length() : dollar;
                parts.add(new KeyPart.Literal(text.substring(position, end)));
                position = end;
            } else {
                parts.add(part(name()));
                variable = true;
            }
        }
        if (!variable) {
            throw new IllegalArgumentException("hash key '" + text + "' has no variable; the known ones are " + list());
        }
        return parts;
    }

    /** The name that follows the dollar sign at the position, which is moved behind it. */
    private String name() {
        boolean braces = text.startsWith("{", position + 1);
        int start = position + (braces ? 2 : 1);
        int end = start;
        while (end < text.length() && isNameCharacter(text.charAt(end))) {
            end++;
        }
        if (braces && !text.startsWith("}", end)) {
            throw new IllegalArgumentException("hash key '" + text + "': '${' without a name and '}' after it");
        }
        if (end == start) {
            throw new IllegalArgumentException("hash key '" + text + "': '$' without the name of a variable");
        }
        position = braces ? end + 1 : end;
        return text.substring(start, end);
    }

    private static boolean isNameCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    private KeyPart part(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        switch (lower) {
            case "remote_addr":
                return new KeyPart.RemoteAddress();
            case "host":
                return new KeyPart.Host();
            case "uri":
                return new KeyPart.Path();
            case "request_uri":
                return new KeyPart.PathAndQuery();
            case "request_method":
                return new KeyPart.Method();
            case "args":
                return new KeyPart.Query();
            default:
                break;
        }
        if (lower.startsWith("arg_") && name.length() > "arg_".length()) {
            return new KeyPart.Parameter(name.substring("arg_".length()));
        }
        if (lower.startsWith("http_") && name.length() > "http_".length()) {
            return new KeyPart.Header(lower.substring("http_".length()).replace('_', '-'));
        }
        if (lower.startsWith("cookie_") && name.length() > "cookie_".length()) {
            return new KeyPart.Cookie(name.substring("cookie_".length()));
        }
        if (FAMILIES.contains(lower)) {
            throw new IllegalArgumentException("hash key '" + text + "': '$" + name + "' without a name after it");
        }
        throw new IllegalArgumentException("hash key '" + text + "': unknown variable '$" + name + "'; did you mean '$"
                + Nearest.to(lower, similar(lower)) + "'?");
    }

    /** Every variable, those of a family with the name that is asked for. */
    private static List<String> similar(String name) {
        String rest = name.substring(name.indexOf('_') + 1);
        List<String> similar = new ArrayList<>(VARIABLES);
        if (rest.length() < name.length() && !rest.isEmpty()) {
            FAMILIES.forEach(family -> similar.add(family + rest));
        }
        return similar;
    }

    private static String list() {
        return "$" + String.join(", $", VARIABLES) + ", $" + String.join("NAME, $", FAMILIES) + "NAME";
    }
}
