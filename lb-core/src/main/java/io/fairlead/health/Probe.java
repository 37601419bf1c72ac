package io.fairlead.health;

import io.fairlead.Endpoint;
import io.fairlead.tls.ClientTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * One check under way, over a channel that never blocks. It speaks to the channel itself rather than through an HTTP
 * client, so that inside an application under the agent it cannot be redirected, and so that it brings no client along.
 *
 * <p>Belongs to one thread at a time, which is handed on by {@link SocketProber}.
 */
final class Probe {
    private static final int MAX_REDIRECTS = 5;
    private static final int BUFFER = 8 * 1024;
    private static final String AGENT = "fairlead-health";

    final Endpoint endpoint;
    final HealthCheck check;
    final boolean slow;
    final Consumer<Verdict> done;

    /** Whether it has a slot. */
    boolean open;
    /** By {@link System#nanoTime}, from when it is open. */
    long deadline;
    /** Whether another thread works on it, which it belongs to for that time. */
    boolean away;

    boolean finished;

    private final boolean secure;
    /** Whether HTTP/2 is spoken from the first byte on. */
    private final boolean http2;

    private final int port;
    private final String hostname;

    private @Nullable InetAddress address;
    private @Nullable SSLEngine engine;
    private @Nullable SocketChannel channel;
    private @Nullable Transport transport;
    private @Nullable Runnable task;
    private @Nullable ByteBuffer request;
    private @Nullable HttpAnswer answer;
    private @Nullable Http2Answer frames;
    private @Nullable Verdict verdict;
    private @Nullable String target;
    private int redirects;
    private int ops;
    private State state = State.CONNECTING;

    private enum State {
        CONNECTING,
        HANDSHAKE,
        WRITING,
        READING
    }

    Probe(Endpoint endpoint, HealthCheck check, boolean slow, Consumer<Verdict> done) {
        this.endpoint = endpoint;
        this.check = check;
        this.slow = slow;
        this.done = done;
        String scheme = check.scheme() == null ? endpoint.scheme() : check.scheme();
        secure = scheme.equals("https");
        http2 = check.scheme() == null && endpoint.isH2c();
        boolean ownPort = endpoint.uri().getPort() >= 0 || scheme.equals(endpoint.scheme());
        port = check.port() != 0 ? check.port() : ownPort ? endpoint.port() : secure ? 443 : 80;
        hostname = check.hostname() != null ? check.hostname() : endpoint.authority();
        target = check.path() == null ? null : endpoint.path() + check.path();
    }

    /** Takes the server's address over. */
    void address(InetAddress found) {
        address = found;
    }

    /** What was tried for it on another thread failed. */
    void fail(Throwable e) {
        verdict = verdict(e);
    }

    /** On a thread that may block, since at the first time the machine's certificates are read. */
    private void makeEngine() {
        try {
            String own = check.hostname();
            String name = own == null ? endpoint.host() : own.replaceAll(":[0-9]*$", "");
            ClientTls tls = check.tls();
            if (tls.isCustom()) {
                engine = tls.engine(tls.context(), name, port);
                return;
            }
            SSLEngine fresh = SSLContext.getDefault().createSSLEngine(name, port);
            fresh.setUseClientMode(true);
            engine = fresh;
        } catch (GeneralSecurityException e) {
            verdict = Verdict.failed("TLS cannot be spoken: " + e.getMessage());
        }
    }

    private void connect() throws IOException {
        SocketChannel fresh = SocketChannel.open();
        channel = fresh;
        fresh.configureBlocking(false);
        fresh.connect(new InetSocketAddress(address, port));
        ops = SelectionKey.OP_CONNECT;
        state = State.CONNECTING;
    }

    /** The channel; null before it connects. A redirect is followed over another. */
    @Nullable
    SocketChannel channel() {
        return channel;
    }

    /** What the channel must become ready for, as operations of a selection key. */
    int ops() {
        return ops;
    }

    /** Takes the work that is to be done on another thread before it goes on; null: there is none. */
    @Nullable
    Runnable takeTask() {
        Runnable taken = task;
        task = null;
        return taken;
    }

    /** Goes as far as it can. The verdict, when there is one; null: it waits for {@link #takeTask} or {@link #ops}. */
    @Nullable
    Verdict advance() throws IOException {
        while (verdict == null) {
            SocketChannel open = channel;
            if (open == null && secure && engine == null) {
                task = this::makeEngine;
                return null;
            }
            if (open == null) {
                connect();
                continue;
            }
            if (state == State.CONNECTING) {
                if (!open.finishConnect()) {
                    return null;
                }
                transport = engine == null ? new PlainTransport(open) : new TlsTransport(open, engine);
                state = State.HANDSHAKE;
            }
            Transport to = transport;
            if (to == null || !step(to)) {
                return null;
            }
        }
        return verdict;
    }

