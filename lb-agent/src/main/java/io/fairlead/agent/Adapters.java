package io.fairlead.agent;

import io.fairlead.agent.bootstrap.Hook;
import io.fairlead.agent.weave.Target;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the hooks of clients that are libraries: one {@link Adapter} for each client in each of the application's class
 * loaders. What it makes is held by the woven classes, not from here, so that a web application's loader can go.
 */
final class Adapters implements Function<Class<?>, Map<String, Hook>> {
    private final Map<String, Client> byTarget = new HashMap<>();
    private final ClientContext context;
    private final Map<ClassLoader, Map<String, WeakReference<Map<String, Hook>>>> known = new WeakHashMap<>();

    private final Status status;

    Adapters(Iterable<Client> clients, ClientContext context, Status status) {
        this.context = context;
        this.status = status;
        for (Client client : clients) {
            for (Target target : client.targets()) {
                byTarget.put(target.className(), client);
            }
        }
    }

    /** The hooks of a woven class; empty where the client is left alone. */
    @Override
    public Map<String, Hook> apply(Class<?> woven) {
        Client client = byTarget.get(woven.getName());
        String adapter = client == null ? null : client.adapter();
        if (client == null || adapter == null) {
            return Collections.emptyMap();
        }
        try {
            return Privileged.call(() -> hooks(client, adapter, woven.getClassLoader()));
        } catch (Exception | LinkageError e) {
            String why = String.valueOf(e instanceof ShapeMismatch ? e.getMessage() : e);
            status.leftAlone(client.name(), why);
            Log.line(client.name() + " is left alone: " + why);
            return Collections.emptyMap();
        }
    }

    private synchronized Map<String, Hook> hooks(Client client, String adapter, @Nullable ClassLoader loader)
            throws Exception {
        ClassLoader key = loader == null ? Adapters.class.getClassLoader() : loader;
        Map<String, WeakReference<Map<String, Hook>>> ofLoader = known.computeIfAbsent(key, k -> new HashMap<>());
        WeakReference<Map<String, Hook>> before = ofLoader.get(adapter);
        Map<String, Hook> hooks = before == null ? null : before.get();
        if (hooks == null) {
            try {
                hooks = create(client, adapter, loader);
            } catch (Exception | LinkageError e) {
                // Told once: the other classes of the client find that there is nothing.
                ofLoader.put(adapter, new WeakReference<>(Collections.emptyMap()));
                throw e;
            }
            ofLoader.put(adapter, new WeakReference<>(hooks));
            status.hooked(client.name());
        }
        return hooks;
    }

    private Map<String, Hook> create(Client client, String adapter, @Nullable ClassLoader loader) throws Exception {
        List<Class<?>> woven = new ArrayList<>();
        for (Target target : client.targets()) {
            Class<?> type;
            try {
                type = Class.forName(target.className(), false, loader);
            } catch (ClassNotFoundException e) {
                if (target.isOptional()) {
                    continue;
                }
                throw new ShapeMismatch("it has no " + target.className());
            }
            if (!context.weaver().isWoven(type)) {
                throw new ShapeMismatch(target.className() + " could not be changed");
            }
            woven.add(type);
        }
        Class<?> type = new AdapterLoader(loader, adapter).loadClass(adapter);
        for (Class<?> each : woven) {
            // Where the client is a named module, its inside is closed to others.
            context.open(each, each.getName().substring(0, each.getName().lastIndexOf('.')), type);
        }
        return ((Adapter) type.getDeclaredConstructor().newInstance()).hooks(context);
    }

    private static final class ShapeMismatch extends Exception {
        private static final long serialVersionUID = 1L;

        ShapeMismatch(String what) {
            super(what);
        }
    }
}
