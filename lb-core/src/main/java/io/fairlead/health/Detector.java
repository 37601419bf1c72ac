package io.fairlead.health;

/** What found a server to be ejected. */
enum Detector {
    CONSECUTIVE_FAILURES("failures in a row"),
    CONSECUTIVE_GATEWAY_FAILURES("gateway failures in a row"),
    MAX_FAILS("too many failures within failTimeout"),
    SUCCESS_RATE("a success rate far below the others'"),
    FAILURE_PERCENTAGE("a great share of failures");

    final String words;

    Detector(String words) {
        this.words = words;
    }
}
