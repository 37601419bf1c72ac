package io.fairlead.servlet;

import io.fairlead.LoadBalancer;
import io.fairlead.Pick;
import io.fairlead.servlet.log.AccessEntry.End;
import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.eclipse.jetty.client.HttpClient;
import org.jspecify.annotations.Nullable;

/**
 * A request as it has come to the proxy, and what was settled before any server is asked. Nothing of it changes but what
 * belongs to the container: its request and response, which are the {@link ClientSide}'s to end.
 *
 * @param method read at once, as {@code http10} is: the container may take the request back before an answer is made
 * @param http10 whether the client speaks HTTP/1.0
 * @param balancer the router's service
 * @param routed what middlewares have made of the request
 * @param hooks what they do with its answers
 * @param parts what all exchanges of the filter share
 * @param handshake null: the request opens no WebSocket
 * @param record null: there is no access log
 */
record Incoming(
        HttpServletRequest request,
        HttpServletResponse response,
        String method,
        boolean http10,
        ServletFacts facts,
        LoadBalancer balancer,
        Routed routed,
        AnswerHooks hooks,
        ProxyParts parts,
        @Nullable Handshake handshake,
        @Nullable AccessRecord record) {
    static Incoming of(
            HttpServletRequest request,
            HttpServletResponse response,
            ServletFacts facts,
            LoadBalancer balancer,
            Routed routed,
            ProxyParts parts,
            @Nullable AccessRecord record) {
        String method = facts.method();
        return new Incoming(
                request,
                response,
                method,
                request.getProtocol().equals("HTTP/1.0"),
                facts,
                balancer,
                routed,
                new AnswerHooks(routed.hooks(), method, balancer.name()),
                parts,
                Handshake.of(request, parts.takeover()),
                record);
    }

    /** The name of the router's service. */
    String service() {
        return balancer.name();
    }

    Upstreams upstreams() {
        return parts.upstreams();
    }

    Trust trust() {
        return parts.trust();
    }

    /** The head of an answer of the proxy's own, as no hook has seen it yet. */
    Head head(OwnAnswer own) {
        return Head.of(own, method, balancer.name());
    }

    /** What is translated in the answer to a pick; null: nothing. */
    @Nullable
    Rewriting rewriting(Pick pick) {
        return Rewriting.of(pick, facts, routed.changes());
    }

    /** Tells the access log how the exchange ends; the first word counts. */
    void ends(End how) {
        if (record != null) {
            record.ends(how);
        }
    }

    /**
     * The request to a server, with its head.
     *
     * @param owner is told how far it has come
     * @param withBody whether the client's body goes with it, which is the caller's to add
     */
    UpstreamRequest toServer(Leg leg, Pick pick, HttpClient client, UpstreamRequest.Owner owner, boolean withBody) {
        Handshake opening = leg.isPage() ? null : handshake;
        UpstreamRequest toSend = new UpstreamRequest(
                client,
                owner,
                pick.endpoint(),
                opening == null ? leg.method() : opening.method(),
                UpstreamTarget.path(pick.endpoint(), leg.path()),
                UpstreamTarget.query(pick.endpoint(), leg.query()));
        RequestFields fields = new RequestFields(request, parts.trust(), withBody, routed.strippedPrefix());
        toSend.headers(mutable -> {
            fields.addTo(mutable, pick);
            routed.edits().applyTo(mutable, withBody);
            if (leg.isPage()) {
                Leg.removeWhatIsNotOfPages(mutable);
            }
        });
        if (opening != null) {
            toSend.headers(opening::addTo);
            toSend.mayUpgrade();
        }
        if (leg.attempts().needsFreshConnection() || pick.settings().transport().maxIdleConnsPerHost() < 0) {
            toSend.onFreshConnection();
        }
        return toSend;
    }
}
