package io.fairlead.servlet;

import io.fairlead.servlet.routing.PathForm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has been made of a request's path on its way to the server, step by step, so that it can be undone in what the
 * server says of its paths. A path that was replaced cannot be.
 *
 * <p>Written by the container's thread before others read it.
 */
final class PathChanges {
    private List<Step> steps = List.of();
    private boolean lost;

    /**
     * A prefix that was exchanged for another.
     *
     * @param client the one on the client's side, without a slash at its end; empty: none
     * @param server the one on the server's
     */
    private record Step(String client, String server) {}

    /** The path was the one, and is the other now. */
    void changed(String before, String after) {
        if (before.equals(after)) {
            return;
        }
        if (after.endsWith(before) && before.startsWith("/")) {
            add(new Step("", after.substring(0, after.length() - before.length())));
        } else if (before.endsWith(after) && after.startsWith("/")) {
            add(new Step(plain(before.substring(0, before.length() - after.length())), ""));
        } else if (after.equals("/")) {
            add(new Step(plain(before), ""));
        } else {
            lost = true;
        }
    }

    /** The path is another now, which the one before says nothing of. */
    void replaced() {
        lost = true;
    }

    private static String plain(String prefix) {
        return without(PathForm.normal(prefix));
    }

    private void add(Step step) {
        if (steps.isEmpty()) {
            steps = new ArrayList<>();
        }
        steps.add(step);
    }

    /**
     * What the client calls a path of the server.
     *
     * @param base the server's base path, without a slash at its end
     * @return null when nothing that the client can ask for leads there
     */
    @Nullable
    String undo(String base, String path) {
        return undo(base, path, false);
    }

    /** As {@link #undo}, for a path that means all below it: one above what the client can ask for means all of that. */
    @Nullable
    String undoScope(String base, String path) {
        return undo(base, without(path), true);
    }

    private @Nullable String undo(String base, String path, boolean scope) {
        if (lost) {
            return null;
        }
        String undone = exchange(path, base, "", scope);
        for (int i = steps.size() - 1; i >= 0 && undone != null; i--) {
            undone = exchange(undone, steps.get(i).server(), steps.get(i).client(), scope);
        }
        return undone;
    }

    private static @Nullable String exchange(String path, String from, String to, boolean scope) {
        if (begins(path, from)) {
            return to + path.substring(from.length());
        }
        return scope && begins(from, path) ? to : null;
    }

    private static boolean begins(String path, String prefix) {
        return path.startsWith(prefix)
                && (path.length() == prefix.length()
                        || prefix.isEmpty()
                        || path.charAt(prefix.length()) == '/'
                        || path.charAt(prefix.length()) == ';');
    }

    private static String without(String slashed) {
        return slashed.endsWith("/") ? slashed.substring(0, slashed.length() - 1) : slashed;
    }
}
