package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LocalAddress;
import io.fairlead.RequestFacts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import okhttp3.Request;
import org.junit.jupiter.api.Test;

/** What is said of a request. */
class OkHttpFactsTest {
    private final RequestFacts facts = new OkHttpFacts(new Request.Builder()
            .url("http://Orders:81/a/%2Fb?x=1&y=%20")
            .addHeader("X-Many", "first")
            .addHeader("x-many", "second")
            .addHeader("Cookie", "a=1; bb=\"two\";c = 3")
            .addHeader("Cookie", "d=4=5")
            .build());

    @Test
    void theRequestLineIsAsItWillBeSent() {
        assertThat(facts.method()).isEqualTo("GET");
        assertThat(facts.host()).isEqualTo("orders");
        assertThat(facts.path()).isEqualTo("/a/%2Fb");
        assertThat(facts.query()).isEqualTo("x=1&y=%20");
        assertThat(new OkHttpFacts(new Request.Builder().url("http://orders/").build()).query())
                .isNull();
    }

    @Test
    void ofAHeaderFieldTheFirstValueCounts() {
        assertThat(facts.header("X-MANY")).isEqualTo("first");
        assertThat(facts.header("X-None")).isNull();
    }

    @Test
    void cookiesAreFoundByTheirWholeName() {
        assertThat(facts.cookie("a")).isEqualTo("1");
        assertThat(facts.cookie("bb")).isEqualTo("two");
        assertThat(facts.cookie("b")).isNull();
        assertThat(facts.cookie("c")).isEqualTo("3");
        assertThat(facts.cookie("d")).isEqualTo("4=5");
        assertThat(facts.cookie("A")).isNull();
    }

    @Test
    void theAddressIsOneOfThisMachines() throws UnknownHostException {
        assertThat(facts.remoteAddress()).isNotEmpty().isEqualTo(LocalAddress.text());
        // A literal: no name server is asked.
        assertThat(InetAddress.getAllByName(facts.remoteAddress())).hasSize(1);
    }
}
