package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/okhttp.md shows and promises is so. */
class OkHttpPageTest {
    private static final Path SOURCES = Paths.get("src/test/java/io/fairlead/okhttp");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+Test)\\.([a-z][A-Za-z0-9]+)`");

    private final String page = read(Paths.get("../docs/okhttp.md"));

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError("the page or the test is missing", e);
        }
    }

    private List<String> snippets(String language) {
        List<String> found = new ArrayList<>();
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        while (block.find()) {
            found.add(block.group(1));
        }
        return found;
    }

    @Test
    void everyRowOfTheTableNamesATestThatExists() throws ReflectiveOperationException {
        String table = page.substring(page.indexOf("| feature |"));
        int rows = 0;
        for (String row : table.substring(0, table.indexOf("\n\n")).split("\n", -1)) {
            if (row.startsWith("| feature") || row.startsWith("| ---")) {
                continue;
            }
            rows++;
            Matcher named = TEST.matcher(row);
            int tests = 0;
            while (named.find()) {
                tests++;
                assertThat(Class.forName("io.fairlead.okhttp." + named.group(1)).getDeclaredMethods())
                        .as(row)
                        .anySatisfy(method -> {
                            assertThat(method.getName()).isEqualTo(named.group(2));
                            assertThat(method.isAnnotationPresent(Test.class)).isTrue();
                        });
            }
            assertThat(tests).as(row).isPositive();
        }
        assertThat(rows).isGreaterThan(25);
    }

    @Test
    void everyPieceOfJavaIsPartOfATest() {
        String tests = withoutBlanks(read(SOURCES.resolve("IntegrationsTest.java")));
        assertThat(snippets("java"))
                .hasSizeGreaterThan(5)
                .allSatisfy(snippet -> assertThat(tests).contains(withoutBlanks(snippet)));
    }

    @Test
    void thePieceOfKotlinIsPartOfATest() {
        String file = withoutBlanks(read(Paths.get("src/test/kotlin/Orders.kt")));
        assertThat(snippets("kotlin"))
                .hasSize(1)
                .allSatisfy(snippet -> assertThat(file).contains(withoutBlanks(snippet)));
    }

    private static String withoutBlanks(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void everyConfigurationIsAcceptedAsItStands() {
        assertThat(snippets("yaml")).isNotEmpty().allSatisfy(yaml -> {
            ConfigFile file = ConfigFile.parse("okhttp.md", yaml);
            assertThat(file.problems().list()).isEmpty();
            assertThat(file.notices()).isEmpty();
        });
    }
}
