package io.fairlead.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is understood of a server of HTTP/2; the compressed fields are those of RFC 7541, appendix C, where it has them. */
final class Http2AnswerTest {
    private static final String SETTINGS = "000000 04 00 00000000";

    @ParameterizedTest
    @CsvSource({
        "88, 200",
        "8e, 500",
        "4803333032, 302", // C.5.1
        "488264 02, 302", // C.6.1, in Huffman's code
        "4803333037, 307", // C.5.2
        "4883640eff, 307", // C.6.2
        "0803343138, 418",
        "3fe11f 88, 200", // after a new size of the table
        "18823f, error",
        "82, error",
        "400a637573746f6d2d6b6579 0161, error"
    })
    void theStatusIsReadInEveryFormThatServersWriteItIn(String fields, String status) throws Exception {
        HttpAnswer answer = new HttpAnswer(HttpAnswer.Wanted.STATUS, false);
        byte[] head = hex(fields);
        byte[] bytes = join(hex(SETTINGS), frame(1, 0x4, head));
        if (status.equals("error")) {
            assertThatThrownBy(() -> new Http2Answer(answer).feed(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(IOException.class);
            return;
        }
        new Http2Answer(answer).feed(ByteBuffer.wrap(bytes));
        assertThat(answer.isComplete()).isTrue();
        assertThat(answer.status()).isEqualTo(Integer.parseInt(status));
    }

    @Test
    void aBodyIsPutTogetherWhereverItIsCut() throws Exception {
        byte[] bytes = join(
                hex(SETTINGS),
                frame(1, 0x4, hex("4803313033")), // 103
                frame(1, 0x8 | 0x20, hex("02 00000000 10 88 0000")),
                frame(9, 0x4, hex("400a637573746f6d2d6b6579 0161")),
                frame(0, 0x8, hex("01 6869 00")),
                frame(0, 0x1, "!".getBytes(StandardCharsets.US_ASCII)));
        HttpAnswer answer = new HttpAnswer(HttpAnswer.Wanted.BODY, false);
        Http2Answer frames = new Http2Answer(answer);
        for (byte one : bytes) {
            assertThat(answer.isComplete()).isFalse();
            frames.feed(ByteBuffer.wrap(new byte[] {one}));
        }
        assertThat(answer.isComplete()).isTrue();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("hi!");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "000004 03 00 00000001 00000007", // reset
                "000008 07 00 00000000 00000000 00000001", // goes away without it
                "485454 50 2f 312e3120 34303020", // HTTP/1.1 400
                "000001 00 08 00000001 05", // more padding than there is
                "000000 01 24 00000001" // no head
            })
    void whatIsNoAnswerFails(String frames) {
        HttpAnswer answer = new HttpAnswer(HttpAnswer.Wanted.BODY, false);
        assertThatThrownBy(() -> new Http2Answer(answer).feed(ByteBuffer.wrap(hex(frames))))
                .isInstanceOf(IOException.class);
    }

    private static byte[] frame(int type, int flags, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags);
        return frame.putInt(1).put(payload).array();
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(1024);
        for (byte[] part : parts) {
            all.put(part);
        }
        return java.util.Arrays.copyOf(all.array(), all.position());
    }

    private static byte[] hex(String text) {
        String digits = text.replace(" ", "");
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
