package io.fairlead;

import io.fairlead.config.ClientNotices;
import io.fairlead.config.ConfigException;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import io.fairlead.config.FileWatch;
import io.fairlead.observe.StateListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Load balancers by the names of their services.
 *
 * <p>Those of a file follow it: its content is read anew when it changes, checked whole and swapped in whole within two
 * seconds. A service of servers keeps its load balancer, and with it what was learnt of the servers that stay, whatever
 * changes in its description. The load balancer of a service that left, or that is now made of other services, is closed,
 * and {@link #get} gives its successor. A content that is wrong is reported and changes nothing.
 *
 * <p>Safe for use from any thread.
 */
public final class LoadBalancers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LoadBalancers.class);
    private static final long WATCH_NANOS = 400_000_000L;

    private final @Nullable Scheduler scheduler;
    private final Predicate<Endpoint> usable;
    private final List<Consumer<ConfigFile>> checks = new CopyOnWriteArrayList<>();
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> reloaded = new CopyOnWriteArrayList<>();
    private volatile Consumer<List<ConfigProblem>> reporter = LoadBalancers::logProblems;
    private volatile Loaded loaded;

    // Guarded by this.
    private @Nullable ServiceAssembly assembly;
    private @Nullable FileWatch watch;
    private boolean closed;
    private final List<Runnable> endings = new ArrayList<>();

    private LoadBalancers(
            Loaded loaded,
            @Nullable ServiceAssembly assembly,
            @Nullable Scheduler scheduler,
            Predicate<Endpoint> usable) {
        this.usable = usable;
        this.loaded = loaded;
        this.assembly = assembly;
        this.scheduler = scheduler;
    }

    /**
     * Load balancers that were built by hand. Closing the result closes them.
     *
     * @throws IllegalArgumentException two have the same name, compared without case
     */
    public static LoadBalancers of(LoadBalancer... balancers) {
        List<LoadBalancer> list = new ArrayList<>();
        Collections.addAll(list, balancers);
        return new LoadBalancers(new Loaded(list, null), null, null, endpoint -> true);
    }

    /**
     * Every service of a configuration file. Its checks of health begin at once, and the file is watched.
     *
     * @throws ConfigException the file is missing, unreadable or wrong; the message holds one line a problem
     */
    public static LoadBalancers load(Path file) {
        return from(ConfigFile.read(file));
    }

    /**
     * Every service of a configuration file that has been read. The checks of health begin at once; the file is watched
     * where it was read from a path.
     *
     * @throws ConfigException the file has problems
     */
    public static LoadBalancers from(ConfigFile file) {
        return from(file, Scheduler.system());
    }

    /**
     * As {@link #from(ConfigFile)}, without the servers that whoever carries the requests cannot serve.
     *
     * @param usable says of a server whether it can be served; of the file's servers, now and later, the others are left
     *     out as if they did not stand there
     * @throws ConfigException the file has problems
     */
    public static LoadBalancers from(ConfigFile file, Predicate<Endpoint> usable) {
        return from(file, Scheduler.system(), usable);
    }

    /** As {@link #from(ConfigFile)}, by a scheduler that is closed with the result, or when there is none. */
    static LoadBalancers from(ConfigFile file, Scheduler scheduler) {
        return from(file, scheduler, endpoint -> true);
    }

    static LoadBalancers from(ConfigFile file, Scheduler scheduler, Predicate<Endpoint> usable) {
        ServiceAssembly assembly = new ServiceAssembly(file.services(), scheduler, usable, null);
        try {
            file.throwIfBroken();
            logNotices(file);
            LoadBalancers balancers =
                    new LoadBalancers(new Loaded(assemble(assembly, file), file), assembly, scheduler, usable);
            balancers.watch(file, scheduler);
            return balancers;
        } catch (RuntimeException e) {
            assembly.close(null);
            scheduler.close();
            throw e;
        }
    }

    /** A strategy of the user's own that fails is a mistake in the file as any other. */
    private static List<LoadBalancer> assemble(ServiceAssembly assembly, ConfigFile file) {
        try {
            return assembly.assemble();
        } catch (ServiceAssembly.Refused e) {
            log.error("service '{}' cannot be built", e.service, e.getCause());
            file.http().get("services").get(e.service).problem(String.valueOf(e.getMessage()));
            file.throwIfBroken();
            throw e;
        }
    }

    /**
     * The load balancer of a service.
     *
     * @param name the service's name, compared without case, as host names are
     * @return null when there is no such service
     */
    public @Nullable LoadBalancer get(String name) {
        return loaded.byName.get(Loaded.key(name));
    }

    /** All of them, in the order of the file; unmodifiable. */
    public Collection<LoadBalancer> all() {
        return loaded.byName.values();
    }

    /** The file that they were loaded from, as it was last taken over; null where they were built by hand. */
    public @Nullable ConfigFile configFile() {
        return loaded.file;
    }

    /**
     * Adds a check that each new content of the file must pass before it is taken over, for the parts of it that are read
     * elsewhere.
     *
     * @param check adds what it finds to {@link ConfigFile#problems()}
     */
    public void addCheck(Consumer<ConfigFile> check) {
        checks.add(check);
    }

    /** Takes a check back. */
    public void removeCheck(Consumer<ConfigFile> check) {
        checks.remove(check);
    }

    /**
     * Tells, now and of each new content, what of the file has no effect where an application's own HTTP client carries the
     * requests. Nothing where they were built by hand.
     *
     * @param who what carries the requests, as in "has no effect WHO"
     * @param ofH2c what is to be said of a server that speaks HTTP/2 without TLS
     * @param to is given one line for each, with file, line and key; must not throw
     */
    public void tellWithoutEffect(String who, String ofH2c, Consumer<String> to) {
        Consumer<ConfigFile> telling =
                content -> ClientNotices.of(content, who, ofH2c).forEach(notice -> to.accept(notice.toString()));
        ConfigFile file = configFile();
        if (file != null) {
            telling.accept(file);
            addCheck(telling);
        }
    }

    /**
     * Has a task run each time after another content of the file has been taken over, for adapters that keep a list of the
     * services.
     *
     * @param task runs on a thread that may block; must not throw
     */
    public void onReload(Runnable task) {
        reloaded.add(task);
    }

    /**
     * Where the problems of a new content that is not taken over go; at first, to the log.
     *
     * @param newReporter is given the problems, in the order of the lines, on a thread that may block
     */
    public void reportProblemsTo(Consumer<List<ConfigProblem>> newReporter) {
        reporter = newReporter;
    }

    /**
     * Adds a listener to each service, those too that come with a later content of the file. It hears of changes from now
     * on; that a service comes or goes is none.
     */
    public synchronized void addListener(StateListener listener) {
        listeners.add(listener);
        loaded.byName.values().forEach(balancer -> balancer.addListener(listener));
    }

    /** Takes a listener back; does nothing where there is no such. */
    public synchronized void removeListener(StateListener listener) {
        if (listeners.remove(listener)) {
            loaded.byName.values().forEach(balancer -> balancer.removeListener(listener));
        }
    }

    /**
     * Has a task run when this is closed, for adapters whose threads are to end with it; at once where it is closed.
     *
     * @param ending must not throw
     */
    public void onClose(Runnable ending) {
        synchronized (this) {
            if (!closed) {
                endings.add(ending);
                return;
            }
        }
        ending.run();
    }

    /** Closes each of them, ends the watch and the threads that they share, those of adapters too. A second call does nothing. */
    @Override
    public void close() {
        List<Runnable> due;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (watch != null) {
                watch.close();
            }
            due = new ArrayList<>(endings);
            endings.clear();
        }
        loaded.byName.values().forEach(balancer -> due.add(balancer::close));
        if (scheduler != null) {
            due.add(scheduler::close);
        }
        due.forEach(LoadBalancers::end);
    }

    /** What cannot be ended does not keep the rest from its end. */
    private static void end(Runnable ending) {
        try {
            ending.run();
        } catch (RuntimeException | LinkageError e) {
            // LinkageError: of an application that has been stopped, classes that were never used cannot be loaded any
            // more.
            log.warn("something could not be ended together with its load balancers", e);
        }
    }

    @Override
    public String toString() {
        return "LoadBalancers" + loaded.byName.keySet();
    }

    private synchronized void watch(ConfigFile file, Scheduler shared) {
        watch = file.watch(
                shared,
                WATCH_NANOS,
                changed -> reload(changed, shared),
                problem -> reporter.accept(Collections.singletonList(problem)));
    }

    private void reload(ConfigFile file, Scheduler shared) {
        if (file.problems().isEmpty()) {
            checks.forEach(check -> check.accept(file));
        }
        if (!file.problems().isEmpty()) {
            reporter.accept(file.problems().list());
            return;
        }
        logNotices(file);
        swap(file, shared);
    }

    /** Called by the watch alone, so never twice at a time. Listeners are told without this object's lock. */
    private void swap(ConfigFile file, Scheduler shared) {
        ServiceAssembly before;
        synchronized (this) {
            before = assembly;
            if (closed) {
                return;
            }
        }
        ServiceAssembly next = new ServiceAssembly(file.services(), shared, usable, before);
        List<LoadBalancer> balancers;
        try {
            balancers = assemble(next, file);
        } catch (ConfigException e) {
            next.abandon();
            reporter.accept(e.problems());
            return;
        } catch (RuntimeException e) {
            next.abandon();
            throw e;
        }
        next.commit();
        synchronized (this) {
            if (closed) {
                next.abandon();
                return;
            }
            Set<LoadBalancer> known = Collections.newSetFromMap(new IdentityHashMap<>());
            known.addAll(loaded.byName.values());
            for (LoadBalancer balancer : balancers) {
                if (!known.contains(balancer)) {
                    listeners.forEach(balancer::addListener);
                }
            }
            loaded = new Loaded(balancers, file);
            assembly = next;
        }
        if (before != null) {
            before.close(next);
        }
        log.info("{}: the new configuration is in effect", file.name());
        reloaded.forEach(Runnable::run);
    }

    private static void logNotices(ConfigFile file) {
        for (ConfigProblem notice : file.notices()) {
            log.warn("{}", notice);
        }
    }

    private static void logProblems(List<ConfigProblem> problems) {
        for (ConfigProblem problem : problems) {
            log.error("the configuration stays as it was: {}", problem);
        }
    }

    /** One state of the file and the load balancers that are made of it, swapped whole. */
    private static final class Loaded {
        final Map<String, LoadBalancer> byName;
        final @Nullable ConfigFile file;

        Loaded(Collection<LoadBalancer> balancers, @Nullable ConfigFile file) {
            Map<String, LoadBalancer> map = new LinkedHashMap<>();
            for (LoadBalancer balancer : balancers) {
                if (map.put(key(balancer.name()), balancer) != null) {
                    throw new IllegalArgumentException("two services are named '" + balancer.name() + "'");
                }
            }
            this.byName = Collections.unmodifiableMap(map);
            this.file = file;
        }

        static String key(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }
}
