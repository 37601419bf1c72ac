package io.fairlead.agent;

import io.fairlead.agent.weave.Weaver;

/**
 * What a client is given to work with.
 *
 * <p>Immutable.
 */
public final class ClientContext {
    private final Services services;
    private final Weaver weaver;
    private final Modules modules;

    ClientContext(Services services, Weaver weaver, Modules modules) {
        this.services = services;
        this.weaver = weaver;
        this.modules = modules;
    }

    /** The services of the configuration file. */
    public Services services() {
        return services;
    }

    /** Which classes have been woven so far. */
    public Weaver weaver() {
        return weaver;
    }

    /** Lets a class of the agent call the public methods of a package of the JDK's base module. */
    public void exportBase(String packageName, Class<?> to) throws ReflectiveOperationException {
        modules.exportBase(packageName, to);
    }

    /** Lets a class that is woven call classes of the bootstrap loader that belong to no module. */
    public void letRead(Class<?> woven, Class<?> bootstrap) throws ReflectiveOperationException {
        modules.letRead(woven, bootstrap);
    }
}
