package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import io.fairlead.ServiceSettings;
import io.fairlead.retry.RetryPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import mockwebserver3.MockResponse;
import okhttp3.CertificatePinner;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** TLS and HTTP/2: whose name is on the certificate. */
class SecureTest {
    private static final HeldCertificate ROOT =
            new HeldCertificate.Builder().certificateAuthority(0).build();
    private static final HandshakeCertificates ORDERS = issuedTo("orders");
    private static final HandshakeCertificates OWN = issuedTo("127.0.0.1");

    private Backend a;
    private Backend b;

    private static HandshakeCertificates issuedTo(String name) {
        HeldCertificate certificate = new HeldCertificate.Builder()
                .signedBy(ROOT)
                .addSubjectAlternativeName(name)
                .build();
        return new HandshakeCertificates.Builder().heldCertificate(certificate).build();
    }

    private static OkHttpClient.Builder trusting(OkHttpClient.Builder builder) {
        HandshakeCertificates trusted = new HandshakeCertificates.Builder()
                .addTrustedCertificate(ROOT.certificate())
                .build();
        return builder.sslSocketFactory(trusted.sslSocketFactory(), trusted.trustManager());
    }

    private static Orders over(LoadBalancer balancer) {
        return new Orders(SecureTest::trusting, balancer);
    }

