package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** The messages are those that Jetty 12.1, Netty 4 and the JDK really give. */
final class FailureTextTest {
    private static final String DUMP = "HttpConnectionOverHTTP@31b7dea0::SocketChannelEndPoint@4aa298b7"
            + "[{l=/127.0.0.1:40512,r=/127.0.0.1:9001,OPEN,fill=-,flush=-,to=3/30000}]";

    private static String broken(Throwable cause) {
        return FailureText.of(Outcome.broken(cause));
    }

    @Test
    void noInsideOfAClientIsShown() {
        assertThat(broken(new EOFException(DUMP))).isEqualTo("BROKEN: the server closed the connection");
        assertThat(broken(new ClosedChannelException())).isEqualTo("BROKEN: the connection was closed");
        assertThat(broken(new IOException(DUMP, new IOException("Broken pipe"))))
                .isEqualTo("BROKEN: Broken pipe");
        assertThat(broken(new IOException(DUMP))).isEqualTo("BROKEN: IOException");
        assertThat(broken(new IOException("HttpExchange{req=HttpRequest[GET / HTTP/1.1]@5b, state=DONE}")))
                .isEqualTo("BROKEN: IOException");
        assertThat(broken(new IOException("HttpDestination[http://a:1]@7cf10a6f,state=STARTED")))
                .isEqualTo("BROKEN: IOException");
    }

    @Test
    void whatAPersonCanReadStays() {
        assertThat(FailureText.of(Outcome.connectFailed(new ConnectException("Connection refused"))))
                .isEqualTo("CONNECT_FAILED: Connection refused");
        assertThat(FailureText.of(Outcome.connectFailed(new UnknownHostException("nowhere.example"))))
                .isEqualTo("CONNECT_FAILED: unknown host nowhere.example");
        assertThat(FailureText.of(Outcome.connectFailed(new SSLHandshakeException("No name matching a found"))))
                .isEqualTo("CONNECT_FAILED: TLS: No name matching a found");
        assertThat(FailureText.of(Outcome.timedOut(new TimeoutException()))).isEqualTo("TIMED_OUT: timed out");
        assertThat(FailureText.of(Outcome.status(503))).isEqualTo("BAD_STATUS 503");
    }

    @Test
    void itIsOneShortLine() {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            many.append("some words\r\n\tand more ");
        }

        assertThat(broken(new IOException(many.toString())))
                .startsWith("BROKEN: some words and more some words")
                .hasSizeLessThan(180)
                .doesNotContain("\n", "\r", "\t");
    }
}
