package io.fairlead.agent.ahc;

import io.fairlead.Endpoint;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.agent.Adapter;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Service;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.bootstrap.Skip;
import io.fairlead.agent.route.Addresses;
import io.fairlead.agent.route.Exchange;
import io.fairlead.agent.route.HookMap;
import io.fairlead.agent.route.ServerField;
import io.fairlead.agent.route.WeakIdentityMap;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Map;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClientConfig;
import org.asynchttpclient.ListenableFuture;
import org.asynchttpclient.Request;
import org.asynchttpclient.channel.ChannelPoolPartitioning;
import org.asynchttpclient.exception.RemotelyClosedException;
import org.asynchttpclient.netty.DiscardEvent;
import org.asynchttpclient.netty.NettyResponseFuture;
import org.asynchttpclient.netty.channel.Channels;
import org.asynchttpclient.netty.channel.NettyConnectListener;
import org.asynchttpclient.netty.request.NettyRequestSender;
import org.asynchttpclient.netty.request.WriteListener;
import org.asynchttpclient.uri.Uri;
import org.asynchttpclient.util.ProxyUtils;
import org.jspecify.annotations.Nullable;

/** The tries of AsyncHttpClient; see the package. */
@SuppressWarnings("FutureReturnValueIgnored") // Those of closing a channel.
public final class AsyncHttpAdapter implements Adapter {
    private static final int FOUND = 302;

    private final WeakIdentityMap<Watch> byRequest = new WeakIdentityMap<>();
    private final Field config;
    private final Field sender;
    private final Field future;
    private final Field written;
    private @Nullable ClientContext context;

    /** For the agent. */
    public AsyncHttpAdapter() throws ReflectiveOperationException {
        config = open(NettyRequestSender.class, "config");
        sender = open(NettyConnectListener.class, "requestSender");
        future = open(NettyConnectListener.class, "future");
        written = open(WriteListener.class, "future");
    }

