package io.fairlead.agent;

import io.fairlead.Endpoint;
import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import io.fairlead.config.ClientNotices;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import io.fairlead.config.LoadBalancerSpec;
import io.fairlead.config.ServiceSpec;
import io.fairlead.observe.ServiceSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The services of a configuration file by their names, without the servers that an agent cannot use: it changes where a
 * connection goes and nothing else, so a server's URL must have the call's scheme and no path. They follow the file while
 * the application runs; a content that is wrong is told on standard error and changes nothing.
 *
 * <p>Safe for use from any thread.
 */
public final class Services {
    private final ConfigFile first;
    private final String scheme;
    private final List<Runnable> changes = new CopyOnWriteArrayList<>();
    private final CountDownLatch built = new CountDownLatch(1);
    private volatile @Nullable LoadBalancers balancers;
    private volatile @Nullable View view;

    private Services(ConfigFile file, String scheme) {
        first = file;
        this.scheme = scheme;
    }

    /**
     * The services of a file, for calls of one scheme, once {@link #build} has run, for which whoever asks for one of them
     * waits.
     *
     * @param scheme {@code http} or {@code https}
     */
    static Services of(ConfigFile file, String scheme) {
        return new Services(file, scheme);
    }

    /**
     * Builds their load balancers, whose health checks begin at once. To be called once. It costs as much as all the rest
     * of the agent's start, and so is done beside the application's. Throws nothing.
     */
    void build() {
        try {
            LoadBalancers made = LoadBalancers.from(first, server -> reason(server, scheme) == null);
            // Those of the two schemes read the same file, and one of them tells what is wrong with it.
            made.reportProblemsTo(scheme.equals("http") ? Services::report : problems -> {});
            if (scheme.equals("http")) {
                made.addCheck(Services::tellNotices);
            }
            made.onReload(() -> changes.forEach(Runnable::run));
            view = newView(made);
            balancers = made;
        } catch (Throwable e) {
            // Whatever it is, it must not come to the application's handler of uncaught exceptions.
            Log.line("calls over " + scheme + " are left alone: " + e);
        } finally {
            built.countDown();
        }
    }

    /** The service of a host's name, compared without case; null: there is none, and the call is not ours. */
    public @Nullable Service get(@Nullable String host) {
        if (host == null || (balancers == null && !first.hasService(host))) {
            // A call to another host does not wait for what it does not need.
            return null;
        }
        LoadBalancers all = built();
        return all == null ? null : current(all).byName.get(key(host));
    }

    /** Of the calls that these are for: {@code http} or {@code https}. */
    public String scheme() {
        return scheme;
    }

    /** Has a task run each time after another content of the file has taken effect; it must not throw. */
    public void onChange(Runnable task) {
        changes.add(task);
    }

    /** The state of one; null: there is no such service. */
    public @Nullable ServiceSnapshot snapshot(String name) {
        LoadBalancers services = built();
        LoadBalancer balancer = services == null ? null : services.get(name);
        return balancer == null ? null : balancer.snapshot();
    }

    /** The state of each. */
    public List<ServiceSnapshot> snapshots() {
        LoadBalancers services = built();
        if (services == null) {
            return Collections.emptyList();
        }
        List<ServiceSnapshot> all = new ArrayList<>();
        for (LoadBalancer balancer : services.all()) {
            all.add(balancer.snapshot());
        }
        return Collections.unmodifiableList(all);
    }

    /** Null: they could not be built. */
    private @Nullable LoadBalancers built() {
        LoadBalancers known = balancers;
        if (known != null) {
            return known;
        }
        boolean interrupted = false;
        while (true) {
            try {
                built.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return balancers;
    }

    private View current(LoadBalancers all) {
        View now = view;
        return now != null && now.file == all.configFile() ? now : follow(all);
    }

    private synchronized View follow(LoadBalancers all) {
        View now = view;
        while (now == null || now.file != all.configFile()) {
            now = newView(all);
        }
        view = now;
        return now;
    }

    /** Where the file changes meanwhile, a view of the old file with some of the new services, which is made anew. */
    private View newView(LoadBalancers all) {
        ConfigFile file = all.configFile();
        Map<String, ServiceSpec> specs = new HashMap<>();
        if (file != null) {
            file.services().forEach(spec -> specs.put(key(spec.name()), spec));
        }
        Map<String, Service> byName = new HashMap<>();
        for (LoadBalancer balancer : all.all()) {
            List<String> leftOut = new ArrayList<>();
            collect(balancer.name(), specs, scheme, leftOut, new HashSet<>());
            byName.put(key(balancer.name()), new Service(balancer, leftOut));
        }
        return new View(file, Collections.unmodifiableMap(byName));
    }

    /** Tells what of the file has no effect under the agent. */
    static void tellNotices(ConfigFile file) {
        ClientNotices.of(
                        file,
                        "under the agent",
                        "this server is left out under the agent: it speaks HTTP/2 without TLS")
                .forEach(notice -> Log.once(notice.toString()));
    }

    private static void report(List<ConfigProblem> problems) {
        problems.forEach(problem -> Log.plain(problem.toString()));
    }

    private static void collect(
            String name, Map<String, ServiceSpec> specs, String scheme, List<String> leftOut, Set<String> seen) {
        ServiceSpec spec = specs.get(key(name));
        if (spec == null || !seen.add(key(name))) {
            return;
        }
        for (String part : spec.parts()) {
            collect(part, specs, scheme, leftOut, seen);
        }
        if (spec instanceof LoadBalancerSpec) {
            for (Endpoint server : ((LoadBalancerSpec) spec).servers()) {
                String reason = reason(server, scheme);
                if (reason != null) {
                    leftOut.add("service '" + spec.name() + "': the agent leaves server " + server.uri() + " out: "
                            + reason);
                }
            }
        }
    }

    private static @Nullable String reason(Endpoint server, String scheme) {
        if (server.isH2c()) {
            return "it is spoken to in HTTP/2 without TLS, which the agent cannot make a client speak";
        }
        if (!server.scheme().equals(scheme)) {
            return "the call's scheme is " + scheme + ", which it cannot change";
        }
        return server.path().isEmpty() ? null : "it cannot put a path before the request's";
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** What one content of the file says, swapped whole. */
    private static final class View {
        final @Nullable ConfigFile file;
        final Map<String, Service> byName;

        View(@Nullable ConfigFile file, Map<String, Service> byName) {
            this.file = file;
            this.byName = byName;
        }
    }
}
