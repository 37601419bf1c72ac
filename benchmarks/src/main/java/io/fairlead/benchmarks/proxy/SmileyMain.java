package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.mitre.dsmiley.httpproxy.ProxyServlet;

/** Tomcat with Smiley's HTTP-Proxy-Servlet. Arguments: the server's port. */
public final class SmileyMain {
    private SmileyMain() {}

    /** Serves until the process is ended. */
    public static void main(String[] args) throws IOException, LifecycleException {
        TomcatMain.serve(context -> {
            Wrapper proxy = Tomcat.addServlet(context, "proxy", new ProxyServlet());
            proxy.addInitParameter(ProxyServlet.P_TARGET_URI, "http://127.0.0.1:" + args[0]);
            proxy.addInitParameter(ProxyServlet.P_MAXCONNECTIONS, "1024");
            proxy.addMapping("/*");
        });
    }
}
