package shop.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Reads a client and a URL a line, and prints what is answered. */
public final class Main {
    private static final HttpClient JDK = HttpClient.newHttpClient();
    private static final CloseableHttpClient APACHE = HttpClients.createDefault();

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(call(words[0], words[1]));
        }
    }

    private static String call(String client, String url) throws Exception {
        switch (client) {
            case "jdk":
                return JDK.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
            case "apache":
                return APACHE.execute(new HttpGet(url), answer -> EntityUtils.toString(answer.getEntity()));
            case "url":
                return text(url);
            case "mark":
                System.err.println(url);
                return "done";
            default:
                return Main.class.getModule().getName();
        }
    }

    private static String text(String url) throws IOException {
        try (InputStream in = new URL(url).openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
