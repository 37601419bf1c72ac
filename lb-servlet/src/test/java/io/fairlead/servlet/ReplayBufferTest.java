package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReplayBufferTest {
    @Test
    void whoWantsMoreKeptLaterGetsItWhileTheBeginningIsThere() throws Exception {
        ReplayBuffer buffer = new ReplayBuffer(-1);
        ByteArrayInputStream body = new ByteArrayInputStream(new byte[12]);
        buffer.keep(4);
        buffer.read(body, () -> false);
        buffer.keep(8);
        buffer.keep(2);
        buffer.read(body, () -> false);

        assertThat(buffer.taken()).isEqualTo(8);
        assertThat(buffer.isWhole()).isTrue();
        assertThat(buffer.blocks()).isEqualTo(1);
        assertThat(buffer.block(0).remaining()).isEqualTo(8);

        buffer.read(body, () -> false);
        assertThat(buffer.isWhole()).isFalse();
        buffer.keep(100);
        assertThat(buffer.isWhole()).isFalse();
    }

    @Test
    void littlePiecesAreReadOnAsLongAsThereIsMoreAndABlockHasRoom() throws Exception {
        ReplayBuffer buffer = new ReplayBuffer(-1);
        InputStream body = inPieces(new byte[100_000], 8 * 1024);

        assertThat(buffer.read(body, () -> true).remaining()).isEqualTo(32 * 1024);
        assertThat(buffer.read(body, () -> false).remaining()).isEqualTo(8 * 1024);
        assertThat(buffer.taken()).isEqualTo(40 * 1024);
    }

    @Test
    void piecesThatAreKeptFillTheirBlocksInOrder() throws Exception {
        byte[] sent = new byte[70_000];
        new Random(1).nextBytes(sent);
        ReplayBuffer buffer = new ReplayBuffer(sent.length);
        buffer.keep(sent.length);
        InputStream body = inPieces(sent, 5_000);
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        while (buffer.taken() < sent.length) {
            ByteBuffer read = buffer.read(body, () -> buffer.taken() < sent.length);
            first.write(read.array(), read.arrayOffset() + read.position(), read.remaining());
        }
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        for (int i = 0; i < buffer.blocks(); i++) {
            ByteBuffer block = buffer.block(i);
            again.write(block.array(), block.arrayOffset() + block.position(), block.remaining());
        }
        assertThat(first.toByteArray()).isEqualTo(sent);
        assertThat(again.toByteArray()).isEqualTo(sent);
    }

    @Test
    void anEndBetweenTwoPiecesIsToldToWhoReadsOn() throws Exception {
        ReplayBuffer buffer = new ReplayBuffer(-1);
        InputStream body = inPieces(new byte[10], 4);

        assertThat(buffer.read(body, () -> true).remaining()).isEqualTo(10);
        assertThat(buffer.read(body, () -> true)).isNull();
    }

    private static InputStream inPieces(byte[] content, int size) {
        return new FilterInputStream(new ByteArrayInputStream(content)) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return super.read(bytes, offset, Math.min(length, size));
            }
        };
    }
}
