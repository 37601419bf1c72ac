package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import okhttp3.Dns;
import org.junit.jupiter.api.Test;

/** How connections are led to a server. */
class PinsTest {
    private static final Dns NONE = name -> {
        throw new UnknownHostException(name);
    };

    @Test
    void aServerHasOnePinWhateverElseIsSaidOfIt() {
        Pins pins = new Pins();
        Pin pin = pins.get("orders", Endpoint.of("http://10.0.0.1:8080"), NONE);
        assertThat(pins.get("orders", Endpoint.of("http://10.0.0.1:8080", 9), NONE))
                .isSameAs(pin);
        assertThat(pins.get("payments", Endpoint.of("http://10.0.0.1:8080"), NONE))
                .isNotEqualTo(pin);
        assertThat(pins.get("orders", Endpoint.of("http://10.0.0.2:8080"), NONE))
                .isNotEqualTo(pin);
    }

    @Test
    void clientsWithOtherNameServersHaveOtherPins() {
        Pins pins = new Pins();
        Endpoint endpoint = Endpoint.of("http://server.example:8080");
        assertThat(pins.get("orders", endpoint, Dns.SYSTEM)).isNotEqualTo(pins.get("orders", endpoint, NONE));
    }

    @Test
    void aRenewedPinIsAnother() {
        Pins pins = new Pins();
        Endpoint endpoint = Endpoint.of("http://10.0.0.1:8080");
        Pin first = pins.get("orders", endpoint, NONE);
        pins.renew(first);
        Pin second = pins.get("orders", endpoint, NONE);
        assertThat(second).isNotEqualTo(first);
        pins.renew(first);
        assertThat(pins.get("orders", endpoint, NONE)).isSameAs(second);
    }

    @Test
    void pinsThatNoConnectionHoldsAreForgotten() {
        Pins pins = new Pins();
        for (int i = 0; i < 1000; i++) {
            pins.get("orders", Endpoint.of("http://10.0.0.1:" + (1000 + i)), NONE);
        }
        await().until(() -> {
            System.gc();
            pins.get("orders", Endpoint.of("http://10.0.0.2:80"), NONE);
            return pins.size() <= 2;
        });
    }

    @Test
    void theLogicalNameLeadsToTheServerAndEveryOtherNameGoesItsOwnWay() throws UnknownHostException {
        InetAddress elsewhere = InetAddress.getByAddress("other", new byte[] {10, 9, 9, 9});
        List<String> asked = new ArrayList<>();
        Dns dns = name -> {
            asked.add(name);
            return Collections.singletonList(elsewhere);
        };
        Pin literal = new Pins().get("orders", Endpoint.of("http://10.0.0.1:8080"), dns);
        assertThat(literal.lookup("orders")).hasSize(1).first().satisfies(address -> {
            assertThat(address.getHostAddress()).isEqualTo("10.0.0.1");
            assertThat(address.getHostName()).isEqualTo("orders");
        });
        assertThat(asked).isEmpty();
        assertThat(literal.lookup("other.example")).containsExactly(elsewhere);
        Pin named = new Pins().get("orders", Endpoint.of("http://server.example:8080"), dns);
        assertThat(named.lookup("orders"))
                .first()
                .satisfies(address -> assertThat(address.getHostAddress()).isEqualTo("10.9.9.9"));
        assertThat(asked).containsExactly("other.example", "server.example");
    }

    @Test
    void addressesOfTheSixthVersionAreUnderstood() throws UnknownHostException {
        Pin pin = new Pins().get("orders", Endpoint.of("http://[::1]:8080"), NONE);
        assertThat(pin.lookup("orders"))
                .first()
                .satisfies(address -> assertThat(address.getHostAddress()).isEqualTo("0:0:0:0:0:0:0:1"));
        assertThatThrownBy(() -> pin.lookup("other")).isInstanceOf(UnknownHostException.class);
    }
}
