package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** An embedded Tomcat as it is by default, but that it keeps connections however many requests they have carried. */
final class TomcatMain {
    private TomcatMain() {}

    /** Puts something into the context of a Tomcat. */
    interface Content {
        void addTo(Context context);
    }

    static void serve(Content content) throws IOException, LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("maxSwallowSize", "-1");
        content.addTo(tomcat.addContext("", null));
        tomcat.start();
        ProxyMain.announce(connector.getLocalPort());
    }
}
