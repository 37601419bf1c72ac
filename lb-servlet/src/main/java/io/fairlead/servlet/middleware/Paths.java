package io.fairlead.servlet.middleware;

import io.fairlead.servlet.routing.PathForm;
import org.jspecify.annotations.Nullable;

/** What a path that a middleware makes must be. */
final class Paths {
    private Paths() {}

    /**
     * What is wrong with a path of the configuration; null: nothing.
     *
     * @param what what it is called
     */
    static @Nullable String wrong(String what, String path) {
        if (!path.startsWith("/")) {
            return "the " + what + " '" + path + "' does not begin with /";
        }
        if (!isClean(path)) {
            return "the " + what + " '" + path
                    + "' has a character that must be escaped (a blank is %20, ? is %3F, # is %23)";
        }
        return PathForm.climbs(path) ? "the " + what + " '" + path + "' has a .. in it" : null;
    }

    /** Whether the text can be a path, or a part of one, as it is: no blank, control character, query or fragment. */
    static boolean isClean(String path) {
        return path.chars().noneMatch(c -> c <= ' ' || c == 0x7F || c == '?' || c == '#');
    }

    /** Lets the request go on with a path that was made of parts of its own; refuses it when that climbs. */
    static void set(RoutedRequest request, String made) {
        String path = made.startsWith("/") ? made : "/" + made;
        if (!isClean(path) || PathForm.climbs(path)) {
            request.refusePath();
        } else if (path.equals("/")) {
            // Whatever the one before was: that of it all has been cut off says nothing of other paths.
            request.replacePath(path);
        } else {
            request.setPath(path);
        }
    }
}
