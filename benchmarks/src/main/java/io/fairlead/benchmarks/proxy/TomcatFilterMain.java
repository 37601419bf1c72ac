package io.fairlead.benchmarks.proxy;

import io.fairlead.LoadBalancers;
import io.fairlead.servlet.ProxyFilter;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat with our filter. Arguments: the configuration file. */
public final class TomcatFilterMain {
    private TomcatFilterMain() {}

    /** Serves until the process is ended. */
    public static void main(String[] args) throws IOException, LifecycleException {
        LoadBalancers balancers = LoadBalancers.load(Path.of(args[0]));
        TomcatMain.serve(context -> {
            Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
            FilterDef filter = new FilterDef();
            filter.setFilterName("proxy");
            filter.setFilter(new ProxyFilter(balancers));
            filter.setAsyncSupported("true");
            context.addFilterDef(filter);
            FilterMap mapping = new FilterMap();
            mapping.setFilterName("proxy");
            mapping.addURLPattern("/*");
            context.addFilterMap(mapping);
        });
    }
}
