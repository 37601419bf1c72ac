package shop.jetty;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.client.HttpClient;

/** Reads a command and a URL a line, and prints what is answered. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        HttpClient client = new HttpClient();
        client.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(answer(client, words[0], words[1]));
        }
        client.stop();
    }

    private static String answer(HttpClient client, String command, String argument) throws Exception {
        switch (command) {
            case "get":
                return client.GET(argument).getContentAsString();
            case "mark":
                System.err.println(argument);
                return "done";
            default:
                return HttpClient.class.getModule().getName();
        }
    }
}
