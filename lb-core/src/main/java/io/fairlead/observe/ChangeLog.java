package io.fairlead.observe;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each change of state once: what takes servers away as a warning, what brings them back as information. */
final class ChangeLog {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancer.class);

    private ChangeLog() {}

    static void write(StateChange change) {
        Endpoint endpoint = change.endpoint();
        String what = words(change.kind()) + (change.reason() == null ? "" : ": " + change.reason());
        if (endpoint == null) {
            if (change.kind() == StateChange.Kind.SERVICE_DOWN) {
                log.warn("service '{}' {}", change.service(), what);
            } else {
                log.info("service '{}' {}", change.service(), what);
            }
            return;
        }
        switch (change.kind()) {
            case ENDPOINT_DOWN:
            case ENDPOINT_EJECTED:
            case BREAKER_OPEN:
                log.warn("service '{}': server {} {}", change.service(), endpoint.id(), what);
                break;
            default:
                log.info("service '{}': server {} {}", change.service(), endpoint.id(), what);
                break;
        }
    }

    private static String words(StateChange.Kind kind) {
        switch (kind) {
            case SERVICE_UP:
                return "is up";
            case SERVICE_DOWN:
                return "is down: no server can be used";
            case ENDPOINT_UP:
                return "passed its health check and is up";
            case ENDPOINT_DOWN:
                return "failed its health check and is down";
            case ENDPOINT_EJECTED:
                return "is ejected";
            case ENDPOINT_RETURNED:
                return "is no longer ejected";
            case ENDPOINT_FENCED:
                return "is fenced";
            case ENDPOINT_UNFENCED:
                return "is no longer fenced";
            case BREAKER_OPEN:
                return "gets no requests: its circuit breaker is open";
            case BREAKER_HALF_OPEN:
                return "is probed: its circuit breaker is half open";
            case BREAKER_CLOSED:
                return "gets requests again: its circuit breaker is closed";
        }
        throw new AssertionError(kind);
    }
}
