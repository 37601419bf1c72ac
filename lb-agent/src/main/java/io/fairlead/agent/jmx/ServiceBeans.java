package io.fairlead.agent.jmx;

import io.fairlead.agent.Log;
import io.fairlead.agent.Services;
import io.fairlead.observe.ServiceSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The services that are registered in one MBean server. Loaded when there is one, not before.
 *
 * <p>Safe for use from any thread.
 */
final class ServiceBeans {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");

    private final MBeanServer server;
    private final Map<ObjectName, ServiceBean> registered = new LinkedHashMap<>();

    ServiceBeans(MBeanServer server) {
        this.server = server;
    }

    /** Where the JVM's own beans are registered by now; null: nobody has asked for a server. */
    static @Nullable MBeanServer existing() throws JMException {
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            if (server.isRegistered(new ObjectName("java.lang:type=Runtime"))) {
                return server;
            }
        }
        return null;
    }

    boolean isIn(Object other) {
        return server == other;
    }

    /** Makes what is registered what there is. */
    synchronized void update(Services plain, Services secure) {
        Map<ObjectName, ServiceBean> wanted = new LinkedHashMap<>();
        try {
            for (ServiceSnapshot service : plain.snapshots()) {
                ServiceSnapshot other = secure.snapshot(service.name());
                boolean isSecure = other != null && !other.endpoints().isEmpty();
                if (!isSecure || !service.endpoints().isEmpty()) {
                    add(wanted, plain, service);
                }
                if (other != null && isSecure) {
                    add(wanted, secure, other);
                }
            }
            List<ObjectName> gone = new ArrayList<>(registered.keySet());
            gone.removeAll(wanted.keySet());
            for (ObjectName name : gone) {
                registered.remove(name);
                if (server.isRegistered(name)) {
                    server.unregisterMBean(name);
                }
            }
            wanted.keySet().removeAll(registered.keySet());
            for (Map.Entry<ObjectName, ServiceBean> each : wanted.entrySet()) {
                server.registerMBean(each.getValue(), each.getKey());
                registered.put(each.getKey(), each.getValue());
            }
        } catch (JMException | RuntimeException e) {
            Log.once("the services are not all shown by JMX: " + e);
        }
    }

    private static void add(Map<ObjectName, ServiceBean> to, Services services, ServiceSnapshot service)
            throws JMException {
        String name = PLAIN.matcher(service.name()).matches() ? service.name() : ObjectName.quote(service.name());
        to.put(
                new ObjectName("io.fairlead:type=Service,scheme=" + services.scheme() + ",name=" + name),
                new ServiceBean(services, service));
    }
}
