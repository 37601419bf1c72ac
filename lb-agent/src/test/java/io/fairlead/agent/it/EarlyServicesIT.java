package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent must not load before the application begins, since an application may have its own in its place. */
final class EarlyServicesIT {
    private static final List<String> EARLY = Arrays.asList(
            "java.util.logging.",
            "java.lang.management.",
            "javax.management.",
            "sun.management.",
            "com.sun.jmx.",
            "java.net.http.",
            "java.net.HttpURLConnection",
            "sun.net.www.protocol.http.",
            "javax.net.ssl.",
            "java.util.prefs.",
            "net.bytebuddy.ByteBuddy");

    @TempDir
    Path folder;

    @Test
    void untilTheApplicationUsesThemLoggingJmxAndTheClientsAreNotLoaded() throws Exception {
        try (Backend server = Backend.start("server")) {
            File file = Configs.orders(folder, server.url());
            Set<String> more = loaded("-javaagent:" + Jvm.agent() + "=" + file);
            more.removeAll(loaded());

            assertThat(more).contains("io.fairlead.agent.Agent");
            assertThat(more).noneMatch(name -> EARLY.stream().anyMatch(name::startsWith));
        }
    }

    @Test
    void anApplicationsFileSystemIsNotAskedForBeforeItIsReady() throws Exception {
        try (Backend server = Backend.start("server")) {
            File file = Configs.orders(folder, server.url());
            String provider = "-Djava.nio.file.spi.DefaultFileSystemProvider=app.FileSystems";
            List<String> without = said(Jvm.console(provider));
            List<String> with = said(Jvm.console("-javaagent:" + Jvm.agent() + "=" + file, provider));

            assertThat(with).isEqualTo(without).contains("begun", "the file system is made by main");
        }
    }

    /** What the application and its file system say, in this order. */
    private static List<String> said(Jvm starting) throws Exception {
        try (Jvm app = starting) {
            app.ask("mark begun");
            app.ask("file");
            app.end();
            return new ArrayList<>(app.errors());
        }
    }

    private Set<String> loaded(String... options) throws Exception {
        Path log = folder.resolve("classes" + options.length);
        List<String> arguments = new ArrayList<>(Arrays.asList(options));
        boolean unified = Cell.feature() > 8;
        arguments.add(unified ? "-Xlog:class+load=info:file=" + log + ":none" : "-verbose:class");
        try (Jvm app = Jvm.console(arguments.toArray(new String[0]))) {
            app.end();
            List<String> lines = unified ? Files.readAllLines(log, StandardCharsets.UTF_8) : app.output();
            Set<String> names = new TreeSet<>();
            for (String line : lines) {
                String text = unified ? line : line.replace("[Loaded ", "");
                names.add(text.split(" ", 2)[0]);
            }
            return names.isEmpty() ? Collections.emptySet() : names;
        }
    }
}
