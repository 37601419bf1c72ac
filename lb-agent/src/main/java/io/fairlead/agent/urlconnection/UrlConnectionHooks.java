package io.fairlead.agent.urlconnection;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Log;
import io.fairlead.agent.Privileged;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Faults;
import io.fairlead.agent.bootstrap.Refusal;
import io.fairlead.agent.bootstrap.Route;
import io.fairlead.agent.bootstrap.UrlConnections;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.ServerField;
import io.fairlead.agent.route.WeakIdentityMap;
import io.fairlead.agent.weave.Target;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** What happens at each point that is woven; see the package. */
final class UrlConnectionHooks extends UrlConnections {
    private static final String PLAIN = "sun.net.www.http.HttpClient";
    private static final String SECURE = "sun.net.www.protocol.https.HttpsClient";
    private static final int INFORMATIONAL = 100;
    private static final int FINAL = 200;

    private final UrlConnectionClient client;
    private final ClientContext context;
    private final WeakIdentityMap<Exchange> byClient = new WeakIdentityMap<>();
    private final WeakIdentityMap<Exchange> byConnection = new WeakIdentityMap<>();
    /** The heads of requests that tell their server. */
    private final WeakIdentityMap<String> telling = new WeakIdentityMap<>();

    /** Empty but for the time in which the JDK looks for a connection; there is one of these objects in a JVM. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Scope> current = new ThreadLocal<>();

    private final PoolKeys keys = new PoolKeys();

    /** Made at the first call that is ours; until then nothing of the JDK's is loaded for it. */
    private volatile @Nullable MessageHead heads;

    private volatile boolean off;

    UrlConnectionHooks(UrlConnectionClient client, ClientContext context) {
        this.client = client;
        this.context = context;
    }

    // A try begins.

    @Override
    public @Nullable Object enterNew(URL url, @Nullable Proxy proxy, @Nullable Object caller) {
        endAbandoned();
        HttpURLConnection connection = caller instanceof HttpURLConnection ? (HttpURLConnection) caller : null;
        Exchange before = connection == null ? null : byConnection.remove(connection);
        Service service = connection == null ? null : service(url, proxy);
        Exchange exchange = null;
        if (before != null) {
            if (service != null && !before.hasResponse() && before.host().equals(url.getHost()) && !before.hasEnded()) {
                // Writing the request failed, and the JDK looks for another connection to send it again.
                before.resend();
                exchange = before;
            } else {
                before.dropped();
            }
        }
        if (service == null || connection == null) {
            return current.get() == null ? null : push(null, null);
        }
        if (exchange == null) {
            try {
                exchange = Exchange.begin(service, url.getHost(), new ConnectionFacts(url, connection));
            } catch (NoEndpointException e) {
                return new Refusal(new ConnectException(e.getMessage()));
            }
        }
        return push(exchange, connection);
    }

    @Override
    public void exitNew(Object entered, @Nullable Object found, @Nullable Throwable thrown) {
        Scope scope = (Scope) entered;
        pop(scope);
        Exchange exchange = scope.exchange;
        if (exchange == null || scope.connection == null) {
            return;
        }
        if (thrown != null || found == null) {
            exchange.dropped();
        } else {
            byClient.put(found, exchange);
            byConnection.put(scope.connection, exchange);
        }
    }

    private @Nullable Service service(URL url, @Nullable Proxy proxy) {
        boolean direct = proxy == null || proxy.type() == Proxy.Type.DIRECT;
        if (!direct || off) {
            return null;
        }
        Service service = context.service(url.getProtocol(), url.getHost());
        return service != null && isReady() ? service : null;
    }

    /** Whether all classes could be woven. Some of them may not have been needed before, and are loaded here. */
    private boolean isReady() {
        if (heads != null) {
            return true;
        }
        if (!context.weaver().isInstalled()) {
            // The agent is coming into a JVM that makes calls already: this one is too early.
            return false;
        }
        try {
            heads = Privileged.call(this::prepare);
            context.hooked(client);
            return true;
        } catch (Exception | LinkageError e) {
            off = true;
            context.leftAlone(client, String.valueOf(e.getMessage()));
            Log.once(client.name() + " is left alone: " + e.getMessage());
            return false;
        }
    }

    private MessageHead prepare() throws ReflectiveOperationException {
        for (Target target : client.targets()) {
            Class.forName(target.className(), false, null);
            if (!context.weaver().isWoven(target.className())) {
                throw new ClassNotFoundException(target.className() + " could not be changed");
            }
        }
        return MessageHead.find();
    }

    private Scope push(@Nullable Exchange exchange, @Nullable HttpURLConnection connection) {
        Scope scope = new Scope(current.get(), exchange, connection);
        current.set(scope);
        return scope;
    }

    private void pop(Scope scope) {
        if (scope.outer == null) {
            current.remove();
        } else {
            current.set(scope.outer);
        }
    }

    // Idle connections.

    @Override
    public @Nullable Object enterCloseIdle(Object idle) {
        Exchange exchange = byClient.get(idle);
        return exchange == null && current.get() == null ? null : push(exchange, null);
    }

    @Override
    public void exitCloseIdle(Object scope) {
        pop((Scope) scope);
    }

