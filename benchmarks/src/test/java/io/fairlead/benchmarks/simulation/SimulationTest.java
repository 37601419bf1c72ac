package io.fairlead.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of requests under each fault, in a small world in which it can be told beforehand. */
class SimulationTest {
    private static final long MILLI = 1_000_000;
    /** Two servers that are far from busy: 100 requests a second that take 1 ms each, for 10 s. */
    private static final World SMALL = new World(2, 4, 1000, ServiceTime.constant(MILLI), 100, 50, 0, MILLI, 10, 0);

    private static final Settings PLAIN =
            new Settings("plain", TimeLimits.of(Duration.ofMillis(300), Duration.ofMillis(600)), balancer -> {});

    @Test
    void theSameRunGivesTheSameFiguresToTheLastByte() {
        Run.Plan plan = new Run.Plan(Scenarios.named("fast-503"), Settings.ADVISED, "peak-ewma");

        Run one = plan.run();
        Run other = plan.run();

        assertThat(other).isEqualTo(one);
        assertThat(Plots.of(List.of(other))).isEqualTo(Plots.of(List.of(one)));
    }

    @Test
    void everyStrategyMeetsTheSameRequests() {
        assertThat(Simulation.run(SMALL, faultOfTheFirst(0, stage -> {}), PLAIN, "wrr")
                        .requests())
                .isEqualTo(Simulation.run(SMALL, faultOfTheFirst(0, stage -> {}), PLAIN, "maglev")
                        .requests());
    }

    @Test
    void aHealthyServiceAnswersAfterNetworkAndService() {
        Recording recording = Simulation.run(SMALL, faultOfTheFirst(0, stage -> {}), PLAIN, "wrr");

        assertThat(recording.errorPercent()).isZero();
        assertThat(recording.goodPercent()).isEqualTo(100);
        assertThat(recording.quantileMillis(0.5)).isCloseTo(3, within(0.001));
        assertThat(recording.requests()).isBetween(900L, 1100L);
        assertThat(recording.shares(0, 10)).containsExactly(new double[] {50, 50}, within(0.1));
    }

    @Test
    void aBlackHoleCostsTheTimeLimitAndAnError() {
        Recording recording = Simulation.run(
                SMALL, faultOfTheFirst(0, stage -> stage.at(0, 0, SimulatedServer::swallow)), PLAIN, "round-robin");

        assertThat(recording.errorPercent()).isCloseTo(50, within(1.0));
        assertThat(recording.quantileMillis(0.99)).isCloseTo(600, within(0.001));
        assertThat(recording.retryPercent()).isZero();
    }

    @Test
    void aDeadMachineCostsTheConnectionsLimitAndThenAnotherServerAnswers() {
        Recording recording =
                Simulation.run(SMALL, faultOfTheFirst(0, stage -> stage.at(0, 0, SimulatedServer::die)), PLAIN, "wrr");

        assertThat(recording.errorPercent()).isZero();
        assertThat(recording.retryPercent()).isGreaterThan(0);
        assertThat(recording.quantileMillis(1)).isCloseTo(303, within(0.001));
    }

    @Test
    void aStoppedServerRefusesAndAnotherOneAnswersAtOnce() {
        Recording recording =
                Simulation.run(SMALL, faultOfTheFirst(0, stage -> stage.at(0, 0, SimulatedServer::stop)), PLAIN, "wrr");

        assertThat(recording.errorPercent()).isZero();
        assertThat(recording.quantileMillis(1)).isCloseTo(5, within(0.001));
    }

    @Test
    void aServerThatStopsBreaksWhatItHasAndGetIsSentAgain() {
        World slow = new World(2, 4, 1000, ServiceTime.constant(20 * MILLI), 100, 50, 0, MILLI, 10, 0);

        Recording recording =
                Simulation.run(slow, faultOfTheFirst(5, stage -> stage.at(5, 0, SimulatedServer::stop)), PLAIN, "wrr");

        assertThat(recording.errorPercent()).isZero();
        assertThat(recording.retryPercent()).isGreaterThan(0);
    }

    @Test
    void aServerThatStopsBreaksWhatItHasAndPostFails() {
        World posts = new World(2, 4, 1000, ServiceTime.constant(20 * MILLI), 100, 50, 1, MILLI, 10, 0);

        Recording recording =
                Simulation.run(posts, faultOfTheFirst(5, stage -> stage.at(5, 0, SimulatedServer::stop)), PLAIN, "wrr");

        assertThat(recording.errorPercent()).isBetween(0.01, 1.0);
    }

    @Test
    void aFailingServerAnswersAtOnceAndTheAnswerIsPassedOn() {
        Recording recording = Simulation.run(
                SMALL,
                faultOfTheFirst(0, stage -> stage.at(0, 0, server -> server.fail(500, MILLI / 2))),
                PLAIN,
                "round-robin");

        assertThat(recording.errorPercent()).isCloseTo(50, within(0.1));
        assertThat(recording.retryPercent()).isZero();
        assertThat(recording.quantileMillis(0.01)).isCloseTo(2.5, within(0.001));
    }

    @Test
    void aStalledServerGoesOnWithWhatWaits() {
        Scenario stall = new Scenario("stall", "stall", 4, 5, List.of(), 0, stage -> {
            for (int i = 0; i < 2; i++) {
                stage.at(4, i, SimulatedServer::stall);
                stage.at(4.5, i, SimulatedServer::recover);
            }
        });

        Recording recording = Simulation.run(SMALL, stall, PLAIN, "wrr");

        assertThat(recording.errorPercent()).isZero();
        assertThat(recording.quantileMillis(1)).isBetween(480.0, 520.0);
    }

    @Test
    void aClientWhoseRequestFailedAsksAgainOnce() {
        Scenario failing = new Scenario("none", "none", 0, 10, List.of(), 1, stage -> {
            for (int i = 0; i < 2; i++) {
                stage.at(0, i, server -> server.fail(500, 0));
            }
        });

        long asked = Simulation.run(SMALL, failing, PLAIN, "wrr").requests();

        long once = Simulation.run(SMALL, faultOfTheFirst(0, stage -> {}), PLAIN, "wrr")
                .requests();
        // Those of the last of ten seconds ask after the end, which is not measured.
        assertThat((double) asked / once).isCloseTo(1.9, within(0.05));
    }

    @Test
    void whatIsBeyondTheBacklogIsNotAccepted() {
        World narrow = new World(1, 1, 1, ServiceTime.constant(1000 * MILLI), 10, 50, 0, MILLI, 10, 0);

        Recording recording = Simulation.run(narrow, faultOfTheFirst(0, stage -> {}), PLAIN, "wrr");

        // The server does one a second and lets one wait.
        assertThat(recording.errorPercent()).isGreaterThan(80);
        assertThat(recording.quantileMillis(0.5)).isCloseTo(300, within(0.001));
    }

    private static Scenario faultOfTheFirst(int from, Scenario.Script script) {
        return new Scenario("fault", "fault", from, 10, List.of(0), 0, script);
    }
}
