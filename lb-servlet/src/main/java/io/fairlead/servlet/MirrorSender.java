package io.fairlead.servlet;

import io.fairlead.MirrorCopy;
import io.fairlead.Pick;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the copies for mirrors. Nothing that becomes of them is told to whoever sent the request, and no thread waits for
 * them; how many may be under way the mirror has said when it let the copy be made.
 *
 * <p>Safe for use from any thread.
 */
final class MirrorSender {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private final Upstreams upstreams;
    private final Set<MirrorTry> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    MirrorSender(Upstreams upstreams) {
        this.upstreams = upstreams;
    }

    /**
     * Sends a copy, or drops it.
     *
     * @param body the request's body; null: none
     */
    void send(MirrorCopy copy, MirroredRequest request, byte @Nullable [] body) {
        if (closed) {
            copy.drop();
            return;
        }
        Pick pick = null;
        try {
            pick = copy.pick(request.facts());
            if (pick != null) {
                send(copy, pick, request, body);
            }
        } catch (RuntimeException e) {
            log.debug("a copy for the mirror '{}' could not be sent", copy.mirror(), e);
            if (pick != null) {
                pick.cancel();
            }
        }
    }

    private void send(MirrorCopy copy, Pick pick, MirroredRequest request, byte @Nullable [] body) {
        Upstream upstream = upstreams.of(pick.settings());
        MirrorTry sending = new MirrorTry(pick, underWay::remove);
        CopyFacts facts = request.facts();
        UpstreamRequest toSend = new UpstreamRequest(
                upstream.client(),
                sending,
                pick.endpoint(),
                facts.method(),
                UpstreamTarget.path(pick.endpoint(), request.path()),
                UpstreamTarget.query(pick.endpoint(), facts.query()));
        toSend.timeout(copy.timeout().toMillis(), TimeUnit.MILLISECONDS);
        toSend.headers(fields -> {
            RequestFields.addHost(fields, pick, facts.authority());
            fields.add(facts.fields());
        });
        if (body != null) {
            toSend.body(new BytesRequestContent((String) null, body));
        }
        underWay.add(sending);
        try {
            sending.start(toSend);
        } catch (RuntimeException e) {
            underWay.remove(sending);
            throw e;
        }
        if (closed) {
            sending.cancel(new IOException("the proxy has ended"));
        }
    }

    /** Gives up all that is under way; from now on copies are dropped. */
    void close() {
        closed = true;
        underWay.forEach(sending -> sending.cancel(new IOException("the proxy has ended")));
    }
}
