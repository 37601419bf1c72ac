package io.fairlead.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a file as UTF-8 text of bounded size; what stands in the way becomes a problem. */
final class FileText {
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private FileText() {}

    static byte @Nullable [] bytes(Path file, Problems problems) {
        if (Files.isDirectory(file)) {
            problems.add(1, "", "is a directory, not a file");
            return null;
        }
        try {
            return atMost(file, MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            problems.add(1, "", "there is no such file");
        } catch (AccessDeniedException e) {
            problems.add(1, "", "the file may not be read (permission denied)");
        } catch (IOException e) {
            problems.add(1, "", "the file cannot be read: " + e.getMessage());
        }
        return null;
    }

    static String tooLarge() {
        return "the file is larger than " + MAX_BYTES / 1024 / 1024 + " MiB";
    }

    static byte[] atMost(Path file, int limit) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] buffer = new byte[16 * 1024];
            while (bytes.size() < limit) {
                int n = in.read(buffer, 0, Math.min(buffer.length, limit - bytes.size()));
                if (n < 0) {
                    break;
                }
                bytes.write(buffer, 0, n);
            }
            return bytes.toByteArray();
        }
    }

    static @Nullable String decode(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_BYTES) {
            problems.add(1, "", tooLarge());
            return null;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            int line = 1;
            for (int i = 0; i < in.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            problems.add(line, "", "the file is not UTF-8 text");
            return null;
        }
        out.flip();
        return out.toString();
    }
}
