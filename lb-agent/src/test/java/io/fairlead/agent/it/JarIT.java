package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is in the jar. */
final class JarIT {
    @Test
    void onlyThePremainPackageCanBeSeenByOthers() throws Exception {
        try (JarFile jar = new JarFile(Jvm.agent())) {
            List<String> classes = jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class"))
                    .collect(Collectors.toList());
            assertThat(classes)
                    .containsExactlyInAnyOrder(
                            "io/fairlead/agent/premain/FairleadAgent.class",
                            "io/fairlead/agent/premain/AgentClassLoader.class");
        }
    }

    @Test
    void itIsSmallerThanEightMebibytes() {
        assertThat(Jvm.agent().length()).isBetween(1L << 20, 8L << 20);
    }

    @Test
    void itsManifestNamesTheEntryPoints() throws Exception {
        try (JarFile jar = new JarFile(Jvm.agent())) {
            Attributes attributes = jar.getManifest().getMainAttributes();
            assertThat(attributes.getValue("Premain-Class")).isEqualTo("io.fairlead.agent.premain.FairleadAgent");
            assertThat(attributes.getValue("Agent-Class")).isEqualTo("io.fairlead.agent.premain.FairleadAgent");
            assertThat(attributes.getValue("Main-Class")).isEqualTo("io.fairlead.agent.premain.FairleadAgent");
            assertThat(attributes.getValue("Can-Retransform-Classes")).isEqualTo("true");
        }
    }

    @Test
    void theLicensesOfWhatItBringsAlongAreInIt() throws Exception {
        try (JarFile jar = new JarFile(Jvm.agent())) {
            assertThat(jar.getEntry("META-INF/licenses/fairlead/LICENSE")).isNotNull();
            assertThat(jar.getEntry("META-INF/licenses/byte-buddy/LICENSE")).isNotNull();
            assertThat(jar.getEntry("META-INF/licenses/slf4j/LICENSE.txt")).isNotNull();
        }
    }
}
