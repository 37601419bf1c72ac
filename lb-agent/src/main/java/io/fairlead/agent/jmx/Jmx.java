package io.fairlead.agent.jmx;

import io.fairlead.agent.Log;
import io.fairlead.agent.Privileged;
import io.fairlead.agent.Services;
import io.fairlead.agent.bootstrap.Crossing;
import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.weave.Target;
import java.util.Collections;
import java.util.Map;
import javax.management.MBeanServer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the JVM's MBean server to be asked for, and shows the services there. It does not ask for it itself: that
 * would choose the server's implementation, and with it the application's logging, before the application has.
 *
 * <p>Safe for use from any thread.
 */
public final class Jmx {
    /** The class that has the server. */
    public static final String FACTORY = "java.lang.management.ManagementFactory";

    private static final String SERVERS = "javax.management.MBeanServerFactory";

    private final Services plain;
    private final Services secure;
    private volatile @Nullable ServiceBeans beans;

    /** Waits for calls over http and https. */
    public Jmx(Services plain, Services secure) {
        this.plain = plain;
        this.secure = secure;
        plain.onChange(this::update);
        secure.onChange(this::update);
    }

    /** The class to weave into. */
    public static Target target() {
        return Target.of(FACTORY).around("getPlatformMBeanServer", "server", "()Ljavax/management/MBeanServer;");
    }

    /** What is done there. */
    public Map<String, Hook> hooks() {
        return Collections.singletonMap("server", new Hook() {
            @Override
            public @Nullable Crossing enter(@Nullable Object self, @Nullable Object[] arguments) {
                return new Asked();
            }
        });
    }

    /**
     * Looks for a server that was asked for before there was a hook, where the agent comes into a JVM that runs.
     *
     * @param loaded the classes of the JVM
     */
    public void lookAmong(Class<?>[] loaded) {
        for (Class<?> type : loaded) {
            if (type.getName().equals(SERVERS)) {
                Existing.show(this);
                return;
            }
        }
    }

    private void update() {
        ServiceBeans known = beans;
        if (known != null) {
            known.update(plain, secure);
        }
    }

    private synchronized void show(Object server) {
        ServiceBeans known = beans;
        if (known == null || !known.isIn(server)) {
            ServiceBeans made = new ServiceBeans((MBeanServer) server);
            // Before it is filled, so that no change of the file is missed.
            beans = made;
            made.update(plain, secure);
        }
    }

    /** Somebody asks for the server. */
    private final class Asked extends Crossing {
        @Override
        public void exit(@Nullable Object[] arguments) throws Exception {
            Object server = returned;
            ServiceBeans known = beans;
            if (server != null && (known == null || !known.isIn(server))) {
                Privileged.call(() -> {
                    show(server);
                    return server;
                });
            }
        }
    }

    /** Apart, so that it is loaded where JMX has been. */
    private static final class Existing {
        static void show(Jmx jmx) {
            try {
                MBeanServer server = ServiceBeans.existing();
                if (server != null) {
                    jmx.show(server);
                }
            } catch (javax.management.JMException | RuntimeException e) {
                Log.once("the services are not shown by JMX: " + e);
            }
        }
    }
}
