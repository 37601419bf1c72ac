package io.fairlead.benchmarks.drawing;

import java.util.Locale;

/** A drawing in SVG, as much of it as charts take. Not safe for use from several threads. */
public final class Svg {
    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    /** An empty drawing of this size in pixels. */
    public Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /** A filled rectangle whose upper left corner is here. */
    public void rect(double x, double y, double w, double h, String fill) {
        append("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n", x, y, w, h, fill);
    }

    /** A straight line. */
    public void line(double x1, double y1, double x2, double y2, String stroke, double strokeWidth) {
        append(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>%n",
                x1, y1, x2, y2, stroke, strokeWidth);
    }

    /** Straight lines from each point to the next; {@code xs} and {@code ys} are of one length. */
    public void path(double[] xs, double[] ys, String stroke, double strokeWidth) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(String.format(Locale.ROOT, i == 0 ? "%.1f,%.1f" : " %.1f,%.1f", xs[i], ys[i]));
        }
        append(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"/>%n",
                points, stroke, strokeWidth);
    }

    /** Text, its anchor {@code start}, {@code middle} or {@code end}. */
    public void text(double x, double y, int size, String anchor, String fill, String text) {
        append(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x, y, size, anchor, fill, escape(text));
    }

    /** The whole file. */
    @Override
    public String toString() {
        // A ground of its own, so that it reads on dark pages too.
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                                + "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
                                + "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
                        width,
                        height,
                        width,
                        height,
                        width,
                        height)
                + body
                + "</svg>\n";
    }

    private void append(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values).replace(System.lineSeparator(), "\n"));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
