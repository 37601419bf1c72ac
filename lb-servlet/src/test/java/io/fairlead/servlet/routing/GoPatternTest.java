package io.fairlead.servlet.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values are those of Go's regexp.ReplaceAllString, as its documentation and its own tests have them. */
final class GoPatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "a(x*)b#${1}#-ab-axxb-#--xx-",
                "a(x*)b#${1}W#-ab-axxb-#-W-xxW-",
                "a(?P<X>x*)b#$X#-ab-axxb-#--xx-",
                "a(x*)b#$$#-ab-axxb-#-$-$-",
                "(.*)#[$1]#abc#[abc]",
                "(.*)#[$1]#''#[]",
                "b*#-#abc#-a-c-",
                "^/(\\d+)$#/n/$1#/42#/n/42",
                "(a)|(b)#[$1$2]#ab#[a][b]",
                "x#$#axb#a$b",
                "x#${#axb#a${b",
                "x#$-#axb#a$-b",
                "nothing#y#abc#abc",
            })
    void matchesAreExchangedAsInGo(String expression, String replacement, String text, String expected) {
        GoPattern pattern = GoPattern.compile(expression);

        assertThat(pattern.replaceAll(text, Replacement.of(replacement, pattern)))
                .isEqualTo(expected);
    }

    @Test
    void aGroupThatIsNotThereIsRefused() {
        GoPattern pattern = GoPattern.compile("(a)(?P<name>b)");

        assertThatThrownBy(() -> Replacement.of("$1x", pattern)).hasMessageContaining("no group '1x'; write ${1}x");
        assertThatThrownBy(() -> Replacement.of("${3}", pattern)).hasMessageContaining("no group '3'");
        assertThatThrownBy(() -> Replacement.of("$nam", pattern)).hasMessageContaining("no group 'nam'");
        assertThat(pattern.replaceAll("ab", Replacement.of("${2}$0${name}", pattern)))
                .isEqualTo("babb");
    }

    @ParameterizedTest
    @CsvSource({"^/a,/ab,2", "/b,/ab,-1", "/a|/b,/b/a,2", "/[0-9]*,/12/x,3", "b,abc,-1"})
    void theMatchAtTheBeginningHasAnEnd(String expression, String text, int end) {
        assertThat(GoPattern.compile(expression).endOfBeginning(text)).isEqualTo(end);
    }

    @Test
    void timeGrowsWithTheTextOnly() {
        GoPattern pattern = GoPattern.compile("^(([a-z])+.)+[A-Z]([a-z])+$");

        assertThat(pattern.find("a".repeat(4_000))).isFalse();
    }
}
