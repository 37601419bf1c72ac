package io.fairlead.agent;

import io.fairlead.agent.ahc.AsyncHttpLibrary;
import io.fairlead.agent.apache4.Apache4AsyncClient;
import io.fairlead.agent.apache4.Apache4Client;
import io.fairlead.agent.apache5.Apache5AsyncClient;
import io.fairlead.agent.apache5.Apache5Client;
import io.fairlead.agent.jdkhttp.JdkHttpClient;
import io.fairlead.agent.jetty.JettyClient;
import io.fairlead.agent.okhttp.OkHttpLibrary;
import io.fairlead.agent.reactornetty.ReactorNettyClient;
import io.fairlead.agent.urlconnection.UrlConnectionClient;
import io.fairlead.agent.vertx.VertxClient;
import java.util.Arrays;
import java.util.List;

/** The clients that the agent knows. */
final class Clients {
    private Clients() {}

    static List<Client> all() {
        return Arrays.asList(
                new UrlConnectionClient(),
                new Apache4Client(),
                new Apache4AsyncClient(),
                new Apache5Client(),
                new Apache5AsyncClient(),
                new JdkHttpClient(),
                new JettyClient(),
                new ReactorNettyClient(),
                new AsyncHttpLibrary(),
                new VertxClient(),
                new OkHttpLibrary());
    }
}
