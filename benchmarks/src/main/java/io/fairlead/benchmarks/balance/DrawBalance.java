package io.fairlead.benchmarks.balance;

import io.fairlead.benchmarks.drawing.Palette;
import io.fairlead.benchmarks.drawing.Svg;
import io.fairlead.strategy.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws, for every strategy, how it shares requests out among ten servers, and for those that hash, which keys move when
 * a server goes or comes. The one argument is the folder for the pictures; the same code draws the same pictures.
 */
public final class DrawBalance {
    private static final int SERVERS = 10;
    private static final int WIDTH = 900;
    private static final Set<String> HASHING =
            Set.of("hrw", "jump", "direct-hash", "weighted-direct-hash", "ring-hash", "maglev");

    private DrawBalance() {}

    /** Runs from the command line. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        for (Map.Entry<String, String> picture : pictures().entrySet()) {
            Files.writeString(folder.resolve(picture.getKey()), picture.getValue());
        }
        System.out.println("wrote the pictures to " + folder);
    }

    /** The pictures by the names of their files. */
    static Map<String, String> pictures() {
        Map<String, String> pictures = new LinkedHashMap<>();
        List<String> hashing = new ArrayList<>();
        for (String strategy : Strategies.names()) {
            pictures.put("balance-" + strategy + ".svg", balance(strategy));
            if (HASHING.contains(strategy)) {
                hashing.add(strategy);
            }
        }
        pictures.put("disruption.svg", disruption(hashing));
        return pictures;
    }

    private static String balance(String strategy) {
        boolean hashes = HASHING.contains(strategy);
        int panels = hashes ? 2 : 3;
        double width = (WIDTH - 20.0) / panels;
        Svg svg = new Svg(WIDTH, 172);
        panel(svg, 0, width, "equal weights", strategy, Server.equal(SERVERS));
        panel(svg, 1, width, "weights 1 to 5", strategy, Server.mixed(SERVERS));
        if (!hashes) {
            panel(svg, 2, width, "the last one 5 times slower", strategy, Server.lastSlow(SERVERS));
        }
        return svg.toString();
    }

    private static void panel(Svg svg, int index, double width, String title, String strategy, List<Server> servers) {
        SharePlot.draw(svg, 10 + index * width, 8, width - 14, title, servers, Traffic.shares(strategy, servers));
    }

    private static String disruption(List<String> strategies) {
        Map<String, Disruption> removal = new LinkedHashMap<>();
        Map<String, Disruption> addition = new LinkedHashMap<>();
        for (String strategy : strategies) {
            removal.put(strategy, Disruption.ofRemoval(strategy, SERVERS));
            addition.put(strategy, Disruption.ofAddition(strategy, SERVERS));
        }
        Svg svg = new Svg(WIDTH, (int) MovedPlot.height(strategies.size()) + 34);
        double half = WIDTH / 2.0;
        MovedPlot.draw(svg, 10, 8, half - 20, "keys that move when one of 10 servers goes", removal);
        MovedPlot.draw(svg, half + 10, 8, half - 20, "keys that move when one comes to 10", addition);
        double y = MovedPlot.height(strategies.size()) + 20;
        svg.rect(140, y - 9, 10, 10, Palette.BAR);
        svg.text(155, y, 11, "start", Palette.INK, "had to move: the keys of the server that went or came");
        svg.rect(500, y - 9, 10, 10, Palette.MARK);
        svg.text(515, y, 11, "start", Palette.INK, "need not have moved");
        return svg.toString();
    }
}
