package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PathChangesTest {
    @Test
    void prefixesAreUndoneFromTheLastToTheFirst() {
        PathChanges changes = new PathChanges();
        changes.changed("/orders/x", "/x");
        changes.changed("/x", "/v2/x");

        assertThat(changes.undo("/base", "/base/v2/y")).isEqualTo("/orders/y");
        assertThat(changes.undo("/base", "/base/v3/y")).isNull();
    }

    @Test
    void aPathThatWasReplacedIsNotUndoneHoweverMuchItLooksLikeAPrefix() {
        PathChanges changes = new PathChanges();
        changes.replaced();

        assertThat(changes.undo("", "/login")).isNull();
        assertThat(changes.undoScope("", "/login")).isNull();
    }
}
