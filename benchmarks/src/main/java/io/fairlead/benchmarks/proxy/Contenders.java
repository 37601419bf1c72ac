package io.fairlead.benchmarks.proxy;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All that are measured, and how each is started: every JVM with the same heap, every native one with as many workers. */
final class Contenders {
    static final String GATEWAY = "Fairlead gateway";
    static final String FILTER = "Fairlead filter on Tomcat";
    static final String ASYNC_PROXY = "Jetty AsyncProxyServlet";
    static final String UNDERTOW = "Undertow proxy";

    private static final List<String> JVM =
            List.of("-Xms256m", "-Xmx256m", "-Djava.util.logging.config.file=/dev/null");

    private final Path gatewayJar;
    private final Path scratch;
    private final PrintStream log;

    /** @param scratch for files that are needed while the proxies run */
    Contenders(Path gatewayJar, Path scratch, PrintStream log) {
        this.gatewayJar = gatewayJar;
        this.scratch = scratch;
        this.log = log;
    }

    List<Contender> matching(Pattern only) {
        List<Contender> all = new ArrayList<>();
        all.add(new Contender(GATEWAY, this::gateway));
        all.add(new Contender(
                FILTER, port -> jvm(TomcatFilterMain.class, "jetty-ee|servlet-api", configuration(port))));
        all.add(new Contender(ASYNC_PROXY, port -> jvm(AsyncProxyMain.class, "tomcat-embed", Integer.toString(port))));
        all.add(new Contender(
                UNDERTOW, port -> jvm(UndertowMain.class, "tomcat-embed|jetty-", Integer.toString(port))));
        all.add(new Contender(
                "Smiley HTTP-Proxy-Servlet on Tomcat",
                port -> jvm(SmileyMain.class, "jetty-|servlet-api", Integer.toString(port))));
        addNative(all, "nginx", "/usr/sbin/nginx", this::nginx);
        addNative(all, "HAProxy", "/usr/sbin/haproxy", this::haproxy);
        return all.stream()
                .filter(contender -> only.matcher(contender.name()).find())
                .toList();
    }

    private void addNative(List<Contender> all, String name, String program, Contender.Starter starter) {
        if (Files.isExecutable(Path.of(program))) {
            all.add(new Contender(name, starter));
        } else {
            log.println(name + " is left out: there is no " + program);
        }
    }

    /** A program of this module, in a JVM of its own; the API and the containers of others are left out of its path. */
    static ProxyProcess jvm(Class<?> program, String without, String... arguments)
            throws IOException, InterruptedException {
        Pattern left = Pattern.compile(without);
        String path = List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
                .filter(entry -> without.isEmpty()
                        || !left.matcher(Path.of(entry).getFileName().toString())
                                .find())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = java();
        command.addAll(List.of("-cp", path, program.getName()));
        command.addAll(List.of(arguments));
        return ProxyProcess.start(command, null);
    }

    private static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        return command;
    }

    private ProxyProcess gateway(int port) throws IOException, InterruptedException {
        List<String> command = java();
        command.addAll(List.of("-jar", gatewayJar.toString(), "--config", configuration(port), "--port", "0"));
        return ProxyProcess.start(command, null);
    }

    private String configuration(int port) throws IOException {
        Path file = scratch.resolve("lb.yaml");
        Files.writeString(file, """
                http:
                  services:
                    origin:
                      loadBalancer:
                        servers:
                          - url: "http://127.0.0.1:%d"
                """.formatted(port));
        return file.toString();
    }

    private ProxyProcess nginx(int originPort) throws IOException, InterruptedException {
        int port = freePort();
        Path file = scratch.resolve("nginx.conf");
        Files.writeString(file, """
                daemon off;
                worker_processes %d;
                pid %2$s/nginx.pid;
                error_log stderr;
                events { worker_connections 4096; }
                http {
                    access_log off;
                    client_max_body_size 0;
                    keepalive_requests 1000000000;
                    client_body_temp_path %2$s/nginx-body;
                    proxy_temp_path %2$s/nginx-proxy;
                    fastcgi_temp_path %2$s/nginx-fastcgi;
                    uwsgi_temp_path %2$s/nginx-uwsgi;
                    scgi_temp_path %2$s/nginx-scgi;
                    upstream origin {
                        server 127.0.0.1:%3$d;
                        keepalive 1024;
                        keepalive_requests 1000000000;
                    }
                    server {
                        listen 127.0.0.1:%4$d backlog=4096;
                        location / {
                            proxy_pass http://origin;
                            proxy_http_version 1.1;
                            proxy_set_header Connection "";
                            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                            proxy_request_buffering off;
                            proxy_buffering off;
                        }
                    }
                }
                """.formatted(Runtime.getRuntime().availableProcessors(), scratch, originPort, port));
        return ProxyProcess.start(List.of("/usr/sbin/nginx", "-c", file.toString(), "-e", "stderr"), port);
    }

    private ProxyProcess haproxy(int originPort) throws IOException, InterruptedException {
        int port = freePort();
        Path file = scratch.resolve("haproxy.cfg");
        Files.writeString(file, """
                global
                    maxconn 8192
                    nbthread %d
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 60s
                    timeout server 60s
                    option forwardfor
                    http-reuse always
                frontend proxy
                    bind 127.0.0.1:%d backlog 4096
                    default_backend origin
                backend origin
                    server origin 127.0.0.1:%d
                """.formatted(Runtime.getRuntime().availableProcessors(), port, originPort));
        return ProxyProcess.start(List.of("/usr/sbin/haproxy", "-db", "-f", file.toString()), port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
