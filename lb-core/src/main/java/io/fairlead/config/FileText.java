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
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Reads a file as UTF-8 text of bounded size; what stands in the way becomes a problem. */
final class FileText {
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private FileText() {}

    static byte @Nullable [] bytes(ConfigSource source, Problems problems) {
        try {
            return atMost(source, MAX_BYTES + 1);
        } catch (IOException e) {
            problems.add(1, "", reason(e));
            return null;
        }
    }

    /** Why a file could not be read, in words. */
    static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "the file may not be read (permission denied)";
        }
        String message = String.valueOf(e.getMessage());
        return message.startsWith("is a directory") ? message : "the file cannot be read: " + message;
    }

    static String tooLarge() {
        return "the file is larger than " + MAX_BYTES / 1024 / 1024 + " MiB";
    }

    static byte[] atMost(ConfigSource source, int limit) throws IOException {
        try (InputStream in = source.open()) {
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
