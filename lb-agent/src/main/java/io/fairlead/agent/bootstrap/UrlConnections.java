package io.fairlead.agent.bootstrap;

import java.net.Proxy;
import java.net.URL;

/**
 * What the code woven into {@code HttpURLConnection} and its helpers calls. Until the agent has set its {@link Hooks},
 * and whenever they fail, every method answers "leave it as it is".
 *
 * <p>Parameters named {@code client} are {@code sun.net.www.http.HttpClient}, a connection to a server;
 * {@code connection} is {@code java.net.HttpURLConnection}, one call of the application.
 */
public final class UrlConnections {
    private static volatile Hooks hooks;

    private UrlConnections() {}

    /** What the agent does at each point; each may throw, which costs one line and leaves the call as it is. */
    public interface Hooks {
        /** @see UrlConnections#enterNew */
        Object enterNew(URL url, Proxy proxy, Object connection);

        /** @see UrlConnections#exitNew */
        void exitNew(Object scope, Object client, Throwable thrown);

        /** @see UrlConnections#enterCloseIdle */
        Object enterCloseIdle(Object client);

        /** @see UrlConnections#exitCloseIdle */
        void exitCloseIdle(Object scope);

        /** @see UrlConnections#poolKey */
        Object poolKey(Object key, Object client);

        /** @see UrlConnections#connecting */
        Route connecting(Object client, String host, int port);

        /** @see UrlConnections#connectFailed */
        boolean connectFailed(Route route, Throwable thrown);

        /** @see UrlConnections#asSeen */
        Throwable asSeen(Route route, Throwable thrown);

        /** @see UrlConnections#writing */
        void writing(Object client, Object head);

        /** @see UrlConnections#parsed */
        void parsed(Object client, Object head, boolean ignoreContinue, Throwable thrown);

        /** @see UrlConnections#finished */
        void finished(Object client);

        /** @see UrlConnections#bodyEnded */
        void bodyEnded(Object connection, Throwable thrown);

        /** @see UrlConnections#streamRefused */
        void streamRefused(Object connection, Throwable thrown);

        /** @see UrlConnections#disconnecting */
        void disconnecting(Object connection);

        /** One of the others threw this. */
        void fault(Throwable fault);
    }

    /** Begins or, with null, ends the agent's work. */
    public static void set(Hooks agent) {
        hooks = agent;
    }

    /**
     * A call looks for a connection to its host. The answer goes to {@link #exitNew}; a {@link Refusal} skips the call.
     */
    public static Object enterNew(URL url, Proxy proxy, Object connection) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                return agent.enterNew(url, proxy, connection);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return null;
    }

    /**
     * The call has its connection, or none.
     *
     * @param scope what {@link #enterNew} answered
     * @return what the application is to get: {@code thrown}, unless the call was refused
     */
    public static Throwable exitNew(Object scope, Object client, Throwable thrown) {
        if (scope instanceof Refusal) {
            return ((Refusal) scope).cause;
        }
        Hooks agent = hooks;
        if (agent != null && scope != null) {
            try {
                agent.exitNew(scope, client, thrown);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return thrown;
    }

    /** An idle connection like this one is about to be closed. The answer goes to {@link #exitCloseIdle}. */
    public static Object enterCloseIdle(Object client) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                return agent.enterCloseIdle(client);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return null;
    }

    /** @param scope what {@link #enterCloseIdle} answered */
    public static void exitCloseIdle(Object scope) {
        Hooks agent = hooks;
        if (agent != null && scope != null) {
            try {
                agent.exitCloseIdle(scope);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }

    /**
     * What idle connections are told apart by, beside the URL's host.
     *
     * @param key what the JDK has in mind
     * @param client the connection that is put into the cache; null: one is looked for
     * @return {@code key}, or the server
     */
    public static Object poolKey(Object key, Object client) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                return agent.poolKey(key, client);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return key;
    }

    /** A socket is about to be connected. Null: to where the JDK wants. */
    public static Route connecting(Object client, String host, int port) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                return agent.connecting(client, host, port);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return null;
    }

    /** Connecting to a route failed. True: the route leads to another server now, which is to be tried. */
    public static boolean connectFailed(Route route, Throwable thrown) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                return agent.connectFailed(route, thrown);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return false;
    }

    /** What the application is to get when connecting failed for good. */
    public static Throwable asSeen(Route route, Throwable thrown) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                return agent.asSeen(route, thrown);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
        return thrown;
    }

    /** The head of a request is about to be written. */
    public static void writing(Object client, Object head) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                agent.writing(client, head);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }

    /** The head of an answer was read, or could not be. */
    public static void parsed(Object client, Object head, boolean ignoreContinue, Throwable thrown) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                agent.parsed(client, head, ignoreContinue, thrown);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }

    /** A connection has read its answer to the end, or is being closed. */
    public static void finished(Object client) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                agent.finished(client);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }

    /** The body of an answer was read to its end or closed (thrown is null), or broke off. */
    public static void bodyEnded(Object connection, Throwable thrown) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                agent.bodyEnded(connection, thrown);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }

    /** The application asked for a stream and got an exception. */
    public static void streamRefused(Object connection, Throwable thrown) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                agent.streamRefused(connection, thrown);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }

    /** The application gives a call up, or is through with it. */
    public static void disconnecting(Object connection) {
        Hooks agent = hooks;
        if (agent != null) {
            try {
                agent.disconnecting(connection);
            } catch (Throwable e) {
                agent.fault(e);
            }
        }
    }
}
