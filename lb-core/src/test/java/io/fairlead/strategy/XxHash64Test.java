package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {
    /** Values of the reference implementation (xxHash 0.8 in C, called through python-xxhash 4.0.1). */
    @ParameterizedTest
    @CsvSource({
        "'', 0, ef46db3751d8e999",
        "a, 0, d24ec4f1a98c6e5b",
        "abc, 0, 44bc2cf5ad770999",
        "10.0.0.1:8080, 0, cb972177068eb685",
        "Call me Ishmael. Some years ago--never mind how long precisely-, 0, 02a2e85470d6fd96",
        "Call me Ishmael. Some years ago--never mind how long precisely-, 2654435761, ca566a8d7cc04a49",
        "0123456789abcdef0123456789abcdef, 7, f3bfb9ba5c7df996",
        "Zoë/naïve-日本-😀-and-then-some-more-ASCII-text, 0, 04bffaa53d9775f4"
    })
    void textsHashAsInTheReferenceImplementation(String text, long seed, String hash) {
        assertThat(Long.toHexString(XxHash64.hash(text, seed))).isEqualTo(hash.replaceFirst("^0", ""));
    }

    @Test
    void eightBytesHashAsInTheReferenceImplementation() {
        assertThat(XxHash64.hash(123_456_789L, 42)).isEqualTo(0x2f64f8f3490def3fL);
    }

    @Test
    void aTextOfAnyCharactersAndLengthHashesAsItsUtf8Form() {
        SplittableRandom random = new SplittableRandom(9);
        char[] alphabet = {'a', '/', 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0xD83D, 0xDE00, 0xDBFF, 0xDC00};
        for (int i = 0; i < 20_000; i++) {
            char[] chars = new char[random.nextInt(100)];
            for (int k = 0; k < chars.length; k++) {
                chars[k] = alphabet[random.nextInt(alphabet.length)];
            }
            String text = new String(chars);
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            // The same bytes as characters below 128 where they are, and an independent path over bytes where not.
            assertThat(XxHash64.hash(text, i)).isEqualTo(XxHash64OfBytes.hash(utf8, i));
        }
    }

    @Test
    void aPartHashesAsTheTextThatItIs() {
        assertThat(XxHash64.hash("/path?user=42&x=1", 11, 13, 3)).isEqualTo(XxHash64.hash("42", 3));
    }
}
