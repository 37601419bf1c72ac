package io.fairlead.okhttp;

import io.fairlead.MirrorCopies;
import io.fairlead.MirrorCopy;
import io.fairlead.Pick;
import java.io.IOException;
import java.util.List;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of one request of a call. They are sent when the request has its answer or has failed: until then its body
 * may be in use, and a request that is cancelled is not copied.
 */
final class MirroredCall {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancingInterceptor.class);

    private final Request request;
    private final MirrorCaller caller;
    private @Nullable MirrorCopies copies;

    MirroredCall(Request request, MirrorCaller caller) {
        this.request = request;
        this.caller = caller;
    }

    /** A server has been picked for the request, on whose way there may be mirrors. */
    void picked(Pick pick) {
        copies = pick.copies(copies);
    }

    /**
     * The request has ended: its copies are sent. Never throws.
     *
     * @param unsent whether they are not to be: the call was cancelled, or no server was asked
     */
    void end(boolean unsent) {
        MirrorCopies due = copies;
        copies = null;
        if (due == null) {
            return;
        }
        RequestBody body = request.body();
        List<MirrorCopy> all = due.take();
        long limit = all.stream().mapToLong(MirrorCopy::maxBodySize).max().orElse(0);
        KeptBody kept = null;
        for (MirrorCopy copy : all) {
            if (unsent || isWebSocket()) {
                copy.drop();
            } else if (body == null) {
                caller.send(copy, request, null);
            } else if (!copy.isWithBody()) {
                caller.send(copy, request, KeptBody.EMPTY);
            } else {
                kept = kept == null ? keep(body, limit) : kept;
                RequestBody again = kept.upTo(copy.maxBodySize());
                if (again == null) {
                    copy.drop();
                } else {
                    caller.send(copy, request, again);
                }
            }
        }
    }

    private static KeptBody keep(RequestBody body, long limit) {
        try {
            return KeptBody.of(body, limit);
        } catch (IOException | RuntimeException e) {
            log.debug("a request's body could not be read again for its mirrors", e);
            return KeptBody.NONE;
        }
    }

    private boolean isWebSocket() {
        return "websocket".equalsIgnoreCase(request.header("Upgrade"));
    }
}
