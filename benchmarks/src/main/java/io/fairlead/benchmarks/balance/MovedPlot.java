package io.fairlead.benchmarks.balance;

import io.fairlead.benchmarks.drawing.Palette;
import io.fairlead.benchmarks.drawing.Svg;
import java.util.Locale;
import java.util.Map;

/** Lying bars of the keys that move, those that had to and those that need not have. */
final class MovedPlot {
    private static final double ROW = 22;

    private MovedPlot() {}

    static double height(int rows) {
        return 24 + rows * ROW + 18;
    }

    /** Draws a plot whose upper left corner is here; the axis goes from 0 to 100 %. */
    static void draw(Svg svg, double left, double top, double width, String title, Map<String, Disruption> rows) {
        svg.text(left, top + 10, 12, "start", Palette.INK, title);
        double labels = 130;
        double scale = (width - labels - 20) / 100;
        double begin = left + labels;
        double bottom = top + 22 + rows.size() * ROW;
        for (int mark = 0; mark <= 100; mark += 20) {
            double x = begin + mark * scale;
            svg.line(x, top + 20, x, bottom, mark == 0 ? Palette.INK : Palette.GRID, mark == 0 ? 1 : 0.7);
            svg.text(x, bottom + 13, 10, "middle", Palette.SOFT, mark + "%");
        }
        double y = top + 22;
        for (Map.Entry<String, Disruption> row : rows.entrySet()) {
            Disruption moved = row.getValue();
            svg.text(begin - 6, y + 14, 11, "end", Palette.INK, row.getKey());
            svg.rect(begin, y + 3, moved.owed() * scale, ROW - 7, Palette.BAR);
            svg.rect(begin + moved.owed() * scale, y + 3, moved.needless() * scale, ROW - 7, Palette.MARK);
            double end = begin + (moved.owed() + moved.needless()) * scale + 5;
            svg.text(Math.min(end, left + width - 120), y + 14, 10, "start", Palette.INK, label(moved));
            y += ROW;
        }
    }

    private static String label(Disruption moved) {
        return String.format(Locale.ROOT, "%.1f%% + %.1f%%", moved.owed(), moved.needless());
    }
}
