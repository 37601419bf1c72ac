package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A WAR whose servlet makes calls, in Tomcat as it is installed: with its own loaders and its own logging. Fetches it. */
@Tag("long")
final class TomcatIT {
    private static final String TOMCAT = "org.apache.tomcat:tomcat:9.0.98";
    private static final Pattern LISTENING = Pattern.compile("\"http-nio-127\\.0\\.0\\.1-auto-1-(\\d+)\"");

    @TempDir
    Path folder;

    @Test
    void clientsOfAWebApplicationAreHooked() throws Exception {
        File home = install();
        deploy(home);
        try (Backend a = Backend.start("a");
                Backend b = Backend.start("b")) {
            File file = Configs.orders(folder, a.url(), "http://127.0.0.1:" + Backend.deadPort(), b.url());
            try (Jvm tomcat = Jvm.java(
                    "-javaagent:" + Jvm.agent() + "=" + file,
                    "-Djava.util.logging.config.file=" + new File(home, "conf/logging.properties"),
                    "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                    "-Dcatalina.home=" + home,
                    "-Dcatalina.base=" + home,
                    "-Djava.io.tmpdir=" + new File(home, "temp"),
                    "-cp",
                    new File(home, "bin/bootstrap.jar") + File.pathSeparator + new File(home, "bin/tomcat-juli.jar"),
                    "org.apache.catalina.startup.Bootstrap",
                    "start")) {
                String base = "http://127.0.0.1:" + port(tomcat) + "/shop/";
                for (String client : new String[] {"url", "apache"}) {
                    List<String> answers = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        answers.add(get(base + client + "?to=" + URLEncoder.encode("http://orders/x", "UTF-8")));
                    }
                    assertThat(answers).as(client).contains("a", "b").containsOnly("a", "b");
                }
                // Its own logging is in place, which it would not be had the agent been there first.
                assertThat(tomcat.errors()).anyMatch(line -> line.contains("[main] org.apache.catalina.startup."));
                assertThat(tomcat.errors()).noneMatch(line -> line.contains("fairlead"));
            }
        }
    }

    private static String port(Jvm tomcat) {
        List<String> found = new ArrayList<>();
        Jvm.await().until(() -> {
            for (String line : tomcat.errors()) {
                Matcher matcher = LISTENING.matcher(line);
                if (line.contains("start") && matcher.find()) {
                    found.add(matcher.group(1));
                }
            }
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private File install() throws Exception {
        Path root = folder.resolve("tomcat");
        try (ZipInputStream zip = new ZipInputStream(
                Files.newInputStream(Cell.artifact(TOMCAT, "zip").toPath()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = entry.getName().substring(entry.getName().indexOf('/') + 1);
                boolean wanted = name.startsWith("bin/") || name.startsWith("lib/") || name.startsWith("conf/");
                if (!entry.isDirectory() && wanted) {
                    Path file = root.resolve(name);
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        Files.createDirectories(root.resolve("logs"));
        Files.createDirectories(root.resolve("temp"));
        String server = "<Server port=\"-1\"><Service name=\"Catalina\">"
                + "<Connector port=\"0\" address=\"127.0.0.1\" protocol=\"HTTP/1.1\"/>"
                + "<Engine name=\"Catalina\" defaultHost=\"localhost\">"
                + "<Host name=\"localhost\" appBase=\"webapps\"/></Engine></Service></Server>";
        Files.write(root.resolve("conf/server.xml"), server.getBytes(StandardCharsets.UTF_8));
        return root.toFile();
    }

    private static void deploy(File home) throws Exception {
        Path inside = home.toPath().resolve("webapps/shop/WEB-INF");
        Path classes = Files.createDirectories(inside.resolve("classes"));
        Path lib = Files.createDirectories(inside.resolve("lib"));
        String[] jars = Cell.newest("Apache4").classPath().split(File.pathSeparator, -1);
        StringBuilder path = new StringBuilder(new File(home, "lib/servlet-api.jar").getPath());
        for (int i = 1; i < jars.length; i++) {
            Files.copy(new File(jars[i]).toPath(), lib.resolve(new File(jars[i]).getName()));
            path.append(File.pathSeparator).append(jars[i]);
        }
        Sources.compile("war", classes.toFile(), "-source", "8", "-target", "8", "-nowarn", "-cp", path.toString());
    }

    private static String get(String url) throws IOException {
        try (InputStream in = new URL(url).openStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        }
    }
}
