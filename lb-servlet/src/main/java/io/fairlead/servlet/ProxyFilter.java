package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigException;
import io.fairlead.config.ConfigFile;
import io.fairlead.servlet.forward.ForwardRules;
import io.fairlead.servlet.log.AccessLog;
import io.fairlead.servlet.middleware.Middleware;
import io.fairlead.servlet.middleware.OwnAnswer;
import io.fairlead.servlet.routing.PathForm;
import io.fairlead.servlet.routing.Router;
import io.fairlead.servlet.routing.RoutingTable;
import io.fairlead.servlet.tunnel.Takeover;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A servlet filter that is a reverse proxy: a request that a router matches goes to a server of the router's service,
 * every other one goes on down the filter chain. Runs on Servlet 6.0 and 6.1.
 *
 * <p>Registered by code over load balancers of one's own, or in {@code web.xml}:
 *
 * <pre>{@code
 * <filter>
 *   <filter-name>proxy</filter-name>
 *   <filter-class>io.fairlead.servlet.ProxyFilter</filter-class>
 *   <async-supported>true</async-supported>
 *   <init-param><param-name>config</param-name><param-value>/WEB-INF/lb.yaml</param-value></init-param>
 * </filter>
 * <filter-mapping><filter-name>proxy</filter-name><url-pattern>/*</url-pattern></filter-mapping>
 * }</pre>
 *
 * <p>Init-params: {@code config}, the configuration: a path in the web application, {@code classpath:NAME}, or a file;
 * not read where load balancers were given. {@code maxConnections}, the connections that one server gets at the most,
 * 1024 where it is not given. {@code answerIdleSeconds}, how long an answer whose head has come may stand still, neither
 * the server sending nor the client taking anything, before it is broken off: 300 where it is not given, 0 for ever. It
 * holds for event streams, too, whose clients connect anew: not of every HTTP/1.1 client it can be seen that it has left
 * while nothing is written to it. The filter, and every filter before it, must support asynchronous processing.
 *
 * <p>Routers, middlewares and trusted addresses come from the file that the load balancers were loaded from. Without
 * routers, and with exactly one service, that service gets every request. Paths are taken within the web application.
 *
 * <p>Safe for use from any thread.
 */
public final class ProxyFilter implements Filter {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final int MAX_CONNECTIONS = 1024;
    private static final Duration ANSWER_IDLE = Duration.ofMinutes(5);

    private final @Nullable LoadBalancers given;
    private final ByteBufferPool buffers;
    // One object a filter, so that it takes back what it has added.
    private final Consumer<ConfigFile> check = ProxyConfig::check;

    // Touched by the container's init and destroy only.
    private @Nullable LoadBalancers created;
    private @Nullable LoadBalancers checked;
    private @Nullable Upstreams upstreams;
    private @Nullable AccessLog accessLog;

    private @Nullable SharedSelectors shared;

    private final List<Middleware> hooks = new CopyOnWriteArrayList<>();
    private volatile @Nullable Proxy proxy;

    private volatile boolean destroyed;

    /** For {@code web.xml}: the init-param {@code config} says where the configuration is. */
    public ProxyFilter() {
        this.given = null;
        this.buffers = new ArrayByteBufferPool();
    }

    /**
     * A filter over load balancers that exist.
     *
     * @param balancers stay the caller's: he closes them, after the filter has been destroyed
     */
    public ProxyFilter(LoadBalancers balancers) {
        this(balancers, new ArrayByteBufferPool());
    }

    /** For tests, which count the buffers. */
    ProxyFilter(LoadBalancers balancers, ByteBufferPool buffers) {
        this.given = balancers;
        this.buffers = buffers;
    }

    /**
     * Lets code of the user's own see every request that a router matches, and its answer: before the middlewares of the
     * configuration, and after them on the way back. Several are called in the order in which they were added.
     *
     * <pre>{@code
     * new ProxyFilter(balancers)
     *         .use(request -> request.setField("X-Tenant", tenantOf(request.facts())))
     *         .use(request -> request.onAnswer(head -> head.removeField("X-Powered-By")));
     * }</pre>
     *
     * @return this filter
     * @throws IllegalStateException the filter is running
     */
    public ProxyFilter use(Middleware hook) {
        if (proxy != null) {
            throw new IllegalStateException("hooks are added before the filter is initialised");
        }
        hooks.add(hook);
        return this;
    }

    /**
     * Has the selectors of an embedded Jetty server watch the connections to servers that requests on their threads need.
     * What {@linkplain #use hooks} do to answers is then done on those threads, and must not wait. Not for a filter in a
     * web application, which the server's classes are hidden from.
     *
     * @return this filter
     * @throws IllegalStateException the filter is running
     */
    public ProxyFilter share(SharedSelectors selectors) {
        if (proxy != null) {
            throw new IllegalStateException("selectors are shared before the filter is initialised");
        }
        shared = selectors;
        return this;
    }

    /**
     * Whether a request is handed on at once, and its thread given back: so unless a middleware of the configuration needs
     * time, as one that checks passwords does, or there are {@linkplain #use hooks in code}, of which nobody knows. For
     * those who would run the filter on threads that must not be kept.
     */
    public boolean isQuick() {
        Proxy running = proxy;
        return hooks.isEmpty() && (running == null || running.loaded().isQuick());
    }

    /**
     * Reads the configuration and makes the clients. From here to {@link #destroy()}, a new content of the file must have
     * good routes, too, before any of it takes effect.
     *
     * @throws ServletException there is no configuration, or it is wrong; the message has one line a problem
     */
    @Override
    public void init(FilterConfig config) throws ServletException {
        int maxConnections = maxConnections(config);
        Duration answerIdle = answerIdle(config);
        boolean started = false;
        try {
            LoadBalancers balancers = given != null ? given : load(config);
            balancers.addCheck(check);
            checked = balancers;
            Upstreams clients = new Upstreams(maxConnections, answerIdle, buffers, shared);
            upstreams = clients;
            Takeover takeover = Takeover.of(config.getServletContext(), clients.executor());
            AccessLog told = new AccessLog();
            accessLog = told;
            proxy = new Proxy(balancers, clients, ResponseBreaker.of(config), takeover, told);
            destroyed = false;
            started = true;
        } catch (ConfigException e) {
            throw new ServletException(e.getMessage(), e);
        } finally {
            if (!started) {
                destroy();
            }
        }
    }

    private LoadBalancers load(FilterConfig config) throws ServletException {
        String place = config.getInitParameter("config");
        if (place == null || place.isBlank()) {
            throw new ServletException(
                    "filter '" + config.getFilterName()
                            + "': the init-param 'config' is missing: a path in the web application, classpath:NAME, or a file");
        }
        ConfigFile file = ConfigSource.read(place.strip(), config.getServletContext());
        ProxyConfig.check(file);
        LoadBalancers balancers = LoadBalancers.from(file);
        created = balancers;
        return balancers;
    }

    private static int maxConnections(FilterConfig config) throws ServletException {
        String text = config.getInitParameter("maxConnections");
        if (text == null) {
            return MAX_CONNECTIONS;
        }
        if (text.strip().matches("[1-9][0-9]{0,4}")) {
            return Integer.parseInt(text.strip());
        }
        throw new ServletException("filter '" + config.getFilterName() + "': the init-param 'maxConnections' is '"
                + text + "', and must be a number from 1 to 99999");
    }

    private static Duration answerIdle(FilterConfig config) throws ServletException {
        String text = config.getInitParameter("answerIdleSeconds");
        if (text == null) {
            return ANSWER_IDLE;
        }
        if (text.strip().matches("[0-9]{1,5}")) {
            return Duration.ofSeconds(Integer.parseInt(text.strip()));
        }
        throw new ServletException("filter '" + config.getFilterName() + "': the init-param 'answerIdleSeconds' is '"
                + text + "', and must be a number from 0 to 99999");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Proxy running = proxy;
        if ((running == null && !destroyed)
                || !(request instanceof HttpServletRequest httpRequest)
                || !(response instanceof HttpServletResponse httpResponse)) {
            chain.doFilter(request, response);
            return;
        }
        if (running == null) {
            // The filter was found just before it was destroyed.
            new Refusal(Answer.STOPPING, null, null).write(httpRequest, httpResponse);
            return;
        }
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            IOException broken = ResponseBreaker.toThrow(httpRequest);
            if (broken != null) {
                throw broken;
            }
            chain.doFilter(request, response);
            return;
        }
        Proxy.Loaded loaded = running.loaded();
        if (loaded.parts().breaker().isAnsweredLater(httpRequest)) {
            return;
        }
        ServletFacts facts = new ServletFacts(httpRequest, loaded.trust());
        ForwardRules rules = loaded.forwardRules();
        if (rules != null && forward(loaded, rules, facts, httpRequest, httpResponse)) {
            return;
        }
        Router router = loaded.match(facts);
        if (router != null) {
            proxy(router, loaded.balancer(router), loaded.parts(), null, facts, httpRequest, httpResponse);
        } else if (rules != null && !Forwarding.isForUs(httpRequest)) {
            AccessRecord record = AccessRecord.begin(loaded.parts().accessLog(), httpRequest, facts, "", "");
            Forwarding forwarding = loaded.forwarding();
            if (forwarding != null) {
                forwarding.tellRefused(httpRequest);
            }
            new Refusal(Answer.NOT_FORWARDED, null, record).write(httpRequest, httpResponse);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Sends a request to the host that it names; false when that is none of those that are forwarded to. */
    private boolean forward(
            Proxy.Loaded loaded,
            ForwardRules rules,
            ServletFacts facts,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, ServletException {
        Forwarding forwarding = loaded.forwarding();
        Forwarding.Target target = forwarding == null ? null : forwarding.target(request, rules);
        if (forwarding == null || target == null) {
            return false;
        }
        LoadBalancer host = forwarding.balancer(target);
        Router router = RoutingTable.everythingTo(host.name()).match(facts);
        if (router == null) {
            return false;
        }
        proxy(router, host, loaded.parts().with(forwarding.upstreams()), rules, facts, request, response);
        return true;
    }

    private void proxy(
            Router router,
            @Nullable LoadBalancer balancer,
            ProxyParts parts,
            @Nullable ForwardRules forwarded,
            ServletFacts facts,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, ServletException {
        AccessRecord record = AccessRecord.begin(parts.accessLog(), request, facts, router.name(), router.service());
        Answer refusal = refusal(facts, request, parts);
        if (refusal == null && balancer == null) {
            refusal = Answer.NO_SERVER;
        }
        if (refusal != null || balancer == null) {
            Answer answer = refusal == null ? Answer.NO_SERVER : refusal;
            new Refusal(answer, router.service(), record).write(request, response);
            return;
        }
        if (!request.isAsyncSupported()) {
            throw new ServletException("The proxy filter, and every filter before it, needs"
                    + " <async-supported>true</async-supported>, or setAsyncSupported(true)");
        }
        Routed routed = new Routed(facts, router);
        boolean begun = false;
        try {
            if (forwarded != null) {
                Forwarding.prepare(routed, forwarded);
            }
            apply(hooks, routed);
            apply(router.middlewares(), routed);
            Exchange exchange = new Exchange(request, response, facts, balancer, routed, parts, record);
            OwnAnswer own = routed.own() == null ? MaxForwards.answerTo(request) : routed.own();
            if (own == null) {
                parts.breaker().answersLater(request);
                exchange.start();
            } else {
                exchange.answerAtOnce(own);
            }
            begun = true;
        } finally {
            if (!begun) {
                routed.end();
            }
        }
    }

    private static void apply(List<Middleware> middlewares, Routed routed) {
        for (Middleware middleware : middlewares) {
            if (routed.isAnswered()) {
                return;
            }
            try {
                middleware.apply(routed);
            } catch (RuntimeException | Error e) {
                log.warn("router '{}': a middleware failed", routed.router(), e);
                routed.answer(Answer.FAILED.own());
            }
        }
    }

    private static @Nullable Answer refusal(ServletFacts facts, HttpServletRequest request, ProxyParts parts) {
        if (facts.method().equals("CONNECT") && !parts.takeover().isExtendedConnect(request)) {
            // A 2xx of a server would say that there is a tunnel, and what follows would be read as requests.
            return Answer.NO_TUNNEL;
        }
        if (!facts.isPathClear() || !UpstreamTarget.isWellFormed(facts.path(), facts.query())) {
            return Answer.BAD_TARGET;
        }
        if (PathForm.climbs(facts.path())) {
            return Answer.BAD_PATH;
        }
        String name = parts.trust().via();
        if (name != null && Via.goesRound(request.getHeaders("Via"), name)) {
            return Answer.LOOP;
        }
        String coding = request.getHeader("Transfer-Encoding");
        if (coding != null && request.getHeader("Content-Length") != null) {
            return Answer.BAD_FRAMING;
        }
        if (coding != null && request.getProtocol().startsWith("HTTP/2")) {
            return Answer.MISPLACED_CODING;
        }
        if (coding != null && request.getProtocol().equals("HTTP/1.0")) {
            // A proxy before this one that speaks HTTP/1.0 knows no chunks, and has seen the request end elsewhere.
            return Answer.OLD_CODING;
        }
        // Containers take the chunks off, and some leave another coding before them in the body.
        return coding == null || coding.equalsIgnoreCase("chunked") ? null : Answer.UNKNOWN_CODING;
    }

    /**
     * The access log that the filter writes, for who answers requests before they come to it; null while the filter is not
     * running. What is added is written as the configuration of the moment says, or not at all. May be asked from any
     * thread.
     */
    public @Nullable AccessLog accessLog() {
        Proxy running = proxy;
        return running == null ? null : running.accessLog();
    }

    /**
     * How many connections are joined to a server's as tunnels, WebSockets among them: requests that have ended for the
     * container, and are in flight. May be asked from any thread.
     */
    public int tunnels() {
        Proxy running = proxy;
        return running == null ? 0 : running.tunnels();
    }

    /** Ends the clients, and the load balancers if the filter made them. */
    @Override
    public void destroy() {
        Proxy running = proxy;
        destroyed = true;
        proxy = null;
        if (running != null) {
            running.close();
        }
        if (checked != null) {
            checked.removeCheck(check);
            checked = null;
        }
        if (upstreams != null) {
            upstreams.close();
            upstreams = null;
        }
        if (created != null) {
            created.close();
            created = null;
        }
        if (accessLog != null) {
            accessLog.close();
            accessLog = null;
        }
    }
}
