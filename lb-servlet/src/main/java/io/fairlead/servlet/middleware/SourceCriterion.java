package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import io.fairlead.servlet.routing.RouteFacts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;

/**
 * {@code sourceCriterion}: which requests count as those of one source. Of a source no more than {@value #MAX_LENGTH}
 * characters are kept, a longer one by its digest, so that nobody fills the memory with his names.
 *
 * <p>Immutable; safe for use from any thread.
 */
@FunctionalInterface
interface SourceCriterion {
    int MAX_LENGTH = 64;

    /** The source; requests without one, of which nothing more can be told, are those of one source. */
    String of(RouteFacts facts);

    /**
     * Reads it.
     *
     * @param orElse what is taken when the configuration says nothing
     */
    static SourceCriterion read(ConfigNode node, SourceCriterion orElse) {
        node.allow("ipStrategy", "requestHeaderName", "requestHost");
        String header = node.get("requestHeaderName").string("");
        boolean host = node.get("requestHost").bool(false);
        boolean address = node.has("ipStrategy");
        if ((address ? 1 : 0) + (header.isEmpty() ? 0 : 1) + (host ? 1 : 0) > 1) {
            node.problem("has more than one of ipStrategy, requestHeaderName and requestHost");
        }
        if (address) {
            return address(IpStrategy.read(node.get("ipStrategy")));
        }
        if (!header.isEmpty()) {
            return facts -> {
                String value = facts.header(header);
                return value == null ? "" : bounded(value);
            };
        }
        return host ? host() : orElse;
    }

    /** By address; where the strategy finds none, by the client's. */
    static SourceCriterion address(IpStrategy strategy) {
        return facts -> {
            String address = strategy.of(facts);
            return bounded(address.isEmpty() ? facts.remoteAddress() : address);
        };
    }

    /** By the host that the client names, without its port. */
    static SourceCriterion host() {
        return facts -> bounded(facts.host().toLowerCase(Locale.ROOT));
    }

    private static String bounded(String source) {
        if (source.length() <= MAX_LENGTH) {
            return source;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
            return "sha256:" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            // Every Java has it.
            throw new IllegalStateException(e);
        }
    }
}
