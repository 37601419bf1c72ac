package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancers;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.ServiceSettings;
import java.io.IOException;
import java.net.Proxy;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** For OkHttp 5.4 and newer: the request stays as it is, and the connection is led to the server. */
final class PinningCarrier implements Carrier {
    /** A port that no URL names. */
    private static final int OTHER_PORT = 65_535;

    private final Interceptor.Chain chain;
    private final Pins pins;
    private final CallWatch watch;
    private @Nullable Pin pin;

    private PinningCarrier(Interceptor.Chain chain, Pins pins, CallWatch watch) {
        this.chain = chain;
        this.pins = pins;
        this.watch = watch;
    }

    static Factory factory(LoadBalancers balancers) {
        Pins pins = new Pins();
        return chain -> {
            CallWatch watch = CallWatch.of(chain.call());
            return watch.isBalancing() ? null : new PinningCarrier(chain, pins, watch.begin(balancers));
        };
    }

    @Override
    public Cancellation cancellation() {
        return watch.cancellation();
    }

    @Override
    public Response send(Request request, Pick pick, long limitNanos) throws IOException {
        Endpoint endpoint = pick.endpoint();
        Pin current = pins.get(request.url().host(), endpoint, chain.getDns());
        pin = current;
        ServiceSettings settings = pick.settings();
        Interceptor.Chain pinned;
        Rewrite rewrite;
        if (!settings.passHostHeader()) {
            pinned = TimeLimits.apply(chain, settings, request, limitNanos);
            rewrite = Rewrite.toOwnHost(request, endpoint);
        } else if (current.isBehindProxy(chain.getProxy(), chain.getProxySelector())) {
            pinned = TimeLimits.apply(chain, settings, request, limitNanos);
            rewrite = Rewrite.keepingHost(request, endpoint, endpoint.host(), endpoint.port());
        } else {
            // Each with...() copies the chain. The limit of connecting is kept by the socket, which costs nothing.
            int dial = TimeLimits.connectMillis(settings, limitNanos);
            pinned = TimeLimits.applyButToConnecting(chain, settings, request, limitNanos)
                    .withDns(current)
                    .withSocketFactory(current.socketFactory(dial, chain.getSocketFactory()));
            if (chain.getProxy() == null) {
                pinned = pinned.withProxy(Proxy.NO_PROXY);
            }
            int port = port(request.url(), endpoint);
            if (watch.wouldKeepConnection(current, request.url().host(), port)) {
                // Another port is another address to OkHttp, and no matter to where the socket connects. The cache
                // would
                // take it for another page.
                port = port == OTHER_PORT ? OTHER_PORT - 1 : OTHER_PORT;
                pinned = pinned.withCache(null);
            }
            rewrite = Rewrite.keepingHost(request, endpoint, request.url().host(), port);
        }
        if (chain.getRetryOnConnectionFailure()) {
            pinned = pinned.withRetryOnConnectionFailure(false);
        }
        watch.beginTry(pick, current);
        if (request != chain.call().request()) {
            EndpointTag tag = request.tag(EndpointTag.class);
            if (tag != null) {
                // An interceptor has put it there.
                tag.set(endpoint);
            }
        }
        try {
            Response response = pinned.proceed(rewrite.sent());
            if (pinned.readTimeoutMillis() != chain.readTimeoutMillis()) {
                watch.readBodyWithin(chain.readTimeoutMillis(), pinned.readTimeoutMillis(), response);
            }
            return rewrite.restore(response);
        } catch (StoppedResend answer) {
            return rewrite.restore(answer.response());
        } catch (StoppedRedirect redirect) {
            throw new StoppedRedirect(rewrite.restore(redirect.response()), rewrite.restore(redirect.next()));
        }
    }

    /** The port of the logical URL, or where the scheme changes and the port was that of the scheme, the new one's. */
    private static int port(HttpUrl url, Endpoint endpoint) {
        return url.port() == HttpUrl.defaultPort(url.scheme()) ? HttpUrl.defaultPort(endpoint.scheme()) : url.port();
    }

    @Override
    public Response sendElsewhere(Request request) throws IOException {
        watch.beginElsewhere();
        return chain.proceed(request);
    }

    @Override
    public Outcome outcome(IOException failure) {
        return watch.outcome(failure);
    }

    @Override
    public boolean bodyUntouched(Outcome outcome) {
        return watch.isBodyUntouched();
    }

    @Override
    public boolean renewConnection() {
        Pin last = pin;
        if (last == null || !watch.isOnKeptAliveConnection()) {
            return false;
        }
        // The others that are kept alive are as old: they are left to idle out.
        pins.renew(last);
        return true;
    }

    @Override
    public boolean endsWithExchange(int status) {
        watch.answered(status);
        return true;
    }

    @Override
    public void answeredBy(Pick pick) {
        watch.answeredBy(pick);
    }

    @Override
    public Call copy() {
        Call original = chain.call();
        Call copy = original.clone();
        copy.timeout().timeout(original.timeout().timeoutNanos(), TimeUnit.NANOSECONDS);
        return copy;
    }

    @Override
    public void carry(Copy copy) {
        CallWatch.of(copy.call).carry(copy);
    }

    @Override
    public @Nullable Copy carried() {
        return watch.carried();
    }

    @Override
    public void close() {
        watch.end();
    }
}
