package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpressionTest {
    private static final Map<String, Expression.Function<Integer>> FUNCTIONS = Map.of(
            "Value", new Expression.Function<>(0, (value, none) -> value, false),
            "Sum", new Expression.Function<>(2, (value, a) -> value + a[0] + a[1], false),
            "IsOdd", new Expression.Function<>(0, (value, none) -> value % 2, true));

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "Value() > 2 # 3 # true",
                "Value() > 3 # 3 # false",
                "Value()>=3 # 3 # true",
                "Value() <= 2.5 # 3 # false",
                "Value() != 4 # 3 # true",
                "4 == Value() # 3 # false",
                "Sum(1, 2) == 6 # 3 # true",
                "IsOdd() # 3 # true",
                "!IsOdd() # 3 # false",
                "!!IsOdd() && Value() < 4 # 3 # true",
                "Value() == 9 || IsOdd() && Value() == 3 # 3 # true",
                "(Value() == 3 || IsOdd()) && Value() == 9 # 3 # false",
                "!(Value() == 3 && IsOdd()) # 3 # false",
            })
    void conditionsAreTakenAsTheyAreWritten(String text, int value, boolean holds) throws Exception {
        assertThat(Expression.parse(text, FUNCTIONS).test(value)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "'' # a number is expected (position 1",
                "Value() # a number is no condition by itself",
                "Value() > # a number is expected (position 10",
                "Valu() > 1 # there is no function 'Valu'; known: IsOdd, Sum, Value (position 1",
                "Sum(1) > 1 # 2 numbers are expected in the parentheses, not 1 (position 4",
                "IsOdd() && # a number is expected",
                "(IsOdd() # ')' is expected, and the expression ends (position 9",
                "IsOdd() IsOdd() # 'I' is not expected here (position 9",
                "1 > IsOdd() # a condition is not to be compared",
                "Value() > 1.2.3 # a number is expected",
            })
    void whatIsWrongIsToldWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> Expression.parse(text, FUNCTIONS)).hasMessageContaining(message);
    }

    @Test
    void nestingHasItsLimit() {
        assertThatThrownBy(() -> Expression.parse("(".repeat(10_000) + "IsOdd()", FUNCTIONS))
                .hasMessageContaining("too deeply");
    }
}
