package io.fairlead.agent.it;

import io.fairlead.agent.it.Backend.Request;
import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.tcp.SslProvider;

/** A server that speaks HTTP/2: in clear text, begun at once or by an upgrade, or over TLS by ALPN. */
@SuppressWarnings("FutureReturnValueIgnored") // Those of closing a channel.
final class Http2Backend implements TestServer {
    private final Function<Request, String> answers;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger overOther = new AtomicInteger();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final String scheme;
    private final DisposableServer server;

    private Http2Backend(Function<Request, String> answers, KeyManagerFactory keys) {
        this.answers = answers;
        scheme = keys == null ? "http" : "https";
        HttpServer building = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .httpRequestDecoder(spec -> spec.h2cMaxContentLength(1 << 20))
                .doOnChannelInit((observer, channel, remote) -> accepted(channel))
                .handle(this::serve);
        server = (keys == null
                        ? building.protocol(HttpProtocol.H2C, HttpProtocol.HTTP11)
                        : building.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                                .secure(spec -> spec.sslContext(
                                        (SslProvider.GenericSslContextSpec<?>) Http2SslContextSpec.forServer(keys))))
                .bindNow();
    }

    /** A server in clear text with answers of its own, as those of {@link Backend}. */
    static Http2Backend start(Function<Request, String> answers) {
        return new Http2Backend(answers, null);
    }

    /** A server over TLS that answers 200 and its name. */
    static Http2Backend secure(String name, KeyManagerFactory keys) {
        return new Http2Backend(request -> Backend.ok(name), keys);
    }

    private void accepted(Channel channel) {
        if (channel.parent() instanceof ServerChannel) {
            accepted.incrementAndGet();
            open.add(channel);
            channel.closeFuture().addListener(closed -> open.remove(channel));
        }
    }

    private Publisher<Void> serve(HttpServerRequest request, HttpServerResponse response) {
        Channel[] stream = new Channel[1];
        request.withConnection(connection -> stream[0] = connection.channel());
        if (stream[0].parent() instanceof ServerChannel) {
            overOther.incrementAndGet();
        }
        List<String> fields = new ArrayList<>();
        for (Map.Entry<String, String> field : request.requestHeaders()) {
            fields.add(field.getKey() + ": " + withoutUsualPort(field.getKey(), field.getValue()));
        }
        String line = request.method().name() + " " + request.uri() + " HTTP/2";
        return request.receive()
                .aggregate()
                .asByteArray()
                .defaultIfEmpty(new byte[0])
                .flatMap(body -> Mono.fromCallable(() -> answer(new Request(line, fields, body)))
                        .subscribeOn(Schedulers.boundedElastic()))
                .flatMap(answer -> {
                    if (answer.isEmpty()) {
                        Channel parent = stream[0].parent();
                        (parent instanceof ServerChannel ? stream[0] : parent).close();
                        return Mono.never();
                    }
                    return Mono.from(send(answer, response));
                });
    }

    /** Some clients name the authority with the port that is the scheme's own. */
    private String withoutUsualPort(String field, String value) {
        String port = scheme.equals("http") ? ":80" : ":443";
        return field.equalsIgnoreCase("Host") && value.endsWith(port)
                ? value.substring(0, value.length() - port.length())
                : value;
    }

    private String answer(Request request) {
        requests.add(request);
        return answers.apply(request);
    }

    private static Publisher<Void> send(String answer, HttpServerResponse response) {
        int end = answer.indexOf("\r\n\r\n");
        String[] head = answer.substring(0, end).split("\r\n", -1);
        response.status(HttpResponseStatus.valueOf(Integer.parseInt(head[0].split(" ", 3)[1])));
        for (int i = 1; i < head.length; i++) {
            String[] field = head[i].split(": ", 2);
            response.header(field[0], field[1]);
        }
        byte[] body = answer.substring(end + 4).getBytes(StandardCharsets.UTF_8);
        return response.sendByteArray(Mono.just(body));
    }

    /** How many requests came otherwise than over HTTP/2. */
    int overOther() {
        return overOther.get();
    }

    @Override
    public String authority() {
        return "127.0.0.1:" + server.port();
    }

    @Override
    public String url() {
        return scheme + "://" + authority();
    }

    @Override
    public List<Request> requests() {
        return Collections.unmodifiableList(new ArrayList<>(requests));
    }

    @Override
    public int connections() {
        return accepted.get();
    }

    @Override
    public int openConnections() {
        return open.size();
    }

    @Override
    public void hangUp() {
        server.disposeNow();
        for (Channel channel : open) {
            ((SocketChannel) channel).shutdownOutput();
        }
    }

    @Override
    public void close() {
        server.disposeNow();
        for (Channel channel : open) {
            channel.close();
        }
    }
}
