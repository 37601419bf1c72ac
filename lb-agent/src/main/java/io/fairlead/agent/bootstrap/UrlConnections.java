package io.fairlead.agent.bootstrap;

import java.net.Proxy;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * What the code woven into {@code HttpURLConnection} and its helpers calls; the agent extends it. Each method may throw,
 * which is reported to {@link Faults} and leaves the call as it is.
 *
 * <p>Parameters named {@code client} are {@code sun.net.www.http.HttpClient}, a connection to a server;
 * {@code connection} is {@code java.net.HttpURLConnection}, one call of the application; {@code head} is
 * {@code sun.net.www.MessageHeader}.
 */
public abstract class UrlConnections {
    private static volatile @Nullable UrlConnections installed;

    /** For the agent. */
    protected UrlConnections() {}

    /** Begins the agent's work; woven code comes after this. */
    public static void install(UrlConnections agent) {
        installed = agent;
    }

    /** The agent. */
    public static UrlConnections agent() {
        UrlConnections agent = installed;
        if (agent == null) {
            throw new IllegalStateException("no agent is installed");
        }
        return agent;
    }

    /**
     * A call looks for a connection to its host.
     *
     * @return is handed to {@link #exitNew}; a {@link Refusal} skips the call
     */
    public abstract @Nullable Object enterNew(URL url, @Nullable Proxy proxy, @Nullable Object connection);

    /**
     * The call has its connection, or none.
     *
     * @param scope what {@link #enterNew} answered
     */
    public abstract void exitNew(Object scope, @Nullable Object client, @Nullable Throwable thrown);

    /**
     * An idle connection like this one is about to be closed.
     *
     * @return is handed to {@link #exitCloseIdle}
     */
    public abstract @Nullable Object enterCloseIdle(Object client);

    /**
     * It was, or there was none.
     *
     * @param scope what {@link #enterCloseIdle} answered
     */
    public abstract void exitCloseIdle(Object scope);

    /**
     * What idle connections are told apart by, beside the URL's host.
     *
     * @param key what the JDK has in mind
     * @param client the connection that has become idle; null: one is looked for
     * @return {@code key}, or the server
     */
    public abstract @Nullable Object poolKey(@Nullable Object key, @Nullable Object client);

    /** A socket is about to be connected; null: to where the JDK wants. */
    public abstract @Nullable Route connecting(Object client, String host, int port);

    /** Connecting to a route failed; true: it leads to another server now, which is to be tried. */
    public abstract boolean connectFailed(Route route, Throwable thrown);

    /** What the application is to get when connecting failed for good. */
    public abstract Throwable asSeen(Route route, Throwable thrown);

    /** The head of a request is about to be written. */
    public abstract void writing(Object client, Object head);

    /** The head of an answer was read, or could not be. */
    public abstract void parsed(Object client, Object head, boolean ignoreContinue, @Nullable Throwable thrown);

    /** A connection has read its answer to the end, or is being closed. */
    public abstract void finished(Object client);

    /** The body of an answer was read to its end or closed (thrown is null), or broke off. */
    public abstract void bodyEnded(Object connection, @Nullable Throwable thrown);

    /** The application asked for a stream and got an exception. */
    public abstract void streamRefused(Object connection, Throwable thrown);

    /** The application gives a call up, or is through with it. */
    public abstract void disconnecting(Object connection);
}
