package io.fairlead.servlet.routing;

/**
 * The segments of a path as some server could read them, one after the other: what stands between slashes, back slashes
 * and the escapes of both, without its parameters, which a semicolon or its escape begins.
 */
final class PathSegments {
    private final String path;
    private int start;
    private int end;
    private int next;

    /**
     * Before the first segment.
     *
     * @param path begins with a slash
     */
    PathSegments(String path) {
        this.path = path;
    }

    /** Goes on to the next segment, which may be empty; false when there is none. */
    boolean next() {
        if (next >= path.length()) {
            return false;
        }
        start = next + separatorAt(path, next);
        end = -1;
        int at = start;
        while (at < path.length() && separatorAt(path, at) == 0) {
            if (end < 0 && isSemicolon(at)) {
                end = at;
            }
            at++;
        }
        next = at;
        end = end < 0 ? at : end;
        return true;
    }

    int start() {
        return start;
    }

    /** Where the segment ends, its parameters not taken in. */
    int end() {
        return end;
    }

    /** Where the segment ends, its parameters taken in; the separator follows, or nothing. */
    int endOfParameters() {
        return next;
    }

    boolean isLast() {
        return next >= path.length();
    }

    /** Whether every server sees the segment end here: its end and the beginning of its parameters are not escaped. */
    boolean endsPlainly() {
        return (isLast() || path.charAt(next) == '/') && (end == next || path.charAt(end) == ';');
    }

    /** Whether the segment names nothing: it is empty, or a single dot. */
    boolean isVoid() {
        return start == end
                || (end - start == 1 && path.charAt(start) == '.')
                || (end - start == 3 && Escapes.at(path, start) == '.');
    }

    private boolean isSemicolon(int at) {
        return path.charAt(at) == ';' || Escapes.at(path, at) == ';';
    }

    /** How many characters the separator at this place takes; 0 when there is none. */
    private static int separatorAt(String path, int at) {
        if (at >= path.length()) {
            return 0;
        }
        char c = path.charAt(at);
        if (c == '/' || c == '\\') {
            return 1;
        }
        int escaped = Escapes.at(path, at);
        return escaped == '/' || escaped == '\\' ? 3 : 0;
    }
}
