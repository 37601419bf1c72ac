package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The README's fenced blocks. */
final class Readme {
    /** The top of the source tree; tests run in the module's directory. */
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final Pattern BLOCK = Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    private Readme() {}

    /** The blocks of a language, in their order. */
    static List<String> blocks(String language) throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(ROOT.resolve("README.md")))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map((MatchResult block) -> block.group(2))
                .toList();
        if (blocks.isEmpty()) {
            throw new AssertionError("the README has no block of " + language);
        }
        return blocks;
    }
}
