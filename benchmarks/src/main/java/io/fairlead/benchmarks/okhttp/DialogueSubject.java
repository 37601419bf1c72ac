package io.fairlead.benchmarks.okhttp;

import com.google.common.collect.ListMultimap;
import com.palantir.conjure.java.api.config.service.UserAgent;
import com.palantir.conjure.java.client.config.ClientConfiguration;
import com.palantir.conjure.java.client.config.ClientConfigurations;
import com.palantir.conjure.java.client.config.NodeSelectionStrategy;
import com.palantir.dialogue.Channel;
import com.palantir.dialogue.Endpoint;
import com.palantir.dialogue.HttpMethod;
import com.palantir.dialogue.Request;
import com.palantir.dialogue.Response;
import com.palantir.dialogue.UrlBuilder;
import com.palantir.dialogue.core.DialogueChannel;
import com.palantir.dialogue.hc5.ApacheHttpClientChannels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Palantir Dialogue over Apache's client, round robin. It works on threads of its own; the caller waits for them. */
final class DialogueSubject implements Client {
    private final ApacheHttpClientChannels.CloseableClient apache;
    private final Channel channel;
    private final Request request = Request.builder().build();

    DialogueSubject(List<String> urls) {
        ClientConfiguration configuration = ClientConfiguration.builder()
                .from(tls(urls))
                .nodeSelectionStrategy(NodeSelectionStrategy.ROUND_ROBIN)
                .userAgent(UserAgent.of(UserAgent.Agent.of("benchmark", "1.0.0")))
                .build();
        apache = ApacheHttpClientChannels.createCloseableHttpClient(configuration, "orders");
        channel = DialogueChannel.builder()
                .channelName("orders")
                .clientConfiguration(configuration)
                .factory(args -> ApacheHttpClientChannels.createSingleUri(args, apache))
                .build();
    }

    /** It wants to know about TLS, which the servers here do not speak. */
    private static ClientConfiguration tls(List<String> urls) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return ClientConfigurations.of(
                    urls, SSLContext.getDefault().getSocketFactory(), (X509TrustManager) factory.getTrustManagers()[0]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    @Override
    public int call() throws Exception {
        try (Response response = channel.execute(Item.GET, request).get(60, TimeUnit.SECONDS)) {
            return response.body().readAllBytes().length;
        }
    }

    @Override
    public void close() {
        try {
            apache.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private enum Item implements Endpoint {
        GET;

        @Override
        public void renderPath(ListMultimap<String, String> parameters, UrlBuilder url) {
            url.pathSegment("items").pathSegment("7");
        }

        @Override
        public HttpMethod httpMethod() {
            return HttpMethod.GET;
        }

        @Override
        public String serviceName() {
            return "orders";
        }

        @Override
        public String endpointName() {
            return "item";
        }

        @Override
        public String version() {
            return "1.0.0";
        }
    }
}
