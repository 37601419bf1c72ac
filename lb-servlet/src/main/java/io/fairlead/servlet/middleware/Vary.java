package io.fairlead.servlet.middleware;

/** The field by which caches know what an answer depends on (RFC 9110, 12.5.5). */
final class Vary {
    private Vary() {}

    /** Adds the name of a request's field, unless it stands there, or everything does. */
    static void add(AnswerHead head, String name) {
        for (String value : head.fields("Vary")) {
            for (String listed : value.split(",", -1)) {
                if (listed.strip().equalsIgnoreCase(name) || listed.strip().equals("*")) {
                    return;
                }
            }
        }
        head.addField("Vary", name);
    }
}
