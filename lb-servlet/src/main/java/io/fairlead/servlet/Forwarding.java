package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.Scheduler;
import io.fairlead.ServiceSettings;
import io.fairlead.config.AddressRange;
import io.fairlead.servlet.forward.Authority;
import io.fairlead.servlet.forward.ForwardLog;
import io.fairlead.servlet.forward.ForwardRules;
import io.fairlead.servlet.forward.GuardedResolver;
import io.fairlead.servlet.middleware.RoutedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forward mode: requests for the hosts of {@code http.forwardProxy} go to these hosts. The Servlet API does not tell an
 * absolute target from Host, so it is the host that decides, and listed hosts come before the routers.
 *
 * <p>Safe for use from any thread.
 */
final class Forwarding implements AutoCloseable {
    private static final int MAX_HOSTS = 256;
    private static final List<String> ABOUT_THE_CLIENT = List.of(
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-Forwarded-Host",
            "X-Forwarded-Port",
            "X-Forwarded-Prefix",
            "X-Real-IP",
            "Forwarded");

    private final Upstreams upstreams;
    private final ForwardLog log = new ForwardLog();
    private final Scheduler scheduler = Scheduler.system();
    private volatile @Nullable ForwardRules rules;

    // Guarded by itself; in the order of their last use.
    private final Map<String, LoadBalancer> hosts = new LinkedHashMap<>(16, 0.75f, true);

    /** @param upstreams its own clients, which it closes */
    Forwarding(Upstreams upstreams) {
        this.upstreams = upstreams;
        upstreams.resolveBy(resolver -> new GuardedResolver(resolver, () -> rules, log));
    }

    Upstreams upstreams() {
        return upstreams;
    }

    void follow(@Nullable ForwardRules newRules) {
        rules = newRules;
    }

    /** The host that a request is for, if it is one that is forwarded to; else null. */
    @Nullable
    Target target(HttpServletRequest request, ForwardRules allowed) {
        // Over TLS the scheme is that of the client's connection to us, and says nothing of the target's.
        boolean secure = "https".equals(request.getScheme()) && !request.isSecure();
        Authority authority = Authority.parse(ServletFacts.authority(request), secure ? 443 : 80);
        return authority != null && allowed.allows(authority.host(), authority.port())
                ? new Target(authority, secure)
                : null;
    }

    /** A request names a host that is not forwarded to, and nobody else takes it. */
    void tellRefused(HttpServletRequest request) {
        Authority asked = Authority.parse(ServletFacts.authority(request), 80);
        if (asked != null) {
            log.notListed(asked, Trust.peer(request));
        }
    }

    /**
     * Whether a request that nobody takes was sent to us as an application, by our own address and port; so it is as well
     * where no host is named at all.
     */
    static boolean isForUs(HttpServletRequest request) {
        Authority authority = Authority.parse(ServletFacts.authority(request), request.isSecure() ? 443 : 80);
        return authority == null || (authority.port() == request.getLocalPort() && isOwnHost(authority, request));
    }

    private static boolean isOwnHost(Authority authority, HttpServletRequest request) {
        String host = authority.host();
        return host.equals(AddressRange.bare(String.valueOf(request.getLocalAddr())))
                || host.equals("localhost")
                || host.equalsIgnoreCase(request.getLocalName());
    }

    /** The load balancer of one host. */
    LoadBalancer balancer(Target target) {
        synchronized (hosts) {
            LoadBalancer known = hosts.get(target.url());
            if (known == null) {
                known = LoadBalancer.builder(target.authority().toString())
                        .endpoint(target.url())
                        .settings(ServiceSettings.DEFAULT.withPassHostHeader(false))
                        .scheduler(scheduler)
                        .build();
                hosts.put(target.url(), known);
                forget();
            }
            return known;
        }
    }

    private void forget() {
        Iterator<LoadBalancer> oldest = hosts.values().iterator();
        while (hosts.size() > MAX_HOSTS) {
            oldest.next().close();
            oldest.remove();
        }
    }

    /** Says nothing of the client, unless it is wanted. */
    static void prepare(RoutedRequest routed, ForwardRules allowed) {
        if (!allowed.forwardedFields()) {
            ABOUT_THE_CLIENT.forEach(routed::removeField);
        }
    }

    @Override
    public void close() {
        upstreams.close();
        synchronized (hosts) {
            hosts.values().forEach(LoadBalancer::close);
            hosts.clear();
        }
        scheduler.close();
    }

    /**
     * Where a request goes.
     *
     * @param secure whether the target is an {@code https} one
     */
    record Target(Authority authority, boolean secure) {
        String url() {
            return (secure ? "https://" : "http://") + authority;
        }
    }
}
