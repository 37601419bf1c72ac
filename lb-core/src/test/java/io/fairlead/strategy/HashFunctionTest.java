package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashFunctionTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "123456789", "10.0.0.1:8080", "Zoë/日本-😀"})
    void crc32IsThatOfTheJdk(String text) {
        assertThat(Crc32.add(text, 0, text.length(), 0)).isEqualTo(crcOf(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void crc32GoesOnWithEightBytes() {
        long state = Crc32.add("10.0.0.1", 0, 8, 0);
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("10.0.0.1".getBytes(StandardCharsets.UTF_8)).putLong(7);
        assertThat(Crc32.add(7, (int) state)).isEqualTo(crcOf(bytes.array()));
    }

    /** From draft-eastlake-fnv, appendix C. */
    @ParameterizedTest
    @CsvSource({"'', cbf29ce484222325", "a, af63dc4c8601ec8c", "foobar, 85944171f73967e8"})
    void fnv1aGivesTheDraftsVectors(String text, String hash) {
        assertThat(Long.toHexString(Fnv1a.add(text, 0, text.length(), Fnv1a.BASIS)))
                .isEqualTo(hash);
    }

    /** MurmurHash3 as published; values of its C++. */
    @Test
    void fmix64IsThatOfMurmurHash3() {
        assertThat(Fnv1a.mix(0)).isZero();
        assertThat(Long.toHexString(Fnv1a.mix(1))).isEqualTo("b456bcfc34c2cb2c");
    }

    @Test
    void functionsAreFoundByTheirNames() {
        for (HashFunction function : HashFunction.values()) {
            assertThat(HashFunction.named(function.configName())).isSameAs(function);
        }
        assertThatThrownBy(() -> HashFunction.named("crc"))
                .hasMessage("unknown hash function 'crc'; did you mean 'crc32'?");
    }

    private static long crcOf(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
    }
}
