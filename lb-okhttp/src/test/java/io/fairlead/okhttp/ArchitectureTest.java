package io.fairlead.okhttp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

/** What the interceptor may know: the door of the core, and the door of OkHttp. */
class ArchitectureTest {
    @Test
    void theInterceptorKnowsTheDoorsAloneOfTheCoreAndOfOkHttp() {
        // Its classes alone: to look for them on the class path takes longer than all the rest.
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.fairlead",
                        "io.fairlead.retry",
                        "io.fairlead.observe",
                        "io.fairlead.okhttp",
                        "okhttp3",
                        "okio",
                        "java..",
                        "javax.net..",
                        "org.jspecify.annotations",
                        "org.slf4j")
                .check(new ClassFileImporter().importPath(Paths.get("target/classes")));
    }
}
