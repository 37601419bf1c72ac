package io.fairlead.gateway;

import java.nio.file.Path;
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

    /** @throws UsageException it cannot be followed; all that is wrong with it is told */
    static Options parse(String... args) throws UsageException {
        CommandLine line = new CommandLine(args);
        if (line.has("--help") || line.has("--version")) {
            line.throwIfBroken();
            return new Options(line.has("--help") ? Action.HELP : Action.VERSION, null, "", 0, null, null);
        }
        boolean check = line.has("--check");
        if (check && !line.has("--config")) {
            line.mistake("--check needs --config FILE");
        }
        Options options = new Options(
                check ? Action.CHECK : Action.RUN,
                line.path("--config"),
                line.text("--host", "127.0.0.1"),
                line.port("--port", 8080),
                line.has("--admin-port") ? (Integer) line.port("--admin-port", 0) : null,
                tls(line));
        line.throwIfBroken();
        return options;
    }

    private static @Nullable Tls tls(CommandLine line) {
        Path cert = line.path("--tls-cert");
        Path key = line.path("--tls-key");
        int port = line.port("--tls-port", 8443);
        boolean both = line.has("--tls-cert") && line.has("--tls-key");
        if (!both && (line.has("--tls-cert") || line.has("--tls-key") || line.has("--tls-port"))) {
            line.mistake("HTTPS needs both --tls-cert and --tls-key");
        }
        return cert == null || key == null ? null : new Tls(cert, key, port);
    }
}
