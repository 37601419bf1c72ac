package io.fairlead.servlet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package may know which. */
@AnalyzeClasses(packages = "io.fairlead", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule theCoreIsKnownByItsDoorOnly = noClasses()
            .that()
            .resideInAPackage("io.fairlead.servlet..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("io\\.fairlead\\.(?!(servlet|retry|limit|config|tls)\\.)[a-z]+\\..*");

    @ArchTest
    static final ArchRule rulesAndMiddlewaresKnowNoClientAndNoContainer = noClasses()
            .that()
            .resideInAnyPackage("io.fairlead.servlet.routing..", "io.fairlead.servlet.middleware..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.eclipse.jetty..", "jakarta..", "io.fairlead.servlet");

    @ArchTest
    static final ArchRule noContainerIsCompiledAgainst = noClasses()
            .that()
            .resideInAPackage("io.fairlead.servlet..")
            .and()
            .resideOutsideOfPackage("io.fairlead.servlet.tunnel.tomcat")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.eclipse.jetty.server..",
                    "org.eclipse.jetty.ee10..",
                    "org.apache.catalina..",
                    "org.apache.coyote..",
                    "org.apache.tomcat..");

    @ArchTest
    static final ArchRule tomcatsClassesAreFoundByNameOnly = noClasses()
            .that()
            .resideOutsideOfPackage("io.fairlead.servlet.tunnel.tomcat")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fairlead.servlet.tunnel.tomcat");

    @ArchTest
    static final ArchRule noStaticStateThatChanges = fields().that()
            .areStatic()
            .and()
            .areDeclaredInClassesThat()
            .resideInAPackage("io.fairlead.servlet..")
            .and()
            .doNotHaveName("$assertionsDisabled")
            .should()
            .beFinal();

    @ArchTest
    static final ArchRule packagePrivateClassesAreFinal = classes()
            .that()
            .resideInAPackage("io.fairlead.servlet..")
            .and()
            .arePackagePrivate()
            .and()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .areNotEnums()
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .should()
            .haveModifier(JavaModifier.FINAL);
}
