package io.fairlead.agent.urlconnection;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.LocalAddress;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URL;
import org.junit.jupiter.api.Test;

final class ConnectionFactsTest {
    @Test
    void theRequestIsSeenAsItWillBeSent() throws Exception {
        URL url = new URL("http://Orders:81/a%20b?q=1");
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setRequestMethod("PUT");
        connection.setRequestProperty("X-User", "7");
        connection.setRequestProperty("Cookie", "ab=1; a=2;b=");
        ConnectionFacts facts = new ConnectionFacts(url, connection);

        assertThat(facts.method()).isEqualTo("PUT");
        assertThat(facts.path()).isEqualTo("/a%20b");
        assertThat(facts.query()).isEqualTo("q=1");
        assertThat(facts.host()).isEqualTo("Orders");
        assertThat(facts.header("x-user")).isEqualTo("7");
        assertThat(facts.header("x-other")).isNull();
        assertThat(facts.cookie("a")).isEqualTo("2");
        assertThat(facts.cookie("b")).isEmpty();
        assertThat(facts.cookie("c")).isNull();
    }

    @Test
    void theClientsAddressIsTheMachinesOwn() throws Exception {
        // As text, so nothing is asked of a name server.
        assertThat(InetAddress.getByName(LocalAddress.text()).isAnyLocalAddress())
                .isFalse();
        assertThat(LocalAddress.text()).isNotEmpty();
    }
}
