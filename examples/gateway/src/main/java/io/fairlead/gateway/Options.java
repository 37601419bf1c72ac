package io.fairlead.gateway;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The command line, read.
 *
 * @param action what is asked for
 * @param config the configuration file; null: the demo
 * @param host the address to listen on
 * @param port the port to listen on; 0: a free one
 * @param adminPort the port of the admin endpoints; null: none
 * @param tls certificate, key and port of HTTPS; null: none
 */
record Options(
        Action action,
        @Nullable Path config,
        String host,
        int port,
        @Nullable Integer adminPort,
        @Nullable Tls tls) {
    static final String USAGE = """
            usage: java -jar gateway.jar                                    the demo: three backends, the gateway in front
                   java -jar gateway.jar --config FILE [options]            the services and routes of a file
                   java -jar gateway.jar --config FILE --check              checks the file and exits

            options:
              --host HOST         the address to listen on (127.0.0.1)
              --port PORT         the port to listen on; 0 takes a free one (8080)
              --admin-port PORT   serves the admin endpoints there, on the same address
              --tls-cert FILE     listens for HTTPS too: the certificate chain, PEM; read again when it changes
              --tls-key FILE      its private key, PEM (PKCS#8, PKCS#1 or SEC 1, not encrypted)
              --tls-port PORT     the port of HTTPS (8443)
              --help, --version

            exit status: 0 ended as asked, 1 a port cannot be had, 2 a mistake in the configuration or the command line
            """;

    private static final Set<String> FLAGS = Set.of("--check", "--help", "--version");
    private static final List<String> VALUES =
            List.of("--config", "--host", "--port", "--admin-port", "--tls-cert", "--tls-key", "--tls-port");

    /** What a command line asks for. */
    enum Action {
        RUN,
        CHECK,
        HELP,
        VERSION
    }

    /**
     * Where HTTPS comes from.
     *
     * @param cert the certificate chain
     * @param key the private key
     * @param port the port; 0: a free one
     */
    record Tls(Path cert, Path key, int port) {}

    static Options parse(String... args) throws UsageException {
        Map<String, String> given = read(args);
        if (given.containsKey("--help")) {
            return new Options(Action.HELP, null, "", 0, null, null);
        }
        if (given.containsKey("--version")) {
            return new Options(Action.VERSION, null, "", 0, null, null);
        }
        boolean check = given.containsKey("--check");
        Path config = path(given, "--config");
        if (check && config == null) {
            throw new UsageException("--check needs --config FILE");
        }
        String host = given.getOrDefault("--host", "127.0.0.1");
        if (host.isBlank()) {
            throw new UsageException("--host is empty");
        }
        return new Options(
                check ? Action.CHECK : Action.RUN,
                config,
                host,
                port(given, "--port", 8080),
                given.containsKey("--admin-port") ? (Integer) port(given, "--admin-port", 0) : null,
                tls(given));
    }

    private static Map<String, String> read(String[] args) throws UsageException {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            String value;
            if (FLAGS.contains(name)) {
                if (equals >= 0) {
                    throw new UsageException(name + " takes no value");
                }
                value = "";
            } else if (!VALUES.contains(name)) {
                throw new UsageException(
                        name.startsWith("-") ? "unknown option " + name : "unexpected argument '" + args[i] + "'");
            } else if (equals >= 0) {
                value = args[i].substring(equals + 1);
            } else if (i + 1 < args.length && !args[i + 1].startsWith("--")) {
                i++;
                value = args[i];
            } else {
                throw new UsageException(name + " needs a value");
            }
            if (given.put(name, value) != null) {
                throw new UsageException(name + " is given twice");
            }
        }
        return given;
    }

    private static @Nullable Tls tls(Map<String, String> given) throws UsageException {
        Path cert = path(given, "--tls-cert");
        Path key = path(given, "--tls-key");
        if (cert == null || key == null) {
            if (cert != null || key != null || given.containsKey("--tls-port")) {
                throw new UsageException("HTTPS needs both --tls-cert and --tls-key");
            }
            return null;
        }
        return new Tls(cert, key, port(given, "--tls-port", 8443));
    }

    private static @Nullable Path path(Map<String, String> given, String name) throws UsageException {
        String value = given.get(name);
        if (value == null) {
            return null;
        }
        try {
            if (!value.isEmpty()) {
                return Path.of(value);
            }
        } catch (InvalidPathException e) {
            throw new UsageException(name + ": '" + value + "' is not a path");
        }
        throw new UsageException(name + " is empty");
    }

    private static int port(Map<String, String> given, String name, int orElse) throws UsageException {
        String value = given.get(name);
        if (value == null) {
            return orElse;
        }
        if (value.matches("[0-9]{1,5}") && Integer.parseInt(value) <= 65535) {
            return Integer.parseInt(value);
        }
        throw new UsageException(name + ": '" + value + "' is not a port from 0 to 65535");
    }
}
