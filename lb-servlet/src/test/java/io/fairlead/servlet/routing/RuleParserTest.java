package io.fairlead.servlet.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RuleParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "Host(`shop.example`)#true",
                "Host(`SHOP.example:80`)#true",
                "Host(`other.example`)#false",
                "Host(`other.example`, `shop.example`)#true",
                "Path(`/orders/7`)#true",
                "Path(`/orders`)#false",
                "PathPrefix(`/orders`)#true",
                "PathPrefix(`/order`)#false",
                "PathPrefix(\"/orders\")#true",
                "PathPrefix(`/%6frders`)#true",
                "PathRegexp(`^/orders/[0-9]+$`)#true",
                "PathRegexp(`^/orders/[a-z]+$`)#false",
                "Method(`GET`)#true",
                "Method(`POST`, `get`)#true",
                "Method(`POST`)#false",
                "Header(`x-kind`, `b`)#true",
                "Header(`X-Kind`, `c`)#false",
                "Header(`X-None`, `b`)#false",
                "Query(`page`, `2`)#true",
                "Query(`page`)#false",
                "Query(`flag`)#true",
                "Query(`flag`, ``)#true",
                "QueryRegexp(`page`, `^[0-9]$`)#true",
                "QueryRegexp(`page`, `^[a-z]$`)#false",
                "QueryRegexp(`none`, `.*`)#false",
                "HeaderRegexp(`x-kind`, `^[ab]$`)#true",
                "HeaderRegexp(`x-kind`, `c`)#false",
                "HeaderRegexp(`x-none`, `.*`)#false",
                "HostRegexp(`^shop\\.`)#true",
                "HostRegexp(`^Shop`)#false",
                "HostRegexp(`(?i)^SHOP\\.[a-z]+$`)#true",
                "Host(`*.example`)#true",
                "Host(`*.shop.example`)#false",
                "Host(`*`)#true",
                "Host(`shop.example.`)#true",
                "PathRegexp(`(?P<id>[0-9]{1,3})$`)#true",
                "Query(`page`, `3`)#false",
                "Query(`a b`, `c d`)#true",
                "Query(`pag`)#false",
                "ClientIP(`10.1.2.3`)#true",
                "ClientIP(`10.0.0.0/8`)#true",
                "ClientIP(`11.0.0.0/8`, `::1`)#false",
                "Host(`shop.example`) && Path(`/orders/7`)#true",
                "Host(`shop.example`) && Path(`/x`)#false",
                "Host(`x`) || Path(`/orders/7`)#true",
                "!Host(`x`)#true",
                "!(Host(`x`) || Method(`GET`))#false",
                "Host(`x`) && Host(`y`) || Method(`GET`)#true",
                "Host(`x`) && (Host(`y`) || Method(`GET`))#false",
                "!Host(`x`)&&!Host(`y`)#true",
                "  Method( `GET` )  #true",
            })
    void aRuleMeansWhatItSays(String rule, boolean matches) throws Exception {
        assertThat(RuleParser.parse(rule).matches(REQUEST, REQUEST.path())).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "''#position 1",
                "Host(`a`) &&#position 13",
                "Host(`a`) Path(`/b`)#position 11",
                "Hots(`a`)#position 1",
                "Host(a)#position 6",
                "Host(`a)#position 6",
                "Host(`a`#position 9",
                "(Host(`a`)#position 11",
                "Host(`a`) || Path(`b`)#position 14",
                "Host()#position 6",
                "Header(`a`)#position 1",
                "Query(`a`, `b`, `c`)#position 1",
                "QueryRegexp(`a`)#position 1",
                "QueryRegexp(`a`, `(`)#position 1",
                "HeaderRegexp(`a`, `[`)#position 1",
                "HostRegexp(`*`)#position 1",
                "Host(`café.example`)#position 1",
                "Host(`a.*.example`)#position 1",
                "PathRegexp(`(?=a)`)#position 1",
                "ClientIP(`10.0.0.0/33`)#position 1",
                "PathRegexp(`(`)#position 1",
                "& Host(`a`)#position 1",
            })
    void aBadRuleIsToldWithItsPosition(String rule, String position) {
        assertThatThrownBy(() -> RuleParser.parse(rule))
                .isInstanceOf(RuleException.class)
                .hasMessageContaining("(" + position + " of the rule)");
    }

    @Test
    void anUnknownMatcherIsToldWithTheKnownOnes() {
        assertThatThrownBy(() -> RuleParser.parse("PathPrefx(`/a`)"))
                .hasMessageContaining("unknown matcher 'PathPrefx'")
                .hasMessageContaining(
                        "Host, HostRegexp, Path, PathPrefix, PathRegexp, Method, Header, HeaderRegexp, Query, QueryRegexp,"
                                + " ClientIP");
    }

    @Test
    void aRuleNestedWithoutEndIsRefused() {
        assertThatThrownBy(() -> RuleParser.parse("!".repeat(10_000) + "Host(`a`)"))
                .isInstanceOf(RuleException.class);
    }

    @Test
    void anExpressionThatWouldRunAwayElsewhereTakesNoTime() throws Exception {
        Rule rule = RuleParser.parse("PathRegexp(`^/(a+)+$`)");

        assertThat(rule.matches(REQUEST, "/" + "a".repeat(5_000) + "!")).isFalse();
        assertThat(rule.matches(REQUEST, "/" + "a".repeat(5_000))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "PathRegexp(`^/two words$`)#/two%20words#true",
                "PathRegexp(`^/café$`)#/caf%c3%A9#true",
                "PathRegexp(`^/caf.$`)#/caf%C3%A9#true",
                "PathRegexp(`^/a%2525$`)#/a%2525#true",
                "PathRegexp(`^/a%3Fb$`)#/a%3fb#true",
                "PathRegexp(`\\?`)#/a%3fb#false",
                "PathRegexp(`^/%E9$`)#/%e9#true",
                "PathRegexp(`^/%C3a$`)#/%c3a#true",
                "PathRegexp(`^/orders$`)#/%6frders;v=1#true",
                "Path(`/two words`)#/two%20words#true",
                "PathPrefix(`/café`)#/caf%c3%a9/x#true",
            })
    void expressionsSeeAPathInOneReadableForm(String rule, String path, boolean matches) throws Exception {
        assertThat(RuleParser.parse(rule).matches(REQUEST, PathForm.normal(path)))
                .isEqualTo(matches);
    }

    private static final RouteFacts REQUEST = new RouteFacts() {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/orders/7";
        }

        @Override
        public @Nullable String query() {
            return "page=2&flag&a+b=c%20d&&x=%zz";
        }

        @Override
        public String host() {
            return "Shop.Example";
        }

        @Override
        public Enumeration<String> headers(String name) {
            return Collections.enumeration(name.equalsIgnoreCase("X-Kind") ? List.of("a", "b") : List.of());
        }

        @Override
        public String remoteAddress() {
            return "10.1.2.3";
        }
    };
}
