package io.fairlead.config;

/** Writes the path of a node: keys with dots between, positions in brackets. */
final class KeyPath {
    private KeyPath() {}

    static String key(String parent, String key) {
        String shown = Quote.cut(key);
        return parent.isEmpty() ? shown : parent + "." + shown;
    }

    static String item(String parent, int index) {
        return parent + "[" + index + "]";
    }
}
