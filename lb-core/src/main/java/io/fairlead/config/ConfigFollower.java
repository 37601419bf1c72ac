package io.fairlead.config;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a {@link FileWatch} sees into configurations, and tells the watch which other files matter: those that the
 * new content names, and while that is refused, those of the content in effect, too. Certificates are renewed by
 * machines, also while somebody has left a mistake in the file.
 *
 * <p>Called by one watch, never twice at a time.
 */
final class ConfigFollower {
    private final Consumer<ConfigFile> listener;
    private volatile ConfigFile inEffect;
    private volatile @Nullable FileWatch watch;

    /** @param listener refuses a configuration by what it adds to its problems */
    ConfigFollower(ConfigFile inEffect, Consumer<ConfigFile> listener) {
        this.inEffect = inEffect;
        this.listener = listener;
    }

    /** The watch is told from now on which files matter. */
    void informs(FileWatch running) {
        watch = running;
    }

    /** The file has this content now, or another file that matters has changed. */
    void changed(byte[] content) {
        ConfigFile before = inEffect;
        ConfigFile next = before.withContent(content);
        ConfigFile again = before.readAgain();
        follow(content, next.named().and(again.named()));
        listener.accept(next);
        if (next.problems().isEmpty()) {
            inEffect = next;
            follow(content, next.named());
            return;
        }
        boolean renewed = !Arrays.equals(again.named().known(), before.named().known());
        if (renewed && again.problems().isEmpty()) {
            listener.accept(again);
            if (again.problems().isEmpty()) {
                inEffect = again;
            }
        }
    }

    private void follow(byte[] content, NamedFiles files) {
        FileWatch running = watch;
        if (running != null) {
            running.follow(content, files);
        }
    }
}
