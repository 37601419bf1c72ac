package app;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** What an application, or a tool, sees by JMX of what is not the JVM's. */
final class Beans {
    private Beans() {}

    /** Of the JVM's own server, which is made if need be. */
    static String asked() throws Exception {
        return text(ManagementFactory.getPlatformMBeanServer());
    }

    /** Of the servers that there are. */
    static String soFar() throws Exception {
        List<String> all = new ArrayList<>();
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            all.add(text(server));
        }
        return String.join(" and ", all);
    }

    private static String text(MBeanServer server) throws Exception {
        List<String> beans = new ArrayList<>();
        for (ObjectName name : server.queryNames(new ObjectName("io.fairlead:*"), null)) {
            StringBuilder text = new StringBuilder(name.getCanonicalName());
            for (String attribute :
                    Arrays.asList("Name", "Scheme", "Strategy", "Up", "InFlight", "Waiting", "Picks", "Failures")) {
                text.append(' ').append(attribute).append('=').append(server.getAttribute(name, attribute));
            }
            for (CompositeData data : (CompositeData[]) server.getAttribute(name, "Servers")) {
                text.append(" [").append(data.get("id"));
                for (String item : Arrays.asList(
                        "url",
                        "weight",
                        "zone",
                        "up",
                        "fenced",
                        "backup",
                        "ejected",
                        "inFlight",
                        "picks",
                        "failures")) {
                    text.append(' ').append(item).append('=').append(data.get(item));
                }
                text.append(']');
            }
            beans.add(text.toString());
        }
        java.util.Collections.sort(beans);
        return beans.isEmpty() ? "none" : String.join("; ", beans);
    }
}
