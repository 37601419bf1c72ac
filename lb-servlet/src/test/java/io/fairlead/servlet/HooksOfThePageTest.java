package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.servlet.containers.Container;
import io.fairlead.servlet.middleware.OwnAnswer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The code that docs/middlewares.md shows does what it says there. */
final class HooksOfThePageTest extends ContainerTest {
    private static ProxyFilter filter(LoadBalancers balancers, CountDownLatch ended) {
        return new ProxyFilter(balancers)
                // Change the request before it is sent.
                .use(request -> {
                    request.setField("X-Tenant", request.facts().host());
                    request.removeField("X-Debug");
                })
                // Change the answer's head.
                .use(request -> request.onAnswer(head -> {
                    head.removeField("X-Powered-By");
                    head.setField("X-Served-By", "fairlead");
                }))
                // Change its body as it passes, unpacked where it is gzip.
                .use(request -> request.onAnswer(head -> {
                    String type = head.field("Content-Type");
                    if (type != null && type.startsWith("text/plain")) {
                        head.transformDecodedBody((bytes, last, out) -> {
                            out.accept(bytes);
                            if (last) {
                                out.accept(ByteBuffer.wrap(
                                        "-- \nsent through fairlead\n".getBytes(StandardCharsets.UTF_8)));
                            }
                        });
                    }
                }))
                // Put an answer of your own in the place of the proxy's failures.
                .use(request -> request.onAnswer(head -> {
                    if (head.isOwn() && head.status() >= 502) {
                        head.replace(
                                OwnAnswer.of(503, "We will be back in a minute").withField("Retry-After", "60"));
                    }
                }))
                // Learn of the end, once, however it came.
                .use(request -> request.onEnd(ended::countDown));
    }

    @Test
    void theHooksOfThePageDoWhatItSays() throws Exception {
        RawBackend backend = backend(answer(200, "hello\n", "Content-Type: text/plain", "X-Powered-By: luck"));
        CountDownLatch ended = new CountDownLatch(2);
        LoadBalancers balancers = closing(LoadBalancers.of(
                LoadBalancer.builder("orders").endpoint(backend.url()).build()));
        Container container = Container.start(filter(balancers, ended), Map.of(), "");
        closing(container::stop);

        RawMessage answer = closing(new RawClient(container.port())).get("/", "X-Debug: 1");
        balancers.get("orders").fence(backend.url().substring("http://".length()));
        RawMessage failure = closing(new RawClient(container.port())).get("/");

        assertThat(backend.request().value("X-Tenant")).isEqualTo("shop.example");
        assertThat(answer.body()).isEqualTo("hello\n-- \nsent through fairlead\n");
        assertThat(answer.value("X-Powered-By")).isNull();
        assertThat(answer.value("X-Served-By")).isEqualTo("fairlead");
        assertThat(failure.status()).isEqualTo(503);
        assertThat(failure.value("Retry-After")).isEqualTo("60");
        assertThat(failure.body()).contains("back in a minute");
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
