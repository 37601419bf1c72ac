package com.example.legacy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/**
 * An application as they were written ten years ago: it knows an address and asks it, and knows nothing of load
 * balancing. Under the agent, the address is the name of a service.
 *
 * <pre>java -javaagent:lb-agent.jar=lb.yaml -jar legacy-app.jar [URL [COUNT]]</pre>
 */
public final class LegacyApp {
    private LegacyApp() {}

    /**
     * Asks and prints, a line an answer: what was answered, and the URL that the application sees.
     *
     * @param arguments the URL, default {@code http://orders/orders}; how often, default 10
     * @throws IOException a call failed
     */
    public static void main(String[] arguments) throws IOException {
        URL url = new URL(arguments.length > 0 ? arguments[0] : "http://orders/orders");
        int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        for (int i = 0; i < count; i++) {
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                System.out.println(reader.readLine() + " from " + connection.getURL());
            }
        }
    }
}
