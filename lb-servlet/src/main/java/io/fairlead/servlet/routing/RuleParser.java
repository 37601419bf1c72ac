package io.fairlead.servlet.routing;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads a rule: matchers such as {@code PathPrefix(`/orders`)}, joined by {@code !}, {@code &&} and {@code ||} (which
 * bind in this order) and parentheses. A text stands in backticks, or in double quotes with a back slash before quotes
 * and back slashes.
 */
final class RuleParser {
    private static final int MAX_DEPTH = 100;

    private final String text;
    private int at;
    private int depth;

    private RuleParser(String text) {
        this.text = text;
    }

    static Rule parse(String text) throws RuleException {
        RuleParser parser = new RuleParser(text);
        Rule rule = parser.either();
        if (parser.at < text.length()) {
            throw new RuleException(parser.at, "'" + text.charAt(parser.at) + "' is not expected here");
        }
        return rule;
    }

    private Rule either() throws RuleException {
        Rule left = both();
        while (take("||")) {
            Rule first = left;
            Rule second = both();
            left = (request, path) -> first.matches(request, path) || second.matches(request, path);
        }
        return left;
    }

    private Rule both() throws RuleException {
        Rule left = one();
        while (take("&&")) {
            Rule first = left;
            Rule second = one();
            left = (request, path) -> first.matches(request, path) && second.matches(request, path);
        }
        return left;
    }

    private Rule one() throws RuleException {
        if (++depth > MAX_DEPTH) {
            throw new RuleException(at, "the rule is nested too deeply");
        }
        try {
            if (take("!")) {
                Rule negated = one();
                return (request, path) -> !negated.matches(request, path);
            }
            if (take("(")) {
                Rule inner = either();
                expect(")");
                return inner;
            }
            return matcher();
        } finally {
            depth--;
        }
    }

    private Rule matcher() throws RuleException {
        skipBlanks();
        int start = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw new RuleException(
                    at,
                    at == text.length()
                            ? "the rule ends where a matcher is expected"
                            : "'" + text.charAt(at) + "' stands where a matcher is expected");
        }
        String name = text.substring(start, at);
        MatcherKind kind = MatcherKind.byName(name);
        if (kind == null) {
            throw new RuleException(start, "unknown matcher '" + name + "'; known: " + MatcherKind.names());
        }
        expect("(");
        List<String> values = new ArrayList<>();
        do {
            values.add(value());
        } while (take(","));
        expect(")");
        try {
            return kind.rule(values);
        } catch (IllegalArgumentException e) {
            throw new RuleException(start, e.getMessage() == null ? "the value is refused" : e.getMessage());
        }
    }

    private String value() throws RuleException {
        skipBlanks();
        int start = at;
        char quote = at < text.length() ? text.charAt(at) : ' ';
        if (quote != '`' && quote != '"') {
            throw new RuleException(at, "a text in backticks or double quotes is expected");
        }
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                return value.toString();
            }
            if (c == '\\' && quote == '"' && at + 1 < text.length()) {
                char next = text.charAt(at + 1);
                if (next == '"' || next == '\\') {
                    at++;
                    c = next;
                }
            }
            value.append(c);
        }
        throw new RuleException(start, "the text that begins here does not end");
    }

    private void expect(String token) throws RuleException {
        if (!take(token)) {
            throw new RuleException(
                    at,
                    "'" + token + "' is expected"
                            + (at == text.length() ? ", and the rule ends" : ", not '" + text.charAt(at) + "'"));
        }
    }

    private boolean take(String token) {
        skipBlanks();
        if (text.startsWith(token, at)) {
            at += token.length();
            skipBlanks();
            return true;
        }
        return false;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
