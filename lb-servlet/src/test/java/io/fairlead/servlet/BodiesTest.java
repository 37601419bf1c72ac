package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Bodies that are long, slow, early or late. The heap of the test's JVM is 128 MiB. */
final class BodiesTest extends ContainerTest {
    private static final long LARGE = 150L << 20;

    @Test
    void aChunkedBodyWithoutATypeIsKeptWhateverTheMethod() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend.url());

        for (String method : new String[] {"POST", "DELETE", "OPTIONS", "GET", "PROPFIND"}) {
            client().exchange(method, "/", "4\r\nwiki\r\n0\r\n\r\n", "Transfer-Encoding: chunked");

            RawMessage request = backend.request();
            assertThat(request.body()).as(method).isEqualTo("wiki");
            assertThat(request.value("Transfer-Encoding")).isEqualTo("chunked");
        }
    }

    @Test
    void aLargeDownloadArrivesWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: " + LARGE + "\r\n\r\n");
            writePattern(peer.out(), LARGE, false);
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("GET", "/large");
        RawMessage answer = client.readHead();

        assertThat(answer.value("Content-Length")).isEqualTo(Long.toString(LARGE));
        assertThat(checksum(client.in(), LARGE)).isEqualTo(patternChecksum(LARGE));
        awaitNothingInFlight();
    }

    @Test
    void aLargeChunkedDownloadArrivesWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n");
            writePattern(peer.out(), LARGE, true);
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("GET", "/large");
        assertThat(client.readHead().value("Transfer-Encoding")).isEqualTo("chunked");

        assertThat(checksumOfChunks(client.in())).isEqualTo(patternChecksum(LARGE));
    }

    @Test
    void aLargeUploadArrivesWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            RawMessage head = peer.readHead();
            long length = Long.parseLong(head.value("Content-Length"));
            peer.write(answer(200, Long.toString(checksum(peer.in(), length))));
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("PUT", "/large", "Content-Length: " + LARGE);
        writePattern(client.out(), LARGE, false);

        assertThat(client.read("PUT").body()).isEqualTo(Long.toString(patternChecksum(LARGE)));
        awaitNothingInFlight();
    }

    @Test
    void aLargeChunkedUploadArrivesWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            RawMessage head = peer.readHead();
            assertThat(head.value("Transfer-Encoding")).isEqualTo("chunked");
            peer.write(answer(200, Long.toString(checksumOfChunks(peer.in()))));
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/large", "Transfer-Encoding: chunked");
        writePattern(client.out(), LARGE, true);

        assertThat(client.read("POST").body()).isEqualTo(Long.toString(patternChecksum(LARGE)));
    }

    @Test
    void bodiesStreamBothWaysAtOnce() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(head(200) + "Transfer-Encoding: chunked\r\n\r\n");
            int length;
            do {
                length = chunkSize(peer.in());
                String data = new String(peer.in().readNBytes(length), StandardCharsets.ISO_8859_1);
                peer.write(Integer.toHexString(length) + "\r\n" + data + "\r\n");
            } while (length > 0);
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/echo", "Transfer-Encoding: chunked");
        RawMessage head = client.readHead();
        assertThat(head.status()).isEqualTo(200);
        for (String word : new String[] {"one", "two", "three"}) {
            client.write(Integer.toHexString(word.length()) + "\r\n" + word + "\r\n");
            int length = chunkSize(client.in());
            assertThat(new String(client.in().readNBytes(length), StandardCharsets.ISO_8859_1))
                    .isEqualTo(word);
        }
        client.write("0\r\n\r\n");
        assertThat(chunkSize(client.in())).isZero();
        awaitNothingInFlight();
    }

    @Test
    void eventsArriveAtOnceAndNotWhenABufferIsFull() throws Exception {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200, "Content-Type: text/event-stream") + "Transfer-Encoding: chunked\r\n\r\n"
                    + "9\r\ndata: 1\n\n\r\n");
            seen.get(10, TimeUnit.SECONDS);
            peer.write("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("GET", "/events");
        client.readHead();
        assertThat(RawMessage.line(client.in())).isEqualTo("9");
        assertThat(RawMessage.line(client.in())).isEqualTo("data: 1");
        seen.complete(null);
        assertThat(checksumOfRest(client.in())).isPositive();
    }

    @Test
    void eachPieceArrivesBeforeTheServerSendsTheNext() throws Exception {
        // Around what containers and the proxy hold at once.
        int[] pieces = {10_000, 1, 8_192, 32_768, 40_000, 3, 100_000, 32_769, 16_384};
        Semaphore arrived = new Semaphore(0);
        RawBackend backend = backend(peer -> {
            for (int i = 0; i < 2; i++) {
                boolean chunked = peer.readHead().target().equals("/chunked");
                peer.write(head(200)
                        + (chunked
                                ? "Transfer-Encoding: chunked"
                                : "Content-Length: " + IntStream.of(pieces).sum())
                        + "\r\n\r\n");
                for (int piece : pieces) {
                    String bytes = "x".repeat(piece);
                    peer.write(chunked ? Integer.toHexString(piece) + "\r\n" + bytes + "\r\n" : bytes);
                    assertThat(arrived.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
                }
                peer.write(chunked ? "0\r\n\r\n" : "");
            }
        });
        proxyTo(backend.url());

        RawClient client = client();
        for (String target : new String[] {"/chunked", "/whole"}) {
            client.send("GET", target);
            boolean chunked = !client.readHead().values("Transfer-Encoding").isEmpty();
            InputStream body = chunked ? new ChunkedStream(client.in()) : client.in();
            for (int piece : pieces) {
                assertThat(body.readNBytes(piece)).as(target).hasSize(piece).containsOnly('x');
                arrived.release();
            }
            assertThat(chunked ? body.read() : -1).isEqualTo(-1);
            assertThat(chunked ? RawMessage.line(client.in()) : "").isEmpty();
        }
        awaitNothingInFlight();
    }

    @Test
    void theHeadArrivesBeforeTheBodyIsThere() throws Exception {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write(head(200) + "Content-Length: 4\r\n\r\n");
            seen.get(10, TimeUnit.SECONDS);
            peer.write("late");
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("GET", "/poll");
        RawMessage answer = client.readHead();
        assertThat(answer.value("Content-Length")).isEqualTo("4");
        seen.complete(null);
        answer.readBody(client.in(), false);
        assertThat(answer.body()).isEqualTo("late");
    }

    @Test
    void aSlowReaderHoldsTheServerBack() throws Exception {
        AtomicLong written = new AtomicLong();
        RawBackend backend = backend(peer -> {
            peer.socket().setSendBufferSize(64 << 10);
            peer.readRequest();
            peer.write(head(200) + "Content-Length: " + LARGE + "\r\n\r\n");
            byte[] block = new byte[64 << 10];
            for (long i = 0; i < LARGE; i += block.length) {
                peer.out().write(block);
                written.addAndGet(block.length);
            }
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("GET", "/large");
        client.readHead();
        // Nobody reads: the server gets stuck once the buffers of the sockets are full, far from the end.
        Awaitility.await()
                .during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(10))
                .until(new Standstill(written));
        assertThat(written.get()).isLessThan(LARGE / 4);
        assertThat(checksum(client.in(), LARGE)).isPositive();
        assertThat(written.get()).isEqualTo(LARGE);
    }

    @Test
    void aSlowServerHoldsTheUploadBack() throws Exception {
        CompletableFuture<Void> readOn = new CompletableFuture<>();
        RawBackend backend = backend(peer -> {
            peer.readHead();
            readOn.get(30, TimeUnit.SECONDS);
            peer.write(answer(200, Long.toString(checksum(peer.in(), LARGE))));
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.socket().setSendBufferSize(64 << 10);
        client.send("PUT", "/large", "Content-Length: " + LARGE);
        AtomicLong written = new AtomicLong();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<Void> upload = executor.submit(() -> {
                for (long at = 0; at < LARGE; at += PATTERN.length) {
                    client.out().write(PATTERN);
                    written.addAndGet(PATTERN.length);
                }
                return null;
            });
            Awaitility.await()
                    .during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(10))
                    .until(new Standstill(written));
            assertThat(written.get()).isLessThan(LARGE / 4);
            readOn.complete(null);
            assertThat(client.read("PUT").body()).isEqualTo(Long.toString(patternChecksum(LARGE)));
            upload.get(10, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aClientThatWaitsFor100ContinueIsToldToGoOn() throws Exception {
        RawBackend backend = backend(answer(200, "thanks"));
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Content-Length: 5", "Expect: 100-continue");
        assertThat(client.readHead().status()).isEqualTo(100);
        client.write("hello");

        assertThat(client.read("POST").body()).isEqualTo("thanks");
        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("hello");
    }

    @Test
    void anAnswerBeforeTheEndOfTheUploadArrives() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readHead();
            peer.write(answer(413, "too much", "Connection: close"));
        });
        proxyTo(backend.url());

        RawClient client = client();
        client.send("POST", "/", "Content-Length: " + LARGE);
        client.write("the beginning");
        RawMessage answer = client.read("POST");

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body()).isEqualTo("too much");
        awaitNothingInFlight();
    }

    @Test
    void manyAnswersOfAllSizesAroundTheBuffersAreWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                int size = Integer.parseInt(backend().request().target().substring(1));
                peer.write(head(200) + "Content-Length: " + size + "\r\n\r\n");
                writePattern(peer.out(), size, false);
            }
        });
        current = backend;
        proxyTo(backend.url());

        try (RawClient client = client()) {
            for (int size : new int[] {
                0, 1, 2047, 2048, 2049, 4096, 8191, 8192, 8193, 16383, 16384, 16385, 32767, 32768, 32769, 65536, 100_000
            }) {
                client.send("GET", "/" + size);
                client.readHead();
                assertThat(checksum(client.in(), size)).as("%d bytes", size).isEqualTo(patternChecksum(size));
            }
        }
    }

    /** Reads the size of the next chunk; the end of the chunk before may come only with it. */
    private static int chunkSize(InputStream in) throws IOException {
        String line = RawMessage.line(in);
        return Integer.parseInt("".equals(line) ? RawMessage.line(in) : line, 16);
    }

    private RawBackend current;

    private RawBackend backend() {
        return current;
    }

    /** True while the number has not changed since it was last asked for, and is not 0. */
    private static final class Standstill implements java.util.concurrent.Callable<Boolean> {
        private final AtomicLong number;
        private long before = -1;

        private Standstill(AtomicLong number) {
            this.number = number;
        }

        @Override
        public Boolean call() {
            long now = number.get();
            boolean still = now == before && now > 0;
            before = now;
            return still;
        }
    }

    private static final byte[] PATTERN = pattern();

    private static byte[] pattern() {
        byte[] pattern = new byte[1 << 16];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) (i * 31 + (i >> 8));
        }
        return pattern;
    }

    private static void writePattern(OutputStream out, long length, boolean chunked) throws IOException {
        for (long at = 0; at < length; at += PATTERN.length) {
            int n = (int) Math.min(PATTERN.length, length - at);
            if (chunked) {
                out.write((Integer.toHexString(n) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            }
            out.write(PATTERN, 0, n);
            if (chunked) {
                out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        if (chunked) {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        out.flush();
    }

    private static long patternChecksum(long length) {
        CRC32 crc = new CRC32();
        for (long at = 0; at < length; at += PATTERN.length) {
            crc.update(PATTERN, 0, (int) Math.min(PATTERN.length, length - at));
        }
        return crc.getValue();
    }

    private static long checksum(InputStream in, long length) throws IOException {
        CRC32 crc = new CRC32();
        update(crc, in, length);
        return crc.getValue();
    }

    private static long checksumOfChunks(InputStream in) throws IOException {
        CRC32 crc = new CRC32();
        while (true) {
            int length = Integer.parseInt(RawMessage.line(in), 16);
            update(crc, in, length);
            RawMessage.line(in);
            if (length == 0) {
                return crc.getValue();
            }
        }
    }

    private static long checksumOfRest(InputStream in) throws IOException {
        long lines = 0;
        for (String line = RawMessage.line(in); !"0".equals(line); line = RawMessage.line(in)) {
            lines++;
        }
        return lines;
    }

    private static void update(CRC32 crc, InputStream in, long length) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = length;
        while (left > 0) {
            int n = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (n < 0) {
                throw new EOFException(left + " bytes are missing");
            }
            crc.update(buffer, 0, n);
            left -= n;
        }
    }
}
