package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.PathForm;

/** {@code replacePath: {path: /x}}: sends every request to this path; {@code X-Replaced-Path} tells the one before. */
final class ReplacePath implements Middleware {
    static final String TELLS = "X-Replaced-Path";

    private final String path;

    private ReplacePath(String path) {
        this.path = path;
    }

    static Middleware read(ConfigNode node) {
        node.allow("path");
        String path = node.get("path").requiredString();
        String wrong = path == null ? null : Paths.wrong("path", path);
        if (wrong != null) {
            node.get("path").problem(wrong);
        }
        return new ReplacePath(path == null ? "/" : PathForm.escaped(path));
    }

    @Override
    public void apply(RoutedRequest request) {
        request.addField(TELLS, PathForm.escaped(request.path()));
        request.replacePath(path);
    }
}
