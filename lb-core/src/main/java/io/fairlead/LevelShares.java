package io.fairlead;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How priority levels and zones share the requests, after Envoy's priority levels and panic threshold. Shares go by the
 * number of servers, not by their weights.
 */
final class LevelShares {
    private final LevelOptions options;

    LevelShares(LevelOptions options) {
        this.options = options;
    }

    /**
     * Panics at each level of which fewer servers are usable than the threshold says, unless the other levels can carry
     * everything; nor while no server is usable but backups are, since they are there for that.
     */
    void panic(Collection<PriorityLevel> servers, Collection<PriorityLevel> backups) {
        boolean backupsCarry = servers.stream().allMatch(level -> level.usable() == 0)
                && backups.stream().anyMatch(level -> level.usable() > 0 && !isBelowThreshold(level));
        if (!backupsCarry) {
            panic(servers);
        }
        panic(backups);
    }

    private void panic(Collection<PriorityLevel> levels) {
        double carried = 0;
        for (PriorityLevel level : levels) {
            carried += isBelowThreshold(level) ? 0 : health(level);
        }
        if (carried < 1) {
            levels.stream().filter(this::isBelowThreshold).forEach(PriorityLevel::panic);
        }
    }

    private boolean isBelowThreshold(PriorityLevel level) {
        return level.usable() * 100L < (long) options.panicThreshold() * level.size();
    }

    /** The part of all requests that each level could carry, from 0 to 1. */
    private double health(PriorityLevel level) {
        return Math.min(1, options.overprovisioningFactor() / 100.0 * level.healthy() / level.size());
    }

    /**
     * The part of the requests that each level gets: what it can carry of what those before it could not. Where all
     * together cannot carry everything, each gets that much more.
     *
     * @param levels by priority, the best first
     */
    Map<PriorityLevel, Double> loads(Collection<PriorityLevel> levels) {
        Map<PriorityLevel, Double> loads = new LinkedHashMap<>();
        double left = 1;
        for (PriorityLevel level : levels) {
            double load = Math.min(left, health(level));
            loads.put(level, load);
            // What is left of a sum of decimals is no load.
            left = left - load < 1e-9 ? 0 : left - load;
        }
        double carried = 1 - left;
        if (carried > 0) {
            loads.replaceAll((level, load) -> load / carried);
        }
        return loads;
    }

    boolean isOwnZone(Node node) {
        ZonePreference zones = options.zones();
        return zones != null && zones.own().equals(node.endpoint.zone());
    }

    /**
     * The part of a level's requests that stays in the own zone; empty where zones make no difference: none is preferred,
     * all servers are in one part, or health is ignored, by which the parts would be told.
     */
    OptionalDouble ownZone(PriorityLevel level) {
        ZonePreference zones = options.zones();
        if (zones == null || level.isInPanic()) {
            return OptionalDouble.empty();
        }
        int own = countOwn(level.all());
        if (own == 0 || own == level.size()) {
            return OptionalDouble.empty();
        }
        int healthy = countOwn(level.ready());
        if (healthy == level.ready().size()) {
            return OptionalDouble.of(1);
        }
        return OptionalDouble.of(Math.min(1, 100.0 * healthy / own / zones.minHealthyPercent()));
    }

    private int countOwn(List<Node> nodes) {
        int count = 0;
        for (Node node : nodes) {
            count += isOwnZone(node) ? 1 : 0;
        }
        return count;
    }
}
