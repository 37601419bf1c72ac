package io.fairlead.agent.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerFieldTest {
    @ParameterizedTest
    @ValueSource(strings = {"X-Served-By", "server", "a.b_c~1"})
    void aTokenIsTheNameOfAField(String text) {
        assertThat(ServerField.isToken(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "a\r\nb", "a(b)", "ä", "\u0000"})
    void nothingElseIs(String text) {
        assertThat(ServerField.isToken(text)).isFalse();
    }
}
