package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ForwardingPickTest {
    /** They call {@link Pick#done} and nothing else. */
    private static final Set<String> BY_DONE = new HashSet<>(Arrays.asList("success", "failure", "cancel"));

    @Test
    void nothingThatAPickCanDoIsLostOnTheWay() throws NoSuchMethodException {
        for (Method method : Pick.class.getMethods()) {
            if (!BY_DONE.contains(method.getName())) {
                Method forwarded = ForwardingPick.class.getMethod(method.getName(), method.getParameterTypes());
                assertThat(forwarded.getDeclaringClass()).as(method.toString()).isEqualTo(ForwardingPick.class);
            }
        }
    }
}
