package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.bootstrap.Faults;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BootstrapClassesTest {
    @Test
    void everyClassOfThePackageIsDefined() throws Exception {
        File folder = new File(Faults.class.getResource(".").toURI());
        List<String> names = new ArrayList<>();
        for (String file : folder.list()) {
            if (!file.equals("package-info.class")) {
                names.add(file.replace(".class", ""));
            }
        }
        assertThat(BootstrapClasses.NAMES).containsExactlyInAnyOrderElementsOf(names);
    }
}
