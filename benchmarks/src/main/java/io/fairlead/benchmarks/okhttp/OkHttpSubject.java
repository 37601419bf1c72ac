package io.fairlead.benchmarks.okhttp;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.LoadBalancers;
import io.fairlead.okhttp.LoadBalancingInterceptor;
import java.io.IOException;
import java.util.List;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp, by itself or with an interceptor that balances. */
final class OkHttpSubject implements Client {
    private final OkHttpClient client;
    private final Request[] requests;
    private final Runnable end;
    private int next;

    OkHttpSubject(OkHttpClient client, List<String> urls, Runnable end) {
        this.client = client;
        this.end = end;
        requests = urls.stream()
                .map(url -> new Request.Builder().url(url + "/items/7").build())
                .toArray(Request[]::new);
    }

    /** Without an interceptor; the servers are called in turn. */
    static Client plain(List<String> urls) {
        return new OkHttpSubject(new OkHttpClient(), urls, () -> {});
    }

    /** With ours. */
    static Client ours(List<String> urls) {
        LoadBalancerBuilder orders = LoadBalancer.builder("orders");
        urls.forEach(orders::endpoint);
        LoadBalancers balancers = LoadBalancers.of(orders.build());
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(LoadBalancingInterceptor.of(balancers))
                .build();
        return new OkHttpSubject(client, List.of("http://orders"), balancers::close);
    }

    @Override
    public int call() throws IOException {
        Request request = requests[next];
        next = next + 1 == requests.length ? 0 : next + 1;
        try (Response response = client.newCall(request).execute()) {
            return response.body().bytes().length;
        }
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
        end.run();
    }
}
