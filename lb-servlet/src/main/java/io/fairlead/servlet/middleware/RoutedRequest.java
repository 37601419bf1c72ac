package io.fairlead.servlet.middleware;

/** The part of a request that middlewares may change before it is sent. Belongs to one request. */
public final class RoutedRequest {
    private String path;
    private String strippedPrefix = "";
    private boolean refused;

    /** @param path the path as it came, without the query */
    public RoutedRequest(String path) {
        this.path = path;
    }

    /** The path to be sent, escapes as they came, without the query. */
    public String path() {
        return path;
    }

    /** Sets the path to be sent; it begins with a slash. */
    public void setPath(String path) {
        this.path = path;
    }

    /** What has been cut off the beginning of the path so far; empty: nothing. */
    public String strippedPrefix() {
        return strippedPrefix;
    }

    /** Says that this much has been cut off the path, for {@code X-Forwarded-Prefix}. */
    public void addStrippedPrefix(String prefix) {
        strippedPrefix += prefix;
    }

    /** Says that the path cannot be changed as the middleware should, since servers read it in more than one way. */
    public void refusePath() {
        refused = true;
    }

    /** Whether a middleware has refused the path; the request must not be sent then. */
    public boolean isPathRefused() {
        return refused;
    }
}
