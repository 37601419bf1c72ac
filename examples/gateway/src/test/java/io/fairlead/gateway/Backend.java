package io.fairlead.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real server on a free port of the loopback interface. */
final class Backend implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();

    Backend(HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", handler);
        server.start();
    }

    /** Answers each request with its name, method and URI as they came. */
    static Backend named(String name) throws IOException {
        return new Backend(exchange ->
                answer(exchange, name + " " + exchange.getRequestMethod() + " " + exchange.getRequestURI()));
    }

    static void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain;charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** {@code 127.0.0.1:PORT}. */
    String id() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String url() {
        return "http://" + id();
    }

    /** Closes its port and breaks every connection at once. */
    void die() {
        server.stop(0);
        executor.shutdownNow();
    }

    @Override
    public void close() {
        die();
    }
}
