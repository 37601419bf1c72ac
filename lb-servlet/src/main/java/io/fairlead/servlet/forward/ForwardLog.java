package io.fairlead.servlet.forward;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * Tells whoever runs the proxy why a host was refused, and by which key it would be let; the client is not told that much.
 * One line a second at the most, since every client can have it written.
 *
 * <p>Safe for use from any thread.
 */
public final class ForwardLog {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<String> out;
    private final LongSupplier nanos;
    private final AtomicLong next;
    private final AtomicLong untold = new AtomicLong();

    /** Into the log. */
    public ForwardLog() {
        this(LoggerFactory.getLogger(ForwardLog.class)::warn, System::nanoTime);
    }

    /**
     * For tests.
     *
     * @param nanos a clock of nanoseconds with any zero
     */
    ForwardLog(Consumer<String> out, LongSupplier nanos) {
        this.out = out;
        this.nanos = nanos;
        this.next = new AtomicLong(nanos.getAsLong());
    }

    /**
     * The list does not have this host and port.
     *
     * @param client the address of who asked for them
     */
    public void notListed(Authority asked, String client) {
        tell(() -> "'" + asked + "', which " + client + " asked for, is not in http.forwardProxy.hosts"
                + " (an entry without a port means 80 and 443)");
    }

    /** The list has this host, and its name means addresses that it may not have. */
    void special(String host, List<InetSocketAddress> addresses) {
        tell(() -> "'" + host + "' means "
                + addresses.stream().map(ForwardLog::text).distinct().collect(Collectors.joining(", "))
                + ", and http.forwardProxy.addresses has no range with it (special addresses, as loopback and"
                + " link-local, must be listed there)");
    }

    private static String text(InetSocketAddress address) {
        InetAddress resolved = address.getAddress();
        return resolved == null ? "nothing" : resolved.getHostAddress();
    }

    private interface Text {
        String get();
    }

    private void tell(Text text) {
        long now = nanos.getAsLong();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
            untold.incrementAndGet();
            return;
        }
        long others = untold.getAndSet(0);
        out.accept("refused: " + text.get() + (others == 0 ? "" : "; " + others + " more since the last such line"));
    }
}
