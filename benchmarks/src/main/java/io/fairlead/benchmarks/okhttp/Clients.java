package io.fairlead.benchmarks.okhttp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Everything that is measured, by the name that the table shows. */
final class Clients {
    static final String PLAIN = "OkHttp, the server chosen by the caller";
    static final String OURS = "OkHttp with the interceptor";

    /** The name of the yardstick, ours, then the peers; what makes each of the URLs of servers. */
    static final Map<String, Function<List<String>, Client>> BY_NAME = byName();

    private Clients() {}

    private static Map<String, Function<List<String>, Client>> byName() {
        Map<String, Function<List<String>, Client>> clients = new LinkedHashMap<>();
        clients.put(PLAIN, OkHttpSubject::plain);
        clients.put(OURS, OkHttpSubject::ours);
        clients.put("OkHttp with Spring Cloud Square's interceptor", SpringCloudSquare::create);
        clients.put("Vert.x HttpClient with its load balancer", VertxSubject::new);
        clients.put("Palantir Dialogue", DialogueSubject::new);
        return clients;
    }
}
