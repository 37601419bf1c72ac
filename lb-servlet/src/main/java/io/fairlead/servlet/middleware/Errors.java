package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.PathForm;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code errors: {status: [...], service: NAME, query: /{status}.html, statusRewrites: {...}}}: another service's page in
 * the place of an answer of one of the statuses, be it a server's or the proxy's own. The status stays, unless it is
 * rewritten.
 */
final class Errors implements Middleware {
    private record Rewrite(StatusRanges from, int to) {}

    private final StatusRanges statuses;
    private final List<Rewrite> rewrites;
    private final String service;
    private final String target;

    private Errors(StatusRanges statuses, List<Rewrite> rewrites, String service, String target) {
        this.statuses = statuses;
        this.rewrites = List.copyOf(rewrites);
        this.service = service;
        this.target = target;
    }

    static @Nullable Middleware read(ConfigNode node, Middlewares all) {
        node.allow("status", "service", "query", "statusRewrites");
        List<ConfigNode> listed = node.get("status").requiredItems();
        StatusRanges statuses = StatusRanges.read(listed, StatusRanges.FINAL);
        for (ConfigNode item : listed) {
            String wrong = bodiless(item.string(""));
            if (wrong != null) {
                item.problem(wrong);
            }
        }
        String service = node.get("service").requiredString();
        if (service != null && !all.hasService(service)) {
            node.get("service").problem("there is no service '" + service + "'");
        }
        String target = node.get("query").string("");
        String path = target.startsWith("/") ? target : "/" + target;
        if (!isTarget(path)) {
            node.get("query").problem("'" + target + "' cannot stand in a URL");
        } else if (PathForm.climbs(pathOf(path))) {
            node.get("query").problem("'" + target + "' has a .. in it");
        }
        List<Rewrite> rewrites = rewrites(node.get("statusRewrites"), statuses);
        return service == null ? null : new Errors(statuses, rewrites, service, path);
    }

    private static @Nullable String bodiless(String text) {
        for (String part : text.split(",", -1)) {
            String range = part.strip();
            if (range.equals("204") || range.equals("205") || range.equals("304")) {
                return "an answer of " + range + " has no body that a page could stand in for";
            }
        }
        return null;
    }

    private static boolean isTarget(String path) {
        return path.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '#');
    }

    private static List<Rewrite> rewrites(ConfigNode node, StatusRanges statuses) {
        List<Rewrite> rewrites = new ArrayList<>();
        for (ConfigNode entry : node.entries()) {
            StatusRanges from = new StatusRanges(StatusRanges.FINAL);
            String wrong = from.add(entry.key());
            if (wrong != null) {
                entry.problem(wrong);
            } else if (!statuses.isEmpty() && !from.meets(statuses)) {
                entry.notice("has no effect: none of these is in status");
            }
            int to = entry.integer(200, 599, 500);
            if (isBodiless(to)) {
                entry.problem("an answer with a body cannot have the status " + to);
                to = 500;
            }
            rewrites.add(new Rewrite(from, to));
        }
        return rewrites;
    }

    @Override
    public void apply(RoutedRequest request) {
        String query = request.facts().query();
        String url = request.facts().path() + (query == null ? "" : "?" + query);
        request.onAnswer(head -> {
            int original = head.status();
            // Some have no body; they stand in ranges only.
            if (!statuses.contains(original) || isBodiless(original)) {
                return;
            }
            int status = rewritten(original);
            if (status != original) {
                head.setStatus(status);
            }
            String asked = target.replace("{status}", Integer.toString(status))
                    .replace("{originalStatus}", Integer.toString(original))
                    .replace("{url}", URLEncoder.encode(url, StandardCharsets.UTF_8));
            String path = pathOf(asked);
            if (PathForm.climbs(path)) {
                // By what the client asked for, where {url} stands in the path.
                head.replace(OwnAnswer.of(status, "No page is there for this answer"));
            } else {
                head.replaceBy(service, path, path.equals(asked) ? null : asked.substring(path.length() + 1));
            }
        });
    }

    private static boolean isBodiless(int status) {
        return status == 204 || status == 205 || status == 304;
    }

    private static String pathOf(String target) {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    private int rewritten(int status) {
        for (Rewrite rewrite : rewrites) {
            if (rewrite.from().contains(status)) {
                return rewrite.to();
            }
        }
        return status;
    }
}