    @Override
    public @Nullable Object poolKey(@Nullable Object key, @Nullable Object kept) {
        Exchange exchange;
        if (kept == null) {
            Scope scope = current.get();
            exchange = scope == null ? null : scope.exchange;
        } else {
            exchange = byClient.get(kept);
        }
        if (exchange == null) {
            return key;
        }
        // Under a security manager the JDK asks DNS for the logical name before it uses an idle connection again.
        return kept == null && Privileged.isManaged() ? new Object() : keys.of(key, exchange.endpoint());
    }

    // Connecting.

    @Override
    public @Nullable Route connecting(Object opened, String host, int port) {
        Scope scope = current.get();
        if (scope != null) {
            Exchange exchange = scope.exchange;
            if (exchange == null || !exchange.host().equals(host) || !isHttp(opened)) {
                return null;
            }
            byClient.put(opened, exchange);
            return new ServerRoute(exchange, exchange.connecting());
        }
        Exchange exchange = byClient.get(opened);
        if (exchange != null && exchange.host().equals(host)) {
            return new ServerRoute(exchange, exchange.resend());
        }
        return null;
    }

    /** The JDK opens other connections by the same class, to FTP servers for one. */
    private static boolean isHttp(Object opened) {
        String name = opened.getClass().getName();
        return name.equals(PLAIN) || name.equals(SECURE);
    }

    @Override
    public boolean connectFailed(Route taken, Throwable thrown) {
        ServerRoute route = (ServerRoute) taken;
        Endpoint next = route.exchange.connectFailed(thrown);
        if (next == null) {
            return false;
        }
        route.leadTo(next);
        return true;
    }

    @Override
    public Throwable asSeen(Route taken, Throwable thrown) {
        if (!(thrown instanceof UnknownHostException)) {
            return thrown;
        }
        // Its message is the host's name, and the one that the application knows is the logical one.
        UnknownHostException seen = new UnknownHostException(((ServerRoute) taken).exchange.host());
        seen.initCause(thrown);
        return seen;
    }

    // The request and its answer.

    @Override
    public void writing(Object writer, Object head) {
        Exchange exchange = byClient.get(writer);
        MessageHead known = heads;
        if (known == null) {
            return;
        }
        if (exchange == null) {
            forgetServer(known, head);
            return;
        }
        String ownHost = exchange.ownHost();
        if (ownHost != null) {
            set(known, head, "Host", ownHost);
        }
        exchange.tellServer((name, value) -> {
            set(known, head, name, value);
            telling.put(head, value);
        });
    }

    /** A redirect to another host takes the fields of the hop before along. */
    private void forgetServer(MessageHead known, Object head) {
        String name = ServerField.name();
        if (name != null && telling.remove(head) != null) {
            try {
                known.remove(head, name);
            } catch (ReflectiveOperationException e) {
                Faults.report(e);
            }
        }
    }

    private static void set(MessageHead known, Object head, String name, String value) {
        try {
            known.set(head, name, value);
        } catch (ReflectiveOperationException e) {
            Faults.report(e);
        }
    }

    @Override
    public void parsed(Object reader, Object head, boolean ignoreContinue, @Nullable Throwable thrown) {
        Exchange exchange = byClient.get(reader);
        MessageHead known = heads;
        if (exchange == null || known == null) {
            return;
        }
        if (thrown == null) {
            try {
                int status = known.status(head);
                if (status < INFORMATIONAL || status >= FINAL) {
                    exchange.responded(status);
                }
            } catch (ReflectiveOperationException e) {
                Faults.report(e);
                exchange.responded(FINAL);
            }
        } else if (ignoreContinue || !(thrown instanceof SocketTimeoutException)) {
            // Else it is the JDK's own short wait for "100 Continue", after which the body is sent unasked.
            exchange.failed(thrown);
        }
    }

    @Override
    public void finished(Object reader) {
        Exchange exchange = byClient.get(reader);
        if (exchange != null) {
            exchange.bodyEnded();
        }
    }

    @Override
    public void bodyEnded(Object caller, @Nullable Throwable thrown) {
        Exchange exchange = byConnection.get(caller);
        if (exchange == null) {
            return;
        }
        if (thrown == null) {
            exchange.bodyEnded();
        } else {
            exchange.failed(thrown);
        }
    }

    @Override
    public void streamRefused(Object caller, Throwable thrown) {
        Exchange exchange = byConnection.get(caller);
        if (exchange == null || exchange.hasResponse()) {
            // An answer of 400 or above is thrown too, and its body may yet be read as the error stream.
            return;
        }
        if (thrown instanceof IOException && !(thrown instanceof java.net.ProtocolException)) {
            exchange.failed(thrown);
        } else {
            exchange.dropped();
        }
    }

    @Override
    public void disconnecting(Object caller) {
        Exchange exchange = byConnection.get(caller);
        if (exchange != null) {
            exchange.dropped();
        }
    }

    private void endAbandoned() {
        for (Exchange lost = byConnection.pollCollected(); lost != null; lost = byConnection.pollCollected()) {
            lost.dropped();
        }
        while (byClient.pollCollected() != null || telling.pollCollected() != null) {
            // What was known of the connection goes with it.
        }
    }
}
