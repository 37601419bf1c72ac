package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldEditsTest {
    @ParameterizedTest
    @ValueSource(strings = {"X-Web-User", "X_Web_User", "X_Web-User", "x-web_user"})
    void whatTheClientSaidIsGoneInEveryMixtureOfHyphensAndUnderscores(String name) {
        HttpFields.Mutable fields = HttpFields.build().add(name, "admin").add("X-Web-Users", "2");
        FieldEdits edits = new FieldEdits();
        edits.set("X-Web-User", "ann");

        edits.applyTo(fields, true);

        assertThat(fields.stream().map(field -> field.getName() + "=" + field.getValue()))
                .containsExactlyInAnyOrder("X-Web-User=ann", "X-Web-Users=2");
    }

    @Test
    void aHostThatIsNoneIsNotTaken() {
        FieldEdits edits = new FieldEdits();

        for (String host : new String[] {"", "a b", "a/b", "a@b", "a:99999", "a:", "::1", "[::1"}) {
            assertThatIllegalArgumentException().as(host).isThrownBy(() -> edits.set("host", host));
        }
        for (String host : new String[] {"a", "shop.example:8080", "127.0.0.1:1", "[::1]:80"}) {
            edits.set("Host", host);
        }
    }

    @Test
    void whatIsTakenOutIsGoneInEveryMixture() {
        HttpFields.Mutable fields = HttpFields.build()
                .add("X_Secret-Key", "1")
                .add("X-Secret_Key", "2")
                .add("X-Secret-Key", "3");
        FieldEdits edits = new FieldEdits();
        edits.remove("X-Secret-Key");

        edits.applyTo(fields, true);

        assertThat(fields.size()).isZero();
    }
}
