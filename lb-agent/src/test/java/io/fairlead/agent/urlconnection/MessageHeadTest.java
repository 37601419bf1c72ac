package io.fairlead.agent.urlconnection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MessageHeadTest {
    @Test
    void theStatusOfAStatusLineIsRead() {
        assertThat(MessageHead.status("HTTP/1.1 200 OK")).isEqualTo(200);
        assertThat(MessageHead.status("HTTP/1.0   503")).isEqualTo(503);
        assertThat(MessageHead.status("HTTP/1.1 100 ")).isEqualTo(100);
    }

    @Test
    void whatIsNoStatusLineHasNoStatus() {
        for (String line :
                new String[] {null, "", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 abc", "SSH-2.0 200"}) {
            assertThat(MessageHead.status(line)).as(line).isZero();
        }
    }
}
