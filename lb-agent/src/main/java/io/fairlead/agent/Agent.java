package io.fairlead.agent;

import io.fairlead.agent.bootstrap.Faults;
import io.fairlead.agent.bootstrap.Hooks;
import io.fairlead.agent.bootstrap.Report;
import io.fairlead.agent.jmx.Jmx;
import io.fairlead.agent.weave.Target;
import io.fairlead.agent.weave.Weaver;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The agent's start. It throws nothing, and says on standard error why it is off when it is. */
public final class Agent {
    /** The option by which an agent is attached that only asks the one that is at work. */
    public static final String STATUS = "fairlead:status";

    private static final String OFF = "the agent is off, and the application goes on without it: ";

    private Agent() {}

    /**
     * Called by the premain class.
     *
     * @param option the configuration file, or null
     * @param jar the agent's jar
     * @param attached whether it comes into a JVM that runs already, by a user's explicit wish
     */
    public static void start(@Nullable String option, Instrumentation instrumentation, File jar, boolean attached) {
        Modules modules = Modules.of(instrumentation);
        if (attached && STATUS.equals(option)) {
            AttachStatus.tell(BootstrapClasses.arePresent() ? Report.text() : null, modules);
            return;
        }
        String result;
        try {
            if (!attached && JdkTool.isRunning(System::getProperty, jar)) {
                return;
            }
            result = begin(option, instrumentation, jar, modules);
        } catch (Throwable e) {
            result = OFF + e;
        }
        if (result != null) {
            Log.line(result);
        }
        if (attached) {
            AttachStatus.report(result, modules);
        }
    }

    /** Null: it runs; else the line that says why not. */
    private static @Nullable String begin(
            @Nullable String option, Instrumentation instrumentation, File jar, Modules modules) throws Exception {
        if (BootstrapClasses.arePresent()) {
            return "an agent is at work in this JVM already; this second one does nothing";
        }
        String path = Configuration.path(option);
        if (path == null) {
            return "the agent is off: no configuration file is named"
                    + " (-javaagent:lb-agent.jar=FILE, -Dfairlead.config=FILE or FAIRLEAD_CONFIG=FILE)";
        }
        ConfigFile file = Configuration.read(path);
        List<ConfigProblem> problems = file.problems().list();
        if (!problems.isEmpty()) {
            if (!Configuration.isReadable(path)) {
                return OFF + problems.get(0);
            }
            problems.forEach(problem -> Log.plain(problem.toString()));
            return OFF + path + " cannot be used";
        }
        BootstrapClasses.define(jar, modules);
        Faults.listen(fault -> Log.once("a fault of the agent, and the call goes on without it: " + fault));
        Services.tellNotices(file);
        Services services = Services.of(file, "http");
        Services secure = Services.of(file, "https");
        List<Client> clients = Clients.all();
        Status status = new Status(path, clients);
        List<Target> targets = new ArrayList<>();
        clients.forEach(client -> targets.addAll(client.targets()));
        Jmx jmx = Options.value("fairlead.jmx").equalsIgnoreCase("off") ? null : new Jmx(services, secure);
        if (jmx != null) {
            targets.add(Jmx.target());
        }
        Weaver weaver = new Weaver(targets);
        ClientContext context = new ClientContext(services, secure, weaver, modules, status);
        // Before the first hook, which may wait for it.
        Thread building = build(services, secure);
        for (Client client : clients) {
            client.start(context);
        }
        weaver.install(instrumentation);
        Adapters adapters = new Adapters(clients, context, status);
        Hooks.install(
                woven -> jmx != null && woven.getName().equals(Jmx.FACTORY) ? jmx.hooks() : adapters.apply(woven));
        if (jmx != null) {
            jmx.lookAmong(instrumentation.getAllLoadedClasses());
        }
        Report.from(() -> status.text(services, secure));
        if (!file.notices().isEmpty()) {
            // What they have to tell is told before an application that ends soon has ended.
            building.join();
        }
        Log.debug("the agent is on: " + path + ", " + file.services().size() + " services");
        return null;
    }

    /** Beside the application's start, which would have to wait for it otherwise. */
    private static Thread build(Services services, Services secure) {
        Thread building = new Thread(
                () -> {
                    services.build();
                    secure.build();
                },
                "fairlead-start");
        building.setDaemon(true);
        // The application's, and set anew by it while it starts.
        building.setContextClassLoader(null);
        building.start();
        return building;
    }
}
