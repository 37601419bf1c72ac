package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.Ticker;
import java.io.IOException;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** For OkHttp before 5.4: the URL is the server's own while the request is below the interceptor. */
final class RewritingCarrier implements Carrier {
    private final Interceptor.Chain chain;
    private final Cancellation cancellation;

    private RewritingCarrier(Interceptor.Chain chain) {
        this.chain = chain;
        cancellation = new Cancellation(chain.call(), Ticker.system());
    }

    static Factory factory() {
        ResendWarning warning = new ResendWarning();
        return chain -> {
            warning.check(chain.call());
            return new RewritingCarrier(chain);
        };
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public Response send(Request request, Pick pick, long limitNanos) throws IOException {
        Endpoint endpoint = pick.endpoint();
        tell(chain.call().request().tag(EndpointTag.class), endpoint);
        // An interceptor may have put one there.
        tell(request.tag(EndpointTag.class), endpoint);
        Rewrite rewrite = pick.settings().passHostHeader()
                ? Rewrite.keepingHost(request, endpoint, endpoint.host(), endpoint.port())
                : Rewrite.toOwnHost(request, endpoint);
        return rewrite.restore(
                TimeLimits.apply(chain, pick.settings(), request, limitNanos).proceed(rewrite.sent()));
    }

    private static void tell(@Nullable EndpointTag tag, Endpoint server) {
        if (tag != null) {
            tag.set(server);
        }
    }

    @Override
    public Response sendElsewhere(Request request) throws IOException {
        return chain.proceed(request);
    }

    @Override
    public Outcome outcome(IOException failure) {
        return Failures.beforeHead(failure);
    }

    @Override
    public boolean bodyUntouched(Outcome outcome) {
        return outcome.kind() == Outcome.Kind.CONNECT_FAILED;
    }

    /** OkHttp resends by itself here. */
    @Override
    public boolean renewConnection() {
        return false;
    }

    @Override
    public boolean endsWithExchange(int status) {
        return false;
    }

    @Override
    public void answeredBy(Pick pick) {
        throw new IllegalStateException("without copies none can answer");
    }

    @Override
    public @Nullable Call copy() {
        return null;
    }

    @Override
    public void carry(Copy copy) {
        throw new IllegalStateException("no copies are made");
    }

    @Override
    public @Nullable Copy carried() {
        return null;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
