package io.fairlead.benchmarks.simulation;

import io.fairlead.benchmarks.drawing.Palette;
import io.fairlead.benchmarks.drawing.Svg;
import io.fairlead.strategy.Strategies;
import java.util.List;

/** A panel for each strategy, five in a row. */
final class Panels {
    static final int WIDTH = 900;
    private static final int COLUMNS = 5;
    private static final double TOP = 50;
    private static final double ROW = 122;

    private Panels() {}

    /** A drawing with title, a note below it, and panels that are drawn one by one. */
    static Svg draw(String title, String note, Painter painter) {
        List<String> strategies = Strategies.names();
        int rows = (strategies.size() + COLUMNS - 1) / COLUMNS;
        Svg svg = new Svg(WIDTH, (int) (TOP + rows * ROW));
        svg.text(10, 20, 14, "start", Palette.INK, title);
        svg.text(10, 36, 11, "start", Palette.SOFT, note);
        double width = (WIDTH - 20.0) / COLUMNS;
        for (int i = 0; i < strategies.size(); i++) {
            int row = i / COLUMNS;
            double left = 10 + i % COLUMNS * width;
            double top = TOP + row * ROW;
            svg.text(left + 30, top + 10, 12, "start", Palette.INK, strategies.get(i));
            painter.paint(svg, strategies.get(i), new Area(left + 30, top + 16, width - 42, ROW - 40));
        }
        return svg;
    }

    /** Where the figures of a panel are drawn; its axis' numbers stand outside of it. */
    record Area(double left, double top, double width, double height) {
        double right() {
            return left + width;
        }

        double bottom() {
            return top + height;
        }

        /** The height of a value when the axis goes from 0 to this one. */
        double y(double value, double most) {
            return bottom() - height * value / most;
        }

        /** A line across at this value, with its name. */
        void gridLine(Svg svg, double most, int value, String name) {
            double y = y(value, most);
            svg.line(left, y, right(), y, value == 0 ? Palette.INK : Palette.GRID, value == 0 ? 1 : 0.7);
            svg.text(left - 4, y + 3.5, 9, "end", Palette.SOFT, name);
        }
    }

    /** Draws a panel. */
    @FunctionalInterface
    interface Painter {
        void paint(Svg svg, String strategy, Area area);
    }
}
