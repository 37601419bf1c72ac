package io.fairlead.gateway;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancerBuilder;
import io.fairlead.LoadBalancers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Three servers of different speed on ports of their own, in this JVM. */
final class Demo {
    private static final int[] DELAYS_MILLIS = {1, 20, 80};

    private final Server server;
    private final List<ServerConnector> backends = new ArrayList<>();

    private Demo() {
        QueuedThreadPool threads = new QueuedThreadPool(16, 2);
        threads.setName("demo");
        server = new Server(threads);
    }

    static Demo start() throws Exception {
        Demo demo = new Demo();
        demo.server.setHandler(demo.new Backend());
        for (int i = 0; i < DELAYS_MILLIS.length; i++) {
            ServerConnector backend = Connectors.http1(demo.server, "127.0.0.1", 0);
            demo.backends.add(backend);
        }
        demo.server.start();
        return demo;
    }

    /** The three as one service. */
    LoadBalancers balancers() {
        LoadBalancerBuilder service = LoadBalancer.builder("demo");
        backends.forEach(backend -> service.endpoint("http://" + Connectors.authority(backend)));
        return LoadBalancers.of(service.build());
    }

    /** What is there to see, in one line. */
    String greeting() {
        StringBuilder line = new StringBuilder("demo, as no --config is given:");
        for (int i = 0; i < backends.size(); i++) {
            line.append(i == 0 ? " " : ", ")
                    .append(name(i))
                    .append(" on ")
                    .append(backends.get(i).getLocalPort());
        }
        return line.toString();
    }

    void stop() {
        LifeCycle.stop(server);
    }

    private static String name(int i) {
        return "backend-" + (i + 1) + " (" + DELAYS_MILLIS[i] + " ms)";
    }

    private final class Backend extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            int i = backends.indexOf(request.getConnectionMetaData().getConnector());
            String answer = name(i) + ": " + request.getMethod() + " "
                    + request.getHttpURI().getPathQuery() + "\n";
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
            request.getComponents()
                    .getScheduler()
                    .schedule(
                            () -> response.write(true, StandardCharsets.UTF_8.encode(answer), callback),
                            DELAYS_MILLIS[i],
                            TimeUnit.MILLISECONDS);
            return true;
        }
    }
}
