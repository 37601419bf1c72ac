package io.fairlead.agent.jetty;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** Jetty's client. The shapes are those of 9.4.25 to 11, and of 12.1. */
public final class JettyClient implements Client {
    static final String ROOT = "org.eclipse.jetty.client.";
    /** Where the inside is since Jetty 12. */
    static final String TRANSPORT = ROOT + "transport.";

    private static final String LROOT = "Lorg/eclipse/jetty/client/";
    private static final String LPROMISE = "Lorg/eclipse/jetty/util/Promise;";
    private static final String LSTRING = "Ljava/lang/String;";

    @Override
    public String name() {
        return "Jetty HttpClient";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of(ROOT + "HttpClient")
                        .around(
                                "createOrigin",
                                "origin",
                                "(" + LSTRING + LSTRING + "ILjava/lang/Object;)" + LROOT + "Origin;",
                                "(" + LROOT + "HttpRequest;" + LROOT + "Origin$Protocol;)" + LROOT + "Origin;",
                                "(" + LROOT + "Request;" + LROOT + "Origin$Protocol;)" + LROOT + "Origin;")
                        .aroundIfThere("send", "send", "(" + LROOT + "HttpRequest;Ljava/util/List;)V")
                        .around(
                                "newConnection",
                                "connect",
                                "(" + LROOT + "HttpDestination;" + LPROMISE + ")V",
                                "(" + LROOT + "Destination;" + LPROMISE + ")V"),
                Target.of(TRANSPORT + "HttpRequest")
                        .optional()
                        .around("send", "sendRequest", "(" + LROOT + "Response$CompleteListener;)V"),
                Target.of("org.eclipse.jetty.util.SocketAddressResolver$Async")
                        .around(
                                "resolve",
                                "resolve",
                                "(" + LSTRING + "I" + LPROMISE + ")V",
                                "(" + LSTRING + "ILjava/util/Map;" + LPROMISE + ")V"),
                destination(ROOT),
                destination(TRANSPORT),
                exchange(ROOT, LROOT, "Z", LROOT + "api/Result;"),
                exchange(TRANSPORT, LROOT + "transport/", "V", LROOT + "Result;"),
                receiver(ROOT, LROOT, "Z"),
                receiver(TRANSPORT, LROOT + "transport/", "V"),
                http1(ROOT + "http."),
                http1(TRANSPORT + "internal."),
                http2("org.eclipse.jetty.http2.client.http."),
                http2("org.eclipse.jetty.http2.client.transport.internal."));
    }

    private static Target destination(String in) {
        return Target.of(in + "HttpDestination").optional().around("failed", "refused", "(Ljava/lang/Throwable;)V");
    }

    private static Target exchange(String in, String descriptor, String begin, String result) {
        String listeners = begin.equals("Z") ? "Ljava/util/List;" : descriptor + "ResponseListeners;";
        return Target.of(in + "HttpExchange")
                .optional()
                .around(
                        "<init>",
                        "exchange",
                        "(" + descriptor + "HttpDestination;" + descriptor + "HttpRequest;" + listeners + ")V")
                .around("associate", "associate", "(" + descriptor + "HttpChannel;)Z")
                .around("terminateRequest", "terminated", "()" + result)
                .around("terminateResponse", "terminated", "()" + result);
    }

    private static Target receiver(String in, String descriptor, String result) {
        return Target.of(in + "HttpReceiver")
                .optional()
                .around("responseBegin", "response", "(" + descriptor + "HttpExchange;)" + result);
    }

    private static Target http1(String in) {
        return Target.of(in + "HttpConnectionOverHTTP")
                .optional()
                .around("close", "closing", "(Ljava/lang/Throwable;)V");
    }

    private static Target http2(String in) {
        return Target.of(in + "HttpConnectionOverHTTP2")
                .optional()
                .aroundIfThere("close", "breaking", "(Ljava/lang/Throwable;)V")
                .aroundIfThere("ensureClosedOrAbortActiveChannels", "breakingBy", "(Ljava/util/function/Supplier;)Z");
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.jetty.JettyAdapter";
    }
}
