package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

final class OutcomeTest {
    @Test
    void tellsFailuresApart() {
        assertThat(Outcome.failure(new ConnectException()).kind()).isEqualTo(Outcome.Kind.CONNECT_FAILED);
        assertThat(Outcome.failure(new NoRouteToHostException()).kind()).isEqualTo(Outcome.Kind.CONNECT_FAILED);
        assertThat(Outcome.failure(new UnknownHostException("x")).kind()).isEqualTo(Outcome.Kind.CONNECT_FAILED);
        assertThat(Outcome.failure(new SocketTimeoutException()).kind()).isEqualTo(Outcome.Kind.TIMED_OUT);
        assertThat(Outcome.failure(new SocketTimeoutException("Connect timed out"))
                        .kind())
                .isEqualTo(Outcome.Kind.CONNECT_FAILED);
        assertThat(Outcome.failure(new SSLHandshakeException("expired")).kind()).isEqualTo(Outcome.Kind.CONNECT_FAILED);
        assertThat(Outcome.failure(new TimeoutException()).kind()).isEqualTo(Outcome.Kind.TIMED_OUT);
        assertThat(Outcome.failure(new InterruptedIOException("timeout")).kind())
                .isEqualTo(Outcome.Kind.TIMED_OUT);
        assertThat(Outcome.failure(new InterruptedIOException("interrupted")).kind())
                .isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(Outcome.failure(new EOFException()).kind()).isEqualTo(Outcome.Kind.BROKEN);
    }

    @Test
    void countsOnlyBadGatewaysAgainstTheServer() {
        for (int status = 100; status < 600; status++) {
            assertThat(Outcome.status(status).kind().isFailure())
                    .as("status %s", status)
                    .isEqualTo(status == 502 || status == 503 || status == 504);
        }
        assertThat(Outcome.cancelled().kind().isFailure()).isFalse();
        assertThat(Outcome.stale().kind().isFailure()).isFalse();
    }
}
