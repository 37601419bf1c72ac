package io.fairlead.servlet;

import io.fairlead.MirrorCopies;
import io.fairlead.MirrorCopy;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A request of which copies are made. Its head is kept when the first of them is due. Its body is kept, up to the limit,
 * as the server takes it, and the copies are sent when the server has taken all of it: so a mirror never slows the
 * request down, and gets nothing of one that does not come to its end.
 *
 * <p>Copies that are not sent by the end of the exchange are dropped.
 */
final class MirroredRequest {
    private static final int FIRST_BYTES = 32 * 1024;

    private final CopyFacts facts;
    private final String path;
    private final boolean hasBody;
    private final long length;
    private final MirrorCopies copies;
    private final MirrorSender sender;

    // Guarded by this.
    private List<MirrorCopy> bodiless = new ArrayList<>();
    private List<MirrorCopy> waiting = new ArrayList<>();
    private @Nullable ByteArrayOutputStream kept;
    private @Nullable Collected collecting;
    private boolean closed;

    private MirroredRequest(
            CopyFacts facts, String path, @Nullable RequestBody body, MirrorCopies copies, MirrorSender sender) {
        this.facts = facts;
        this.path = path;
        this.hasBody = body != null;
        this.length = body == null ? 0 : body.length();
        this.copies = copies;
        this.sender = sender;
    }

    static MirroredRequest of(
            HttpServletRequest request,
            ServletFacts facts,
            Routed routed,
            Trust trust,
            @Nullable RequestBody body,
            MirrorCopies copies,
            MirrorSender sender) {
        String authority = ServletFacts.authority(request);
        HttpFields.Mutable fields = HttpFields.build();
        new RequestFields(request, trust, body != null, routed.strippedPrefix()).addOthersThanHost(fields, authority);
        routed.edits().applyTo(fields, body != null);
        String host = fields.get(HttpHeader.HOST);
        fields.remove(HttpHeader.HOST);
        // The length of what is kept is known.
        fields.remove(HttpHeader.TRANSFER_ENCODING);
        return new MirroredRequest(
                CopyFacts.of(
                        facts,
                        routed.query(),
                        host == null ? authority : host,
                        fields.asImmutable(),
                        request.getCookies()),
                routed.path(),
                body,
                copies,
                sender);
    }

    /** Those that picks have been asked for; taken over by {@link #takeCopies()}. */
    MirrorCopies copies() {
        return copies;
    }

    CopyFacts facts() {
        return facts;
    }

    /** The path as the servers get it, without their base path. */
    String path() {
        return path;
    }

    /** Takes over what the newest pick has added. */
    synchronized void takeCopies() {
        for (MirrorCopy copy : copies.take()) {
            boolean withBody = hasBody && copy.isWithBody();
            if (closed || (withBody && length > copy.maxBodySize())) {
                copy.drop();
            } else {
                (withBody ? waiting : bodiless).add(copy);
            }
        }
    }

    /**
     * Takes out those copies that need no body: they are the caller's to send or to drop, be the exchange at its end or
     * not, for it may come to it before they are sent.
     */
    synchronized List<MirrorCopy> takeBodiless() {
        List<MirrorCopy> ready = bodiless;
        bodiless = new ArrayList<>();
        return ready;
    }

    /** Sends copies that need no body. */
    void send(List<MirrorCopy> ready) {
        ready.forEach(copy -> sender.send(copy, this, null));
    }

    /** Keeps what is read through the result, from the body's beginning on. */
    synchronized Request.Content collect(Request.Content reading) {
        if (waiting.isEmpty()) {
            return reading;
        }
        kept = new ByteArrayOutputStream(length >= 0 ? (int) Math.min(length, FIRST_BYTES) : FIRST_BYTES);
        Collected content = new Collected(reading);
        collecting = content;
        return content;
    }

    private void read(Collected by, ByteBuffer bytes, boolean last) {
        List<MirrorCopy> ready = List.of();
        byte[] body;
        synchronized (this) {
            ByteArrayOutputStream before = kept;
            if (collecting != by || before == null) {
                return;
            }
            long size = (long) before.size() + bytes.remaining();
            waiting.removeIf(copy -> {
                boolean tooLong = size > copy.maxBodySize() || size > Integer.MAX_VALUE - 8;
                if (tooLong) {
                    copy.drop();
                }
                return tooLong;
            });
            if (waiting.isEmpty()) {
                kept = null;
                return;
            }
            byte[] more = new byte[bytes.remaining()];
            bytes.get(more);
            before.write(more, 0, more.length);
            if (!last) {
                return;
            }
            ready = waiting;
            waiting = new ArrayList<>();
            body = before.toByteArray();
            kept = null;
        }
        ready.forEach(copy -> sender.send(copy, this, body));
    }

    /** The exchange has ended. */
    synchronized void close() {
        closed = true;
        bodiless.forEach(MirrorCopy::drop);
        bodiless = new ArrayList<>();
        waiting.forEach(MirrorCopy::drop);
        waiting = new ArrayList<>();
        kept = null;
    }

    /** The body on its way to the server, which is kept in passing. */
    private final class Collected implements Request.Content {
        private final Request.Content reading;

        Collected(Request.Content reading) {
            this.reading = reading;
        }

        @Override
        public long getLength() {
            return reading.getLength();
        }

        @Override
        public @Nullable String getContentType() {
            return reading.getContentType();
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk chunk = reading.read();
            if (chunk != null && !Content.Chunk.isFailure(chunk)) {
                MirroredRequest.this.read(this, chunk.getByteBuffer().slice(), chunk.isLast());
            }
            return chunk;
        }

        @Override
        public void demand(Runnable callback) {
            reading.demand(callback);
        }

        @Override
        public void fail(Throwable cause) {
            reading.fail(cause);
        }
    }
}
