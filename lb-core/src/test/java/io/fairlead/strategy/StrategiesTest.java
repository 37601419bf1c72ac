package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategiesTest {
    @Test
    void namesAreKnownWhateverTheirCase() {
        assertThat(Strategies.create("Round-Robin", StrategyOptions.DEFAULT).name())
                .isEqualTo("round-robin");
    }

    @ParameterizedTest
    @CsvSource({"wr, wrr", "roundrobin, round-robin", "RANDON, random", "p2, p2c", "least_requests, least-requests"})
    void anUnknownNameIsAnsweredWithTheNearest(String name, String nearest) {
        assertThatThrownBy(() -> Strategies.create(name, StrategyOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown strategy '" + name + "'; did you mean '" + nearest + "'?");
    }

    @Test
    void aUsersOwnStrategyIsFoundByItsClass() {
        Strategy own = Strategies.create(FirstServer.class.getName(), StrategyOptions.DEFAULT);
        assertThat(own).isInstanceOf(FirstServer.class);
    }

    @Test
    void aUsersOwnStrategyIsFoundByItsName(@TempDir Path directory) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.write(
                services.resolve(Strategy.class.getName()),
                FirstServer.class.getName().getBytes(StandardCharsets.UTF_8));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            assertThat(Strategies.create("first-server", StrategyOptions.DEFAULT))
                    .isInstanceOf(FirstServer.class);
            assertThatThrownBy(() -> Strategies.create("frist-server", StrategyOptions.DEFAULT))
                    .hasMessageEndingWith("did you mean 'first-server'?");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void aClassThatIsNoStrategySaysSo() {
        assertThatThrownBy(() -> Strategies.create("java.lang.String", StrategyOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("strategy java.lang.String does not implement io.fairlead.strategy.Strategy");
    }

    @Test
    void aClassThatCannotBeMadeSaysSo() {
        assertThatThrownBy(() -> Strategies.create(WithArgument.class.getName(), StrategyOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a public constructor without arguments");
        assertThatThrownBy(() -> Strategies.create(Throwing.class.getName(), StrategyOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not today");
    }

    /** A strategy as a user writes it. */
    public static final class FirstServer implements Strategy {
        @Override
        public String name() {
            return "first-server";
        }

        @Override
        public Picker picker(PickerContext context) {
            return (request, tried) -> Servers.untriedFrom(Servers.array(context.candidates()), 0, tried);
        }
    }

    /** One that needs an argument. */
    public static final class WithArgument implements Strategy {
        private final String name;

        public WithArgument(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Picker picker(PickerContext context) {
            throw new UnsupportedOperationException();
        }
    }

    /** One whose constructor fails. */
    public static final class Throwing implements Strategy {
        public Throwing() {
            throw new IllegalStateException("not today");
        }

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public Picker picker(PickerContext context) {
            throw new UnsupportedOperationException();
        }
    }
}
