package io.fairlead.config;

import io.fairlead.config.YamlNode.Entry;
import io.fairlead.config.YamlNode.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads a YAML document into nodes that know their lines. It goes by the parser's events rather than its own tree of
 * nodes, since three things are settled here while the file is read: how deep it may nest, what aliases may expand to,
 * and that keys which differ only by case are the same key.
 */
final class YamlReader {
    private static final int MAX_DEPTH = 64;
    /** Some hundred thousand servers, and about a hundred megabytes while they are read. */
    private static final int MAX_VALUES = 1_000_000;

    private static final int MAX_EXPANDED = 100_000;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String CORE_TAGS = "tag:yaml.org,2002:";

    private final Iterator<Event> events;
    private final Problems problems;
    private final Map<Anchor, YamlNode> anchors = new HashMap<>();
    private final List<Object> place = new ArrayList<>();
    private int values;
    private long expanded;

    private YamlReader(Iterator<Event> events, Problems problems) {
        this.events = events;
        this.problems = problems;
    }

    /** The root of the only document; null, with a problem, when there is none that can be read. */
    static @Nullable YamlNode read(String file, Problems problems) {
        String text = file.startsWith(BYTE_ORDER_MARK) ? file.substring(1) : file;
        if (!isPrintable(text, problems)) {
            return null;
        }
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
        try {
            return new YamlReader(new Parse(settings).parseString(text).iterator(), problems).document();
        } catch (Refused e) {
            problems.add(e.line, e.path, e.what);
        } catch (MarkedYamlEngineException e) {
            problems.add(line(e.getProblemMark()), "", "not valid YAML: " + e.getProblem() + context(e.getContext()));
        } catch (RuntimeException e) {
            // A parser that stumbles over a strange file is no reason to fail the application that reads it.
            problems.add(1, "", "not valid YAML: " + e.getMessage());
        }
        return null;
    }

    private static boolean isPrintable(String text, Problems problems) {
        int line = 1;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (!StreamReader.isPrintable(c)) {
                problems.add(line, "", String.format("not valid YAML: the character U+%04X cannot stand in it", c));
                return false;
            }
            line += c == '\n' ? 1 : 0;
            i += Character.charCount(c);
        }
        return true;
    }

    private @Nullable YamlNode document() {
        YamlNode root = null;
        while (events.hasNext()) {
            Event event = events.next();
            if (event.getEventId() != Event.ID.DocumentStart) {
                continue;
            }
            if (root != null) {
                problems.add(line(event.getStartMark()), "", "the file has more than one document");
                return root;
            }
            root = node(events.next());
        }
        if (root == null || root.isNull) {
            problems.add(1, "", "the file is empty");
            return null;
        }
        return root;
    }

    private YamlNode node(Event event) {
        if (++values > MAX_VALUES) {
            throw refused(event, "the file holds more than " + MAX_VALUES + " values");
        }
        if (event instanceof AliasEvent) {
            return alias((AliasEvent) event);
        }
        YamlNode node =
                event instanceof ScalarEvent ? scalar((ScalarEvent) event) : collection((CollectionStartEvent) event);
        // Only now, so that an alias within cannot make a circle.
        ((NodeEvent) event).getAnchor().ifPresent(anchor -> anchors.put(anchor, node));
        return node;
    }

    private YamlNode alias(AliasEvent event) {
        YamlNode target = anchors.get(event.getAlias());
        if (target == null) {
            throw refused(event, "the alias *" + Quote.cut(event.getAlias().getValue()) + " has no anchor above it");
        }
        expanded += target.size;
        if (expanded > MAX_EXPANDED) {
            throw refused(event, "the file's aliases stand for more than " + MAX_EXPANDED + " values");
        }
        return target;
    }

    private YamlNode scalar(ScalarEvent event) {
        checkTag(event, event.getTag());
        String text = event.getValue();
        boolean isNull = event.isPlain()
                && !event.getTag().isPresent()
                && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
        return new YamlNode(Kind.SCALAR, line(event.getStartMark()), text, isNull);
    }

    private YamlNode collection(CollectionStartEvent event) {
        if (place.size() >= MAX_DEPTH) {
            throw refused(event, "the file is nested more than " + MAX_DEPTH + " deep");
        }
        checkTag(event, event.getTag());
        boolean mapping = event.getEventId() == Event.ID.MappingStart;
        YamlNode node = new YamlNode(mapping ? Kind.MAPPING : Kind.SEQUENCE, line(event.getStartMark()), "", false);
        if (mapping) {
            readEntries(node);
        } else {
            readItems(node);
        }
        return node;
    }

    private void readItems(YamlNode sequence) {
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            place.add(sequence.items.size());
            YamlNode item = node(event);
            sequence.items.add(item);
            sequence.size += item.size;
            place.remove(place.size() - 1);
        }
    }

    private void readEntries(YamlNode mapping) {
        List<YamlNode> merged = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            int line = line(event.getStartMark());
            boolean merge = event instanceof ScalarEvent
                    && ((ScalarEvent) event).isPlain()
                    && ((ScalarEvent) event).getValue().equals("<<");
            place.add("?");
            YamlNode key = node(event);
            if (key.kind != Kind.SCALAR) {
                throw refused(event, "a key must be text, not " + key.kind.words);
            }
            place.set(place.size() - 1, key.text);
            YamlNode value = node(events.next());
            Entry before = mapping.entry(key.text);
            if (merge) {
                addMerged(value, merged);
            } else if (before == null) {
                mapping.put(new Entry(key.text, line, value));
            } else {
                problems.add(line, path(), twice(before, key.text));
            }
            place.remove(place.size() - 1);
        }
        // What the mapping says itself goes before what it takes over, wherever the merge key stands.
        for (YamlNode source : merged) {
            source.entries().forEach(mapping::put);
        }
    }

    private void addMerged(YamlNode value, List<YamlNode> merged) {
        List<YamlNode> sources = new ArrayList<>();
        if (value.kind == Kind.SEQUENCE) {
            sources.addAll(value.items);
        } else {
            sources.add(value);
        }
        for (YamlNode source : sources) {
            if (source.kind == Kind.MAPPING) {
                merged.add(source);
            } else {
                problems.add(value.line, path(), "only a mapping, or a list of mappings, can be merged in");
            }
        }
    }

    private static String twice(Entry before, String key) {
        return "the key " + Quote.of(key) + " stands here twice, first in line " + before.line
                + (before.key.equals(key) ? "" : " as " + Quote.of(before.key) + " (case does not matter)");
    }

    private void checkTag(Event event, Optional<String> tag) {
        if (tag.isPresent() && !tag.get().equals("!") && !tag.get().startsWith(CORE_TAGS)) {
            problems.add(line(event.getStartMark()), path(), "the tag " + Quote.of(tag.get()) + " means nothing here");
        }
    }

    private Refused refused(Event event, String what) {
        return new Refused(line(event.getStartMark()), place.size() > 8 ? "" : path(), what);
    }

    private String path() {
        String path = "";
        for (Object step : place) {
            path = step instanceof Integer ? KeyPath.item(path, (Integer) step) : KeyPath.key(path, (String) step);
        }
        return path;
    }

    private static String context(@Nullable String context) {
        return context == null || context.isEmpty() ? "" : " (" + context + ")";
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(m -> m.getLine() + 1).orElse(1);
    }

    /** Ends the reading: what follows could not be understood, or not be afforded. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final int line;
        final String path;
        final String what;

        Refused(int line, String path, String what) {
            super(what, null, false, false);
            this.line = line;
            this.path = path;
            this.what = what;
        }
    }
}
