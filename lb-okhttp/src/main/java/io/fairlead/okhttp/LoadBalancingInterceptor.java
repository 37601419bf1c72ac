package io.fairlead.okhttp;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a call whose host is a service's name to a server of that service: {@code http://orders/items} goes to one of
 * the servers of {@code orders}, whatever port the URL names. A call to any other host is passed on untouched.
 *
 * <pre>{@code
 * OkHttpClient client = new OkHttpClient.Builder()
 *         .addInterceptor(LoadBalancingInterceptor.of(balancers))
 *         .build();
 * }</pre>
 *
 * <p>It belongs among the application interceptors ({@code addInterceptor}), best as the last of them: interceptors
 * after it are run for each try.
 *
 * <h2>Versions of OkHttp</h2>
 *
 * 4.9 to 5.5. From 5.4 on all that is said here holds for any client. Before 5.4:
 *
 * <ul>
 *   <li>Build the client with {@code retryOnConnectionFailure(false)}. Otherwise OkHttp itself sends a request again, POST
 *       and PATCH as well, when a kept-alive connection breaks, and no interceptor can keep it from that. An interceptor
 *       that meets a client which has it on logs one warning. GET is not harmed by it.
 *   <li>OkHttp follows redirects below the interceptor, and takes the {@code Host} field that names the service along, to
 *       foreign hosts too. Where services redirect to foreign hosts, use {@code passHostHeader: false} or switch
 *       {@code followRedirects} off. A redirect to an absolute URL with a logical host is not understood.
 *   <li>Certificates are checked for the server's own name, and cookies are kept by the server's own host.
 * </ul>
 *
 * <h2>What stays logical</h2>
 *
 * On OkHttp 5.4 and newer only the address is pinned: URL, {@code Host}, SNI, certificate check, cookies, cache key and
 * {@code response.request()} are those of the logical name. A server of another scheme than the URL's, or with a base
 * path, is reached by a rewritten URL of the same logical host, and {@code response.request()} is the logical one again.
 * Where a service has {@code passHostHeader: false}, host, SNI and certificate check are the server's own. So they are
 * where a proxy of the client leads to the server, since the proxy must know whereto; the proxy selector is asked about
 * the server's own URL.
 *
 * <p>Before 5.4, which cannot pin, the URL is rewritten to the server's, {@code Host} is the logical one, and
 * {@code response.request()} is restored.
 *
 * <h2>Tries</h2>
 *
 * The rules are those of {@link io.fairlead.retry.Attempts}. OkHttp's own silent resend is switched off for balanced
 * calls (before 5.4 only the client can do so, see above), with one exception: a GET that met a kept-alive connection
 * which the server had closed goes to the same server again, on a new connection, since OkHttp looks before it writes for
 * every method but GET. The client's {@code callTimeout} spans all tries, and a call that is cancelled while it waits for
 * its next try ends at once. Bodies that can be sent once are sent once.
 *
 * <p>The {@code perTryTimeout} and what is left of the {@code timeout} of a service's {@code retry} are kept as limits of
 * connecting, of each wait until the server takes something of the request, and of each wait for the head of its answer, so
 * each of these may take as long. A pause in the answer's body may last as long as the client's {@code readTimeout} says;
 * before 5.4 no longer than a try, but in event streams. Who wants the whole call limited to the moment sets
 * {@code callTimeout}.
 *
 * <p>Where a server answers 503 with {@code Retry-After: 0}, OkHttp sends the request once more by itself, which no client
 * can switch off. From 5.4 on a POST or PATCH is not: its answer is passed on, of whose body OkHttp leaves nothing.
 *
 * <h2>Hedging</h2>
 *
 * On OkHttp 5.4 and newer, where a service has {@code hedge}, the call is carried by copies of it ({@code Call.clone}),
 * each on a thread of its own: one at first, another when that one is slow. The first answer is the call's; the others are
 * cancelled. Interceptors before this one, and the event listener, see each copy as a call of its own beside the one that
 * they know; so let this interceptor be the first where they count or sign. Cancelling the call cancels its copies. A call
 * with a body or an {@code Upgrade} is never copied.
 *
 * <h2>Time limits</h2>
 *
 * For connecting, the stricter of the client's {@code connectTimeout} and the service's {@code dialTimeout} (5 s unless
 * it says otherwise) holds; 0 is no limit, on either side. For the head of the answer the client's {@code readTimeout}
 * holds, and beside it, where it is stricter, a {@code responseHeaderTimeout} of the service other than the default of 30
 * s. The default, whether written or not, does not shorten a longer one of the client. Before 5.4 OkHttp's read timeout
 * cannot be changed once the head is there, so such a limit also bounds each pause in the body; event streams have none.
 * {@code idleConnTimeout} has no effect here: how long connections are kept is the client's {@code ConnectionPool}'s
 * affair.
 *
 * <h2>What counts</h2>
 *
 * A request is in flight until its answer's body is read to the end, closed or failed, or the call is cancelled; that of
 * a web socket until it has been closed, before OkHttp 5.4 until the handshake is answered. An answer from the client's cache counts for no server. A cancelled call
 * teaches nothing; a {@code callTimeout} that ran out is a time limit that ran out on the server that had the request.
 *
 * <h2>Redirects</h2>
 *
 * On OkHttp 5.4 and newer a redirect to a service's name is balanced again, and one to any other host is followed as
 * without the interceptor. Interceptors after this one see each of them as a call of {@code proceed} of its own. Where a
 * redirect leads on to another server of the same host, they and the event listener see it under port 65535, without which
 * OkHttp would stay on the connection that it has, and it passes by the client's cache; the application does not see it.
 *
 * <h2>Mirrors</h2>
 *
 * Copies for the mirrors of a {@code mirroring} service are sent when the request has its answer or has failed, by a
 * client of the interceptor's own ({@link #mirroringBy}) and on threads of its own: 32 at a time for one service, 64 in
 * all. A body is copied where it can be written again, so none that is one-shot or duplex; nor are cancelled calls and
 * web sockets. What later interceptors and a cookie jar add is not in a copy.
 *
 * <p>Which server has a call is told by {@link EndpointTag}. The threads of copies end when the load balancers are closed.
 *
 * <p>Only {@link IOException} is thrown on behalf of the load balancer: {@link NoServerException} where no server can be
 * used. Where none could be connected to, it is that of the last server, whose message names it and the service, with those
 * before as suppressed ones.
 *
 * <p>Safe for use from any thread and for several clients.
 */
