package io.fairlead.gateway;

import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Keeps what takes its time away from the selectors' threads, which handle requests as long as all is quick. */
final class Offload extends Handler.Wrapper {
    private final BooleanSupplier quick;

    Offload(Handler handler, BooleanSupplier quick) {
        super(handler);
        this.quick = quick;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (quick.getAsBoolean()) {
            return super.handle(request, response, callback);
        }
        getServer().getThreadPool().execute(() -> later(request, response, callback));
        return true;
    }

    private void later(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, 404);
            }
        } catch (Throwable e) {
            // Nobody above would end the request.
            Response.writeError(request, response, callback, e);
        }
    }
}
