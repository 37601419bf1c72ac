package io.fairlead;

import io.fairlead.health.EndpointHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The servers of one priority that take requests as far as their configuration goes: neither fenced nor without weight.
 * Their health is read once, as they are added, since it moves.
 *
 * <p>Used by one thread.
 */
final class PriorityLevel {
    final int priority;
    private final List<Member> members = new ArrayList<>();
    private boolean panic;

    PriorityLevel(int priority) {
        this.priority = priority;
    }

    void add(Node node) {
        members.add(new Member(node));
    }

    int size() {
        return members.size();
    }

    /** How many neither a check nor an ejection nor their circuit has taken out. */
    int usable() {
        return nodes(Member::isUsable).size();
    }

    /** From now on checks and ejections are ignored here. */
    void panic() {
        panic = true;
    }

    boolean isInPanic() {
        return panic;
    }

    /** How many are usable and are not passed over for a connection that failed, whether health is ignored or not. */
    int healthy() {
        return nodes(member -> member.isUsable() && !member.backedOff).size();
    }

    /** The first choices, in the order of the configuration. */
    List<Node> ready() {
        return nodes(member -> (panic ? !member.open : member.isUsable()) && !member.backedOff);
    }

    /** Those that would be first choices if a connection had not failed just now. */
    List<Node> backedOff() {
        return nodes(member -> (panic ? !member.open : member.isUsable()) && member.backedOff);
    }

    /** Those that only an ejection has taken out. */
    List<Node> ejected() {
        return nodes(member -> member.ejected && !member.down && !member.open);
    }

    /** All of them, whatever their health. */
    List<Node> all() {
        return nodes(member -> true);
    }

    private List<Node> nodes(Predicate<Member> which) {
        List<Node> nodes = new ArrayList<>();
        for (Member member : members) {
            if (which.test(member)) {
                nodes.add(member.node);
            }
        }
        return nodes;
    }

    private static final class Member {
        final Node node;
        final boolean down;
        final boolean open;
        final boolean ejected;
        final boolean backedOff;

        Member(Node node) {
            this.node = node;
            EndpointHealth health = node.state.health;
            down = health.isDown();
            open = health.isOpen();
            ejected = health.isEjected();
            backedOff = health.isBackedOff();
        }

        boolean isUsable() {
            return !down && !open && !ejected;
        }
    }
}
