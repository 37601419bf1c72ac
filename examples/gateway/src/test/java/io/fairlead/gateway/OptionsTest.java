package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {
    @Test
    void nothingGivenIsTheDemoOnThePortsOfTheContract() throws Exception {
        assertThat(Options.parse()).isEqualTo(new Options(Options.Action.RUN, null, "127.0.0.1", 8080, null, null));
    }

    @Test
    void everyOptionIsReadInBothSpellings() throws Exception {
        Options expected = new Options(
                Options.Action.RUN,
                Path.of("lb.yaml"),
                "0.0.0.0",
                0,
                9090,
                new Options.Tls(Path.of("chain.pem"), Path.of("key.pem"), 8444));

        assertThat(Options.parse(("--config lb.yaml --host 0.0.0.0 --port 0 --admin-port 9090"
                                + " --tls-cert chain.pem --tls-key key.pem --tls-port 8444")
                        .split(" ")))
                .isEqualTo(expected);
        assertThat(Options.parse(("--config=lb.yaml --host=0.0.0.0 --port=0 --admin-port=9090"
                                + " --tls-cert=chain.pem --tls-key=key.pem --tls-port=8444")
                        .split(" ")))
                .isEqualTo(expected);
    }

    @Test
    void httpsTakesItsUsualPort() throws Exception {
        assertThat(Options.parse("--tls-cert", "c", "--tls-key", "k").tls())
                .isEqualTo(new Options.Tls(Path.of("c"), Path.of("k"), 8443));
    }

    @Test
    void helpAndVersionComeBeforeEverythingElse() throws Exception {
        assertThat(Options.parse("--help", "--check").action()).isEqualTo(Options.Action.HELP);
        assertThat(Options.parse("--version").action()).isEqualTo(Options.Action.VERSION);
    }

    @Test
    void allMistakesAreNamedInTheirOrder() {
        assertThatThrownBy(() -> Options.parse(
                        "--prot", "8080", "--check", "--port", "x", "--host=", "--tls-cert", "--admin-port", "99999"))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e -> assertThat(e.mistakes())
                                .containsExactly(
                                        "unknown option --prot",
                                        "--tls-cert needs a value",
                                        "--check needs --config FILE",
                                        "--host is empty",
                                        "--port: 'x' is not a port from 0 to 65535",
                                        "--admin-port: '99999' is not a port from 0 to 65535",
                                        "HTTPS needs both --tls-cert and --tls-key"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --prot 8080                | unknown option --prot
                    lb.yaml                    | unexpected argument 'lb.yaml'
                    --config                   | --config needs a value
                    --config --check           | --config needs a value
                    --config=                  | --config is empty
                    --check                    | --check needs --config FILE
                    --check=yes --config a     | --check takes no value
                    --port 1 --port 2          | --port is given twice
                    --port 65536               | --port: '65536' is not a port from 0 to 65535
                    --port -1                  | --port: '-1' is not a port from 0 to 65535
                    --port http                | --port: 'http' is not a port from 0 to 65535
                    --admin-port 99999         | --admin-port: '99999' is not a port from 0 to 65535
                    --host=                    | --host is empty
                    --tls-cert c               | HTTPS needs both --tls-cert and --tls-key
                    --tls-key k                | HTTPS needs both --tls-cert and --tls-key
                    --tls-port 8443            | HTTPS needs both --tls-cert and --tls-key
                    """)
    void whatCannotBeFollowedIsNamed(String line, String message) {
        assertThatThrownBy(() -> Options.parse(line.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }
}
