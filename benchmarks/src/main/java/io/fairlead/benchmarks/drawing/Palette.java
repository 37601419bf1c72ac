package io.fairlead.benchmarks.drawing;

/** The colours of the plots; they stay apart for those who see no red or no green (Okabe and Ito). */
public final class Palette {
    /** Axes and titles. */
    public static final String INK = "#222222";
    /** Numbers and notes. */
    public static final String SOFT = "#666666";
    /** Lines behind the figures. */
    public static final String GRID = "#dddddd";
    /** A stretch of time that is meant. */
    public static final String GROUND = "#f2f2f2";

    /** What is measured. */
    public static final String BAR = "#56b4e9";
    /** What is measured where nobody did anything about it. */
    public static final String PLAIN = "#999999";

    /** What it is measured against, or what is wrong. */
    public static final String MARK = "#d55e00";

    private Palette() {}
}
