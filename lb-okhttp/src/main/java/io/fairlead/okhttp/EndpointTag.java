package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/**
 * Tells which server a call goes to, which its URL does not: to an {@link okhttp3.EventListener}, to interceptors after
 * the balancing one, and to whoever made the call.
 *
 * <pre>{@code
 * Endpoint server = EndpointTag.of(call);
 * }</pre>
 *
 * <p>On OkHttp 5.4 and newer that is known of every call. Before, a call can carry no more than its request brought, so
 * the request must have been given a tag, one of its own:
 *
 * <pre>{@code
 * new Request.Builder().url("http://orders/").tag(EndpointTag.class, new EndpointTag())
 * }</pre>
 *
 * <p>Safe for use from any thread.
 */
public final class EndpointTag {
    private volatile @Nullable Endpoint endpoint;

    /** A tag for one request. */
    public EndpointTag() {}

    /**
     * The server that the call was sent to last, or is on its way to.
     *
     * @return null where it has not been sent to a server of a service, or that is not known
     */
    public static @Nullable Endpoint of(Call call) {
        EndpointTag carried = call.request().tag(EndpointTag.class);
        if (carried != null) {
            return carried.endpoint;
        }
        return Carrier.CAN_PIN ? CallWatch.endpoint(call) : null;
    }

    /** The server that the request was sent to last; null: none. */
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    void set(@Nullable Endpoint server) {
        endpoint = server;
    }

    @Override
    public String toString() {
        return "EndpointTag{" + endpoint + "}";
    }
}
