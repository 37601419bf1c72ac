package io.fairlead.servlet.middleware;

import io.fairlead.retry.RetryPolicy;
import io.fairlead.servlet.routing.RouteFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request without a container around it. */
final class FakeRequest implements RoutedRequest {
    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<Runnable> ends = new ArrayList<>();
    private final List<String> edits = new ArrayList<>();
    private final String clientPath;
    private final @Nullable String query;
    private String method = "GET";
    private String scheme = "http";
    private String authority = "shop.example";
    private String client = "192.0.2.1";
    private List<String> hops = List.of();
    private String path;
    private String stripped = "";
    private @Nullable OwnAnswer answer;

    private FakeRequest(String target) {
        int question = target.indexOf('?');
        clientPath = question < 0 ? target : target.substring(0, question);
        query = question < 0 ? null : target.substring(question + 1);
        path = clientPath;
    }

    static FakeRequest get(String target) {
        return new FakeRequest(target);
    }

    FakeRequest method(String other) {
        method = other;
        return this;
    }

    FakeRequest from(String address, String... through) {
        client = address;
        hops = List.of(through);
        return this;
    }

    FakeRequest to(String url) {
        scheme = url.substring(0, url.indexOf(':'));
        authority = url.substring(url.indexOf("//") + 2);
        return this;
    }

    FakeRequest with(String name, String value) {
        fields.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
        return this;
    }

    /** Lets a middleware have it. */
    FakeRequest through(Middleware middleware) {
        middleware.apply(this);
        return this;
    }

    /** The status that was answered; 0: none. */
    int status() {
        return answer == null ? 0 : answer.status();
    }

    /** A field of what was answered. */
    @Nullable
    String answered(String name) {
        return answer == null
                ? null
                : answer.fields().stream()
                        .filter(field -> field.name().equalsIgnoreCase(name))
                        .map(OwnAnswer.Field::value)
                        .findFirst()
                        .orElse(null);
    }

    /** What was done to fields, in order. */
    List<String> edits() {
        return edits;
    }

    void end() {
        ends.forEach(Runnable::run);
        ends.clear();
    }

    @Override
    public RouteFacts facts() {
        return new Sent();
    }

    /** What the client sent, whatever has been made of it since. */
    private final class Sent implements RouteFacts {
        @Override
        public String path() {
            return clientPath;
        }

        @Override
        public @Nullable String query() {
            return query;
        }

        @Override
        public String method() {
            return method;
        }

        @Override
        public String scheme() {
            return scheme;
        }

        @Override
        public String authority() {
            return authority;
        }

        @Override
        public String host() {
            int colon = authority.lastIndexOf(':');
            return colon < 0 ? authority : authority.substring(0, colon);
        }

        @Override
        public String remoteAddress() {
            return client;
        }

        @Override
        public List<String> forwardedFor() {
            return hops;
        }

        @Override
        public @Nullable String header(String name) {
            List<String> values = fields.get(name);
            return values == null ? null : values.get(0);
        }

        @Override
        public Enumeration<String> headers(String name) {
            return Collections.enumeration(fields.getOrDefault(name, List.of()));
        }
    }

    @Override
    public String router() {
        return "router";
    }

    @Override
    public String service() {
        return "service";
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void setPath(String other) {
        path = other;
    }

    @Override
    public void replacePath(String other) {
        path = other;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public void setQuery(@Nullable String other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String strippedPrefix() {
        return stripped;
    }

    @Override
    public void addStrippedPrefix(String prefix) {
        stripped += prefix;
    }

    @Override
    public void refusePath() {
        answer = OwnAnswer.of(400, "The path of the request leaves its route");
    }

    @Override
    public void setField(String name, String value) {
        edits.add(name + "=" + value);
    }

    @Override
    public void addField(String name, String value) {
        edits.add(name + "+=" + value);
    }

    @Override
    public void removeField(String name) {
        edits.add("-" + name);
    }

    @Override
    public void answer(OwnAnswer own) {
        answer = own;
    }

    @Override
    public boolean isAnswered() {
        return answer != null;
    }

    @Override
    public void onAnswer(AnswerHook hook) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void onEnd(Runnable end) {
        ends.add(end);
    }

    @Override
    public void bufferBody(int bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void retryBy(RetryPolicy policy) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void limitBody(long maxBytes) {
        throw new UnsupportedOperationException();
    }
}
