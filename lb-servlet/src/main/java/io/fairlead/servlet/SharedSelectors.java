package io.fairlead.servlet;

import java.io.IOException;
import java.nio.channels.Selector;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.jspecify.annotations.Nullable;

/**
 * The selectors of an embedded Jetty server that are to watch the filter's connections to its servers, too. A request and
 * its answer then stay with one thread: it reads the request, sends it on, and passes on the answer when that comes.
 * Neither has another thread to be woken for, nor does one processor fetch what another has just had in hand.
 *
 * <p>The server's connectors make their selectors here, and the filter is told of it:
 *
 * <pre>{@code
 * SharedSelectors selectors = new SharedSelectors();
 * ProxyFilter filter = new ProxyFilter(balancers).share(selectors);
 * ServerConnector connector = new ServerConnector(server, http) {
 *     @Override
 *     protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int count) {
 *         return new ServerConnectorManager(executor, scheduler, count) {
 *             @Override
 *             protected ManagedSelector newSelector(int id) {
 *                 return selectors.newSelector(this, id);
 *             }
 *         };
 *     }
 * };
 * }</pre>
 *
 * <p>So what runs when an answer comes, hooks in code among it, runs on the server's selectors, and must not wait there.
 *
 * <p>Requests that come by other connectors, or are sent on by other threads, are served all the same: connections that are
 * made for them are watched by selectors of the filter's own. But a connection that is there and idle is used before a
 * new one is made, whichever selector watches it; and when a connector stops, the connections to servers that its
 * selectors watch end with it, under whatever request has them. So connectors that share are to be stopped together.
 *
 * <p>Safe for use from any thread.
 */
public final class SharedSelectors {
    // Two servers of one JVM have nothing to do with each other.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable ManagedSelector> last = new ThreadLocal<>();

    /**
     * Makes a selector, for a connector's {@link SelectorManager}.
     *
     * @param manager the one that makes it
     * @param id its number there
     * @return one that notes which threads wait on it, and is a usual one else
     */
    public ManagedSelector newSelector(SelectorManager manager, int id) {
        return new Noting(manager, id);
    }

    /** The running selector that the calling thread has waited on last; null: it never has, or that one has been stopped. */
    @Nullable
    ManagedSelector ofThread() {
        ManagedSelector selector = last.get();
        return selector != null && selector.isRunning() ? selector : null;
    }

    /** Notes the threads that wait on it. Another one may take over from a thread that then does what has been found. */
    private final class Noting extends ManagedSelector {
        private Noting(SelectorManager manager, int id) {
            super(manager, id);
        }

        @Override
        protected int nioSelect(Selector selector, boolean now) throws IOException {
            if (last.get() != this) {
                last.set(this);
            }
            return super.nioSelect(selector, now);
        }
    }
}
