package io.fairlead.servlet.middleware;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads conditions such as {@code NetworkErrorRatio() > 0.3 || !IsNetworkError() && Attempts() < 2}: functions of
 * something, compared with numbers or with one another, joined by {@code !}, {@code &&} and {@code ||} (which bind in this
 * order) and parentheses.
 *
 * @param <C> what the functions are asked of
 */
final class Expression<C> {
    private static final int MAX_DEPTH = 100;

    /** A condition; safe for use from any thread where its functions are. */
    @FunctionalInterface
    interface Condition<C> {
        boolean test(C of);
    }

    /** A function that gives a number. */
    @FunctionalInterface
    interface Numeric<C> {
        double of(C of, double[] arguments);
    }

    /**
     * A function.
     *
     * @param arguments how many numbers stand in its parentheses
     * @param value its value; of a condition 1 or 0
     * @param condition whether it is a condition by itself, and not compared
     */
    record Function<C>(int arguments, Numeric<C> value, boolean condition) {}

    /** An expression that cannot be read; the message says why and where. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        private Unreadable(int at, String what) {
            super(what + " (position " + (at + 1) + " of the expression)");
        }
    }

    private interface Term<C> {
        double of(C of);
    }

    private final String text;
    private final Map<String, Function<C>> functions;
    private int at;
    private int depth;

    private Expression(String text, Map<String, Function<C>> functions) {
        this.text = text;
        this.functions = new TreeMap<>(functions);
    }

    static <C> Condition<C> parse(String text, Map<String, Function<C>> functions) throws Unreadable {
        Expression<C> expression = new Expression<>(text, functions);
        Condition<C> condition = expression.either();
        if (expression.skipBlanks() < text.length()) {
            throw new Unreadable(expression.at, "'" + text.charAt(expression.at) + "' is not expected here");
        }
        return condition;
    }

    private Condition<C> either() throws Unreadable {
        Condition<C> left = both();
        while (take("||")) {
            Condition<C> first = left;
            Condition<C> second = both();
            left = of -> first.test(of) || second.test(of);
        }
        return left;
    }

    private Condition<C> both() throws Unreadable {
        Condition<C> left = one();
        while (take("&&")) {
            Condition<C> first = left;
            Condition<C> second = one();
            left = of -> first.test(of) && second.test(of);
        }
        return left;
    }

    private Condition<C> one() throws Unreadable {
        if (++depth > MAX_DEPTH) {
            throw new Unreadable(at, "the expression is nested too deeply");
        }
        try {
            if (take("!")) {
                Condition<C> negated = one();
                return of -> !negated.test(of);
            }
            if (take("(")) {
                Condition<C> inner = either();
                expect(")");
                return inner;
            }
            return comparison();
        } finally {
            depth--;
        }
    }

    private Condition<C> comparison() throws Unreadable {
        int begin = skipBlanks();
        if (isLetter()) {
            Function<C> function = function();
            Term<C> term = call(function);
            if (function.condition()) {
                return of -> term.of(of) != 0;
            }
            return compared(begin, term);
        }
        double number = number();
        return compared(begin, of -> number);
    }

    private Condition<C> compared(int begin, Term<C> left) throws Unreadable {
        if (take(">=")) {
            Term<C> right = term();
            return of -> left.of(of) >= right.of(of);
        }
        if (take("<=")) {
            Term<C> right = term();
            return of -> left.of(of) <= right.of(of);
        }
        if (take("==")) {
            Term<C> right = term();
            return of -> left.of(of) == right.of(of);
        }
        if (take("!=")) {
            Term<C> right = term();
            return of -> left.of(of) != right.of(of);
        }
        if (take(">")) {
            Term<C> right = term();
            return of -> left.of(of) > right.of(of);
        }
        if (take("<")) {
            Term<C> right = term();
            return of -> left.of(of) < right.of(of);
        }
        throw new Unreadable(begin, "a number is no condition by itself; one of > >= < <= == != is expected behind it");
    }

    private Term<C> term() throws Unreadable {
        int begin = skipBlanks();
        if (!isLetter()) {
            double number = number();
            return of -> number;
        }
        Function<C> function = function();
        if (function.condition()) {
            throw new Unreadable(begin, "a condition is not to be compared");
        }
        return call(function);
    }

    private Function<C> function() throws Unreadable {
        int begin = at;
        while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        String name = text.substring(begin, at);
        Function<C> function = functions.get(name);
        if (function == null) {
            throw new Unreadable(
                    begin, "there is no function '" + name + "'; known: " + String.join(", ", functions.keySet()));
        }
        return function;
    }

    private Term<C> call(Function<C> function) throws Unreadable {
        int begin = at;
        expect("(");
        List<Double> given = new ArrayList<>();
        if (!take(")")) {
            do {
                given.add(number());
            } while (take(","));
            expect(")");
        }
        if (given.size() != function.arguments()) {
            throw new Unreadable(
                    begin, function.arguments() + " numbers are expected in the parentheses, not " + given.size());
        }
        double[] arguments = given.stream().mapToDouble(Double::doubleValue).toArray();
        return of -> function.value().of(of, arguments);
    }

    private double number() throws Unreadable {
        int begin = skipBlanks();
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String digits = text.substring(begin, at);
        if (digits.length() > 20 || !digits.matches("[0-9]+(\\.[0-9]+)?")) {
            throw new Unreadable(begin, "a number is expected");
        }
        return Double.parseDouble(digits);
    }

    private void expect(String what) throws Unreadable {
        if (!take(what)) {
            throw new Unreadable(
                    at, "'" + what + "' is expected" + (at == text.length() ? ", and the expression ends" : ""));
        }
    }

    private boolean take(String what) {
        skipBlanks();
        // A ! of != is not one that negates.
        boolean there = text.startsWith(what, at) && !(what.equals("!") && text.startsWith("!=", at));
        if (there) {
            at += what.length();
        }
        return there;
    }

    private boolean isLetter() {
        return at < text.length() && Character.isLetter(text.charAt(at));
    }

    private int skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
