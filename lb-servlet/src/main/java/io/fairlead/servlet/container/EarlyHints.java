package io.fairlead.servlet.container;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes answers that announce another one (RFC 9110, 15.2) without waiting for the client, which of the containers only
 * Jetty does: by {@code Response.writeInterim}. The way of the Servlet API keeps the thread.
 */
public final class EarlyHints {
    private static final Logger log = LoggerFactory.getLogger(EarlyHints.class);
    private static final String FIELDS = "org.eclipse.jetty.http.HttpFields";

    private EarlyHints() {}

    /**
     * Begins to write one; nothing else may be written before it is through.
     *
     * @param fields given someone who takes names and values, tells them of all fields
     * @param then is run when it is through, or has failed
     * @return false where the container cannot write it; {@code then} is not run
     */
    public static boolean write(
            ServletResponse response, int status, Consumer<BiConsumer<String, String>> fields, Runnable then) {
        ServletResponse own = response;
        while (own instanceof ServletResponseWrapper wrapper) {
            own = wrapper.getResponse();
        }
        if (!Internals.isOfJetty(own)) {
            return false;
        }
        try {
            CompletionStage<?> written = write(own, status, fields);
            written.whenComplete((nothing, failure) -> then.run());
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.debug("an interim answer cannot be written", e);
            return false;
        }
    }

    private static CompletionStage<?> write(
            ServletResponse own, int status, Consumer<BiConsumer<String, String>> fields)
            throws ReflectiveOperationException {
        Object core = Internals.call(own, own.getClass(), "getResponse");
        Class<?> type = Internals.named(FIELDS, core);
        Object built = Internals.invokeStatic(type.getMethod("build"));
        Method add = Internals.named(FIELDS + "$Mutable", core).getMethod("add", String.class, String.class);
        fields.accept((name, value) -> add(built, add, name, value));
        Method write =
                Internals.named("org.eclipse.jetty.server.Response", core).getMethod("writeInterim", int.class, type);
        return (CompletionStage<?>) Internals.invoke(core, write, status, built);
    }

    private static void add(Object fields, Method add, String name, String value) {
        try {
            Internals.invoke(fields, add, name, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
