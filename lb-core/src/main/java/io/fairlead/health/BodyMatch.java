package io.fairlead.health;

import java.util.regex.Pattern;

/**
 * Looks for a pattern in a body, by a deadline. A pattern that backtracks without end asks for characters without end,
 * and finds no more of them when the time is over.
 */
final class BodyMatch {
    private static final int LOOK_AT_CLOCK = 1024;

    private BodyMatch() {}

    /** Whether the pattern is found before {@link System#nanoTime} reaches the deadline. */
    static Verdict of(Pattern pattern, String body, long deadline) {
        try {
            return pattern.matcher(new Timed(body, 0, body.length(), new Clock(deadline)))
                            .find()
                    ? Verdict.PASSED
                    : Verdict.failed("the body does not match " + pattern.pattern());
        } catch (OutOfTime e) {
            return Verdict.timedOut();
        } catch (StackOverflowError e) {
            // The pattern recurses once for each character, and the body has too many of them.
            return Verdict.failed("the body is too long to be matched with " + pattern.pattern());
        }
    }

    private static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfTime() {
            super(null, null, false, false);
        }
    }

    private static final class Clock {
        private final long deadline;
        private int asked;

        Clock(long deadline) {
            this.deadline = deadline;
        }

        void ask() {
            if (++asked % LOOK_AT_CLOCK == 0 && System.nanoTime() - deadline >= 0) {
                throw new OutOfTime();
            }
        }
    }

    private static final class Timed implements CharSequence {
        private final String text;
        private final int from;
        private final int to;
        private final Clock clock;

        Timed(String text, int from, int to, Clock clock) {
            this.text = text;
            this.from = from;
            this.to = to;
            this.clock = clock;
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public char charAt(int index) {
            clock.ask();
            return text.charAt(from + index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Timed(text, from + start, from + end, clock);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }
}
