package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

final class ReplayBufferTest {
    @Test
    void whoWantsMoreKeptLaterGetsItWhileTheBeginningIsThere() throws Exception {
        ReplayBuffer buffer = new ReplayBuffer(-1);
        ByteArrayInputStream body = new ByteArrayInputStream(new byte[12]);
        buffer.keep(4);
        buffer.read(body);
        buffer.keep(8);
        buffer.keep(2);
        buffer.read(body);

        assertThat(buffer.taken()).isEqualTo(8);
        assertThat(buffer.isWhole()).isTrue();
        assertThat(buffer.blocks()).isEqualTo(1);
        assertThat(buffer.block(0).remaining()).isEqualTo(8);

        buffer.read(body);
        assertThat(buffer.isWhole()).isFalse();
        buffer.keep(100);
        assertThat(buffer.isWhole()).isFalse();
    }
}
