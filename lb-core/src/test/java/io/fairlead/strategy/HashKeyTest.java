package io.fairlead.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.RequestFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashKeyTest {
    private static final RequestFacts REQUEST = new RequestFacts() {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/orders/7";
        }

        @Override
        public String query() {
            return "a=1&user=42&empty=&userid=9&USER=43";
        }

        @Override
        public String host() {
            return "shop.example";
        }

        @Override
        public String header(String name) {
            return name.equals("x-user-id") ? "u1" : null;
        }

        @Override
        public String cookie(String name) {
            return name.equals("SID") ? "s1" : null;
        }

        @Override
        public String remoteAddress() {
            return "192.0.2.1";
        }
    };

    @ParameterizedTest
    @CsvSource({
        "$remote_addr, 192.0.2.1",
        "${remote_addr}, 192.0.2.1",
        "$host, shop.example",
        "$HOST, shop.example",
        "$uri, /orders/7",
        "$request_method, POST",
        "$args, a=1&user=42&empty=&userid=9&USER=43",
        "$arg_user, 42",
        "$arg_USERID, 9",
        "$arg_a, 1",
        "$http_x_user_id, u1",
        "$http_X_User_ID, u1",
        "$cookie_SID, s1"
    })
    void aVariableHashesAsItsValue(String key, String value) {
        assertThat(HashKey.parse(key).hash(REQUEST)).isEqualTo(XxHash64.hash(value, 0));
    }

    @ParameterizedTest
    @CsvSource({"$cookie_sid", "$http_missing", "$arg_missing", "$arg_empty", "$arg_us", "x-$cookie_sid-y$arg_empty"})
    void aKeyWhoseVariablesAreAllEmptyIsHashedByTheClientsAddress(String key) {
        assertThat(HashKey.parse(key).hash(REQUEST)).isEqualTo(XxHash64.hash("192.0.2.1", 0));
    }

    @Test
    void pathAndQueryBothCount() {
        HashKey key = HashKey.parse("$request_uri");
        RequestFacts withoutQuery = new RequestFacts() {
            @Override
            public String path() {
                return "/orders/7";
            }
        };
        assertThat(key.hash(withoutQuery)).isEqualTo(XxHash64.hash("/orders/7", 0));
        assertThat(key.hash(REQUEST)).isNotEqualTo(key.hash(withoutQuery));
    }

    @Test
    void literalTextAndSeveralVariablesMakeOneKey() {
        long one = HashKey.parse("v1:$host/${arg_user}x").hash(REQUEST);
        assertThat(one).isEqualTo(HashKey.parse("v1:$host/${arg_user}x").hash(REQUEST));
        assertThat(one).isNotEqualTo(HashKey.parse("v2:$host/${arg_user}x").hash(REQUEST));
        assertThat(one).isNotEqualTo(HashKey.parse("v1:$host/${arg_userid}x").hash(REQUEST));
    }

    @Test
    void aRequestOfWhichNothingIsKnownHasAHash() {
        assertThat(HashKey.parse("$host$uri").hash(RequestFacts.NONE)).isEqualTo(XxHash64.hash("", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "$remote_adr, 'unknown variable ''$remote_adr''; did you mean ''$remote_addr''?'",
        "$hots, 'did you mean ''$host''?'",
        "$htp_x_user_id, 'did you mean ''$http_x_user_id''?'",
        "$http_, '''$http_'' without a name after it'",
        "a$, without the name of a variable",
        "${host, without a name",
        "constant, 'has no variable; the known ones are $remote_addr, $host, $uri, $request_uri, $request_method, $args, "
                + "$arg_NAME, $http_NAME, $cookie_NAME'",
        "'', has no variable"
    })
    void aKeyThatCannotBeReadSaysWhy(String key, String message) {
        assertThatThrownBy(() -> HashKey.parse(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
