package io.fairlead.okhttp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the interceptor may know: the door of the core, and the door of OkHttp. */
@AnalyzeClasses(packages = "io.fairlead.okhttp", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule theInterceptorKnowsTheDoorsAloneOfTheCoreAndOfOkHttp = classes()
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
                    "org.slf4j");
}
