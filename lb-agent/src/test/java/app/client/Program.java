package app.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An application that calls servers by one HTTP client: reads a command a line from standard input and prints an answer a
 * line. It knows nothing of Fairlead. An answer is {@code STATUS BODY URL}, or {@code !} and the exception.
 */
public abstract class Program {
    private final ExecutorService background = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Future<String> begun;
    private volatile CompletableFuture<Runnable> abort = new CompletableFuture<>();

    /** For the programs. */
    protected Program() {}

    /**
     * Makes a call and gives its status, its body as text, and the URL that the client says it is of.
     *
     * @param body null: none
     * @param timeoutMillis for the answer; 0: the client's own limit
     * @throws Exception what the client throws; of an {@link ExecutionException} the cause is shown
     */
    protected abstract String call(String method, String url, byte[] body, int timeoutMillis) throws Exception;

    /** Says how the call that is under way is given up. */
    protected void abortBy(Runnable action) {
        abort.complete(action);
    }

    /** Reads and answers until the input ends. */
    protected void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(line.split(" ", -1)));
        }
        System.exit(0);
    }

    private String answer(String[] words) {
        switch (words[0]) {
            case "get":
            case "delete":
                return call(words[0], words[1]);
            case "post":
            case "put":
                return said(() -> call(name(words[0]), words[1], pattern(Integer.parseInt(words[2])), 0));
            case "timeout":
                return said(() -> call("GET", words[1], null, Integer.parseInt(words[2])));
            case "load":
                return said(() -> load(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3])));
            case "begin":
                abort = new CompletableFuture<>();
                begun = background.submit(() -> call("get", words[1]));
                return "begun";
            case "abort":
                return said(() -> {
                    abort.get().run();
                    return begun.get();
                });
            case "mark":
                System.err.print(words[1] + "\n");
                return "done";
            case "gc":
                System.gc();
                return "done";
            default:
                return "? " + words[0];
        }
    }

    private String call(String method, String url) {
        return said(() -> call(name(method), url, null, 0));
    }

    private static String name(String word) {
        return word.toUpperCase(java.util.Locale.ROOT);
    }

    private static String said(java.util.concurrent.Callable<String> call) {
        try {
            return call.call();
        } catch (Throwable e) {
            Throwable shown = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            return "! " + shown.getClass().getName() + ": "
                    + String.valueOf(shown.getMessage()).replace('\n', ' ');
        }
    }

    private String load(String url, int threads, int calls) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < threads * calls; i++) {
            answers.add(pool.submit(() -> call("get", url)));
        }
        pool.shutdown();
        int ok = 0;
        String failure = "";
        for (Future<String> answer : answers) {
            String text = said(answer::get);
            if (text.startsWith("200 ")) {
                ok++;
            } else {
                failure = " " + text;
            }
        }
        return ok + failure;
    }

    private static byte[] pattern(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i % 251);
        }
        return bytes;
    }
}
