package io.fairlead.benchmarks.balance;

import io.fairlead.benchmarks.drawing.Palette;
import io.fairlead.benchmarks.drawing.Svg;
import java.util.List;
import java.util.Locale;

/** Bars of the servers' shares, with a mark at what each one's weight asks for. */
final class SharePlot {
    private static final double HEIGHT = 110;
    private static final double GAP = 3;

    private SharePlot() {}

    /** Draws a plot whose upper left corner is here. */
    static void draw(
            Svg svg, double left, double top, double width, String title, List<Server> servers, double[] shares) {
        double[] fair = fair(servers);
        double greatest = 0;
        for (int i = 0; i < shares.length; i++) {
            greatest = Math.max(greatest, Math.max(shares[i], fair[i]));
        }
        int ceiling = (int) Math.ceil(greatest / 5) * 5;
        double bottom = top + 24 + HEIGHT;
        svg.text(left, top + 10, 12, "start", Palette.INK, title);
        int step = ceiling <= 15 ? 5 : ceiling <= 40 ? 10 : 20;
        for (int mark = 0; mark <= ceiling; mark += step) {
            double y = bottom - HEIGHT * mark / ceiling;
            svg.line(left + 26, y, left + width, y, mark == 0 ? Palette.INK : Palette.GRID, mark == 0 ? 1 : 0.7);
            svg.text(left + 22, y + 3.5, 10, "end", Palette.SOFT, mark + "%");
        }
        double slot = (width - 30) / shares.length;
        for (int i = 0; i < shares.length; i++) {
            double x = left + 28 + i * slot;
            double height = HEIGHT * shares[i] / ceiling;
            svg.rect(x + GAP / 2, bottom - height, slot - GAP, height, Palette.BAR);
            double y = bottom - HEIGHT * fair[i] / ceiling;
            svg.line(x, y, x + slot, y, Palette.MARK, 2);
            svg.text(
                    x + slot / 2,
                    bottom + 12,
                    10,
                    "middle",
                    Palette.SOFT,
                    Integer.toString(servers.get(i).weight()));
        }
        svg.text(left + width, top + 10, 10, "end", Palette.SOFT, spread(shares, fair));
    }

    private static double[] fair(List<Server> servers) {
        double sum = servers.stream().mapToInt(Server::weight).sum();
        return servers.stream().mapToDouble(s -> 100 * s.weight() / sum).toArray();
    }

    /** The greatest share in relation to what it should be. */
    private static String spread(double[] shares, double[] fair) {
        double greatest = 0;
        for (int i = 0; i < shares.length; i++) {
            greatest = Math.max(greatest, shares[i] / fair[i]);
        }
        return String.format(Locale.ROOT, "at most %.2f × fair", greatest);
    }
}
