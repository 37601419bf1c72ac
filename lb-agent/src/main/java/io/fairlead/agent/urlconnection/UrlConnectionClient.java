package io.fairlead.agent.urlconnection;

import io.fairlead.agent.Client;
import io.fairlead.agent.ClientContext;
import io.fairlead.agent.Log;
import io.fairlead.agent.bootstrap.UrlConnections;
import io.fairlead.agent.urlconnection.advice.BodyClose;
import io.fairlead.agent.urlconnection.advice.BodyRead;
import io.fairlead.agent.urlconnection.advice.CloseIdle;
import io.fairlead.agent.urlconnection.advice.Connect;
import io.fairlead.agent.urlconnection.advice.Disconnect;
import io.fairlead.agent.urlconnection.advice.FindIdle;
import io.fairlead.agent.urlconnection.advice.Finished;
import io.fairlead.agent.urlconnection.advice.KeepIdle;
import io.fairlead.agent.urlconnection.advice.NewClient;
import io.fairlead.agent.urlconnection.advice.ParseHead;
import io.fairlead.agent.urlconnection.advice.StreamRefused;
import io.fairlead.agent.urlconnection.advice.WriteHead;
import io.fairlead.agent.weave.Target;
import java.util.Arrays;
import java.util.List;

/** The JDK's oldest HTTP client. The shapes are those of JDK 8, 11, 17, 21 and 25. */
public final class UrlConnectionClient implements Client {
    private static final String CLIENT = "sun.net.www.http.HttpClient";
    private static final String CACHE = "sun.net.www.http.KeepAliveCache";
    private static final String CONNECTION = "sun.net.www.protocol.http.HttpURLConnection";
    private static final String LCLIENT = "Lsun/net/www/http/HttpClient;";
    private static final String LHEAD = "Lsun/net/www/MessageHeader;";
    private static final String LCONNECTION = "Lsun/net/www/protocol/http/HttpURLConnection;";
    private static final String LOBJECT = "Ljava/lang/Object;";
    private static final String LURL = "Ljava/net/URL;";

    @Override
    public String name() {
        return "HttpURLConnection";
    }

    @Override
    public List<Target> targets() {
        return Arrays.asList(
                Target.jdkClass("sun.net.NetworkClient")
                        .hook("doConnect", Connect.class, "(Ljava/lang/String;I)Ljava/net/Socket;"),
                Target.jdkClass(CLIENT)
                        .field("ignoreContinue:Z")
                        .hook("New", NewClient.class, "(" + LURL + "Ljava/net/Proxy;IZ" + LCONNECTION + ")" + LCLIENT)
                        .hook("closeIdleConnection", CloseIdle.class, "()V")
                        .hook("writeRequests", WriteHead.class, "(" + LHEAD + "Lsun/net/www/http/PosterOutputStream;)V")
                        .hook(
                                "parseHTTP",
                                ParseHead.class,
                                "(" + LHEAD + LCONNECTION + ")Z",
                                "(" + LHEAD + "Lsun/net/ProgressSource;" + LCONNECTION + ")Z")
                        .hook("finished", Finished.class, "()V")
                        .hook("closeServer", Finished.class, "()V"),
                Target.jdkClass("sun.net.www.protocol.https.HttpsClient")
                        .hook(
                                "New",
                                NewClient.class,
                                "(Ljavax/net/ssl/SSLSocketFactory;" + LURL
                                        + "Ljavax/net/ssl/HostnameVerifier;Ljava/net/Proxy;ZI" + LCONNECTION + ")"
                                        + LCLIENT)
                        .hook("closeIdleConnection", CloseIdle.class, "()V"),
                Target.jdkClass(CACHE)
                        .hook("get", FindIdle.class, "(" + LURL + LOBJECT + ")" + LCLIENT)
                        .hook("put", KeepIdle.class, "(" + LURL + LOBJECT + LCLIENT + ")V"),
                Target.jdkClass(CONNECTION)
                        .hook("getInputStream", StreamRefused.class, "()Ljava/io/InputStream;")
                        .hook("getOutputStream", StreamRefused.class, "()Ljava/io/OutputStream;")
                        .hook("disconnect", Disconnect.class, "()V"),
                Target.jdkClass(CONNECTION + "$HttpInputStream")
                        .field("this$0:" + LCONNECTION)
                        .hook("read", BodyRead.class, "([BII)I")
                        .hook("close", BodyClose.class, "()V"));
    }

    @Override
    public void start(ClientContext context) {
        try {
            context.exportBase("sun.net.www", MessageHead.class);
            context.letRead(Object.class, UrlConnections.class);
        } catch (ReflectiveOperationException e) {
            Log.line(name() + " is left alone: the JDK's module cannot be opened: " + e);
            return;
        }
        UrlConnections.install(new UrlConnectionHooks(this, context));
    }
}
