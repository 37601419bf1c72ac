package io.fairlead.gateway;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigException;
import io.fairlead.config.ConfigFile;
import io.fairlead.servlet.ProxyConfig;
import io.fairlead.servlet.ProxyFilter;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The command line: reads it, starts what it asks for, and turns what went wrong into a line and an exit status. */
final class Main {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int MISTAKE = 2;

    private final PrintStream out;
    private final PrintStream err;

    private Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs until a signal, or exits at once with 0, 1 or 2 as {@link Options#USAGE} says. */
    public static void main(String[] args) {
        int status = new Main(System.out, System.err).run(args);
        if (status != OK) {
            System.exit(status);
        }
    }

    /** The exit status; with {@link #OK} the JVM ends when the last thread of the gateway does. */
    private int run(String[] args) {
        try {
            Options options = Options.parse(args);
            switch (options.action()) {
                case HELP -> out.print(Options.USAGE);
                case VERSION -> out.println("fairlead " + version());
                case CHECK -> check(options);
                case RUN -> start(options);
            }
            return OK;
        } catch (UsageException e) {
            e.mistakes().forEach(mistake -> err.println("fairlead: " + mistake));
            err.print(Options.USAGE);
            return MISTAKE;
        } catch (ConfigException e) {
            e.problems().forEach(err::println);
            return MISTAKE;
        } catch (SetupException e) {
            tell(e);
            return MISTAKE;
        } catch (BindFailedException e) {
            err.println("fairlead: " + e.getMessage());
            return FAILED;
        } catch (Exception e) {
            err.println("fairlead: cannot start: " + e);
            return FAILED;
        }
    }

    private void tell(SetupException mistake) {
        Set<String> lines = new LinkedHashSet<>(List.of("fairlead: " + mistake.getMessage()));
        for (Throwable other : mistake.getSuppressed()) {
            if (other instanceof ConfigException config) {
                config.problems().forEach(problem -> lines.add(problem.toString()));
            } else {
                lines.add("fairlead: " + other.getMessage());
            }
        }
        lines.forEach(err::println);
    }

    private void check(Options options) throws SetupException {
        identity(options);
        if (options.config() != null) {
            readable(options.config()).notices().forEach(err::println);
        }
    }

    /** Load balancers that follow the file; a change of it that is wrong is told as at the start, and not taken over. */
    private LoadBalancers following(Path config) {
        LoadBalancers balancers = LoadBalancers.from(readable(config));
        balancers.reportProblemsTo(problems -> problems.forEach(err::println));
        return balancers;
    }

    /** A configuration without a problem, neither of the services nor of the routes. */
    private static ConfigFile readable(Path config) {
        ConfigFile file = ConfigFile.read(config);
        ProxyConfig.check(file);
        file.throwIfBroken();
        return file;
    }

    private void start(Options options) throws Exception {
        Identity identity = identity(options);
        Path config = options.config();
        if (config != null) {
            serve(options, identity, following(config), null);
        } else {
            Demo demo = Demo.start();
            serve(options, identity, demo.balancers(), demo);
        }
    }

    private void serve(Options options, @Nullable Identity identity, LoadBalancers balancers, @Nullable Demo demo)
            throws Exception {
        Gateway gateway = Gateway.start(options, identity, balancers, new ProxyFilter(balancers));
        if (identity != null) {
            identity.watch(problem -> err.println("fairlead: " + problem));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(gateway, demo), "shutdown"));
        if (demo != null) {
            err.println(demo.greeting());
        }
        out.println(gateway.addresses());
    }

    /** Runs in a shutdown hook, which nothing but a signal reaches. */
    private void stop(Gateway gateway, @Nullable Demo demo) {
        try {
            gateway.stop();
            if (demo != null) {
                demo.stop();
            }
        } catch (InterruptedException e) {
            err.println("fairlead: stopping was interrupted");
        }
        // A JVM that a signal ends exits with 128 and the signal's number; having ended in order, this one says 0.
        out.flush();
        Runtime.getRuntime().halt(OK);
    }

    /** Null: there is no HTTPS. Where its files are wrong, the mistakes of the configuration are told beside theirs. */
    private static @Nullable Identity identity(Options options) throws SetupException {
        Options.Tls tls = options.tls();
        try {
            return tls == null ? null : Identity.read(tls.cert(), tls.key());
        } catch (SetupException e) {
            if (options.config() != null) {
                try {
                    ConfigFile unused = readable(options.config());
                } catch (ConfigException other) {
                    e.addSuppressed(other);
                }
            }
            throw e;
        }
    }

    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(unpackaged)" : version;
    }
}