    /** One step of the conversation; false: it cannot go on yet. */
    private boolean step(Transport to) throws IOException {
        boolean through;
        switch (state) {
            case HANDSHAKE:
                through = to.handshake();
                String asked = target;
                if (through && asked == null) {
                    verdict = Verdict.PASSED;
                } else if (through && asked != null) {
                    HttpAnswer fresh = new HttpAnswer(wanted(), check.method().equals("HEAD"));
                    request = http2 ? http2Request(asked) : ByteBuffer.wrap(request(asked));
                    answer = fresh;
                    frames = http2 ? new Http2Answer(fresh) : null;
                    state = State.WRITING;
                }
                break;
            case WRITING:
                through = request == null || to.write(request);
                if (through) {
                    request = null;
                    state = State.READING;
                }
                break;
            default:
                through = answer == null || read(to, answer);
                break;
        }
        if (!through) {
            ops = to.ops();
            task = task == null ? to.task() : task;
        }
        return through;
    }

    private boolean read(Transport from, HttpAnswer into) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
        int count = from.read(bytes);
        if (count == 0) {
            return false;
        }
        bytes.flip();
        Http2Answer framed = frames;
        if (framed != null && count < 0) {
            throw new IOException("the connection was closed before the end of the answer");
        } else if (framed != null) {
            framed.feed(bytes);
        } else if (count < 0) {
            into.end();
        } else {
            into.feed(bytes);
        }
        return !into.isComplete() || judge(into);
    }

    /** Passes judgement, or goes where a redirect leads; false: the judgement is passed on another thread. */
    private boolean judge(HttpAnswer complete) throws IOException {
        String next = check.followRedirects() ? redirect(complete) : null;
        if (next != null && redirects++ < MAX_REDIRECTS) {
            target = next;
            close();
            channel = null;
            engine = null;
            return true;
        }
        Pattern pattern = check.bodyPattern();
        if (!check.status().contains(complete.status())) {
            verdict = Verdict.failed(check.method() + " " + target + " answered " + complete.status());
        } else if (pattern == null) {
            verdict = Verdict.PASSED;
        } else {
            task = () -> verdict = BodyMatch.of(pattern, complete.text(), deadline);
            return false;
        }
        return true;
    }

    /** The target that a redirect to the same server leads to; null: it is none. */
    private @Nullable String redirect(HttpAnswer complete) {
        int status = complete.status();
        String location = complete.location();
        boolean leads = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
        if (!leads || location == null) {
            return null;
        }
        try {
            URI here = URI.create((secure ? "https" : "http") + "://" + hostname + target);
            URI there = here.resolve(location);
            boolean same = here.getScheme().equalsIgnoreCase(there.getScheme())
                    && here.getRawAuthority().equalsIgnoreCase(there.getRawAuthority());
            if (!same) {
                return null;
            }
            String path = there.getRawPath().isEmpty() ? "/" : there.getRawPath();
            return path + (there.getRawQuery() == null ? "" : "?" + there.getRawQuery());
        } catch (IllegalArgumentException e) {
            // A location that is no URI leads nowhere: the redirect is the answer.
            return null;
        }
    }

    private HttpAnswer.Wanted wanted() {
        if (check.bodyPattern() != null) {
            return HttpAnswer.Wanted.BODY;
        }
        return check.followRedirects() ? HttpAnswer.Wanted.HEAD : HttpAnswer.Wanted.STATUS;
    }

    private byte[] request(String to) {
        StringBuilder head = new StringBuilder(256);
        head.append(check.method())
                .append(' ')
                .append(to)
                .append(" HTTP/1.1\r\nHost: ")
                .append(hostname);
        field(head, "User-Agent", AGENT);
        field(head, "Accept", "*/*");
        for (Map.Entry<String, String> header : check.headers().entrySet()) {
            head.append("\r\n").append(header.getKey()).append(": ").append(header.getValue());
        }
        if (check.method().equals("POST")
                || check.method().equals("PUT")
                || check.method().equals("PATCH")) {
            head.append("\r\nContent-Length: 0");
        }
        return head.append("\r\nConnection: close\r\n\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private ByteBuffer http2Request(String to) throws IOException {
        Http2Request fields = new Http2Request(check.method(), hostname, to);
        if (isUnset("User-Agent")) {
            fields.add("user-agent", AGENT);
        }
        if (isUnset("Accept")) {
            fields.add("accept", "*/*");
        }
        check.headers().forEach((name, value) -> fields.add(name.toLowerCase(Locale.ROOT), value));
        return fields.toBytes();
    }

    private void field(StringBuilder head, String name, String value) {
        if (isUnset(name)) {
            head.append("\r\n").append(name).append(": ").append(value);
        }
    }

    private boolean isUnset(String name) {
        return check.headers().keySet().stream().noneMatch(name::equalsIgnoreCase);
    }

    /** Closes the channel. */
    void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    /** What a failure means, in a few words. */
    Verdict verdict(Throwable e) {
        if (e instanceof UnknownHostException) {
            return Verdict.failed("the host '" + endpoint.host() + "' is not known");
        }
        String message = e.getMessage();
        return Verdict.failed(message == null ? e.getClass().getSimpleName() : message);
    }

    @Override
    public String toString() {
        return endpoint.id() + " " + state.name().toLowerCase(Locale.ROOT);
    }
}
