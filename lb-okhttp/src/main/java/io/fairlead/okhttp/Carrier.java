package io.fairlead.okhttp;

import io.fairlead.LoadBalancers;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of one call reach the servers that were picked for them, as far as this version of OkHttp lets us
 * steer it. Belongs to the call's thread.
 */
interface Carrier extends AutoCloseable {
    /** Whether the OkHttp on the class path is 5.4 or newer. */
    boolean CAN_PIN = OkHttpVersion.canPin();

    /** Makes carriers for the calls of one interceptor. */
    interface Factory {
        /**
         * For one call.
         *
         * @return null where another such interceptor has already chosen a server for what the chain is to send
         */
        @Nullable
        Carrier create(Interceptor.Chain chain);
    }

    /** Whether the call was given up. */
    Cancellation cancellation();

    /**
     * Sends a request to a picked server: one try.
     *
     * @param limitNanos how long the try may take, as far as OkHttp's limits can say it; {@link Long#MAX_VALUE}: no limit
     *     beside those of the client and of the service
     * @return the answer, whose request is the logical one
     * @throws StoppedRedirect the answer was a redirect that is to be looked at anew
     */
    Response send(Request request, Pick pick, long limitNanos) throws IOException;

    /**
     * Sends a request that names no service.
     *
     * @throws StoppedRedirect the answer was a redirect to a service
     */
    Response sendElsewhere(Request request) throws IOException;

    /** What the failure of the last try says about the server. The call is not cancelled. */
    Outcome outcome(IOException failure);

    /** Whether it is known that nothing was asked of the request's body in the last try. */
    boolean bodyUntouched(Outcome outcome);

    /**
     * Makes the next try on the last try's server use a new connection, if the last one failed on a kept-alive one.
     *
     * @return false: it did not, or that is not known
     */
    boolean renewConnection();

    /**
     * The last try was answered by its server, and nothing follows of itself: from now on its pick ends with the exchange,
     * be that the body's end or, after an upgrade, that of the connection's use.
     *
     * @param status that of the answer from the network
     * @return false where this version of OkHttp does not tell when that is, and nothing has been done
     */
    boolean endsWithExchange(int status);

    /** The call has been answered by a copy of it, which this pick was for. */
    void answeredBy(Pick pick);

    /**
     * A call like this one, for a copy of the request.
     *
     * @return null where this version of OkHttp does not tell when a call is cancelled, so that its copies would go on
     */
    @Nullable
    Call copy();

    /** Makes the call of a copy known as such to the interceptor that it will come by. */
    void carry(Copy copy);

    /** The copy that this call was made for; null where it is the application's own. */
    @Nullable
    Copy carried();

    /** The call has its answer or has failed: nothing more is sent. */
    @Override
    void close();

    /** The best that the OkHttp on the class path can do. */
    static Factory factory(LoadBalancers balancers) {
        // A class of its own, which is loaded only here: it cannot be linked against an older OkHttp.
        return CAN_PIN ? PinningCarrier.factory(balancers) : RewritingCarrier.factory();
    }
}
