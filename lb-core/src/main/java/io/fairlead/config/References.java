package io.fairlead.config;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which services are made of which others. All must exist, none may be made of itself, and what a pick may have to ask
 * on its way down stays within bounds, since services that share parts multiply.
 */
final class References {
    private static final int MAX_DEPTH = 16;
    private static final int MAX_PARTS = 1_000;

    /** Names of services as they are spelt, by name without case. */
    private final Map<String, String> names;

    private final Map<String, List<Reference>> byService = new LinkedHashMap<>();

    References(Map<String, String> names) {
        this.names = names;
    }

    /**
     * Notes that a service is made of another one.
     *
     * @param at where the file says so
     */
    void add(String service, String part, ConfigNode at) {
        if (!names.containsKey(key(part))) {
            at.unknown("service", part, names.values());
            return;
        }
        byService.computeIfAbsent(key(service), s -> new ArrayList<>()).add(new Reference(key(part), at));
    }

    /** Finds what is wrong among the services as a whole; called once all are known. */
    void check() {
        Set<String> done = new HashSet<>();
        List<String> upwards = new ArrayList<>();
        boolean circles = false;
        for (String start : byService.keySet()) {
            circles |= walk(start, done, upwards);
        }
        if (!circles) {
            checkSizes(upwards);
        }
    }

    /**
     * A walk in depth, without recursion, since a file may chain more services than a stack has room for.
     *
     * @param upwards is added to: each service after those that it is made of
     * @return whether there is a circle
     */
    private boolean walk(String start, Set<String> done, List<String> upwards) {
        boolean circles = false;
        Deque<Step> way = new ArrayDeque<>();
        Set<String> onTheWay = new HashSet<>();
        if (done.add(start)) {
            onTheWay.add(start);
            way.addLast(new Step(start, parts(start).iterator()));
        }
        while (!way.isEmpty()) {
            Step step = way.getLast();
            if (!step.rest.hasNext()) {
                way.removeLast();
                onTheWay.remove(step.service);
                upwards.add(step.service);
                continue;
            }
            Reference next = step.rest.next();
            if (onTheWay.contains(next.part)) {
                next.at.problem("the service is made of itself: " + circle(way, next.part));
                circles = true;
            } else if (done.add(next.part)) {
                onTheWay.add(next.part);
                way.addLast(new Step(next.part, parts(next.part).iterator()));
            }
        }
        return circles;
    }

    private List<Reference> parts(String service) {
        return byService.getOrDefault(service, Collections.emptyList());
    }

    private String circle(Deque<Step> way, String back) {
        StringBuilder circle = new StringBuilder();
        boolean within = false;
        for (Step step : way) {
            within |= step.service.equals(back);
            if (within) {
                circle.append(Quote.cut(names.getOrDefault(step.service, step.service)))
                        .append(" -> ");
            }
            if (circle.length() > 500) {
                circle.append("... -> ");
                break;
            }
        }
        return circle.append(Quote.cut(names.getOrDefault(back, back))).toString();
    }

    private void checkSizes(List<String> upwards) {
        Map<String, Size> sizes = new HashMap<>();
        for (String service : upwards) {
            int depth = 0;
            int parts = 0;
            for (Reference reference : parts(service)) {
                Size part = sizes.getOrDefault(reference.part, Size.LEAF);
                depth = Math.max(depth, part.depth + 1);
                parts += part.parts + 1;
                if (depth > MAX_DEPTH || parts > MAX_PARTS) {
                    reference.at.problem("services may be made of others " + MAX_DEPTH + " deep, and of " + MAX_PARTS
                            + " in all, at most");
                    // Whatever is made of this one would only repeat it.
                    return;
                }
            }
            sizes.put(service, new Size(depth, parts));
        }
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static final class Reference {
        final String part;
        final ConfigNode at;

        Reference(String part, ConfigNode at) {
            this.part = part;
            this.at = at;
        }
    }

    private static final class Step {
        final String service;
        final Iterator<Reference> rest;

        Step(String service, Iterator<Reference> rest) {
            this.service = service;
            this.rest = rest;
        }
    }

    private static final class Size {
        static final Size LEAF = new Size(0, 0);

        final int depth;
        final int parts;

        Size(int depth, int parts) {
            this.depth = depth;
            this.parts = parts;
        }
    }
}