public final class LoadBalancingInterceptor implements Interceptor {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancingInterceptor.class);

    private final LoadBalancers balancers;
    private final Carrier.Factory carriers;
    private final Racing racing;
    private final MirrorCaller mirrors;

    private LoadBalancingInterceptor(
            LoadBalancers balancers, Carrier.Factory carriers, Racing racing, MirrorCaller mirrors) {
        this.balancers = balancers;
        this.carriers = carriers;
        this.racing = racing;
        this.mirrors = mirrors;
    }

    /**
     * An interceptor over these load balancers. It does not close them.
     *
     * @param balancers the services by name
     */
    public static LoadBalancingInterceptor of(LoadBalancers balancers) {
        Carrier.Factory carriers = Carrier.factory(balancers);
        LoadBalancingInterceptor made =
                new LoadBalancingInterceptor(balancers, carriers, new Racing(), new MirrorCaller(carriers, null));
        balancers.onClose(made.racing::close);
        balancers.onClose(made.mirrors::close);
        balancers.tellWithoutEffect(
                "under OkHttp",
                "HTTP/2 without TLS is spoken only by a client whose protocols are H2_PRIOR_KNOWLEDGE alone",
                log::warn);
        return made;
    }

    /**
     * The same interceptor, which sends copies for mirrors by the settings of this client: TLS, proxy, DNS, time limits.
     * Its interceptors, cookies, cache, dispatcher and connections are not used.
     *
     * @param client for example the one that the interceptor is for, as it was before the interceptor was added
     */
    public LoadBalancingInterceptor mirroringBy(OkHttpClient client) {
        MirrorCaller caller = new MirrorCaller(carriers, client);
        balancers.onClose(caller::close);
        return new LoadBalancingInterceptor(balancers, carriers, racing, caller);
    }

    /**
     * Keeps one connection ready to each server of the services whose {@code readyConnections} ask for it, in the pool of
     * this client, until the load balancers are closed. A connection is found by calls that name no port in their URL.
     *
     * @param client the client that this interceptor was added to
     * @return this
     */
    public LoadBalancingInterceptor keepReady(OkHttpClient client) {
        ReadyCaller.start(balancers, carriers, client);
        return this;
    }

    /**
     * Sends the call on its way.
     *
     * @throws NoServerException no server of the service can be used
     * @throws IOException the call failed, and no try is left
     */
    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        LoadBalancer balancer = balancers.get(request.url().host());
        if (balancer == null) {
            return chain.proceed(request);
        }
        if (chain.connection() != null) {
            throw new IOException("LoadBalancingInterceptor was added by addNetworkInterceptor, where it is too late to"
                    + " choose a server: use addInterceptor");
        }
        try (Carrier carrier = carriers.create(chain)) {
            if (carrier == null) {
                return chain.proceed(request);
            }
            Copy copy = carrier.carried();
            return copy != null && copy.begin()
                    ? copy.send(carrier, request)
                    : new BalancedCall(balancers, carrier, racing, mirrors).run(balancer, request);
        }
    }
}
