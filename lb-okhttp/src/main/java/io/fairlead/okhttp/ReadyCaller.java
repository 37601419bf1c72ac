package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.Pick;
import io.fairlead.ReadyConnections;
import io.fairlead.ServiceSettings;
import io.fairlead.observe.EndpointSnapshot;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.CookieJar;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to each server of the services that want it: those that have had no request since the last look
 * are sent one, by a client that shares the connections, the threads and the TLS of the application's.
 */
final class ReadyCaller {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancingInterceptor.class);

    /** How often it is looked whether a service wants it now. */
    private static final long LOOK_MILLIS = 1000;

    private final LoadBalancers balancers;
    private final Carrier.Factory carriers;
    private final OkHttpClient client;
    private final ScheduledThreadPoolExecutor thread;

    // Of the thread alone.
    private Map<String, Looked> looked = new HashMap<>();

    private ReadyCaller(LoadBalancers balancers, Carrier.Factory carriers, OkHttpClient application) {
        this.balancers = balancers;
        this.carriers = carriers;
        OkHttpClient.Builder builder = application.newBuilder();
        builder.interceptors().clear();
        builder.networkInterceptors().clear();
        client = builder.addInterceptor(this::carry)
                .cookieJar(CookieJar.NO_COOKIES)
                .cache(null)
                .authenticator(Authenticator.NONE)
                .eventListenerFactory(call -> EventListener.NONE)
                .followRedirects(false)
                .build();
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "fairlead-ready");
            made.setDaemon(true);
            return made;
        });
    }

    /** Begins at once, and ends with the load balancers. */
    static void start(LoadBalancers balancers, Carrier.Factory carriers, OkHttpClient application) {
        ReadyCaller caller = new ReadyCaller(balancers, carriers, application);
        caller.thread.execute(caller::look);
        balancers.onClose(caller.thread::shutdownNow);
    }

    private void look() {
        long next = LOOK_MILLIS;
        try {
            Map<String, Looked> seen = new HashMap<>();
            long[] soonest = {LOOK_MILLIS};
            for (LoadBalancer balancer : balancers.all()) {
                balancer.forEachServer((server, settings) -> {
                    ReadyConnections ready = settings.readyConnections();
                    if (ready != null) {
                        lookAt(balancer.name(), server, settings, ready, seen);
                        soonest[0] = Math.min(soonest[0], ready.interval().toMillis());
                    }
                });
            }
            looked = seen;
            next = soonest[0];
        } catch (RuntimeException e) {
            log.debug("connections could not be kept ready", e);
        }
        if (!thread.isShutdown()) {
            ScheduledFuture<?> unused = thread.schedule(this::look, next, TimeUnit.MILLISECONDS);
        }
    }

    private void lookAt(
            String service,
            EndpointSnapshot server,
            ServiceSettings settings,
            ReadyConnections ready,
            Map<String, Looked> seen) {
        String key = service + ' ' + server.endpoint().uri();
        Looked before = looked.get(key);
        long now = System.nanoTime();
        boolean busy = before != null && before.picks != server.picks();
        boolean due =
                before == null || now - before.nanos >= ready.interval().toNanos() - TimeUnit.MILLISECONDS.toNanos(1);
        if (busy || due) {
            seen.put(key, new Looked(server.picks(), now));
        } else {
            seen.put(key, before);
        }
        if (due && !busy && server.up()) {
            call(service, server.endpoint(), settings, ready);
        }
    }

    private void call(String service, Endpoint endpoint, ServiceSettings settings, ReadyConnections ready) {
        HttpUrl url = HttpUrl.parse(endpoint.scheme() + "://" + service + ready.path());
        if (url == null) {
            // A name that no call can have as its host either.
            return;
        }
        Request request = new Request.Builder()
                .url(url)
                .head()
                .tag(Pick.class, new ReadyPick(service, endpoint, settings))
                .build();
        client.newCall(request).enqueue(new Callback() {
            @Override
            public void onResponse(Call call, Response response) {
                response.close();
            }

            @Override
            public void onFailure(Call call, IOException e) {
                // Whether the server works is for checks and requests to find out.
                log.debug("no connection to {} of '{}' is ready", endpoint, service, e);
            }
        });
    }

    private Response carry(Interceptor.Chain chain) throws IOException {
        Request request = chain.request();
        Pick pick = request.tag(Pick.class);
        if (pick == null) {
            throw new IOException("the request has lost its server");
        }
        try (Carrier carrier = carriers.create(chain)) {
            if (carrier == null) {
                throw new IOException("the request is being sent already");
            }
            return carrier.send(request, pick, Long.MAX_VALUE);
        }
    }

    /** What was seen of a server, and when it had its last request at the earliest. */
    private static final class Looked {
        final long picks;
        final long nanos;

        Looked(long picks, long nanos) {
            this.picks = picks;
            this.nanos = nanos;
        }
    }
}
