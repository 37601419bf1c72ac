package io.fairlead.benchmarks.balance;

/** The colours of the plots; they stay apart for those who see no red or no green (Okabe and Ito). */
final class Palette {
    static final String INK = "#222222";
    static final String SOFT = "#666666";
    static final String GRID = "#dddddd";
    static final String BAR = "#56b4e9";
    static final String MARK = "#d55e00";

    private Palette() {}
}
