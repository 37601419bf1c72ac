package io.fairlead.agent.it;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What a client lets its application do and see, as far as that differs among clients. */
final class Sight {
    private static final List<String> HIDE_REDIRECTS = Arrays.asList(
            "SpringRestTemplate", "SpringHttpComponents", "SpringRestClient", "SpringWebClient", "OpenFeign", "Jersey");
    private static final List<String> CANNOT_CANCEL = Arrays.asList(
            "SpringRestTemplate",
            "SpringHttpComponents",
            "SpringRestClient",
            "OpenFeign",
            "Jersey",
            "GoogleHttp",
            "VertxWeb");
    private static final List<String> WAIT_FOR_ANSWERS = Arrays.asList(
            "UrlConnection",
            "Apache4",
            "Apache5",
            "OkHttp",
            "SpringRestTemplate",
            "SpringHttpComponents",
            "OpenFeign",
            "RetrofitClient",
            "Jersey",
            "GoogleHttp",
            "Soap");

    private static final List<String> SEND_BODIES_ONCE = Arrays.asList(
            "ReactorNetty", "SpringWebClient", "UrlConnection", "SpringRestTemplate", "GoogleHttp", "OpenFeign");

    private Sight() {}

    /** The checks of the matrix that a client's program cannot show. */
    static List<String> missing(String program, String version, int java) {
        if (program.equals("Soap")) {
            return Arrays.asList("bytes", "redirects", "cancel");
        }
        if (program.equals("Apache5AsyncHttp2")) {
            // Its response timeout is one of connections that carry a request at a time, as RequestConfig says.
            return Collections.singletonList("time limit");
        }
        // Not every client ends a request that the application gives up, with the agent or without.
        boolean oldJdk = program.startsWith("JdkHttp") && java < 16;
        boolean oldApache = program.equals("Apache5Async") && version.equals("5.0");
        return oldJdk || oldApache || CANNOT_CANCEL.contains(program)
                ? Collections.singletonList("cancel")
                : Collections.emptyList();
    }

    /** Whether the application sees the URL that a redirect led to. */
    static boolean showsRedirects(String program) {
        return !HIDE_REDIRECTS.contains(program);
    }

    /** Whether it stands over another client of the matrix. */
    static boolean isFramework(String program) {
        return HIDE_REDIRECTS.contains(program) || program.equals("GoogleHttp") || program.equals("RetrofitClient");
    }

    /** A path and query that it can send, as odd as may be. */
    static String target(String program) {
        return isFramework(program)
                ? "/a%20b/%2F/c;d=e/%C3%A4?q=1&r=a+b&s=%26"
                : "/a%20b/%2e%2E/%2F/c;d=e/%C3%A4?q=%00&r=a+b&&%3f";
    }

    /** Whether it asks for a connection a second time by itself where the first is refused. */
    static boolean connectsTwiceToPost(String program) {
        return program.equals("Jersey");
    }

    /**
     * Whether the agent can send a body a second time. Reactor Netty's is a publisher, of which nobody knows whether it can
     * be subscribed to once more; one of a stated length for {@code HttpURLConnection} is written by the application.
     */
    static boolean repeatsBodies(String program) {
        return !SEND_BODIES_ONCE.contains(program);
    }

    /** Whether threads of the client's own watch the connections that it keeps. */
    static boolean hasEventLoop(String program) {
        return !WAIT_FOR_ANSWERS.contains(program);
    }
}
