package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code compress: {}}: packs answers as gzip for clients that take it. What is packed already, or asks not to be
 * changed, stays as it is.
 */
final class Compress implements Middleware {
    private static final String GZIP = "gzip";
    private static final List<String> KNOWN = List.of("gzip", "br", "zstd");
    private static final int LEVEL = 6;
    private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");
    private static final int MIN_BYTES = 1024;
    /** Packing these again costs much and gives nothing. */
    private static final Set<String> PACKED = Set.of(
            "application/gzip",
            "application/x-gzip",
            "application/zip",
            "application/x-7z-compressed",
            "application/x-rar-compressed",
            "application/x-bzip2",
            "application/x-xz",
            "application/zstd",
            "font/woff",
            "font/woff2");

    private final MediaTypes excluded;
    private final MediaTypes included;
    private final int minBytes;
    private final boolean packs;
    private final boolean byDefault;

    private Compress(MediaTypes excluded, MediaTypes included, int minBytes, boolean packs, boolean byDefault) {
        this.excluded = excluded;
        this.included = included;
        this.minBytes = minBytes;
        this.packs = packs;
        this.byDefault = byDefault;
    }

    static Middleware read(ConfigNode node) {
        node.allow(
                "excludedContentTypes", "includedContentTypes", "minResponseBodyBytes", "defaultEncoding", "encodings");
        MediaTypes excluded = MediaTypes.read(node.get("excludedContentTypes"));
        MediaTypes included = MediaTypes.read(node.get("includedContentTypes"));
        if (!excluded.isEmpty() && !included.isEmpty()) {
            node.problem("has both excludedContentTypes and includedContentTypes, which exclude each other");
        }
        int minBytes = node.get("minResponseBodyBytes").integer(0, Integer.MAX_VALUE, MIN_BYTES);
        List<String> encodings = new ArrayList<>();
        for (ConfigNode item : node.get("encodings").items()) {
            String coding = coding(item);
            if (coding != null) {
                encodings.add(coding);
            }
        }
        if (!node.get("encodings").isMissing() && node.get("encodings").items().isEmpty()) {
            node.get("encodings").problem("is empty; at least one encoding is needed");
        }
        String byDefault = coding(node.get("defaultEncoding"));
        if (byDefault != null && !encodings.isEmpty() && !encodings.contains(byDefault)) {
            node.get("defaultEncoding").problem("'" + byDefault + "' is none of encodings");
        }
        boolean packs = node.get("encodings").isMissing() || encodings.contains(GZIP);
        return new Compress(excluded, included, minBytes, packs, GZIP.equals(byDefault));
    }

    private static @Nullable String coding(ConfigNode node) {
        String text = node.string();
        if (text == null) {
            return null;
        }
        String coding = text.toLowerCase(Locale.ROOT);
        if (!KNOWN.contains(coding)) {
            node.problem("'" + text + "' is not a known encoding; known: " + String.join(", ", KNOWN));
        } else if (!coding.equals(GZIP)) {
            node.notice("'" + coding + "' is left out: only gzip is packed");
        }
        return coding;
    }

    @Override
    public void apply(RoutedRequest request) {
        if (!packs || excluded.contains(request.facts().header("Content-Type"))) {
            return;
        }
        AcceptedCodings accepted = AcceptedCodings.of(request.facts().headers("Accept-Encoding"));
        boolean taken = accepted.isTold() ? accepted.takes(GZIP) : byDefault;
        List<String> asked = taken ? Collections.list(request.facts().headers("If-None-Match")) : List.of();
        if (taken) {
            askStrongly(request);
        }
        request.onAnswer(head -> {
            if (head.status() == 304) {
                notModified(head, asked);
                return;
            }
            if (!isToBePacked(head)) {
                return;
            }
            // Also where this client takes none: a cache must know.
            Vary.add(head, "Accept-Encoding");
            if (taken) {
                head.setField("Content-Encoding", GZIP);
                head.transformBody(Gzip.encoder(LEVEL));
            }
        });
    }

    /**
     * Tags were made weak by the packing, which the server does not know of, and which never match in If-Match (RFC 9110,
     * 13.1.1).
     */
    private static void askStrongly(RoutedRequest request) {
        String told = String.join(", ", Collections.list(request.facts().headers("If-Match")));
        String strong = TAG.matcher(told).replaceAll("$1");
        if (!strong.equals(told)) {
            request.setField("If-Match", strong);
        }
    }

    /** Says of what a cache has the same as was said with the body (RFC 9110, 15.4.5). */
    private void notModified(AnswerHead head, List<String> asked) {
        String type = head.field("Content-Type");
        if (mustStay(head) || (type != null && !isTypeToBePacked(type))) {
            return;
        }
        Vary.add(head, "Accept-Encoding");
        String tag = head.field("ETag");
        if (tag != null && !tag.startsWith("W/") && asked.stream().anyMatch(tags -> tags.contains("W/" + tag))) {
            head.setField("ETag", "W/" + tag);
        }
    }

    private boolean isToBePacked(AnswerHead head) {
        int status = head.status();
        if (status < 200 || status == 204 || status == 205 || status == 206 || status == 304) {
            return false;
        }
        List<String> codings = head.fields("Content-Encoding");
        if (!codings.isEmpty() && !codings.equals(List.of("identity"))) {
            return false;
        }
        if (head.field("Content-Range") != null || mustStay(head)) {
            return false;
        }
        return (head.length() < 0 || head.length() >= Math.max(minBytes, 1))
                && isTypeToBePacked(head.field("Content-Type"));
    }

    private static boolean mustStay(AnswerHead head) {
        return head.fields("Cache-Control").stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("no-transform"));
    }

    private boolean isTypeToBePacked(@Nullable String contentType) {
        String type = contentType == null ? "" : MediaTypes.bare(contentType);
        if (type.startsWith("application/grpc")) {
            return false;
        }
        if (!included.isEmpty()) {
            return included.contains(contentType);
        }
        boolean packed = PACKED.contains(type)
                || (type.startsWith("image/") && !type.equals("image/svg+xml") && !type.equals("image/bmp"))
                || type.startsWith("video/")
                || type.startsWith("audio/");
        return !packed && !excluded.contains(contentType);
    }
}
