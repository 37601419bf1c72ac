package io.fairlead.agent.jmx;

import io.fairlead.agent.Services;
import io.fairlead.observe.ServiceSnapshot;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One service, looked up by its name whenever it is asked, since a new content of the file may replace it. */
final class ServiceBean implements ServiceMXBean {
    private final Services services;
    private final String name;

    /** What it was when it was last there: it may leave between being found and being asked. */
    private volatile ServiceSnapshot last;

    ServiceBean(Services services, ServiceSnapshot first) {
        this.services = services;
        name = first.name();
        last = first;
    }

    private ServiceSnapshot now() {
        @Nullable ServiceSnapshot current = services.snapshot(name);
        if (current != null) {
            last = current;
        }
        return last;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getScheme() {
        return services.scheme();
    }

    @Override
    public String getStrategy() {
        return now().strategy();
    }

    @Override
    public boolean isUp() {
        return now().up();
    }

    @Override
    public int getInFlight() {
        return now().inFlight();
    }

    @Override
    public int getWaiting() {
        return now().waiting();
    }

    @Override
    public long getPicks() {
        return now().picks();
    }

    @Override
    public long getFailures() {
        return now().failures();
    }

    @Override
    public List<ServerState> getServers() {
        return now().endpoints().stream().map(ServerState::new).collect(Collectors.toList());
    }
}
