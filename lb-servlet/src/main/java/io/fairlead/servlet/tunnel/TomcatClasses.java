package io.fairlead.servlet.tunnel;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what must not be loaded where the container is another one. */
final class TomcatClasses {
    private static final Logger log = LoggerFactory.getLogger(TomcatClasses.class);
    private static final String TAKEOVER = "io.fairlead.servlet.tunnel.tomcat.TomcatTakeover";

    private TomcatClasses() {}

    /** Tomcat's way; none where its own classes are hidden from the web application. */
    static Takeover takeover() {
        try {
            ClassLoader own = TomcatClasses.class.getClassLoader();
            Class.forName("org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler", false, own);
            return Class.forName(TAKEOVER, true, own)
                    .asSubclass(Takeover.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            log.debug("Tomcat's own classes cannot be reached", e);
            return new NoTakeover();
        }
    }
}
