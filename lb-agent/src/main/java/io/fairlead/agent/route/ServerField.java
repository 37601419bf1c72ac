package io.fairlead.agent.route;

import io.fairlead.agent.Log;
import io.fairlead.agent.Options;
import org.jspecify.annotations.Nullable;

/** The request field that tells a server, and whoever reads the traffic, which server was picked: an option. */
public final class ServerField {
    private static final String OPTION = "fairlead.serverHeader";
    /** Beside letters and digits, what RFC 9110 lets stand in the name of a field. */
    private static final String MARKS = "!#$%&'*+-.^_`|~";

    private static final @Nullable String NAME = read(Options.value(OPTION));

    private ServerField() {}

    /** Its name; null: none is wanted. */
    public static @Nullable String name() {
        return NAME;
    }

    private static @Nullable String read(String value) {
        if (value.isEmpty()) {
            return null;
        }
        if (!isToken(value) || value.equalsIgnoreCase("Host")) {
            Log.line("-D" + OPTION + "=" + value + ": this cannot be the name of a field, and none is added");
            return null;
        }
        return value;
    }

    static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!letterOrDigit && MARKS.indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
