package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class JsonTest {
    @Test
    void writesCommasBetweenAndNowhereElse() {
        Json json = new Json().object().name("a").array().value(1).value(true).object();
        json.endObject().array().endArray().endArray().name("b").value((String) null);
        json.name("c").value("x").endObject();

        assertThat(json).hasToString("{\"a\":[1,true,{},[]],\"b\":null,\"c\":\"x\"}");
    }

    @Test
    void escapesWhatStringsMustNotHold() {
        assertThat(new Json().value("\"\\\n\u0000\u001f/é€")).hasToString("\"\\\"\\\\\\u000a\\u0000\\u001f/é€\"");
    }

    @Test
    void aLoneSurrogateSurvives() {
        assertThat(new Json().value("\ud800")).hasToString("\"\\ud800\"");
    }
}
