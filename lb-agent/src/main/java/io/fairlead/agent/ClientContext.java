package io.fairlead.agent;

import io.fairlead.agent.weave.Weaver;
import org.jspecify.annotations.Nullable;

/**
 * What a client is given to work with.
 *
 * <p>Immutable.
 */
public final class ClientContext {
    private final Services services;
    private final Services secure;
    private final Weaver weaver;
    private final Modules modules;
    private final Status status;

    ClientContext(Services services, Services secure, Weaver weaver, Modules modules, Status status) {
        this.services = services;
        this.secure = secure;
        this.weaver = weaver;
        this.modules = modules;
        this.status = status;
    }

    /** The services of the configuration file, for calls over http. */
    public Services services() {
        return services;
    }

    /**
     * The service that a call goes to; null: it is not ours.
     *
     * @param scheme the call's, in lower case
     * @param host the call's, without port
     */
    public @Nullable Service service(@Nullable String scheme, @Nullable String host) {
        return "https".equals(scheme) ? secure.get(host) : "http".equals(scheme) ? services.get(host) : null;
    }

    /** A client that needs no adapter has been met and is hooked. */
    public void hooked(Client client) {
        status.hooked(client.name());
    }

    /** A client that needs no adapter has been met and is not hooked. */
    public void leftAlone(Client client, String why) {
        status.leftAlone(client.name(), why);
    }

    /** Which classes have been woven so far. */
    public Weaver weaver() {
        return weaver;
    }

    /** Lets a class of the agent call the public methods of a package of the JDK's base module. */
    public void exportBase(String packageName, Class<?> to) throws ReflectiveOperationException {
        modules.exportBase(packageName, to);
    }

    /** Lets a class of the agent see everything of a package of a JDK's module, given by a class of the module. */
    public void open(Class<?> inModule, String packageName, Class<?> to) throws ReflectiveOperationException {
        modules.open(inModule, packageName, to);
    }

    /** Lets a class that is woven call classes of the bootstrap loader that belong to no module. */
    public void letRead(Class<?> woven, Class<?> bootstrap) throws ReflectiveOperationException {
        modules.letRead(woven, bootstrap);
    }
}
