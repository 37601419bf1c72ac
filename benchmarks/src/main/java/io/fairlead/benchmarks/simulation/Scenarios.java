package io.fairlead.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/** The scenarios of the report. */
final class Scenarios {
    private static final int FROM = 20;
    private static final int TO = 80;
    /** One server in the middle of the list, so that being first or last is no part of the matter. */
    private static final int ONE = 4;

    private static final long MILLI = 1_000_000L;
    private static final long WARM_UP = 10_000 * MILLI;

    private Scenarios() {}

    /** All of them, in the order of the report. */
    static List<Scenario> all() {
        return List.of(
                new Scenario("steady", "Nothing wrong", 0, 0, List.of(), 0, stage -> {}),
                ofOne("black-hole", "One black hole", SimulatedServer::swallow),
                ofOne("fast-503", "One server that answers 503 within 1 ms", server -> server.fail(503, MILLI)),
                ofOne("fast-500", "One server that answers 500 within 1 ms", server -> server.fail(500, MILLI)),
                ofOne("slow", "One server at a third of its speed", server -> server.slowDown(3)),
                new Scenario("rolling-restart", "A rolling restart", FROM, TO, List.of(), 0, Scenarios::restartInTurn),
                new Scenario("zone-lost", "A zone lost", FROM, TO, zone(), 0, Scenarios::loseAZone),
                new Scenario(
                        "recovery", "A thundering recovery", FROM, FROM + 10, List.of(), 0.5, Scenarios::stallAll));
    }

    /** The scenario of this name. */
    static Scenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no scenario '" + name + "'"));
    }

    private static Scenario ofOne(String name, String title, Consumer<SimulatedServer> fault) {
        return new Scenario(name, title, FROM, TO, List.of(ONE), 0, stage -> {
            stage.at(FROM, ONE, fault);
            stage.at(TO, ONE, SimulatedServer::recover);
        });
    }

    /** Each server in turn is gone for 3 s, one every 5 s, and comes back cold. */
    private static void restartInTurn(Stage stage) {
        for (int i = 0; i < stage.servers(); i++) {
            double from = FROM + (TO - FROM) * (double) i / stage.servers();
            stage.at(from, i, SimulatedServer::stop);
            stage.at(from + 3, i, server -> server.start(2, WARM_UP));
        }
    }

    /** Those of the second of three zones. */
    private static List<Integer> zone() {
        List<Integer> zone = new ArrayList<>();
        for (int i = 1; i < World.standard().servers(); i += Simulation.ZONES) {
            zone.add(i);
        }
        return zone;
    }

    private static void loseAZone(Stage stage) {
        for (int i : zone()) {
            stage.at(FROM, i, SimulatedServer::die);
            stage.at(TO, i, server -> server.start(2, WARM_UP));
        }
    }

    /** What all servers depend on hangs, and comes back: each has a queue of requests that nobody waits for any more. */
    private static void stallAll(Stage stage) {
        for (int i = 0; i < stage.servers(); i++) {
            stage.at(FROM, i, SimulatedServer::stall);
            stage.at(FROM + 10, i, SimulatedServer::recover);
        }
    }
}
