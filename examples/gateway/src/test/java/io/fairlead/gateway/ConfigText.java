package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes configuration files for tests. */
final class ConfigText {
    private ConfigText() {}

    /** One service, {@code app}, of these servers. */
    static String service(Backend... backends) {
        StringBuilder yaml = new StringBuilder("http:\n  services:\n    app:\n      loadBalancer:\n        servers:\n");
        for (Backend backend : backends) {
            yaml.append("          - url: \"").append(backend.url()).append("\"\n");
        }
        return yaml.toString();
    }

    /** The path of a new file with this text, as an argument. */
    static String file(Path directory, String yaml) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "lb", ".yaml"), yaml)
                .toString();
    }
}
