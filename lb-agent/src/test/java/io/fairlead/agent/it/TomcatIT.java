package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A WAR whose servlet makes calls, in Tomcat as it is installed: with its own loaders and its own logging. Fetches it. */
@Tag("long")
final class TomcatIT {
    private static final String TOMCAT = "org.apache.tomcat:tomcat:9.0.98";
    private static final Pattern LISTENING = Pattern.compile("start.*\"http-nio-127\\.0\\.0\\.1-auto-1-(\\d+)\"");

    @TempDir
    Path folder;

    @Test
    void clientsOfAWebApplicationAreHooked() throws Exception {
        File home = install();
        WebApplication.layOut(home.toPath().resolve("webapps/shop"), new File(home, "lib/servlet-api.jar"), "javax");
        try (Orders orders = Orders.in(folder);
                Jvm tomcat = Jvm.java(
                        orders.agent(),
                        "-Djava.util.logging.config.file=" + new File(home, "conf/logging.properties"),
                        "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                        "-Dcatalina.home=" + home,
                        "-Dcatalina.base=" + home,
                        "-Djava.io.tmpdir=" + new File(home, "temp"),
                        "-cp",
                        new File(home, "bin/bootstrap.jar")
                                + File.pathSeparator
                                + new File(home, "bin/tomcat-juli.jar"),
                        "org.apache.catalina.startup.Bootstrap",
                        "start")) {
            WebApplication.assertReachesBoth(
                    "http://127.0.0.1:" + WebApplication.port(tomcat.errors(), LISTENING) + "/shop/");
            // Its own logging is in place, which it would not be had the agent been there first.
            assertThat(tomcat.errors()).anyMatch(line -> line.contains("[main] org.apache.catalina.startup."));
            assertThat(tomcat.errors()).noneMatch(line -> line.contains("fairlead"));
        }
    }

    private File install() throws Exception {
        Path root = folder.resolve("tomcat");
        WebApplication.unpack(Cell.artifact(TOMCAT, "zip"), root, "bin/", "lib/", "conf/");
        Files.createDirectories(root.resolve("logs"));
        Files.createDirectories(root.resolve("temp"));
        String server = "<Server port=\"-1\"><Service name=\"Catalina\">"
                + "<Connector port=\"0\" address=\"127.0.0.1\" protocol=\"HTTP/1.1\"/>"
                + "<Engine name=\"Catalina\" defaultHost=\"localhost\">"
                + "<Host name=\"localhost\" appBase=\"webapps\"/></Engine></Service></Server>";
        Files.write(root.resolve("conf/server.xml"), server.getBytes(StandardCharsets.UTF_8));
        return root.toFile();
    }
}
