package io.fairlead.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a YAML document with its line. Filled by {@link YamlReader}, read only from then on. */
final class YamlNode {
    enum Kind {
        SCALAR("a single value"),
        SEQUENCE("a list"),
        MAPPING("a mapping");

        final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    final Kind kind;
    /** From 1 on. */
    final int line;
    /** Of a scalar; else empty. */
    final String text;
    /** Whether this is a scalar that says nothing: {@code key:}, {@code key: null}. */
    final boolean isNull;
    /** Of a sequence. */
    final List<YamlNode> items;
    /** How many nodes stand here and below, each alias counted as what it stands for. */
    long size = 1;

    private final Map<String, Entry> entries;

    YamlNode(Kind kind, int line, String text, boolean isNull) {
        this.kind = kind;
        this.line = line;
        this.text = text;
        this.isNull = isNull;
        items = kind == Kind.SEQUENCE ? new ArrayList<>() : Collections.emptyList();
        entries = kind == Kind.MAPPING ? new LinkedHashMap<>() : Collections.emptyMap();
    }

    /** The entries of a mapping, in order. */
    Iterable<Entry> entries() {
        return entries.values();
    }

    /** The entry of a mapping, by its key without case. */
    @Nullable
    Entry entry(String key) {
        return entries.get(key.toLowerCase(Locale.ROOT));
    }

    /** Adds an entry unless there is one with that key. */
    void put(Entry entry) {
        if (entries.putIfAbsent(entry.key.toLowerCase(Locale.ROOT), entry) == null) {
            size += entry.value.size + 1;
        }
    }

    /** Writes all that stands here and below, without lines. */
    void appendTo(StringBuilder to) {
        switch (kind) {
            case SEQUENCE:
                to.append('[');
                for (YamlNode item : items) {
                    item.appendTo(to);
                }
                to.append(']');
                break;
            case MAPPING:
                to.append('{');
                for (Map.Entry<String, Entry> entry : entries.entrySet()) {
                    appendText(to, entry.getKey());
                    entry.getValue().value.appendTo(to);
                }
                to.append('}');
                break;
            default:
                if (isNull) {
                    to.append('~');
                } else {
                    appendText(to, text);
                }
        }
    }

    private static void appendText(StringBuilder to, String text) {
        to.append(text.length()).append(':').append(text);
    }

    /** A key with its line and value. */
    static final class Entry {
        final String key;
        final int line;
        final YamlNode value;

        Entry(String key, int line, YamlNode value) {
            this.key = key;
            this.line = line;
            this.value = value;
        }
    }
}
