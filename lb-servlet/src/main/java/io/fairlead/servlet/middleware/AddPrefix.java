package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;

/** {@code addPrefix: {prefix: /x}}: puts a prefix before the path, with one slash between them. */
final class AddPrefix implements Middleware {
    private final String prefix;

    private AddPrefix(String prefix) {
        this.prefix = prefix;
    }

    static Middleware read(ConfigNode node) {
        node.allow("prefix");
        String prefix = node.get("prefix").requiredString();
        if (prefix == null) {
            return new AddPrefix("");
        }
        String wrong = Paths.wrong("prefix", prefix);
        if (wrong != null) {
            node.get("prefix").problem(wrong);
        } else if (prefix.equals("/")) {
            node.get("prefix").notice("adds nothing: a path begins with one slash as it is");
        }
        return new AddPrefix(prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix);
    }

    @Override
    public void apply(RoutedRequest request) {
        if (request.path().startsWith("/")) {
            request.setPath(prefix + request.path());
        }
    }
}
