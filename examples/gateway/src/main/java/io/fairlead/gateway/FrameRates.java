package io.fairlead.gateway;

import java.time.Duration;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.WindowRateControl;

/**
 * How many frames a second of one connection of HTTP/2 are taken that bring nothing; a client that sends more is taken for
 * an attacker, and the connection is closed with all that is under way on it.
 *
 * <p>Jetty lets all kinds share a count of 128. But a client that is answered before the end of its uploads resets their
 * streams, and many send empty frames until they do: more than that, with some uploads at a time. Those have a count of
 * their own, which is still far below what attacks need.
 *
 * <p>Safe for use by the one thread at a time that reads the connection.
 */
final class FrameRates implements RateControl {
    /** Frames that a client of good faith hardly sends: settings, pings, priorities, unknown ones. */
    private static final int SELDOM = 128;

    private static final int AT_THE_END_OF_STREAMS = 2_000;

    private final RateControl seldom = aSecond(SELDOM);
    private final RateControl atTheEndOfStreams = aSecond(AT_THE_END_OF_STREAMS);

    @Override
    public boolean onEvent(Object event) {
        return (event instanceof DataFrame || event instanceof ResetFrame ? atTheEndOfStreams : seldom).onEvent(event);
    }

    private static RateControl aSecond(int frames) {
        return new WindowRateControl(frames, Duration.ofSeconds(1));
    }

    /** Gives each connection counts of its own. */
    static final class Factory implements RateControl.Factory {
        @Override
        public RateControl newRateControl(EndPoint endPoint) {
            return new FrameRates();
        }
    }
}
