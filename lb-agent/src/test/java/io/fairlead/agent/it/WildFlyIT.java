package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** A WAR in WildFly, whose module loaders hide the bootstrap loader's packages, and whose logging must come first. Fetches it. */
@Tag("long")
@EnabledForJreRange(min = JRE.JAVA_11)
final class WildFlyIT {
    private static final String WILDFLY = "org.wildfly:wildfly-dist:31.0.1.Final";
    private static final Pattern LISTENING = Pattern.compile("WFLYUT0006: .* listening on 127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    Path folder;

    @Test
    void clientsOfAWebApplicationAreHooked() throws Exception {
        Path home = folder.resolve("wildfly");
        WebApplication.unpack(
                Cell.artifact(WILDFLY, "zip"), home, "modules/", "jboss-modules.jar", "standalone/configuration/");
        Path servlets =
                home.resolve("modules/system/layers/base/jakarta/servlet/api/main/jakarta.servlet-api-6.0.0.jar");
        Path deployments = home.resolve("standalone/deployments");
        WebApplication.layOut(deployments.resolve("shop.war"), servlets.toFile(), "jakarta");
        Files.createFile(deployments.resolve("shop.war.dodeploy"));
        Path configuration = home.resolve("standalone/configuration");
        Files.copy(
                new File("src/test/applications/wildfly/standalone.xml").toPath(),
                configuration.resolve("standalone.xml"),
                StandardCopyOption.REPLACE_EXISTING);
        try (Orders orders = Orders.in(folder);
                Jvm wildfly = Jvm.java(
                        orders.agent(),
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-Dlogging.configuration="
                                + configuration.resolve("logging.properties").toUri(),
                        "-Dorg.jboss.boot.log.file=" + folder.resolve("server.log"),
                        "-Djboss.home.dir=" + home,
                        "-jar",
                        home.resolve("jboss-modules.jar").toString(),
                        "-mp",
                        home.resolve("modules").toString(),
                        "org.jboss.as.standalone")) {
            String port = WebApplication.port(wildfly.output(), LISTENING);
            Jvm.await().until(() -> wildfly.output().stream().anyMatch(line -> line.contains("WFLYSRV0025")));
            WebApplication.assertReachesBoth("http://127.0.0.1:" + port + "/shop/");
            assertThat(wildfly.errors()).noneMatch(line -> line.contains("fairlead"));
        }
    }
}
