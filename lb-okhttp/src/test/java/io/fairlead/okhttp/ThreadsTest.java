package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.LoadBalancers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Whose the threads are. */
@Isolated("looks at all threads")
class ThreadsTest {
    @TempDir
    Path directory;

    @Test
    void allThreadsEndWithTheLoadBalancers() throws IOException {
        Backend a = Backend.named("a");
        Backend b = Backend.named("b");
        String yaml =
                "http:\n  services:\n    orders: {mirroring: {service: main, mirrors: [{name: spare, percent: 100}]}}\n"
                        + "    main:\n      loadBalancer:\n        servers: [{url: \"" + a.url() + "\"}]\n"
                        + "        healthCheck: {path: /health, interval: 1s}\n        hedge: {minDelay: 1ms}\n"
                        + "        readyConnections: {interval: 50ms}\n"
                        + "    spare: {loadBalancer: {servers: [{url: \"" + b.url() + "\"}]}}\n";
        Path file = Files.write(directory.resolve("lb.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
        List<Thread> before = threads();
        OkHttpClient client;
        try (LoadBalancers balancers = LoadBalancers.load(file)) {
            LoadBalancingInterceptor interceptor = LoadBalancingInterceptor.of(balancers);
            client = new OkHttpClient.Builder().addInterceptor(interceptor).build();
            interceptor.keepReady(client);
            for (int i = 0; i < 30; i++) {
                client.newCall(new Request.Builder().url("http://orders/").build())
                        .execute()
                        .close();
            }
            await().until(() -> !b.requests.isEmpty());
            List<Thread> ours = threads();
            ours.removeAll(before);
            assertThat(ours).extracting(Thread::getName).anyMatch(name -> name.startsWith("fairlead"));
            assertThat(ours)
                    .filteredOn(thread -> thread.getName().startsWith("fairlead"))
                    .allMatch(Thread::isDaemon);
        }
        await().untilAsserted(() -> {
            List<Thread> left = threads();
            left.removeAll(before);
            assertThat(left).extracting(Thread::getName).noneMatch(name -> name.startsWith("fairlead"));
        });
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
        a.close();
        b.close();
    }

    private static List<Thread> threads() {
        return new ArrayList<>(Thread.getAllStackTraces().keySet());
    }
}
