package io.fairlead.servlet.containers;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.modeler.Registry;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

final class TomcatContainer implements Container {
    static {
        // What Tomcat logs of the broken connections that tests make says nothing.
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setLevel(Level.OFF);
        }
        // Several at the same time in one JVM would meet under the same JMX names.
        Registry.disableRegistry();
    }

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector();

    TomcatContainer(Filter filter, Map<String, String> initParameters, String contextPath) throws Exception {
        Path base = Files.createTempDirectory("tomcat");
        base.toFile().deleteOnExit();
        tomcat.setBaseDir(base.toString());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        // Else it gives none of the trailers of a request.
        connector.setProperty(
                "allowedTrailerHeaders", "x-sum,x-forwarded-for,x-forwarded_for,x-real-ip,content-length");
        connector.setProperty("connectionTimeout", Integer.toString(Container.idleMillis(initParameters)));
        if (Container.isVirtual(initParameters)) {
            connector.getProtocolHandler().setExecutor(new VirtualThreadExecutor("virtual-"));
        }
        connector.addUpgradeProtocol(new Http2Protocol());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext(contextPath, base.toString());
        FilterDef def = new FilterDef();
        def.setFilterName("proxy");
        def.setFilter(filter);
        def.setAsyncSupported("true");
        initParameters.forEach(def::addInitParameter);
        context.addFilterDef(def);
        FilterMap map = new FilterMap();
        map.setFilterName("proxy");
        map.addURLPattern("/*");
        context.addFilterMap(map);
        Wrapper application = Tomcat.addServlet(context, "application", new ApplicationServlet());
        application.setAsyncSupported(true);
        application.addMapping("/");
        tomcat.start();
        if (context.getState() != LifecycleState.STARTED) {
            stop();
            throw new ServletException("the context did not start");
        }
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }
}
