package io.fairlead.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What has been found in one file: problems, for which it is refused, and notices, for which it is not. Each is kept
 * once however often it is found, since a part of the file may be read more than once.
 *
 * <p>Safe for use from any thread.
 */
public final class Problems {
    /** More than anybody reads, and less than a large file of one mistake would fill the memory with. */
    private static final int MAX = 1_000;

    private static final int LONG = 100;

    private final String file;
    private final Set<ConfigProblem> problems = new LinkedHashSet<>();
    private final Set<ConfigProblem> notices = new LinkedHashSet<>();
    private final Set<String> explained = new HashSet<>();

    Problems(String file) {
        this.file = oneLine(file);
    }

    /** The problems so far, in the order of the lines. */
    public List<ConfigProblem> list() {
        return sorted(problems);
    }

    /** The notices so far, in the order of the lines. */
    public List<ConfigProblem> notices() {
        return sorted(notices);
    }

    /** Whether there is no problem so far. */
    public synchronized boolean isEmpty() {
        return problems.isEmpty();
    }

    /** The problems as text, one a line. */
    @Override
    public String toString() {
        return lines(list());
    }

    synchronized void add(int line, String path, String message) {
        add(problems, line, path, message);
    }

    synchronized void notice(int line, String path, String message) {
        add(notices, line, path, message);
    }

    private void add(Set<ConfigProblem> found, int line, String path, String message) {
        if (found.size() < MAX) {
            found.add(new ConfigProblem(file, line, oneLine(path), oneLine(message)));
        } else if (found.size() == MAX) {
            found.add(new ConfigProblem(file, line, "", "there is more than these " + MAX));
        }
    }

    /** Whether so much is wrong that nobody needs further advice, which costs time to work out. */
    synchronized boolean isLong() {
        return problems.size() > LONG;
    }

    /** Says that the lack of this key has been told already: as another key that is a misspelling of it. */
    synchronized void explain(String path) {
        explained.add(path.toLowerCase(Locale.ROOT));
    }

    synchronized boolean isExplained(String path) {
        return explained.contains(path.toLowerCase(Locale.ROOT));
    }

    static String lines(List<ConfigProblem> problems) {
        StringBuilder lines = new StringBuilder();
        for (ConfigProblem problem : problems) {
            lines.append(lines.length() == 0 ? "" : "\n").append(problem);
        }
        return lines.toString();
    }

    private synchronized List<ConfigProblem> sorted(Set<ConfigProblem> found) {
        List<ConfigProblem> list = new ArrayList<>(found);
        list.sort(Comparator.comparingInt(ConfigProblem::line));
        return list;
    }

    /** Whatever stands in a file, a problem is one line of a terminal. */
    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line.append(Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c);
        }
        return line.toString();
    }
}
