package io.fairlead.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The examples are those of RFC 9110, section 10.2.3. */
final class RetryAfterTest {
    private static final String DATE = "Fri, 31 Dec 1999 23:59:59 GMT";

    @Test
    void secondsAreSeconds() {
        assertThat(RetryAfter.nanos("120", null)).isEqualTo(TimeUnit.SECONDS.toNanos(120));
        assertThat(RetryAfter.nanos(" 0 ", null)).isZero();
        assertThat(RetryAfter.nanos("99999999999999999999", null)).isEqualTo(TimeUnit.SECONDS.toNanos(999_999_999));
    }

    @Test
    void aDateIsCountedFromThatOfTheAnswer() {
        assertThat(RetryAfter.nanos(DATE, "Fri, 31 Dec 1999 23:59:52 GMT")).isEqualTo(TimeUnit.SECONDS.toNanos(7));
        assertThat(RetryAfter.nanos(DATE, "Sat, 01 Jan 2000 00:00:10 GMT")).isZero();
        assertThat(RetryAfter.nanos(DATE, null)).isZero();
    }

    @Test
    void whatIsNeitherIsNoWait() {
        for (String nonsense : new String[] {"", "-1", "1.5", "soon", "Fri, 32 Dec 1999 23:59:59 GMT", "٣"}) {
            assertThat(RetryAfter.nanos(nonsense, DATE)).as(nonsense).isZero();
        }
        assertThat(RetryAfter.nanos(null, DATE)).isZero();
    }
}
