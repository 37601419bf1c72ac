package io.fairlead.agent.jdkhttp;

import io.fairlead.agent.Client;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** The JDK's newer HTTP client. The shapes are those of Java 11, 17, 21 and 25. */
public final class JdkHttpClient implements Client {
    static final String PACKAGE = "jdk.internal.net.http";
    private static final String LPACKAGE = "Ljdk/internal/net/http/";
    private static final String LFUTURE = "Ljava/util/concurrent/CompletableFuture;";

    @Override
    public String name() {
        return "java.net.http.HttpClient";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.of(PACKAGE + ".Exchange")
                        .around("responseAsync", "send", "()" + LFUTURE)
                        .around("readBodyAsync", "read", "(Ljava/net/http/HttpResponse$BodyHandler;)" + LFUTURE)
                        .around("ignoreBody", "ignored", "()" + LFUTURE)
                        .around("nullBody", "none", "(Ljava/net/http/HttpResponse;Ljava/lang/Throwable;)V")
                        .around("cancel", "cancel", "(Ljava/io/IOException;)V")
                        .around("cancel", "cancelled", "()V"),
                Target.of(PACKAGE + ".HttpRequestImpl")
                        .around("getAddress", "address", "()Ljava/net/InetSocketAddress;"),
                Target.of(PACKAGE + ".Http1Request").around("hostString", "host", "()Ljava/lang/String;"),
                Target.of(PACKAGE + ".Http2Connection")
                        .around("keyFor", "key", "(" + LPACKAGE + "HttpRequestImpl;)Ljava/lang/String;")
                        .around("keyFor", "connectionKey", "(" + LPACKAGE + "HttpConnection;)Ljava/lang/String;"));
    }

    @Override
    public String adapter() {
        return "io.fairlead.agent.jdkhttp.JdkHttpAdapter";
    }
}
