package io.fairlead.agent.okhttp;

import io.fairlead.agent.Client;
import io.fairlead.agent.route.ServerField;
import io.fairlead.agent.weave.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** OkHttp. The shapes are those of 3.12, 3.14, 4.12, 5.2 and 5.5. */
public final class OkHttpLibrary implements Client {
    private static final String CONNECTION = "okhttp3.internal.connection.";
    private static final String LCONNECTION = "Lokhttp3/internal/connection/";
    private static final String INTERCEPT = "(Lokhttp3/Interceptor$Chain;)Lokhttp3/Response;";
    private static final String ADDRESS = "(Lokhttp3/HttpUrl;)Lokhttp3/Address;";
    private static final String LIOEXCEPTION = "Ljava/io/IOException;";
    private static final String LREQUEST = "Lokhttp3/Request;";

    @Override
    public String name() {
        return "OkHttp";
    }

    @Override
    public List<Target> targets() {
        List<Target> targets = new ArrayList<>(hooked());
        if (ServerField.name() != null) {
            targets.add(Target.of("okhttp3.internal.http.BridgeInterceptor").around("intercept", "bridge", INTERCEPT));
        }
        return targets;
    }

    private static List<Target> hooked() {
        return Arrays.asList(
                Target.of("okhttp3.internal.http.RetryAndFollowUpInterceptor")
                        .around("intercept", "run", INTERCEPT)
                        .aroundIfThere("createAddress", "address", ADDRESS)
                        .aroundIfThere("sameConnection", "sameConnection", "(Lokhttp3/Response;Lokhttp3/HttpUrl;)Z")
                        .around(
                                "recover",
                                "recover",
                                "(" + LIOEXCEPTION + LCONNECTION + "StreamAllocation;Z" + LREQUEST + ")Z",
                                "(" + LIOEXCEPTION + LCONNECTION + "Transmitter;Z" + LREQUEST + ")Z",
                                "(" + LIOEXCEPTION + LCONNECTION + "RealCall;" + LREQUEST + "Z)Z",
                                "(" + LIOEXCEPTION + LCONNECTION + "RealCall;" + LREQUEST + ")Z",
                                "(" + LIOEXCEPTION + LCONNECTION + "RealCall;Lokhttp3/Interceptor$Chain;" + LREQUEST
                                        + ")Z"),
                Target.of("okhttp3.internal.http.CallServerInterceptor").around("intercept", "send", INTERCEPT),
                Target.of("okhttp3.Route").around("socketAddress", "socket", "()Ljava/net/InetSocketAddress;"),
                Target.of(CONNECTION + "RealConnection").around("isHealthy", "healthy", "(Z)Z"),
                Target.of(CONNECTION + "Transmitter").optional().around("createAddress", "address", ADDRESS),
                Target.of(CONNECTION + "ExchangeFinder")
                        .optional()
                        .aroundIfThere("hasRouteToTry", "hasRoute", "()Z")
                        .aroundIfThere("sameHostAndPort", "sameHost", "(Lokhttp3/HttpUrl;)Z"),
                Target.of(CONNECTION + "RealRoutePlanner")
                        .optional()
                        .around("sameHostAndPort", "sameHost", "(Lokhttp3/HttpUrl;)Z"),
                Target.of(CONNECTION + "RealCall")
                        .optional()
                        .around("cancel", "cancel", "()V")
                        .aroundIfThere("createAddress", "address", ADDRESS)
                        .around(
                                "enterNetworkInterceptorExchange",
                                "prepare",
                                "(" + LREQUEST + "Z)V",
                                "(" + LREQUEST + "ZLokhttp3/internal/http/RealInterceptorChain;)V"),
                Target.of("okhttp3.RealCall").optional().around("cancel", "cancel", "()V"),
                Target.of("okhttp3.internal.http.RealInterceptorChain").aroundIfThere("address", "address", ADDRESS),
                Target.of("okhttp3.OkHttpClient").aroundIfThere("address", "address", ADDRESS),
                Target.of("okhttp3.internal.Util")
                        .optional()
                        .aroundIfThere("hostHeader", "host", "(Lokhttp3/HttpUrl;Z)Ljava/lang/String;")
                        .aroundIfThere("toHostHeader", "host", "(Lokhttp3/HttpUrl;Z)Ljava/lang/String;"),
                Target.of("okhttp3.internal._UtilJvmKt")
                        .optional()
                        .aroundIfThere("toHostHeader", "host", "(Lokhttp3/HttpUrl;Z)Ljava/lang/String;"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.okhttp.OkHttpAdapter";
    }
}
