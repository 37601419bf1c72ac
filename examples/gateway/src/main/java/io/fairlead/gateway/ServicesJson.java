package io.fairlead.gateway;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.observe.EndpointSnapshot;
import io.fairlead.observe.ServiceSnapshot;
import java.util.Locale;

/** The state of every service as JSON. */
final class ServicesJson {
    private ServicesJson() {}

    static Json of(LoadBalancers balancers) {
        Json json = new Json().object().name("services").array();
        for (LoadBalancer balancer : balancers.all()) {
            service(json, balancer.snapshot());
        }
        return json.endArray().endObject();
    }

    private static void service(Json json, ServiceSnapshot service) {
        json.object().name("name").value(service.name());
        json.name("strategy").value(service.strategy());
        json.name("up").value(service.up());
        json.name("servers").array();
        service.endpoints().forEach(server -> server(json, server));
        json.endArray().endObject();
    }

    private static void server(Json json, EndpointSnapshot server) {
        json.object().name("id").value(server.id());
        json.name("url").value(server.endpoint().uri().toString());
        json.name("weight").value(server.endpoint().weight());
        json.name("zone").value(server.endpoint().zone());
        json.name("up").value(server.up());
        json.name("fenced").value(server.fenced());
        json.name("backup").value(server.endpoint().backup());
        json.name("ejected").value(server.ejected());
        json.name("inFlight").value(server.inFlight());
        json.name("picks").value(server.picks());
        json.name("failures").value(server.failures());
        json.name("consecutiveFailures").value(server.consecutiveFailures());
        json.name("effectiveWeight").value(server.effectiveWeight());
        json.name("latencyMillis").value(Math.round(server.latency().toNanos() / 1e3) / 1e3);
        json.name("stateSeconds").value(server.stateAge().toSeconds());
        json.name("ejectedSeconds").value(server.ejectedFor().toSeconds());
        json.name("backoffSeconds").value(server.backoff().toSeconds());
        json.name("check").value(server.check().name().toLowerCase(Locale.ROOT));
        json.name("checkError").value(server.checkError());
        json.name("lastError").value(server.lastError());
        json.endObject();
    }
}
