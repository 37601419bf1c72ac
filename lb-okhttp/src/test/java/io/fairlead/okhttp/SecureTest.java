package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.LoadBalancer;
import io.fairlead.ServiceSettings;
import java.io.IOException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
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
                    .hasMessageContaining("Hostname orders not verified");
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
}
