package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A container that tells of the end of a request while it holds what a reader of the body waits for within the stream, as
 * Tomcat may at the end of a chunked body. The stream is made by hand, since the moment is too short to be met with a real
 * one.
 */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RequestBodyTest {
    private final List<Throwable> failures = new ArrayList<>();
    private final Stuck stream = new Stuck();

    @Test
    void theContainerDoesNotWaitForEverForAReaderThatWaitsForIt() throws Exception {
        RequestBody body = body();
        CompletableFuture<Object> read = reading(body);
        body.close();
        assertThat(body.taken()).isZero();
        assertThat(read).isNotDone();
        stream.letGo.countDown();
        assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo("read");
    }

    @Test
    void aFailureToldMeanwhileIsSeenByTheReader() throws Exception {
        RequestBody body = body();
        CompletableFuture<Object> read = reading(body);
        body.onError(new IOException("reset"));
        assertThat(failures).singleElement().isInstanceOf(IOException.class);
        stream.letGo.countDown();
        assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo("read");
        assertThat(body.hasFailed()).isTrue();
        assertThat(body.isReplayable()).isFalse();
    }

    @Test
    void theEndToldMeanwhileIsSeenByTheReader() throws Exception {
        RequestBody body = body();
        CompletableFuture<Object> read = reading(body);
        body.onAllDataRead();
        stream.letGo.countDown();
        assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo("read");
        assertThat(body.isReadWhole()).isTrue();
    }

    @Test
    void whoClosesWaitsForAReaderThatIsAboutToLeave() throws Exception {
        RequestBody body = body();
        CompletableFuture<Object> read = reading(body);
        CompletableFuture<Boolean> closed = supplyAsync(() -> {
            body.close();
            return stream.within;
        });
        stream.letGo.countDown();
        assertThat(closed.get(10, TimeUnit.SECONDS)).isFalse();
        read.get(10, TimeUnit.SECONDS);
    }

    @Test
    void whatNeverPausesIsReadInTurns() throws Exception {
        Turns turns = new Turns();
        RequestBody body = body(new Ample(Integer.MAX_VALUE), -1);
        RequestBody.Reading reading = body.read(turns, 0);
        body.onDataAvailable();
        for (int turn = 1; turn <= 3; turn++) {
            long read = 0;
            for (Content.Chunk chunk = reading.read(); chunk != null; chunk = reading.read()) {
                read += chunk.remaining();
            }
            assertThat(read).isBetween(256 * 1024L, 256 * 1024L + 64 * 1024);

            reading.demand(() -> turns.asked++);
            assertThat(turns.later).hasSize(turn);
            assertThat(turns.asked).isEqualTo(turn - 1);
            turns.later.get(turn - 1).run();
            assertThat(turns.asked).isEqualTo(turn);
        }
        assertThat(turns.waitsForClient).isZero();
    }

    /** As Tomcat has it when it has read the rest of a body into a buffer of its own. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 40_000})
    void aWordOfTheEndThatComesTooEarlyTakesNothingFromTheBody(long length) throws Exception {
        RequestBody body = body(new Ample(40_000), length);
        RequestBody.Reading reading = body.read(new NoProgress(), 0);
        body.onDataAvailable();
        int got = reading.read().remaining();
        assertThat(got).isLessThan(40_000);

        body.onAllDataRead();

        Content.Chunk rest = reading.read();
        assertThat(Content.Chunk.isFailure(rest)).isFalse();
        assertThat(got + rest.remaining()).isEqualTo(40_000);
        assertThat(rest.isLast() || reading.read().isLast()).isTrue();
        assertThat(body.isReadWhole()).isTrue();
        assertThat(failures).isEmpty();
    }

    /** A thread of Jetty's client is within the stream when this returns. */
    private CompletableFuture<Object> reading(RequestBody body) throws Exception {
        RequestBody.Reading reading = body.read(new NoProgress(), 0);
        body.onDataAvailable();
        CompletableFuture<Object> read = supplyAsync(() -> {
            reading.read();
            return "read";
        });
        assertThat(stream.entered.await(10, TimeUnit.SECONDS)).isTrue();
        return read;
    }

    private RequestBody body() throws IOException {
        return body(stream, -1);
    }

    private RequestBody body(ServletInputStream from, long length) throws IOException {
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getContentLengthLong" -> length;
                    case "getHeader" -> length < 0 && "Transfer-Encoding".equals(arguments[0]) ? "chunked" : null;
                    case "getProtocol" -> "HTTP/1.1";
                    case "getInputStream" -> from;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        RequestBody body = RequestBody.of(request, Long.MAX_VALUE, failures::add);
        body.listen();
        return body;
    }

    private static final class NoProgress implements RequestBody.Progress {
        @Override
        public void handedOut() {}

        @Override
        public boolean later(Runnable task) {
            return false;
        }

        @Override
        public void waitsForClient() {}
    }

    /** Notes what is to be run when others have had their turn. */
    private static final class Turns implements RequestBody.Progress {
        final List<Runnable> later = new ArrayList<>();
        int asked;
        int waitsForClient;

        @Override
        public void handedOut() {}

        @Override
        public boolean later(Runnable task) {
            later.add(task);
            return true;
        }

        @Override
        public void waitsForClient() {
            waitsForClient++;
        }
    }

    /** A stream of which so many bytes are to be had at once. */
    private static final class Ample extends ServletInputStream {
        private int left;

        private Ample(int left) {
            this.left = left;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public boolean isFinished() {
            return left == 0;
        }

        @Override
        public void setReadListener(ReadListener listener) {}

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            int read = left == 0 ? -1 : Math.min(left, length);
            left -= Math.max(0, read);
            return read;
        }
    }

    /** A stream that keeps who asks whether it is ready. */
    private static final class Stuck extends ServletInputStream {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch letGo = new CountDownLatch(1);
        volatile boolean within;

        @Override
        public boolean isReady() {
            within = true;
            entered.countDown();
            try {
                letGo.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            within = false;
            return false;
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public void setReadListener(ReadListener listener) {}

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            throw new UnsupportedOperationException();
        }
    }

    /** On a thread of its own: the common pool may have one for all tests. */
    private static <T> CompletableFuture<T> supplyAsync(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, each -> new Thread(each).start());
    }
}
