package io.fairlead.servlet.middleware;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the JDK's own streams. */
final class GzipTest {
    private static byte[] data() {
        byte[] data = new byte[100_000];
        new Random(3).nextBytes(data);
        Arrays.fill(data, 20_000, 60_000, (byte) 'a');
        return data;
    }

    private static byte[] through(BodyTransform transform, byte[] bytes, int piece) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BodyTransform.Sink sink = made -> {
            byte[] copy = new byte[made.remaining()];
            made.get(copy);
            out.write(copy);
        };
        try {
            for (int at = 0; at < bytes.length; at += piece) {
                int length = Math.min(piece, bytes.length - at);
                transform.transform(ByteBuffer.wrap(bytes, at, length), at + length == bytes.length, sink);
                if (at % 3 == 0) {
                    transform.flush(sink);
                }
            }
        } finally {
            transform.close();
        }
        return out.toByteArray();
    }

    private static byte[] packed(byte[] data) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(data);
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 200_000})
    void whatIsPackedTheJdkUnpacks(int piece) throws IOException {
        byte[] data = Arrays.copyOf(data(), piece == 1 ? 3000 : 100_000);

        byte[] packed = through(Gzip.encoder(6), data, piece);

        assertThat(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes())
                .isEqualTo(data);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8192, 200_000})
    void whatTheJdkPacksIsUnpacked(int piece) throws IOException {
        byte[] data = data();

        assertThat(through(Gzip.decoder(), packed(data), piece)).isEqualTo(data);
    }

    @Test
    void allPartsOfAHeadAndSeveralMembersAreRead() throws IOException {
        byte[] plain = packed("hello ".getBytes(UTF_8));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        // RFC 1952, 2.3: FLG with FHCRC, FEXTRA, FNAME and FCOMMENT.
        all.write(new byte[] {0x1f, (byte) 0x8b, 8, 2 + 4 + 8 + 16, 0, 0, 0, 0, 0, 3});
        all.write(new byte[] {3, 0, 1, 2, 3});
        all.write("name\0comment\0".getBytes(UTF_8));
        all.write(new byte[] {9, 9});
        all.write(plain, 10, plain.length - 10);
        all.write(packed("world".getBytes(UTF_8)));

        assertThat(new String(through(Gzip.decoder(), all.toByteArray(), 5), UTF_8))
                .isEqualTo("hello world");
    }

    @Test
    void whatIsBrokenIsAFailure() throws IOException {
        byte[] packed = packed(data());
        byte[] wrongSum = packed.clone();
        wrongSum[packed.length - 7] ^= 1;
        byte[] wrongBody = packed.clone();
        Arrays.fill(wrongBody, 100, 200, (byte) 0xFF);

        assertThatThrownBy(() -> through(Gzip.decoder(), Arrays.copyOf(packed, packed.length - 1), 1000))
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> through(Gzip.decoder(), wrongSum, 1000)).hasMessageContaining("checksum");
        assertThatThrownBy(() -> through(Gzip.decoder(), wrongBody, 1000)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> through(Gzip.decoder(), "plain text".getBytes(UTF_8), 1000))
                .hasMessageContaining("not gzip");
    }
}
