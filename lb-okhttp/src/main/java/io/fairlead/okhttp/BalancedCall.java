package io.fairlead.okhttp;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.retry.Attempts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.util.concurrent.CancellationException;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** One call to a service: its tries, and those of the redirects that it leads to. */
final class BalancedCall {
    /** As many as OkHttp follows itself. */
    private static final int MAX_REDIRECTS = 20;

    /** Between making a new connection and taking it, another call may have used it up. */
    private static final int MAX_RENEWALS = 3;

    private final LoadBalancers balancers;
    private final Carrier carrier;
    private final MirrorCaller mirrors;
    private final Cancellation cancellation;

    BalancedCall(LoadBalancers balancers, Carrier carrier, MirrorCaller mirrors) {
        this.balancers = balancers;
        this.carrier = carrier;
        this.mirrors = mirrors;
        cancellation = carrier.cancellation();
    }

    Response run(LoadBalancer first, Request original) throws IOException {
        LoadBalancer balancer = first;
        Request request = original;
        Response prior = null;
        int redirects = 0;
        while (true) {
            try {
                Response response = balancer == null ? carrier.sendElsewhere(request) : balanced(balancer, request);
                return prior == null ? response : after(prior, response);
            } catch (StoppedRedirect redirect) {
                if (++redirects > MAX_REDIRECTS) {
                    throw new ProtocolException("Too many follow-up requests: " + redirects);
                }
                prior = prior == null ? redirect.response() : after(prior, redirect.response());
                request = redirect.next();
                balancer = balancers.get(request.url().host());
            }
        }
    }

    private Response balanced(LoadBalancer balancer, Request request) throws IOException {
        MirroredCall mirrored = new MirroredCall(request, mirrors);
        boolean fromCache = false;
        try {
            Response response = balanced(balancer, request, mirrored);
            fromCache = response.networkResponse() == null;
            return response;
        } finally {
            mirrored.end(fromCache || cancellation.happened());
        }
    }

    private Response balanced(LoadBalancer balancer, Request request, MirroredCall mirrored) throws IOException {
        Attempts attempts = Attempts.of(balancer, new OkHttpFacts(request));
        Pick pick = first(balancer, attempts);
        mirrored.picked(pick);
        IOException earlier = null;
        int renewals = 0;
        while (true) {
            try {
                return answered(carrier.send(request, pick), request, pick);
            } catch (StoppedRedirect redirect) {
                ended(pick, redirect.response());
                throw redirect;
            } catch (IOException failure) {
                if (earlier != null && earlier != failure) {
                    failure.addSuppressed(earlier);
                }
                earlier = failure;
                if (cancellation.happened()) {
                    pick.done(cancellation.outcome());
                    throw failure;
                }
                Outcome outcome = carrier.outcome(failure);
                if (renewals < MAX_RENEWALS
                        && mayHaveMetAClosedConnection(request, outcome)
                        && carrier.renewConnection()) {
                    // The same try, since nothing is known of the server yet.
                    renewals++;
                    continue;
                }
                Pick next = next(balancer, attempts, request, outcome, failure);
                if (next == null) {
                    throw failure;
                }
                pick = next;
                mirrored.picked(pick);
                renewals = 0;
            } catch (Throwable bug) {
                // Not ours and not the server's: that of an interceptor or a listener of the user.
                pick.cancel();
                throw bug;
            }
        }
    }

    private Pick first(LoadBalancer balancer, Attempts attempts) throws IOException {
        try {
            return attempts.first(cancellation::happened);
        } catch (NoEndpointException e) {
            throw new NoServerException(e);
        } catch (CancellationException e) {
            throw new IOException("Canceled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } catch (RuntimeException e) {
            throw picking(balancer, e);
        }
    }

    private @Nullable Pick next(
            LoadBalancer balancer, Attempts attempts, Request request, Outcome outcome, IOException failure)
            throws IOException {
        try {
            return attempts.next(outcome, canSendBody(request, outcome));
        } catch (RuntimeException e) {
            IOException picking = picking(balancer, e);
            picking.addSuppressed(failure);
            throw picking;
        }
    }

    /** Anything but an {@code IOException} would end the thread of an asynchronous call. */
    private static IOException picking(LoadBalancer balancer, RuntimeException e) {
        return new IOException("picking a server of service '" + balancer.name() + "' failed: " + e, e);
    }

    private boolean canSendBody(Request request, Outcome outcome) {
        RequestBody body = request.body();
        return body == null || !(body.isOneShot() || body.isDuplex()) || carrier.bodyUntouched(outcome);
    }

    /**
     * Before any method but GET, OkHttp looks whether a kept-alive connection still stands. A GET that broke on one says
     * nothing about the server, and may be sent again (RFC 9112, section 9.3.1).
     */
    private static boolean mayHaveMetAClosedConnection(Request request, Outcome outcome) {
        return outcome.kind() == Outcome.Kind.BROKEN && request.method().equals("GET");
    }

    private Response answered(Response response, Request request, Pick pick) {
        Response network = response.networkResponse();
        if (network == null || !hasBodyFromServer(response, network, request)) {
            ended(pick, response);
            return response;
        }
        pick.responded(network.code());
        return response.newBuilder()
                .body(new PickedBody(response.body(), pick, Outcome.status(network.code()), cancellation))
                .build();
    }

    private static void ended(Pick pick, Response response) {
        Response network = response.networkResponse();
        if (network == null) {
            // The client's own cache answered, and no server was asked.
            pick.cancel();
        } else {
            pick.responded(network.code());
            pick.done(Outcome.status(network.code()));
        }
    }

    private static boolean hasBodyFromServer(Response response, Response network, Request request) {
        int code = network.code();
        return code >= 200
                && code != 204
                && code != 304
                && !request.method().equals("HEAD")
                && response.body().contentLength() != 0;
    }

    /** A response with the redirects that led to it, the earliest last. */
    private static Response after(Response prior, Response response) {
        Response before = response.priorResponse();
        return response.newBuilder()
                .priorResponse(before == null ? prior : after(prior, before))
                .build();
    }
}
