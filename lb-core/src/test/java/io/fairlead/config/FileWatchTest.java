package io.fairlead.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.ManualScheduler;
import io.fairlead.ProbingScheduler;
import io.fairlead.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileWatchTest {
    private static final long INTERVAL = 400_000_000L;

    @TempDir
    private Path dir;

    private final ManualScheduler time = new ManualScheduler();
    private final List<String> told = new ArrayList<>();
    private Path file;
    private FileWatch watch;

    @BeforeEach
    void start() throws IOException {
        file = dir.resolve("lb.yaml");
        write("one");
        watch = FileWatch.start(
                ConfigSource.of(file),
                "one".getBytes(UTF_8),
                new NamedFiles(ConfigSource.of(file)),
                time,
                INTERVAL,
                content -> told.add(new String(content, UTF_8)),
                why -> told.add("! " + why));
    }

    @Test
    void tellsOfNewContentOnceWhenItHasStoodStill() throws IOException {
        time.advanceMillis(4000);
        assertThat(told).isEmpty();
        write("two");
        time.advanceMillis(800);
        assertThat(told).containsExactly("two");
        time.advanceMillis(4000);
        assertThat(told).containsExactly("two");
    }

    @Test
    void waitsWhileTheFileIsBeingWritten() throws IOException {
        for (String half : new String[] {"t", "tw", "two", "two and", "two and more"}) {
            write(half);
            time.advanceMillis(400);
        }
        assertThat(told).isEmpty();
        time.advanceMillis(400);
        assertThat(told).containsExactly("two and more");
    }

    @Test
    void sparesAFileThatIsMissingForAWhile() throws IOException {
        Files.delete(file);
        time.advanceMillis(800);
        write("one");
        time.advanceMillis(4000);
        assertThat(told).isEmpty();
        write("two");
        time.advanceMillis(4000);
        assertThat(told).containsExactly("two");
    }

    @Test
    void tellsOnceThatAFileIsGoneAndAgainWhenItHasBeenBack() throws IOException {
        Files.delete(file);
        time.advanceMillis(20_000);
        assertThat(told).containsExactly("! there is no such file");
        write("two");
        time.advanceMillis(4000);
        assertThat(told).containsExactly("! there is no such file", "two");
        Files.delete(file);
        Files.createDirectory(file);
        time.advanceMillis(20_000);
        assertThat(told).containsExactly("! there is no such file", "two", "! is a directory, not a file");
    }

    @Test
    void followsASymbolicLinkThatIsSwapped() throws IOException {
        // As Kubernetes swaps a ConfigMap: lb.yaml -> ..data/lb.yaml, ..data -> a directory of its own per version.
        Path first = Files.createDirectory(dir.resolve("..first"));
        Path second = Files.createDirectory(dir.resolve("..second"));
        Files.write(first.resolve("lb.yaml"), "one".getBytes(UTF_8));
        Files.write(second.resolve("lb.yaml"), "two".getBytes(UTF_8));
        Files.delete(file);
        Path data = Files.createSymbolicLink(dir.resolve("..data"), first.getFileName());
        Files.createSymbolicLink(file, dir.getFileSystem().getPath("..data", "lb.yaml"));
        time.advanceMillis(4000);
        assertThat(told).isEmpty();
        Files.delete(data);
        Files.createSymbolicLink(data, second.getFileName());
        time.advanceMillis(800);
        assertThat(told).containsExactly("two");
    }

    @Test
    void goesOnWhereThereWasNoThreadForALook() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        Scheduler scarce = new ProbingScheduler(time, time.prober()) {
            @Override
            public Executor files() {
                return task -> {
                    if (looks.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                };
            }
        };
        watch.close();
        FileWatch another = FileWatch.start(
                ConfigSource.of(file),
                "one".getBytes(UTF_8),
                new NamedFiles(ConfigSource.of(file)),
                scarce,
                INTERVAL,
                content -> told.add(new String(content, UTF_8)),
                why -> told.add("! " + why));
        write("two");
        assertThatThrownBy(() -> time.advanceMillis(400)).isInstanceOf(OutOfMemoryError.class);
        time.advanceMillis(800);
        assertThat(told).containsExactly("two");
        another.close();
    }

    @Test
    void leavesNothingBehindWhenClosed() throws IOException {
        watch.close();
        write("two");
        time.advanceMillis(4000);
        assertThat(told).isEmpty();
        assertThat(time.waiting()).isZero();
    }

    private void write(String content) throws IOException {
        Files.write(file, content.getBytes(UTF_8));
    }
}
