package io.fairlead.okhttp;

import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** One try on one server. Belongs to the call's thread. */
final class OneTry {
    /** Between making a new connection and taking it, another call may have used it up. */
    private static final int MAX_RENEWALS = 3;

    private final Carrier carrier;
    private final Request request;
    private final Pick pick;
    private @Nullable Outcome outcome;

    OneTry(Carrier carrier, Request request, Pick pick) {
        this.carrier = carrier;
        this.request = request;
        this.pick = pick;
    }

    /**
     * Sends the request.
     *
     * @return the answer, whose body's end is that of the pick
     * @throws StoppedRedirect the answer was a redirect that is to be looked at anew; the pick has ended
     * @throws IOException there was none; {@link #outcome} says what that means, and the pick has not ended unless the call
     *     was given up
     */
    Response send(long limitNanos) throws IOException {
        for (int renewals = 0; ; renewals++) {
            try {
                return answered(carrier.send(request, pick, limitNanos));
            } catch (StoppedRedirect redirect) {
                ended(redirect.response());
                throw redirect;
            } catch (IOException failure) {
                Cancellation cancellation = carrier.cancellation();
                if (cancellation.happened()) {
                    outcome = cancellation.outcome();
                    throw failure;
                }
                Outcome how = carrier.outcome(failure);
                outcome = how;
                if (how.kind() == Outcome.Kind.CONNECT_FAILED) {
                    IOException named = Reworded.by(pick, request.url().host(), failure);
                    outcome = Outcome.connectFailed(named);
                    throw named;
                }
                if (renewals == MAX_RENEWALS || !mayHaveMetAClosedConnection(how) || !carrier.renewConnection()) {
                    throw failure;
                }
                // The same try, since nothing is known of the server yet.
            } catch (Throwable bug) {
                // Not ours and not the server's: that of an interceptor or a listener of the user.
                pick.cancel();
                throw bug;
            }
        }
    }

    /** How it failed; that the caller gave up where it did not, or where that is not known. */
    Outcome outcome() {
        Outcome known = outcome;
        return known == null ? Outcome.cancelled() : known;
    }

    /**
     * Before any method but GET, OkHttp looks whether a kept-alive connection still stands. A GET that broke on one says
     * nothing about the server, and may be sent again (RFC 9112, section 9.3.1).
     */
    private boolean mayHaveMetAClosedConnection(Outcome how) {
        return how.kind() == Outcome.Kind.BROKEN && request.method().equals("GET");
    }

    private Response answered(Response response) {
        Response network = response.networkResponse();
        if (network != null && carrier.endsWithExchange(network.code())) {
            return response;
        }
        if (network == null || !hasBodyFromServer(response, network)) {
            ended(response);
            return response;
        }
        pick.responded(network.code());
        return response.newBuilder()
                .body(new PickedBody(response.body(), pick, Outcome.status(network.code()), carrier.cancellation()))
                .build();
    }

    private void ended(Response response) {
        Response network = response.networkResponse();
        if (network == null) {
            // The client's own cache answered, and no server was asked.
            pick.cancel();
        } else {
            pick.responded(network.code());
            pick.done(Outcome.status(network.code()));
        }
    }

    private boolean hasBodyFromServer(Response response, Response network) {
        int code = network.code();
        return code >= 200
                && code != 204
                && code != 304
                && !request.method().equals("HEAD")
                && response.body().contentLength() != 0;
    }
}
