package io.fairlead.benchmarks.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.util.Arrays;

/**
 * An application that makes calls by {@code HttpURLConnection} over sockets in memory, and prints how many nanoseconds one
 * takes: the lower quartile of many batches, since whatever else the machine does only makes a batch longer.
 */
final class Calls {
    private static final int BATCHES = 60;
    private static final int BATCH_MILLIS = 50;

    private Calls() {}

    /**
     * Measures.
     *
     * @param args the URL, and how many seconds of warming go before
     */
    public static void main(String[] args) throws IOException {
        MemorySocket.install();
        URL url = URI.create(args[0]).toURL();
        long end = System.nanoTime() + (long) (Double.parseDouble(args[1]) * 1e9);
        int calls = 0;
        long begun = System.nanoTime();
        while (System.nanoTime() < end) {
            call(url);
            calls++;
        }
        int batch = Math.max(1, (int) (calls * (BATCH_MILLIS * 1e6) / (System.nanoTime() - begun)));
        double[] nanos = new double[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            long start = System.nanoTime();
            for (int j = 0; j < batch; j++) {
                call(url);
            }
            nanos[i] = (System.nanoTime() - start) / (double) batch;
        }
        Arrays.sort(nanos);
        System.out.println(nanos[BATCHES / 4]);
    }

    static int call(URL url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        try (InputStream in = connection.getInputStream()) {
            int sum = connection.getResponseCode();
            for (int b = in.read(); b >= 0; b = in.read()) {
                sum += b;
            }
            return sum;
        }
    }
}
