package io.fairlead.benchmarks.balance;

import java.util.Locale;

/** A drawing in SVG, as much of it as bar charts take. Not safe for use from several threads. */
final class Svg {
    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    void rect(double x, double y, double w, double h, String fill) {
        append("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n", x, y, w, h, fill);
    }

    void line(double x1, double y1, double x2, double y2, String stroke, double strokeWidth) {
        append(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>%n",
                x1, y1, x2, y2, stroke, strokeWidth);
    }

    /** Text, its anchor {@code start}, {@code middle} or {@code end}. */
    void text(double x, double y, int size, String anchor, String fill, String text) {
        append(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x, y, size, anchor, fill, escape(text));
    }

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
