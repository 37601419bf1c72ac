package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.junit.jupiter.api.Test;

final class FrameRatesTest {
    private final FrameRates rates = new FrameRates();

    @Test
    void aThousandStreamsMayEndInASecond() {
        assertThat(IntStream.range(1, 1_000))
                .allMatch(id -> rates.onEvent(new DataFrame(id, ByteBuffer.allocate(0), false))
                        && rates.onEvent(new ResetFrame(id, 0)));
    }

    @Test
    void aFloodOfResetsIsOne() {
        assertThat(IntStream.range(1, 20_000)).anyMatch(id -> !rates.onEvent(new ResetFrame(id, 0)));
    }

    @Test
    void aFloodOfPingsIsOneSooner() {
        assertThat(IntStream.range(1, 1_000)).anyMatch(id -> !rates.onEvent(new PingFrame(false)));
    }
}
