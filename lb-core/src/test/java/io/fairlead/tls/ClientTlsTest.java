package io.fairlead.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.PrivateKey;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ClientTlsTest {
    @Test
    void itsContextIsMadeOnce() throws Exception {
        ClientTls tls = ClientTls.builder().rootCAs(TestPem.text("ca.pem")).build();

        assertThat(tls.context()).isSameAs(tls.context());
    }

    @Test
    void itIsEqualByWhatItSays() throws Exception {
        assertThat(settings().build())
                .isEqualTo(settings().build())
                .hasSameHashCodeAs(settings().build());
        assertThat(settings().build())
                .isNotEqualTo(settings().serverName("other").build())
                .isNotEqualTo(settings().insecureSkipVerify(true).build())
                .isNotEqualTo(settings().rootCAs(TestPem.text("server.pem")).build())
                .isNotEqualTo(settings()
                        .certificate(TestPem.text("server.pem"), TestPem.text("server.key"))
                        .build())
                .isNotEqualTo(ClientTls.DEFAULT);
        assertThat(ClientTls.builder().build()).isEqualTo(ClientTls.DEFAULT);
    }

    @Test
    void comparingDoesNotGoThroughKeysAndCertificates() throws Exception {
        AtomicInteger encoded = new AtomicInteger();
        ClientTls one = withKey(encoded);
        ClientTls other = withKey(encoded);
        encoded.set(0);

        assertThat(one.equals(other)).isTrue();
        assertThat(encoded).hasValue(0);
    }

    private static ClientTls.Builder settings() throws Exception {
        return ClientTls.builder()
                .serverName("orders")
                .rootCAs(TestPem.text("ca.pem"))
                .certificate(TestPem.text("client.pem"), TestPem.text("client.key"));
    }

    /** With a key that counts how often it is looked into. */
    private static ClientTls withKey(AtomicInteger encoded) throws Exception {
        PrivateKey real = Pem.privateKey(TestPem.text("client.key"));
        PrivateKey counting = (PrivateKey) Proxy.newProxyInstance(
                ClientTlsTest.class.getClassLoader(), real.getClass().getInterfaces(), (proxy, method, arguments) -> {
                    if (method.getName().equals("getEncoded")) {
                        encoded.incrementAndGet();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return ClientTls.builder()
                .certificate(Pem.certificates(TestPem.text("client.pem")), counting)
                .build();
    }
}
