package io.fairlead.servlet.middleware;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of a file in the form of {@code htpasswd}, and some from elsewhere, which win. While it is asked it is read
 * again, at most once a second; what it holds takes effect once it has stood still for a second, whole, or, with one line
 * in the log, not at all.
 *
 * <p>Safe for use from any thread.
 */
final class UsersFile {
    private static final Logger log = LoggerFactory.getLogger(UsersFile.class);
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_BYTES = 4 << 20;

    private final Path file;
    private final List<Users.Entry> inline;
    private final LongSupplier nanos;
    private final AtomicLong checked;
    private volatile Loaded loaded;
    /** New content of a file that may still be being written; null: none. */
    private volatile @Nullable String unsettled;

    private record Loaded(
            String content, Users users, @Nullable String problem) {}

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException it cannot be used; the message says why
     */
    UsersFile(Path file, List<Users.Entry> inline, LongSupplier nanos) {
        this.file = file;
        this.inline = inline;
        this.nanos = nanos;
        this.checked = new AtomicLong(nanos.getAsLong());
        try {
            String content = read();
            this.loaded = new Loaded(content, parse(content), null);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file '" + file + "' cannot be read", e);
        }
    }

    /** The users of now. */
    Users users() {
        long now = nanos.getAsLong();
        long last = checked.get();
        if (now - last >= INTERVAL && checked.compareAndSet(last, now)) {
            reload();
        }
        return loaded.users();
    }

    private void reload() {
        Loaded before = loaded;
        try {
            String content = read();
            if (content.equals(before.content())) {
                unsettled = null;
                if (before.problem() != null) {
                    loaded = new Loaded(content, before.users(), null);
                }
            } else if (content.equals(unsettled) || isOld()) {
                unsettled = null;
                loaded = new Loaded(content, parse(content), null);
            } else {
                unsettled = content;
            }
        } catch (IOException e) {
            keep(before, "the file '" + file + "' cannot be read");
        } catch (IllegalArgumentException e) {
            keep(before, String.valueOf(e.getMessage()));
        }
    }

    /** Whether the file has stood still for so long that nobody is in the middle of writing it. */
    private boolean isOld() throws IOException {
        long age = System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis();
        return age >= TimeUnit.NANOSECONDS.toMillis(INTERVAL);
    }

    /** Tells what is wrong once, and not every second. */
    private void keep(Loaded before, String problem) {
        if (!problem.equals(before.problem())) {
            loaded = new Loaded(before.content(), before.users(), problem);
            log.error("basicAuth: {}; the users stay as they were", problem);
        }
    }

    private String read() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw new IllegalArgumentException("the file '" + file + "' is larger than " + MAX_BYTES + " bytes");
            }
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    private Users parse(String content) {
        List<Users.Entry> entries = new ArrayList<>();
        int line = 0;
        for (String text : content.lines().toList()) {
            line++;
            String entry = text.strip();
            if (entry.isEmpty() || entry.startsWith("#")) {
                continue;
            }
            try {
                entries.add(Users.entry(entry));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(file + ":" + line + ": " + e.getMessage(), e);
            }
        }
        entries.addAll(inline);
        Users users = Users.of(entries);
        if (users.isEmpty()) {
            throw new IllegalArgumentException("the file '" + file + "' has no users");
        }
        return users;
    }
}
