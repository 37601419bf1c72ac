package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.1:8080,       10.0.0.1:8080,   10.0.0.1,  8080, '',      10.0.0.1:8080",
        "http://Orders,              orders:80,       orders,    80,   '',      orders",
        "https://orders/,            orders:443,      orders,    443,  '',      orders",
        "http://orders:/,            orders:80,       orders,    80,   '',      orders",
        "https://orders:8443/a/b%2F/,orders:8443,     orders,    8443, /a/b%2F, orders:8443",
        "http://my_svc:81/x,         my_svc:81,       my_svc,    81,   /x,      my_svc:81",
        "http://[::1]:8080,          [::1]:8080,      ::1,       8080, '',      [::1]:8080",
        "HTTP://[fe80::1]/,          [fe80::1]:80,    fe80::1,   80,   '',      [fe80::1]",
    })
    void readsTheUrl(String url, String id, String host, int port, String path, String authority) {
        Endpoint endpoint = Endpoint.of(url);
        assertThat(endpoint.id()).isEqualTo(id);
        assertThat(endpoint.host()).isEqualTo(host);
        assertThat(endpoint.port()).isEqualTo(port);
        assertThat(endpoint.path()).isEqualTo(path);
        assertThat(endpoint.authority()).isEqualTo(authority);
    }

    /** The proxy puts it before the request's own. */
    @Test
    void aQueryIsKept() {
        Endpoint endpoint = Endpoint.of("http://orders/base/?tenant=7");

        assertThat(endpoint.path()).isEqualTo("/base");
        assertThat(endpoint.uri().getRawQuery()).isEqualTo("tenant=7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders",
                "10.0.0.1:8080",
                "ftp://orders",
                "http://",
                "http:///path",
                "http://:80",
                "http://orders:0",
                "http://orders:65536",
                "http://orders:80a",
                "http://orders:+80",
                "http://orders:99999999999",
                "http://user:secret@orders",
                "http://orders/#part",
                "http://a b",
                "http://[::1",
                "http://[::1]x:80",
                "http://or%64ers:80",
            })
    void refusesWhatIsNotAServersUrl(String url) {
        assertThatThrownBy(() -> Endpoint.of(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPriorityIsFromZeroToNineAndPartOfTheValue() {
        assertThat(Endpoint.of("http://a").priority()).isZero();
        Endpoint last = Endpoint.builder("http://a").priority(9).build();
        assertThat(last.priority()).isEqualTo(9);
        assertThat(last).isNotEqualTo(Endpoint.of("http://a")).hasToString("a:80 (http://a, weight 1, priority 9)");
        for (int priority : new int[] {-1, 10}) {
            assertThatThrownBy(() -> Endpoint.builder("http://a").priority(priority))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("priority " + priority + " is not from 0 to 9");
        }
    }

    @Test
    void refusesAWeightAboveTheGreatest() {
        assertThatThrownBy(() -> Endpoint.of("http://a", Endpoint.MAX_WEIGHT + 1))
                .hasMessageContaining("1000001");
    }

    @Test
    void isAValue() {
        Endpoint one = Endpoint.builder("http://a")
                .zone("z")
                .weight(3)
                .metadata("k", "v")
                .build();
        Endpoint same = Endpoint.builder("http://a")
                .zone("z")
                .weight(3)
                .metadata("k", "v")
                .build();
        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one)
                .isNotEqualTo(Endpoint.builder("http://a")
                        .zone("z")
                        .weight(4)
                        .metadata("k", "v")
                        .build());
        assertThat(Endpoint.builder("http://a").id("x").build().id()).isEqualTo("x");
    }
}
