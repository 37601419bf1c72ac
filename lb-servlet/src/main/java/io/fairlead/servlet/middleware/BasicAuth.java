package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code basicAuth: {users, usersFile, realm, headerField, removeHeader}}: lets requests with the name and password of a
 * user through, and answers all others with 401 (RFC 7617).
 */
final class BasicAuth implements Middleware {
    private static final OwnAnswer BUSY =
            OwnAnswer.of(503, "Too many passwords are being checked").withField("Retry-After", "1");

    private final Supplier<Users> users;
    private final OwnAnswer refusal;
    private final @Nullable String headerField;
    private final boolean removeHeader;
    private final PasswordCheck passwords;

    private BasicAuth(
            Supplier<Users> users, String realm, @Nullable String headerField, boolean removeHeader, HashTurns turns) {
        this.passwords = new PasswordCheck(turns);
        this.users = users;
        this.refusal = OwnAnswer.of(401, "A user and a password are needed")
                .withField("WWW-Authenticate", "Basic realm=\"" + escaped(realm) + "\"");
        this.headerField = headerField;
        this.removeHeader = removeHeader;
    }

    private static String escaped(String realm) {
        return realm.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /**
     * Reads it.
     *
     * @param paths the path of a file that the configuration names
     * @param nanos a clock of nanoseconds with any zero
     * @param turns who may compute a hash, in all of a filter
     */
    static Middleware read(ConfigNode node, Function<String, Path> paths, LongSupplier nanos, HashTurns turns) {
        node.allow("users", "usersFile", "realm", "headerField", "removeHeader");
        // What is empty is as if it were not there, as in Traefik.
        String realm = text(node.get("realm"));
        if (realm == null) {
            realm = "traefik";
        }
        if (!FieldRules.isValue(realm)) {
            node.get("realm").problem("has a control character, or one beyond Latin-1");
            realm = "";
        }
        String headerField = text(node.get("headerField"));
        String wrong = headerField == null ? null : FieldRules.wrongName(headerField);
        if (wrong != null) {
            node.get("headerField").problem(wrong);
            headerField = null;
        }
        return new BasicAuth(
                users(node, paths, nanos),
                realm,
                headerField,
                node.get("removeHeader").bool(false),
                turns);
    }

    private static @Nullable String text(ConfigNode node) {
        String text = node.string("");
        return text.isEmpty() ? null : text;
    }

    private static Supplier<Users> users(ConfigNode node, Function<String, Path> paths, LongSupplier nanos) {
        List<Users.Entry> inline = new ArrayList<>();
        for (ConfigNode item : node.get("users").items()) {
            String text = item.requiredString();
            if (text != null) {
                try {
                    Users.Entry entry = Users.entry(text.strip());
                    if (inline.stream().anyMatch(other -> other.name().equals(entry.name()))) {
                        item.notice("the user '" + entry.name() + "' stands there twice; the last one counts");
                    }
                    inline.add(entry);
                } catch (IllegalArgumentException e) {
                    item.problem(String.valueOf(e.getMessage()));
                }
            }
        }
        Users alone = Users.of(inline);
        ConfigNode fileNode = node.get("usersFile");
        String file = text(fileNode);
        if (file == null) {
            if (node.get("users").isMissing() || node.get("users").items().isEmpty()) {
                node.problem("has no users: neither users nor usersFile names any");
            }
            return () -> alone;
        }
        try {
            return new UsersFile(paths.apply(file), inline, nanos)::users;
        } catch (InvalidPathException e) {
            fileNode.problem("'" + file + "' cannot be the path of a file");
        } catch (IllegalArgumentException e) {
            fileNode.problem(String.valueOf(e.getMessage()));
        }
        return () -> alone;
    }

    @Override
    public void apply(RoutedRequest request) {
        BasicCredentials credentials = BasicCredentials.of(request.facts().headers("Authorization"));
        if (credentials == null) {
            request.answer(refusal);
            return;
        }
        switch (passwords.check(users.get(), credentials.user(), credentials.password())) {
            case GOOD -> pass(request, credentials.user());
            case BAD -> request.answer(refusal);
            case BUSY -> request.answer(BUSY);
        }
    }

    private void pass(RoutedRequest request, String user) {
        if (headerField != null) {
            request.setField(headerField, user);
        }
        if (removeHeader) {
            request.removeField("Authorization");
        }
    }

    @Override
    public boolean keepsState() {
        return true;
    }

    /** To check a password takes as long as those who made its hash wanted it to. */
    @Override
    public boolean isQuick() {
        return false;
    }
}
