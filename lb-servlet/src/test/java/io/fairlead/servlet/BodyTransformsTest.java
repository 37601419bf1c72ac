package io.fairlead.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.middleware.BodyTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BodyTransformsTest {
    private final List<String> closed = new ArrayList<>();

    private BodyTransform closing(String name) {
        return new BodyTransform() {
            @Override
            public void transform(ByteBuffer bytes, boolean last, Sink out) throws IOException {
                out.accept(bytes);
                if (last) {
                    out.accept(ByteBuffer.wrap(name.getBytes(ISO_8859_1)));
                }
            }

            @Override
            public void close() {
                closed.add(name);
                throw new IllegalStateException("told, and no harm");
            }
        };
    }

    @Test
    void eachIsClosedThoughTheOneBeforeItThrows() {
        BodyTransforms all = new BodyTransforms(List.of(closing("a"), closing("b")));

        all.close();

        assertThat(closed).containsExactly("a", "b");
    }

    @Test
    void eachTakesWhatTheOneBeforeItMakes() throws IOException {
        BodyTransforms all = new BodyTransforms(List.of(closing("a"), closing("b")));
        StringBuilder made = new StringBuilder();

        all.transform(ByteBuffer.wrap("x".getBytes(ISO_8859_1)), true, piece -> {
            made.append(ISO_8859_1.decode(piece));
        });

        assertThat(made).hasToString("xab");
    }
}
