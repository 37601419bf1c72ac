package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples are those of RFC 7239. */
final class ForwardedElementsTest {
    private static ForwardedElements of(String... fields) {
        return ForwardedElements.of(Collections.enumeration(List.of(fields)));
    }

    @Test
    void theExamplesOfTheStandardAreRead() {
        assertThat(of("for=\"_gazonk\"").senders()).containsExactly("_gazonk");
        assertThat(of("For=\"[2001:db8:cafe::17]:4711\"").senders()).containsExactly("[2001:db8:cafe::17]:4711");
        assertThat(of("for=192.0.2.60;proto=http;by=203.0.113.43").senders()).containsExactly("192.0.2.60");
        assertThat(of("for=192.0.2.43, for=198.51.100.17").senders()).containsExactly("192.0.2.43", "198.51.100.17");
        assertThat(of("for=192.0.2.43", "for=\"[2001:db8:cafe::17]\", for=unknown")
                        .senders())
                .containsExactly("192.0.2.43", "[2001:db8:cafe::17]", "unknown");
    }

    @Test
    void theSchemeIsThatOfTheLastElement() {
        assertThat(of("for=a;proto=https, for=b;proto=HTTP").lastProto()).isEqualTo("http");
        assertThat(of("for=a;proto=https, for=b").lastProto()).isNull();
        assertThat(of().lastProto()).isNull();
    }

    @Test
    void whatIsQuotedSeparatesNothing() {
        assertThat(of("host=\"a,b;for=6.6.6.6\\\"\";for=1.1.1.1, for=\"2.2.2.2").senders())
                .containsExactly("1.1.1.1", "\"2.2.2.2");
        assertThat(of(",,;=;for", "=x").senders()).containsExactly("unknown", "unknown");
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1,shop.example,https,for=192.0.2.1;host=shop.example;proto=https",
        "192.0.2.1,shop.example:81,http,for=192.0.2.1;host=\"shop.example:81\";proto=http",
        "2001:db8::1,[::1]:80,http,for=\"[2001:db8::1]\";host=\"[::1]:80\";proto=http",
        "192.0.2.1,'',http,for=192.0.2.1;proto=http",
    })
    void anElementIsQuotedWhereItMustBe(String peer, String authority, String scheme, String element) {
        assertThat(ForwardedElements.element(peer, authority, scheme)).isEqualTo(element);
    }
}
