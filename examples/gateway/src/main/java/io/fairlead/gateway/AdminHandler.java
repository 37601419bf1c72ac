package io.fairlead.gateway;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The admin endpoints: is it alive, is it ready, how are the services, drain a server and bring it back. */
final class AdminHandler extends Handler.Abstract {
    private static final String SERVICES = "/api/services";

    private final LoadBalancers balancers;
    private final BooleanSupplier ready;

    AdminHandler(LoadBalancers balancers, BooleanSupplier ready) {
        this.balancers = balancers;
        this.ready = ready;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // Undecoded: a server's id may hold an encoded slash.
        String path = request.getHttpURI().getPath();
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        if (path.equals("/healthz")) {
            probe(request, response, callback, true);
        } else if (path.equals("/readyz")) {
            probe(request, response, callback, ready.getAsBoolean());
        } else if (path.equals(SERVICES)) {
            if (allows(request, response, callback, "GET", "HEAD")) {
                Problems.writeJson(response, callback, "application/json", ServicesJson.of(balancers));
            }
        } else if (path.startsWith(SERVICES + "/")) {
            server(
                    request,
                    response,
                    callback,
                    path.substring(SERVICES.length() + 1).split("/", -1));
        } else {
            Problems.write(response, callback, HttpStatus.NOT_FOUND_404);
        }
        return true;
    }

    private static void probe(Request request, Response response, Callback callback, boolean good) {
        if (!allows(request, response, callback, "GET", "HEAD")) {
            return;
        }
        if (good) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
            response.write(true, StandardCharsets.UTF_8.encode("ok\n"), callback);
        } else {
            Problems.write(response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
        }
    }

    /** The rest of the path: {@code NAME/servers/ID/fence} or {@code NAME/servers/ID/unfence}. */
    private void server(Request request, Response response, Callback callback, String[] rest) {
        boolean known =
                rest.length == 4 && rest[1].equals("servers") && (rest[3].equals("fence") || rest[3].equals("unfence"));
        if (!known) {
            Problems.write(response, callback, HttpStatus.NOT_FOUND_404);
            return;
        }
        if (!allows(request, response, callback, "POST")) {
            return;
        }
        if (isFromAnotherSite(request)) {
            Problems.write(response, callback, HttpStatus.FORBIDDEN_403);
            return;
        }
        LoadBalancer service = balancers.get(decoded(rest[0]));
        String id = decoded(rest[2]);
        boolean found = service != null && (rest[3].equals("fence") ? service.fence(id) : service.unfence(id));
        if (found) {
            response.setStatus(HttpStatus.NO_CONTENT_204);
            callback.succeeded();
        } else {
            Problems.write(response, callback, HttpStatus.NOT_FOUND_404);
        }
    }

    /** A page of another site must not drain a server through the browser of somebody who can reach this port. */
    private static boolean isFromAnotherSite(Request request) {
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        return origin != null && !origin.equals("http://" + request.getHeaders().get(HttpHeader.HOST));
    }

    private static boolean allows(Request request, Response response, Callback callback, String... methods) {
        for (String method : methods) {
            if (method.equals(request.getMethod())) {
                return true;
            }
        }
        response.getHeaders().put(HttpHeader.ALLOW, String.join(", ", methods));
        Problems.write(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405);
        return false;
    }

    private static String decoded(String segment) {
        // In a path a plus is a plus; only in a form it is a space.
        return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
