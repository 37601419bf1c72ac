package io.fairlead.servlet;

import io.fairlead.retry.RetryPolicy;
import io.fairlead.servlet.middleware.AnswerHook;
import io.fairlead.servlet.middleware.OwnAnswer;
import io.fairlead.servlet.middleware.RoutedRequest;
import io.fairlead.servlet.routing.RouteFacts;
import io.fairlead.servlet.routing.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What middlewares have made of one request. Written by the container's thread before others read it. */
final class Routed implements RoutedRequest {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private final ServletFacts facts;
    private final Router router;
    private final FieldEdits edits = new FieldEdits();
    private final PathChanges changes = new PathChanges();
    /** Made with the first of those that are to learn of the end. */
    private @Nullable AtomicBoolean ended;

    private String path;
    private @Nullable String query;
    private String strippedPrefix = "";
    private @Nullable OwnAnswer own;
    private List<AnswerHook> hooks = List.of();
    private List<Runnable> ends = List.of();
    private long maxBody = Long.MAX_VALUE;
    private int buffered;
    private @Nullable RetryPolicy retries;

    Routed(ServletFacts facts, Router router) {
        this.facts = facts;
        this.router = router;
        path = facts.path();
        query = facts.query();
    }

    @Override
    public RouteFacts facts() {
        return facts;
    }

    @Override
    public String router() {
        return router.name();
    }

    @Override
    public String service() {
        return router.service();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void setPath(String path) {
        UpstreamTarget.check(path, null);
        changes.changed(this.path, path);
        this.path = path;
    }

    @Override
    public void replacePath(String path) {
        UpstreamTarget.check(path, null);
        changes.replaced();
        this.path = path;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public void setQuery(@Nullable String query) {
        UpstreamTarget.check("/", query);
        this.query = query;
    }

    @Override
    public String strippedPrefix() {
        return strippedPrefix;
    }

    @Override
    public void addStrippedPrefix(String prefix) {
        strippedPrefix += prefix;
    }

    @Override
    public void refusePath() {
        answer(Answer.BAD_PATH.own());
    }

    @Override
    public void setField(String name, String value) {
        edits.set(name, value);
    }

    @Override
    public void addField(String name, String value) {
        edits.add(name, value);
    }

    @Override
    public void removeField(String name) {
        edits.remove(name);
    }

    @Override
    public void answer(OwnAnswer answer) {
        own = answer;
    }

    @Override
    public boolean isAnswered() {
        return own != null;
    }

    @Override
    public void onAnswer(AnswerHook hook) {
        if (hooks.isEmpty()) {
            hooks = new ArrayList<>();
        }
        hooks.add(hook);
    }

    @Override
    public void onEnd(Runnable end) {
        if (ends.isEmpty()) {
            ends = new ArrayList<>();
            ended = new AtomicBoolean();
        }
        ends.add(end);
    }

    @Override
    public void limitBody(long maxBytes) {
        maxBody = Math.min(maxBody, maxBytes);
    }

    @Override
    public void bufferBody(int bytes) {
        buffered = Math.max(buffered, bytes);
    }

    @Override
    public void retryBy(RetryPolicy policy) {
        retries = policy;
    }

    // For who sends it.

    /** So many bytes of the body are read before a server is chosen. */
    int buffered() {
        return buffered;
    }

    /** By what the request is sent again; null: by what the service says. */
    @Nullable
    RetryPolicy retries() {
        return retries;
    }

    /** What a middleware has answered; null: nothing, the request is to be sent. */
    @Nullable
    OwnAnswer own() {
        return own;
    }

    PathChanges changes() {
        return changes;
    }

    FieldEdits edits() {
        return edits;
    }

    /** In the order of the middlewares. */
    List<AnswerHook> hooks() {
        return hooks;
    }

    /** The greatest length of the body. */
    long maxBody() {
        return maxBody;
    }

    /** The request has ended; what is called a second time does nothing. */
    void end() {
        AtomicBoolean told = ended;
        if (told == null || !told.compareAndSet(false, true)) {
            return;
        }
        for (int i = ends.size() - 1; i >= 0; i--) {
            try {
                ends.get(i).run();
            } catch (RuntimeException | Error e) {
                log.warn("service '{}': what was to be done at the end of a request failed", service(), e);
            }
        }
    }
}
