package io.fairlead;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package may know which, and what all classes keep to. */
@AnalyzeClasses(packages = "io.fairlead", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule strategiesKnowNoClockNoHttpAndNoOtherRoom = classes()
            .that()
            .resideInAPackage("io.fairlead.strategy")
            .should()
            .onlyDependOnClassesThat()
            .haveNameMatching("io\\.fairlead\\.(strategy\\..*|RequestFacts|Tried|Ticker)|java\\.time\\.Duration"
                    + "|\\[+[BCDFIJSZ]|java\\.lang\\..*|java\\.util\\..*|java\\.nio\\.charset\\..*|org\\.jspecify\\..*"
                    + "|\\[+L(java\\.lang|io\\.fairlead\\.strategy)\\..*");

    @ArchTest
    static final ArchRule theCoreKnowsNoAdapter = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fairlead.servlet..", "io.fairlead.okhttp..", "io.fairlead.agent..", "jakarta..", "okhttp3..");

    @ArchTest
    static final ArchRule onlyTheReaderKnowsYaml = noClasses()
            .that()
            .resideOutsideOfPackage("io.fairlead.config")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.snakeyaml..");

    @ArchTest
    static final ArchRule timeIsPassedIn = noClasses()
            .that()
            .resideOutsideOfPackage("io.fairlead.health")
            .and()
            .doNotHaveSimpleName("SystemScheduler")
            .and()
            .doNotHaveSimpleName("Ticker")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);

    @ArchTest
    static final ArchRule noStaticStateThatChanges = fields().that()
            .areStatic()
            .and()
            .doNotHaveName("$assertionsDisabled")
            .should()
            .beFinal();

    @ArchTest
    static final ArchRule packagePrivateClassesAreFinal = classes()
            .that()
            .arePackagePrivate()
            .and()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .should()
            .haveModifier(JavaModifier.FINAL);
}
