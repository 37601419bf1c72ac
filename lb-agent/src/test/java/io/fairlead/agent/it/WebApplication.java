package io.fairlead.agent.it;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A WAR whose servlet makes calls, and an application server that has it. */
final class WebApplication {
    private WebApplication() {}

    /**
     * Unpacks a server.
     *
     * @param zip its distribution, with one folder at the top
     * @param to what becomes of that folder
     * @param wanted what the names below it begin with that are needed
     */
    static void unpack(File zip, Path to, String... wanted) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip.toPath()))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName().substring(entry.getName().indexOf('/') + 1);
                if (!entry.isDirectory() && Arrays.stream(wanted).anyMatch(name::startsWith)) {
                    Path file = to.resolve(name);
                    Files.createDirectories(file.getParent());
                    Files.copy(in, file);
                }
            }
        }
    }

    /**
     * Lays the WAR out, unpacked.
     *
     * @param root its folder, which need not be there
     * @param servletApi the jar that it is compiled with
     * @param names what the packages of that begin with: {@code javax} or {@code jakarta}
     */
    static void layOut(Path root, File servletApi, String names) throws Exception {
        Path inside = root.resolve("WEB-INF");
        Path classes = Files.createDirectories(inside.resolve("classes"));
        Path lib = Files.createDirectories(inside.resolve("lib"));
        String[] jars = Cell.newest("Apache4").classPath().split(File.pathSeparator, -1);
        StringBuilder path = new StringBuilder(servletApi.getPath());
        for (int i = 1; i < jars.length; i++) {
            Files.copy(new File(jars[i]).toPath(), lib.resolve(new File(jars[i]).getName()));
            path.append(File.pathSeparator).append(jars[i]);
        }
        Sources.compile(
                "war",
                text -> text.replace("javax.servlet", names + ".servlet"),
                classes.toFile(),
                "-source",
                "8",
                "-target",
                "8",
                "-nowarn",
                "-cp",
                path.toString());
    }

    /**
     * The port that a server says it listens on.
     *
     * @param lines what it prints
     * @param listening has the port as its first group
     */
    static String port(List<String> lines, Pattern listening) {
        List<String> found = new ArrayList<>();
        Jvm.await().until(() -> {
            for (String line : lines) {
                Matcher matcher = listening.matcher(line);
                if (matcher.find()) {
                    found.add(matcher.group(1));
                }
            }
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /**
     * That the servlet's clients reach both servers of {@link Orders}, and no other.
     *
     * @param base the application's URL, ending in a slash
     */
    static void assertReachesBoth(String base) throws IOException {
        for (String client : new String[] {"url", "apache"}) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                answers.add(get(base + client + "?to=" + URLEncoder.encode("http://orders/x", "UTF-8")));
            }
            Orders.assertBoth(answers, "a", "b");
        }
    }

    private static String get(String url) throws IOException {
        try (InputStream in = new URL(url).openStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        }
    }
}
