package io.fairlead.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The PEM files of the tests, valid from 2020 to 2120. */
public final class TestPem {
    private TestPem() {}

    /** The text of one of them. */
    public static String text(String file) {
        try (InputStream in = TestPem.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new AssertionError("there is no " + file);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int c = in.read(); c >= 0; c = in.read()) {
                out.write(c);
            }
            return new String(out.toByteArray(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