    private static Field open(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    @Override
    public Map<String, Hook> hooks(ClientContext given) {
        context = given;
        return new HookMap()
                .with("send", (self, arguments) -> self == null ? null : send((NettyRequestSender) self, arguments))
                .with("resolve", (self, arguments) -> resolve(arguments))
                .with("partitioning", (self, arguments) -> self == null ? null : partitioning(self))
                .with("address", (self, arguments) -> self == null ? null : address(self))
                .with("refused", (self, arguments) -> self == null ? null : refused(self, arguments))
                .with("unwritten", (self, arguments) -> self == null ? null : unwritten(self, arguments))
                .with("closed", (self, arguments) -> self == null ? null : closed((NettyRequestSender) self, arguments))
                .build();
    }

    private @Nullable Crossing send(NettyRequestSender self, @Nullable Object[] arguments)
            throws IllegalAccessException {
        Request request = (Request) arguments[0];
        AsyncHandler<?> handler = (AsyncHandler<?>) arguments[1];
        if (request == null || handler == null || context == null) {
            return null;
        }
        Watch watch = Watch.of(handler);
        Uri uri = request.getUri();
        Service service = context.service(uri.getScheme(), uri.getHost());
        if (service != null && ProxyUtils.getProxyServer((AsyncHttpClientConfig) config.get(self), request) != null) {
            service = null;
        }
        if (service == null) {
            if (watch != null) {
                leave(watch);
                String telling = ServerField.name();
                if (telling != null) {
                    // A redirect to another host takes the fields of the hop before along.
                    request.getHeaders().remove(telling);
                }
            }
            return null;
        }
        if (watch == null) {
            Object watching = Watch.over(handler);
            arguments[1] = watching;
            watch = Watch.of(watching);
        }
        if (watch == null) {
            return null;
        }
        Exchange exchange = watch.exchange;
        String before = exchange == null ? "" : exchange.endpoint().id();
        if (watch.moved && exchange != null) {
            watch.moved = false;
        } else {
            leave(watch);
            try {
                exchange = Exchange.begin(service, uri.getHost(), new RequestMethodFacts(request));
            } catch (NoEndpointException e) {
                return refuse(self, handler, (NettyResponseFuture<?>) arguments[2], e);
            }
            watch.exchange = exchange;
            leaveChannel(
                    (NettyResponseFuture<?>) arguments[2],
                    before.equals(exchange.endpoint().id()));
        }
        watch.sender = self;
        exchange.reusing();
        String own = exchange.ownHost();
        if (own != null) {
            request.getHeaders().set("Host", own);
        }
        exchange.tellServer((name, value) -> request.getHeaders().set(name, value));
        while (byRequest.pollCollected() != null) {
            // What was known of it goes with it.
        }
        byRequest.put(request, watch);
        return null;
    }

    /** The hop before was answered by a redirect, of which the handler is not told. */
    private static void leave(Watch watch) {
        Exchange before = watch.exchange;
        watch.exchange = null;
        if (before != null) {
            before.responded(FOUND);
            before.bodyEnded();
        }
    }

    /** A redirect to the same host keeps the connection that it has, which leads to the server of the hop before. */
    private static void leaveChannel(@Nullable NettyResponseFuture<?> running, boolean same) {
        if (running != null && running.isReuseChannel() && !same) {
            running.setReuseChannel(false);
            Channel channel = running.channel();
            if (channel != null) {
                // Otherwise its end would be taken for the moment to send the next request, a second time.
                Channels.setDiscard(channel);
                channel.close();
            }
        }
    }

    private static Crossing refuse(
            NettyRequestSender self, AsyncHandler<?> handler, @Nullable NettyResponseFuture<?> running, Exception why) {
        ConnectException refusal = new ConnectException(why.getMessage());
        if (running != null) {
            self.abort(null, running, refusal);
            return Skip.returning(running);
        }
        handler.onThrowable(refusal);
        return Skip.returning(new ListenableFuture.CompletedFailure<>(refusal));
    }

    /**
     * The addresses of a request are looked for. Where the request names one, nobody is asked; so it names one while this
     * lasts, and the port is set afterwards.
     */
    private static @Nullable Crossing resolve(@Nullable Object[] arguments) {
        Watch watch = Watch.of(arguments[3]);
        Exchange exchange = watch == null ? null : watch.exchange;
        if (watch == null || exchange == null || arguments[1] != null) {
            return null;
        }
        InetAddress known = known(exchange);
        if (known == null) {
            // The logical name is asked for, and the application gets the exception that it gets for any name.
            return null;
        }
        watch.address = known;
        return new Crossing() {
            @Override
            public void exit(@Nullable Object[] same) {
                watch.address = null;
                if (thrown == null) {
                    InetSocketAddress to =
                            new InetSocketAddress(known, exchange.endpoint().port());
                    returned = ImmediateEventExecutor.INSTANCE.newSucceededFuture(Collections.singletonList(to));
                }
            }
        };
    }

    /** The address of the first server that has one. */
    private static @Nullable InetAddress known(Exchange exchange) {
        Endpoint server = exchange.connecting();
        while (server != null) {
            try {
                return Addresses.named(exchange.host(), server);
            } catch (UnknownHostException e) {
                server = exchange.next(Outcome.connectFailed(e), true);
            }
        }
        return null;
    }

    private @Nullable Crossing address(Object request) {
        Watch watch = byRequest.get(request);
        InetAddress address = watch == null ? null : watch.address;
        return address == null ? null : Skip.returning(address);
    }

    private @Nullable Crossing partitioning(Object request) {
        Watch watch = byRequest.get(request);
        return watch == null
                ? null
                : new Crossing() {
                    @Override
                    public void exit(@Nullable Object[] arguments) {
                        ChannelPoolPartitioning users = (ChannelPoolPartitioning) returned;
                        if (users != null) {
                            returned = byServer(users, watch);
                        }
                    }
                };
    }

    private static ChannelPoolPartitioning byServer(ChannelPoolPartitioning users, Watch watch) {
        return (uri, virtualHost, proxy) -> {
            Object key = users.getPartitionKey(uri, virtualHost, proxy);
            Exchange exchange = watch.exchange;
            return exchange == null || proxy != null || !exchange.host().equals(uri.getHost())
                    ? key
                    : new ServerKey(key, exchange.endpoint().id());
        };
    }

    private @Nullable Crossing refused(Object listener, @Nullable Object[] arguments) throws IllegalAccessException {
        NettyResponseFuture<?> running = (NettyResponseFuture<?>) future.get(listener);
        NettyRequestSender by = (NettyRequestSender) sender.get(listener);
        Watch watch = running == null ? null : Watch.of(running.getAsyncHandler());
        Exchange exchange = watch == null ? null : watch.exchange;
        Throwable cause = (Throwable) arguments[1];
        if (running == null || by == null || watch == null || exchange == null || cause == null || running.isDone()) {
            return null;
        }
        Channel channel = (Channel) arguments[0];
        if (channel != null) {
            channel.close();
        }
        if (exchange.next(Outcome.connectFailed(cause), true) == null || !again(by, running, watch)) {
            // As the client does, once it has given up by itself.
            String message = cause.getMessage();
            ConnectException refusal =
                    new ConnectException(message == null ? running.getUri().getBaseUrl() : message);
            refusal.initCause(cause);
            running.abort(refusal);
        }
        return Skip.returning(null);
    }

    private static @Nullable Crossing closed(NettyRequestSender self, @Nullable Object[] arguments) {
        Channel channel = (Channel) arguments[0];
        NettyResponseFuture<?> running = (NettyResponseFuture<?>) arguments[1];
        Watch watch = running == null ? null : Watch.of(running.getAsyncHandler());
        Exchange exchange = watch == null ? null : watch.exchange;
        if (running == null || watch == null || exchange == null || running.isDone() || exchange.hasEnded()) {
            return null;
        }
        if (!exchange.hasResponse()) {
            Outcome outcome = exchange.failure(RemotelyClosedException.INSTANCE);
            if (exchange.next(outcome, isRepeatable(exchange, running)) != null && again(self, running, watch)) {
                return Skip.returning(null);
            }
        }
        self.abort(channel, running, RemotelyClosedException.INSTANCE);
        return Skip.returning(null);
    }

    /** A request could not be written whole, for which the client would give it up on a connection that is new. */
    private @Nullable Crossing unwritten(Object listener, @Nullable Object[] arguments) throws IllegalAccessException {
        NettyResponseFuture<?> running = (NettyResponseFuture<?>) written.get(listener);
        Watch watch = running == null ? null : Watch.of(running.getAsyncHandler());
        Exchange exchange = watch == null ? null : watch.exchange;
        NettyRequestSender by = watch == null ? null : watch.sender;
        Channel channel = (Channel) arguments[0];
        Throwable cause = (Throwable) arguments[1];
        if (running == null || watch == null || exchange == null || by == null || channel == null || cause == null) {
            return null;
        }
        if (Channels.getAttribute(channel) instanceof DiscardEvent) {
            // Another piece of the request, which has gone on by now.
            return Skip.returning(null);
        }
        if (!(cause instanceof IOException) || running.isDone() || exchange.hasEnded() || exchange.hasResponse()) {
            return null;
        }
        if (exchange.next(exchange.failure(cause), isRepeatable(exchange, running)) == null) {
            return null;
        }
        Channels.setDiscard(channel);
        channel.close();
        if (!again(by, running, watch)) {
            by.abort(channel, running, cause);
        }
        return Skip.returning(null);
    }

    /** Whether the request has no body, or one that is not used up by being sent, as a stream or Netty's own buffer is. */
    private static boolean isRepeatable(Exchange exchange, NettyResponseFuture<?> running) {
        Request request = running.getCurrentRequest();
        return exchange.isBodiless()
                || request.getByteData() != null
                || request.getCompositeByteData() != null
                || request.getStringData() != null
                || request.getByteBufferData() != null
                || request.getFile() != null;
    }

    private static boolean again(NettyRequestSender self, NettyResponseFuture<?> running, Watch watch) {
        watch.moved = true;
        return self.retry(running);
    }
}
