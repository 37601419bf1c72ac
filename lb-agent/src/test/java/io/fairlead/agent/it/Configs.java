package io.fairlead.agent.it;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Configuration files of the tests. */
final class Configs {
    private Configs() {}

    /** A file with this text. */
    static File file(Path folder, String text) throws IOException {
        Path file = folder.resolve("lb.yaml");
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        return file.toFile();
    }

    /** The service {@code orders} with these servers. */
    static File orders(Path folder, String... urls) throws IOException {
        return file(folder, service("orders", "", urls));
    }

    /**
     * A file with one service.
     *
     * @param more further keys of the load balancer, a flow mapping's content without braces
     */
    static String service(String name, String more, String... urls) {
        StringBuilder text = new StringBuilder("http:\n  services:\n    " + name + ":\n      loadBalancer:\n");
        for (String line : more.isEmpty() ? new String[0] : more.split("\n", -1)) {
            text.append("        ").append(line).append('\n');
        }
        text.append("        servers:\n");
        for (String url : urls) {
            text.append("          - url: \"").append(url).append("\"\n");
        }
        return text.toString();
    }
}
