package io.fairlead.gateway;

import io.fairlead.LoadBalancer;
import io.fairlead.LoadBalancers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The admin endpoints: is it alive, is it ready, how are the services, drain a server and bring it back. */
final class AdminHandler extends Handler.Abstract {
    private static final String SERVICES = "/api/services";
    private static final Pattern AUTHORITY_PORT = Pattern.compile(":[0-9]*$");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]+]");

    private final LoadBalancers balancers;
    private final BooleanSupplier ready;
    private final String ownHost;

    /** @param ownHost the host that the admin port was configured to listen on, a name or an address */
    AdminHandler(LoadBalancers balancers, BooleanSupplier ready, String ownHost) {
        this.balancers = balancers;
        this.ready = ready;
        this.ownHost = ownHost;
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

    /**
     * A page of another site must not drain a server through the browser of somebody who can reach this port: neither from
     * its own origin, nor under a name of its own that it has let resolve to this address (DNS rebinding).
     */
    private boolean isFromAnotherSite(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        return host == null || !isOurs(host) || (origin != null && !origin.equalsIgnoreCase("http://" + host));
    }

    /** Whether the authority's host cannot be a name that another site owns. */
    private boolean isOurs(String authority) {
        String host = AUTHORITY_PORT.matcher(authority).replaceFirst("");
        return host.equalsIgnoreCase("localhost")
                || host.equalsIgnoreCase(ownHost)
                || IPV4.matcher(host).matches()
                || IPV6.matcher(host).matches();
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
