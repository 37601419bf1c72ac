package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fairlead.servlet.middleware.OwnAnswer;
import org.junit.jupiter.api.Test;

final class HeadTest {
    private static Head head(OwnAnswer own) {
        return Head.of(own, "GET", "orders");
    }

    @Test
    void aPartOfSomethingIsNotChangedAsTheWholeWouldBe() {
        Head part = head(OwnAnswer.of(206, "a part"));
        Head ranged = head(OwnAnswer.of(200, "a part").withField("Content-Range", "bytes 0-1/9"));

        assertThat(part.transformDecodedBody((bytes, last, out) -> {})).isFalse();
        assertThat(ranged.transformDecodedBody((bytes, last, out) -> {})).isFalse();
        assertThat(part.transforms()).isEmpty();
        assertThat(head(OwnAnswer.of(200, "x")).transformDecodedBody((bytes, last, out) -> {}))
                .isTrue();
    }

    @Test
    void noPageStandsInForAnAnswerWithoutABody() {
        assertThatIllegalStateException()
                .isThrownBy(() -> head(OwnAnswer.empty(204)).replaceBy("pages", "/", null));
        assertThatIllegalStateException()
                .isThrownBy(() -> head(OwnAnswer.empty(304)).replaceBy("pages", "/", null));
    }

    @Test
    void aStatusThatIsRewrittenTakesItsFieldsWithIt() {
        Head replaced = head(OwnAnswer.of(401, "x").withField("WWW-Authenticate", "Basic"));
        Head page = head(OwnAnswer.of(200, "page").withField("Retry-After", "5"));
        page.carryOver(replaced);
        replaced.setStatus(404);
        Head other = head(OwnAnswer.of(200, "page"));
        other.carryOver(replaced);

        assertThat(page.field("WWW-Authenticate")).isEqualTo("Basic");
        assertThat(page.field("Retry-After")).isEqualTo("5");
        assertThat(other.field("WWW-Authenticate")).isNull();
    }
}
