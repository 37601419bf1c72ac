package io.fairlead.okhttp;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.NoEndpointException;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.retry.Attempts;
import io.fairlead.retry.Copies;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.util.concurrent.CancellationException;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** One call to a service: its tries, and those of the redirects that it leads to. */
final class BalancedCall {
    /** As many as OkHttp follows itself. */
    private static final int MAX_REDIRECTS = 20;

    private final LoadBalancers balancers;
    private final Carrier carrier;
    private final Racing racing;
    private final MirrorCaller mirrors;
    private final Cancellation cancellation;

    BalancedCall(LoadBalancers balancers, Carrier carrier, Racing racing, MirrorCaller mirrors) {
        this.balancers = balancers;
        this.carrier = carrier;
        this.racing = racing;
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
                Response response =
                        balancer == null ? carrier.sendElsewhere(request) : balanced(balancer, request, prior == null);
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

    /** @param original whether it is the request of the call, of which there can be copies, and no redirect's */
    private Response balanced(LoadBalancer balancer, Request request, boolean original) throws IOException {
        MirroredCall mirrored = new MirroredCall(request, mirrors);
        boolean fromCache = false;
        try {
            Response response = balanced(balancer, request, original, mirrored);
            fromCache = response.networkResponse() == null;
            return response;
        } finally {
            mirrored.end(fromCache || cancellation.happened());
        }
    }

    private Response balanced(LoadBalancer balancer, Request request, boolean original, MirroredCall mirrored)
            throws IOException {
        Attempts attempts = Attempts.of(balancer, new OkHttpFacts(request));
        Pick pick = first(balancer, attempts);
        mirrored.picked(pick);
        IOException earlier = null;
        while (true) {
            Trial trial = new Trial(balancer.name(), attempts, request, pick, original);
            Response answer = null;
            IOException failed = null;
            try {
                answer = trial.send();
            } catch (StoppedRedirect redirect) {
                throw redirect;
            } catch (IOException failure) {
                if (earlier != null && earlier != failure) {
                    failure.addSuppressed(earlier);
                }
                earlier = failure;
                if (cancellation.happened()) {
                    trial.pick().done(cancellation.outcome());
                    throw failure;
                }
                if (!goesOn(balancer, attempts, request, trial.outcome(), failure)) {
                    throw failure;
                }
                failed = failure;
            }
            if (answer != null && !isRefused(balancer, attempts, request, answer)) {
                return answer;
            }
            Pick next = next(balancer, attempts, answer, failed);
            if (next == null) {
                if (answer != null) {
                    return answer;
                }
                throw failed;
            }
            pick = next;
            mirrored.picked(pick);
        }
    }

    /** One try, with its copies where it has some. */
    private final class Trial {
        private final String service;
        private final Attempts attempts;
        private final OneTry alone;
        private final @Nullable Copies copies;
        private @Nullable Race race;
        private final Pick first;

        Trial(String service, Attempts attempts, Request request, Pick pick, boolean original) {
            this.service = service;
            this.attempts = attempts;
            first = pick;
            alone = new OneTry(carrier, request, pick);
            boolean mayBeCopied = original && carrier.carried() == null && !isUpgrade(request);
            copies = mayBeCopied ? attempts.copies(request.body() == null) : null;
        }

        Response send() throws IOException {
            long limit = attempts.tryLimitNanos();
            Copies known = copies;
            if (known == null) {
                return alone.send(limit);
            }
            Call call = known.delayNanos() == Long.MAX_VALUE ? null : carrier.copy();
            if (call != null) {
                race = new Race(service, racing, carrier, known, first, limit);
                return race.run(call);
            }
            Response response = alone.send(limit);
            known.won(first);
            return response;
        }

        Pick pick() {
            return race == null ? first : race.pick();
        }

        Outcome outcome() {
            return race == null ? alone.outcome() : race.outcome();
        }
    }

    /** Such a call goes on as another protocol, in which it is bound to its connection. */
    private static boolean isUpgrade(Request request) {
        return request.header("Upgrade") != null;
    }

    /** Whether an answer is thrown away for another try; where none can be picked, the answer is closed. */
    private static boolean isRefused(LoadBalancer balancer, Attempts attempts, Request request, Response response)
            throws IOException {
        if (response.networkResponse() == null) {
            return false;
        }
        try {
            return attempts.answered(
                    response.code(),
                    response.header("Retry-After"),
                    response.header("Date"),
                    request.body() == null || canBeRepeated(request.body()));
        } catch (RuntimeException e) {
            response.close();
            throw picking(balancer.name(), e);
        }
    }

    /** Whether there is another try after a failure. */
    private boolean goesOn(
            LoadBalancer balancer, Attempts attempts, Request request, Outcome outcome, IOException failure)
            throws IOException {
        boolean canSendBody = canSendBody(request, outcome);
        try {
            return attempts.failed(outcome, canSendBody);
        } catch (RuntimeException e) {
            IOException picking = picking(balancer.name(), e);
            picking.addSuppressed(failure);
            throw picking;
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
            throw picking(balancer.name(), e);
        }
    }

    /** The next try, after the wait before it; the answer that is not passed on is closed then. */
    private @Nullable Pick next(
            LoadBalancer balancer, Attempts attempts, @Nullable Response refused, @Nullable IOException failed)
            throws IOException {
        boolean goesOn = false;
        try {
            if (!cancellation.sleep(attempts.delayNanos())) {
                throw new IOException("Canceled");
            }
            Pick next = attempts.proceed();
            goesOn = next == null;
            if (next != null && attempts.needsFreshConnection()) {
                carrier.renewConnection();
            }
            return next;
        } catch (RuntimeException e) {
            IOException picking = picking(balancer.name(), e);
            if (failed != null) {
                picking.addSuppressed(failed);
            }
            throw picking;
        } finally {
            attempts.cancel();
            if (refused != null && !goesOn) {
                refused.close();
            }
        }
    }

    /** Anything but an {@code IOException} would end the thread of an asynchronous call. */
    static IOException picking(String service, RuntimeException e) {
        return new IOException("picking a server of service '" + service + "' failed: " + e, e);
    }

    private boolean canSendBody(Request request, Outcome outcome) {
        RequestBody body = request.body();
        return body == null || canBeRepeated(body) || carrier.bodyUntouched(outcome);
    }

    private static boolean canBeRepeated(RequestBody body) {
        return !(body.isOneShot() || body.isDuplex());
    }

    /** A response with the redirects that led to it, the earliest last. */
    private static Response after(Response prior, Response response) {
        Response before = response.priorResponse();
        return response.newBuilder()
                .priorResponse(before == null ? prior : after(prior, before))
                .build();
    }
}