    @BeforeEach
    void start() throws IOException {
        a = Backend.secure("a", ORDERS);
        b = Backend.secure("b", ORDERS);
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    @Test
    void theCertificateIsCheckedForTheLogicalNameAndEachServerReachedOverItsOwnConnection() throws IOException {
        try (Orders orders = over(Orders.service("orders", a.url(), b.url()))) {
            for (String name : new String[] {"a", "b", "a", "b"}) {
                try (Response response = orders.get("https://orders/")) {
                    assertThat(response.body().string()).isEqualTo(name);
                    assertThat(response.protocol()).isEqualTo(Protocol.HTTP_2);
                }
            }
            assertThat(a.connections()).isEqualTo(1);
            assertThat(b.connections()).isEqualTo(1);
            assertThat(orders.client.connectionPool().connectionCount()).isEqualTo(2);
        }
    }

    @Test
    void socketsOfTheApplicationsOwnMakingCarryTlsAsWell() throws IOException {
        CountingSocketFactory own = new CountingSocketFactory();
        try (Orders orders = new Orders(
                builder -> trusting(builder).socketFactory(own), Orders.service("orders", a.url(), b.url()))) {
            for (String name : new String[] {"a", "b", "a", "b"}) {
                assertThat(orders.text("https://orders/")).isEqualTo(name);
            }
            a.answer = request -> Backend.redirect("/next");
            assertThat(orders.text("https://orders/start")).isEqualTo("b");
            assertThat(own.made.get()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void theServerNameThatIsIndicatedIsTheLogicalOne() throws IOException {
        // Java indicates no name without a dot.
        try (Backend named = Backend.secure("named", issuedTo("orders.internal"));
                Orders orders = over(Orders.service("orders.internal", named.url()))) {
            assertThat(orders.text("https://orders.internal/")).isEqualTo("named");
            assertThat(orders.text("http://orders.internal/")).isEqualTo("named");
            assertThat(named.requests)
                    .hasSize(2)
                    .allSatisfy(request ->
                            assertThat(request.getHandshakeServerNames()).containsOnly("orders.internal"));
        }
    }

    @Test
    void aServerWithACertificateForAnotherNameIsPassedOver() throws IOException {
        try (Backend stranger = Backend.secure("stranger", OWN);
                Orders orders = over(Orders.service("orders", stranger.url(), b.url()));
                Response response = orders.post("https://orders/", RequestBody.create(new byte[] {1, 2, 3}))) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(String.valueOf(
                            orders.balancer.snapshot().endpoints().get(0).lastError()))
                    .startsWith("CONNECT_FAILED");
        }
    }

    @Test
    void aStrangerAloneIsRefused() throws IOException {
        try (Backend stranger = Backend.secure("stranger", OWN);
                Orders orders = over(Orders.service("orders", stranger.url()))) {
            assertThatThrownBy(() -> orders.get("https://orders/"))
                    .isInstanceOf(SSLPeerUnverifiedException.class)
                    .hasMessageStartingWith("server " + stranger.url() + " of service 'orders': ")
                    .hasMessageContaining("Hostname orders not verified");
        }
    }

    @Test
    void aServerWhoseCertificateNobodyVouchesForIsNamedAndTheCauseStays() throws IOException {
        try (Orders orders = new Orders(UnaryOperator.identity(), Orders.service("orders", a.url()))) {
            assertThatThrownBy(() -> orders.get("https://orders/"))
                    .isExactlyInstanceOf(SSLHandshakeException.class)
                    .hasMessageStartingWith("server " + a.url() + " of service 'orders': ")
                    .hasCauseInstanceOf(CertificateException.class);
        }
    }

    @Test
    void aPauseOverHttp2MayBeLongerThanATry() throws IOException {
        a.answer = request -> new MockResponse.Builder()
                .body("ab")
                .throttleBody(1, 300, TimeUnit.MILLISECONDS)
                .build();
        LoadBalancer service = LoadBalancer.builder("orders")
                .endpoint(a.url())
                .retry(RetryPolicy.builder()
                        .perTryTimeout(Duration.ofMillis(150))
                        .build())
                .build();
        try (Backend warm = Backend.secure("warm", OWN);
                Orders orders = over(service)) {
            // Classes are loaded, and the connection stands, before time counts.
            orders.text(warm.url());
            assertThat(orders.text("https://orders/")).isEqualTo("ab");
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void aServerOfHttpsBehindALogicalUrlOfHttpIsSpokenToSecurely() throws IOException {
        Request request = new Request.Builder().url("http://orders/x").build();
        try (Orders orders = over(Orders.service("orders", a.url()));
                Response response = orders.client.newCall(request).execute()) {
            assertThat(response.body().string()).isEqualTo("a");
            assertThat(response.handshake()).isNotNull();
            assertThat(response.request()).isSameAs(request);
            assertThat(a.requests.get(0).getUrl().host()).isEqualTo("orders");
        }
    }

    @Test
    void aServerOfHttpBehindALogicalUrlOfHttpsIsSpokenToInTheClear() throws IOException {
        try (Backend clear = Backend.named("clear");
                Orders orders = over(Orders.service("orders", clear.url()));
                Response response = orders.get("https://orders/x")) {
            assertThat(response.body().string()).isEqualTo("clear");
            assertThat(response.request().url()).hasToString("https://orders/x");
            assertThat(clear.requests.get(0).getHeaders().get("Host")).isEqualTo("orders");
        }
    }

    @Test
    void withoutPassHostHeaderTheCertificateIsCheckedForTheServersOwnName() throws IOException {
        try (Backend own = Backend.secure("own", OWN);
                Orders orders = over(LoadBalancer.builder("orders")
                        .settings(ServiceSettings.DEFAULT.withPassHostHeader(false))
                        .endpoint(own.url())
                        .build());
                Response response = orders.get("https://orders/")) {
            assertThat(response.body().string()).isEqualTo("own");
            assertThat(response.request().url()).hasToString("https://orders/");
        }
    }

    @Test
    void redirectsOverHttp2ReachTheServerThatWasPickedForThem() throws IOException {
        a.answer = request -> Backend.redirect("/next");
        try (Orders orders = over(Orders.service("orders", a.url(), b.url()))) {
            assertThat(orders.text("https://orders/start")).isEqualTo("b");
            assertThat(b.requests.get(0).getTarget()).isEqualTo("/next");
            assertThat(b.requests.get(0).getUrl().host()).isEqualTo("orders");
        }
    }

    @Test
    void aPostThatAnHttp2ServerRefusesGoesToTheNextServer() throws IOException {
        a.early = new mockwebserver3.MockResponse.Builder()
                .onRequestStart(new mockwebserver3.SocketEffect.CloseStream(7)) // REFUSED_STREAM
                .build();
        try (Orders orders = over(Orders.service("orders", a.url(), b.url()));
                Response response = orders.post("https://orders/", RequestBody.create(new byte[] {1, 2, 3}))) {
            assertThat(response.body().string()).isEqualTo("b");
            assertThat(orders.failures()).isZero();
        }
    }

    @Test
    void serversOfHttp2WithoutTlsAreReachedByAClientThatSpeaksIt() throws IOException {
        try (Backend one = Backend.http2("one");
                Backend two = Backend.http2("two");
                Orders orders = new Orders(
                        builder -> builder.protocols(Collections.singletonList(Protocol.H2_PRIOR_KNOWLEDGE)),
                        Orders.service(
                                "orders",
                                one.url().replace("http:", "h2c:"),
                                two.url().replace("http:", "h2c:")))) {
            for (String name : new String[] {"one", "two", "one", "two"}) {
                assertThat(orders.text("http://orders/")).isEqualTo(name);
            }
            assertThat(one.connections()).isEqualTo(1);
            assertThat(two.requests.get(0).getUrl().host()).isEqualTo("orders");
        }
    }

    @Test
    void servicesThatShareACertificateAndAnAddressAreNotCoalesced() throws IOException {
        HeldCertificate both = new HeldCertificate.Builder()
                .signedBy(ROOT)
                .addSubjectAlternativeName("orders")
                .addSubjectAlternativeName("spare")
                .build();
        HandshakeCertificates shared =
                new HandshakeCertificates.Builder().heldCertificate(both).build();
        try (Backend one = Backend.secure("one", shared);
                Backend two = Backend.secure("two", shared);
                Orders orders = new Orders(
                        SecureTest::trusting,
                        Orders.service("orders", one.url()),
                        Orders.service("spare", two.url()))) {
            // To OkHttp both are 127.0.0.1:443, and the certificate of the first holds for the second.
            assertThat(orders.text("https://orders/")).isEqualTo("one");
            assertThat(orders.text("https://spare/")).isEqualTo("two");
            assertThat(orders.text("https://orders/")).isEqualTo("one");
        }
    }

    @Test
    void aPinnedCertificateIsLookedForUnderTheLogicalName() throws IOException {
        CertificatePinner right = new CertificatePinner.Builder()
                .add("orders", CertificatePinner.pin(ROOT.certificate()))
                .build();
        CertificatePinner wrong = new CertificatePinner.Builder()
                .add("orders", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
                .build();
        try (Orders orders =
                new Orders(builder -> trusting(builder).certificatePinner(right), Orders.service("orders", a.url()))) {
            assertThat(orders.text("https://orders/")).isEqualTo("a");
        }
        try (Orders orders =
                new Orders(builder -> trusting(builder).certificatePinner(wrong), Orders.service("orders", a.url()))) {
            assertThatThrownBy(() -> orders.get("https://orders/")).isInstanceOf(SSLPeerUnverifiedException.class);
        }
    }

    @Test
    void trailersArriveAfterTheBody() throws IOException {
        a.answer = request -> new MockResponse.Builder()
                .body("a")
                .trailers(Headers.of("checksum", "7"))
                .build();
        try (Orders orders = over(Orders.service("orders", a.url()));
                Response response = orders.get("https://orders/")) {
            assertThat(response.body().string()).isEqualTo("a");
            assertThat(response.trailers().get("checksum")).isEqualTo("7");
        }
    }

    @Test
    void aDuplexCallSpeaksBothWaysAtOnceAndIsInFlightUntilItsEnd() throws Exception {
        a.early = new MockResponse.Builder().doNotReadRequestBody().build();
        a.answer = request -> new MockResponse.Builder()
                .clearHeaders() // A Content-Length, which it has by itself.
                .socketHandler(socket -> {
                    try (BufferedSource in = Okio.buffer(socket.getSource());
                            BufferedSink out = Okio.buffer(socket.getSink())) {
                        for (String line = in.readUtf8Line(); line != null; line = in.readUtf8Line()) {
                            out.writeUtf8("echo " + line + "\n").flush();
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .build();
        DuplexBody body = new DuplexBody();
        try (Orders orders = over(Orders.service("orders", Orders.deadUrl().replace("http:", "https:"), a.url()));
                Response response = orders.post("https://orders/chat", body)) {
            BufferedSink sink = body.sink.get(10, TimeUnit.SECONDS);
            for (String word : new String[] {"one", "two"}) {
                sink.writeUtf8(word + "\n").flush();
                assertThat(response.body().source().readUtf8Line()).isEqualTo("echo " + word);
            }
            assertThat(orders.inFlight()).isEqualTo(1);
            sink.close();
            assertThat(response.body().source().exhausted()).isTrue();
            assertThat(orders.inFlight()).isZero();
        }
    }

    @Test
    void aDuplexCallThatBreaksIsNotMadeAgain() throws IOException {
        a.early = new MockResponse.Builder()
                .onRequestStart(new mockwebserver3.SocketEffect.CloseStream(2)) // INTERNAL_ERROR
                .build();
        DuplexBody body = new DuplexBody();
        try (Orders orders = over(Orders.service("orders", a.url(), b.url()))) {
            Request request =
                    new Request.Builder().url("https://orders/chat").put(body).build();
            assertThatThrownBy(() -> orders.client.newCall(request).execute()).isInstanceOf(IOException.class);
            assertThat(b.requests).isEmpty();
        }
    }

    /** Written to by the test while the answer comes. */
    private static final class DuplexBody extends RequestBody {
        final CompletableFuture<BufferedSink> sink = new CompletableFuture<>();

        @Override
        public @Nullable MediaType contentType() {
            return null;
        }

        @Override
        public boolean isDuplex() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink to) {
            sink.complete(to);
        }
    }
}
