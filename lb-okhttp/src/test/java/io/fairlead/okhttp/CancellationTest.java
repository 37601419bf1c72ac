package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.Outcome;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.Test;

/** Who gave a call up: its user, or its time limit. */
class CancellationTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private Cancellation ofCallLimitedTo(Duration limit) {
        Call call = new OkHttpClient.Builder()
                .callTimeout(limit)
                .build()
                .newCall(new Request.Builder().url("http://orders/").build());
        return new Cancellation(call, now::get);
    }

    private Outcome.Kind after(Cancellation cancellation, long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
        return cancellation.outcome().kind();
    }

    @Test
    void aUserWhoGivesUpLateTeachesNothing() {
        assertThat(after(ofCallLimitedTo(Duration.ofSeconds(10)), 9900)).isEqualTo(Outcome.Kind.CANCELLED);
    }

    @Test
    void aLimitThatRanOutIsKnownThoughTheCallBeganALittleEarlier() {
        assertThat(after(ofCallLimitedTo(Duration.ofSeconds(10)), 9980)).isEqualTo(Outcome.Kind.TIMED_OUT);
        assertThat(after(ofCallLimitedTo(Duration.ofMillis(200)), 195)).isEqualTo(Outcome.Kind.TIMED_OUT);
    }

    @Test
    void evenOfAShortLimitMostIsTheUsersTimeToGiveUp() {
        assertThat(after(ofCallLimitedTo(Duration.ofMillis(20)), 10)).isEqualTo(Outcome.Kind.CANCELLED);
    }

    @Test
    void aDeadlineThatPassedIsALimitThatRanOut() {
        Call call = new OkHttpClient()
                .newCall(new Request.Builder().url("http://orders/").build());
        call.timeout().deadlineNanoTime(now.get() + Duration.ofSeconds(2).toNanos());
        Cancellation cancellation = new Cancellation(call, now::get);
        assertThat(after(cancellation, 1000)).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(after(cancellation, 1000)).isEqualTo(Outcome.Kind.TIMED_OUT);
    }

    @Test
    void withoutALimitNothingCanRunOut() {
        assertThat(after(ofCallLimitedTo(Duration.ZERO), 1_000_000)).isEqualTo(Outcome.Kind.CANCELLED);
    }
}
