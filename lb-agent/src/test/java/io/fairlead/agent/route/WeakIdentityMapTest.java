package io.fairlead.agent.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class WeakIdentityMapTest {
    private final WeakIdentityMap<String> map = new WeakIdentityMap<>();

    @Test
    void equalKeysAreDifferentObjects() {
        String one = new String("key");
        String two = new String("key");
        map.put(one, "one");

        assertThat(map.get(one)).isEqualTo("one");
        assertThat(map.get(two)).isNull();
        map.put(two, "two");
        assertThat(map.get(one)).isEqualTo("one");
        assertThat(map.size()).isEqualTo(2);
    }

    @Test
    void aSecondValueReplacesTheFirst() {
        Object key = new Object();
        map.put(key, "one");
        map.put(key, "two");

        assertThat(map.get(key)).isEqualTo("two");
        assertThat(map.size()).isEqualTo(1);
        assertThat(map.remove(key)).isEqualTo("two");
        assertThat(map.get(key)).isNull();
    }

    @Test
    void theValueOfACollectedKeyIsHandedBackOnce() {
        map.put(new Object(), "lost");
        Object kept = new Object();
        map.put(kept, "kept");

        AtomicReference<String> lost = new AtomicReference<>();
        Awaitility.await().until(() -> {
            System.gc();
            lost.set(map.pollCollected());
            return lost.get() != null;
        });
        assertThat(lost).hasValue("lost");
        assertThat(map.pollCollected()).isNull();
        assertThat(map.get(kept)).isEqualTo("kept");
        assertThat(map.size()).isEqualTo(1);
    }
}
