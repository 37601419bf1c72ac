package io.fairlead.okhttp;

import io.fairlead.MirrorCopy;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import java.io.IOException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.CookieJar;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends copies for mirrors by a client of its own: its threads, connections and cookies are not those of the client whose
 * calls are copied, so that a mirror that hangs takes nothing away from them. The client is made with the first copy.
 *
 * <p>Safe for use from any thread.
 */
final class MirrorCaller {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancingInterceptor.class);

    private static final int MAX_CALLS = 64;
    /** One service whose mirror hangs leaves room for the others. */
    private static final int MAX_CALLS_PER_SERVICE = 32;

    private static final int MAX_IDLE_CONNECTIONS = 5;
    private static final int IDLE_SECONDS = 30;
    private static final int DRAIN_BYTES = 8192;

    private final Carrier.Factory carriers;
    private final @Nullable OkHttpClient settings;

    // Guarded by this.
    private @Nullable OkHttpClient client;
    private boolean closed;

    /**
     * Makes no client yet.
     *
     * @param settings the client whose TLS, proxy, DNS and the like are used; null: the defaults
     */
    MirrorCaller(Carrier.Factory carriers, @Nullable OkHttpClient settings) {
        this.carriers = carriers;
        this.settings = settings;
    }

    /** Sends a copy, or drops it. Never throws. */
    void send(MirrorCopy copy, Request request, @Nullable RequestBody body) {
        Pick pick = null;
        try {
            pick = copy.pick(new OkHttpFacts(request));
            if (pick == null) {
                return;
            }
            Call call = client().newCall(request.newBuilder()
                    .method(request.method(), body)
                    .tag(Pick.class, pick)
                    .build());
            call.timeout().timeout(copy.timeout().toMillis(), TimeUnit.MILLISECONDS);
            call.enqueue(new ThrowingAway(pick));
        } catch (RuntimeException e) {
            log.debug("a copy for the mirror '{}' could not be sent", copy.mirror(), e);
            if (pick != null) {
                pick.cancel();
            }
        }
    }

    private synchronized OkHttpClient client() {
        OkHttpClient made = client;
        if (made == null) {
            OkHttpClient.Builder builder = settings == null ? new OkHttpClient.Builder() : settings.newBuilder();
            builder.interceptors().clear();
            builder.networkInterceptors().clear();
            made = builder.addInterceptor(this::carry)
                    .dispatcher(dispatcher())
                    .connectionPool(new ConnectionPool(MAX_IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS))
                    .cookieJar(CookieJar.NO_COOKIES)
                    .cache(null)
                    .authenticator(Authenticator.NONE)
                    .eventListenerFactory(call -> EventListener.NONE)
                    .followRedirects(false)
                    .followSslRedirects(false)
                    .retryOnConnectionFailure(false)
                    .build();
            client = made;
            if (closed) {
                end(made);
            }
        }
        return made;
    }

    /** Ends the threads and connections; copies that are due from now on are dropped. */
    void close() {
        OkHttpClient made;
        synchronized (this) {
            closed = true;
            made = client;
        }
        if (made != null) {
            end(made);
        }
    }

    private static void end(OkHttpClient made) {
        made.dispatcher().executorService().shutdown();
        made.connectionPool().evictAll();
    }

    private static Dispatcher dispatcher() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(0, MAX_CALLS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "fairlead-mirror");
                    thread.setDaemon(true);
                    return thread;
                });
        Dispatcher dispatcher = new Dispatcher(threads);
        dispatcher.setMaxRequests(MAX_CALLS);
        dispatcher.setMaxRequestsPerHost(MAX_CALLS_PER_SERVICE);
        return dispatcher;
    }

    private Response carry(Interceptor.Chain chain) throws IOException {
        Request request = chain.request();
        Pick pick = request.tag(Pick.class);
        if (pick == null) {
            throw new IOException("a copy has lost its server");
        }
        try (Carrier carrier = carriers.create(chain)) {
            if (carrier == null) {
                throw new IOException("a copy is being sent already");
            }
            try {
                return carrier.send(request, pick, Long.MAX_VALUE);
            } catch (IOException e) {
                Cancellation cancellation = carrier.cancellation();
                pick.done(cancellation.happened() ? cancellation.outcome() : carrier.outcome(e));
                throw e;
            }
        }
    }

    /** Reads an answer to its end, so that its connection can be used again. */
    private static final class ThrowingAway implements Callback {
        private final Pick pick;

        ThrowingAway(Pick pick) {
            this.pick = pick;
        }

        @Override
        public void onResponse(Call call, Response response) {
            pick.responded(response.code());
            try (Response answer = response) {
                BufferedSource source = answer.body().source();
                Buffer read = new Buffer();
                while (source.read(read, DRAIN_BYTES) != -1) {
                    read.clear();
                }
                pick.done(Outcome.status(answer.code()));
            } catch (IOException e) {
                // Cancelled by its time limit, and by nothing else.
                pick.done(call.isCanceled() ? Outcome.timedOut(e) : Failures.whileReading(e));
            } catch (RuntimeException e) {
                pick.cancel();
                throw e;
            }
        }

        @Override
        public void onFailure(Call call, IOException e) {
            // What it says of the server has been told; this is for a call that never came so far.
            pick.cancel();
        }
    }
}
