package app;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The application of the tests: reads a command a line from standard input and prints an answer a line. It is started
 * in a JVM of its own, knows nothing of Fairlead, and lives in a package of its own so as not to look like it.
 */
public final class Console {
    private Console() {}

    /** Reads and answers until the input ends. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = answer(line.split(" ", -1));
            } catch (Exception e) {
                answer = "! " + e.getClass().getName() + ": " + e.getMessage();
            }
            System.out.println(answer);
        }
    }

    private static String answer(String[] words) throws Exception {
        switch (words[0]) {
            case "get":
                return exchange(open(words[1]));
            case "head":
                HttpURLConnection head = open(words[1]);
                head.setRequestMethod("HEAD");
                return exchange(head);
            case "post":
                return post(open(words[1]), Integer.parseInt(words[2]));
            case "fixed":
                HttpURLConnection fixed = open(words[1]);
                fixed.setFixedLengthStreamingMode(Integer.parseInt(words[2]));
                return post(fixed, Integer.parseInt(words[2]));
            case "chunked":
                HttpURLConnection chunked = open(words[1]);
                chunked.setChunkedStreamingMode(1000);
                return post(chunked, Integer.parseInt(words[2]));
            case "expect":
                HttpURLConnection expecting = open(words[1]);
                expecting.setFixedLengthStreamingMode(Integer.parseInt(words[2]));
                expecting.setRequestProperty("Expect", "100-Continue");
                return post(expecting, Integer.parseInt(words[2]));
            case "load":
                return load(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case "with":
                HttpURLConnection with = open(words[1]);
                with.setRequestProperty(words[2], words[3]);
                return exchange(with);
            case "timeout":
                HttpURLConnection slow = open(words[1]);
                slow.setReadTimeout(Integer.parseInt(words[2]));
                return exchange(slow);
            case "proxy":
                InetSocketAddress address =
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[2]));
                Proxy proxy = new Proxy(Proxy.Type.HTTP, address);
                return exchange((HttpURLConnection) new URL(words[1]).openConnection(proxy));
            case "code":
                return String.valueOf(open(words[1]).getResponseCode());
            case "first-byte":
                try (InputStream body = open(words[1]).getInputStream()) {
                    return String.valueOf(body.read());
                }
            case "disconnect":
                HttpURLConnection given = open(words[1]);
                given.connect();
                given.disconnect();
                return "done";
            case "cookies":
                CookieHandler.setDefault(new CookieManager());
                return "done";
            case "stored":
                return ((CookieManager) CookieHandler.getDefault())
                        .getCookieStore()
                        .get(new URI(words[1]))
                        .toString();
            default:
                return aside(words);
        }
    }

    private static String aside(String[] words) throws Exception {
        switch (words[0]) {
            case "beans":
                return Beans.asked();
            case "beans-so-far":
                return Beans.soFar();
            case "class":
                return isVisible(words[1]) ? "visible" : "hidden";
            case "resource":
                return Console.class.getResource(words[1]) == null ? "hidden" : "visible";
            case "file":
                return String.valueOf(java.nio.file.Files.exists(java.nio.file.Paths.get("none")));
            case "from":
                return from(words[1]);
            case "subclass":
                return Subclass.make();
            case "mark":
                System.err.print(words[1] + "\n");
                return "done";
            case "gc":
                System.gc();
                return "done";
            case "pid":
                return ManagementFactory.getRuntimeMXBean().getName().replaceAll("@.*", "");
            default:
                return "? " + words[0];
        }
    }

    private static String from(String name) throws ClassNotFoundException {
        java.security.CodeSource source =
                Class.forName(name).getProtectionDomain().getCodeSource();
        return source == null ? "nowhere" : source.getLocation().getPath().replaceAll(".*/", "");
    }

    private static boolean isVisible(String name) {
        try {
            Class.forName(name, false, Console.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static String load(String url, int threads, int calls) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < threads * calls; i++) {
            answers.add(pool.submit(() -> exchange(open(url))));
        }
        pool.shutdown();
        int ok = 0;
        String failure = "";
        for (Future<String> answer : answers) {
            try {
                ok += answer.get().startsWith("200 ") ? 1 : 0;
            } catch (ExecutionException e) {
                failure = " " + e.getCause();
            }
        }
        return ok + failure;
    }

    private static HttpURLConnection open(String url) throws IOException {
        return (HttpURLConnection) new URL(url).openConnection();
    }

    private static String post(HttpURLConnection connection, int size) throws IOException {
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            for (int i = 0; i < size; i++) {
                out.write((byte) (i % 251));
            }
        }
        return exchange(connection);
    }

    private static String exchange(HttpURLConnection connection) throws IOException {
        int code = connection.getResponseCode();
        InputStream body = code < 400 ? connection.getInputStream() : connection.getErrorStream();
        String text = body == null ? "" : text(body);
        return code + " " + text + " " + connection.getURL();
    }

    private static String text(InputStream body) throws IOException {
        try (InputStream in = body) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        }
    }
}
