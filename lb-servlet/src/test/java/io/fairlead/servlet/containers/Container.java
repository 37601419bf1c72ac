package io.fairlead.servlet.containers;

import jakarta.servlet.Filter;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;

/**
 * A servlet container on a free port of 127.0.0.1, with one filter before everything and, behind it, a servlet that
 * answers {@code application}. Which container it is says the system property {@code fairlead.test.container}.
 */
public interface Container {
    /** What the servlet behind the filter answers. */
    String APPLICATION = "application";

    /** An init parameter that is for the container: after so many milliseconds a client is too slow. */
    String IDLE_MILLIS = "containerIdleMillis";

    /** An init parameter that is for the container: {@code true} has it run on virtual threads, which Java 21 has. */
    String VIRTUAL_THREADS = "containerVirtualThreads";

    /** An init parameter that is for the container: {@code true} has it keep account of its buffers, where it has any. */
    String TRACKS_BUFFERS = "containerTracksBuffers";

    int port();

    /** Where buffers were taken that have not been given back, of a container that keeps account. */
    default List<String> lostBuffers() {
        return List.of();
    }

    void stop() throws Exception;

    /** The time after which a client is too slow. */
    static int idleMillis(Map<String, String> initParameters) {
        return Integer.parseInt(initParameters.getOrDefault(IDLE_MILLIS, "30000"));
    }

    static boolean isVirtual(Map<String, String> initParameters) {
        return Boolean.parseBoolean(initParameters.get(VIRTUAL_THREADS));
    }

    static boolean tracksBuffers(Map<String, String> initParameters) {
        return Boolean.parseBoolean(initParameters.get(TRACKS_BUFFERS));
    }

    /** Starts the container of this test run. */
    static Container start(Filter filter, Map<String, String> initParameters, String contextPath) throws Exception {
        String name = System.getProperty("fairlead.test.container", "JettyEe10");
        try {
            return Class.forName(Container.class.getPackageName() + "." + name + "Container")
                    .asSubclass(Container.class)
                    .getDeclaredConstructor(Filter.class, Map.class, String.class)
                    .newInstance(filter, initParameters, contextPath);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** What the container on the class path calls itself. */
    static String serverInfo() {
        try {
            return isTomcat()
                    ? (String) Class.forName("org.apache.catalina.util.ServerInfo")
                            .getMethod("getServerInfo")
                            .invoke(null)
                    : "jetty/" + System.getProperty("fairlead.test.container") + "/"
                            + Class.forName("org.eclipse.jetty.util.Jetty")
                                    .getField("VERSION")
                                    .get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isTomcat() {
        return System.getProperty("fairlead.test.container", "").startsWith("Tomcat");
    }
}
