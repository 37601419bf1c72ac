package app.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** {@code java.net.HttpURLConnection}. */
public final class UrlConnection extends Program {
    private UrlConnection() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new UrlConnection().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setRequestMethod(method);
        connection.setReadTimeout(timeoutMillis);
        abortBy(connection::disconnect);
        if (body != null) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            connection.getOutputStream().write(body);
        }
        int code = connection.getResponseCode();
        InputStream in = code < 400 ? connection.getInputStream() : connection.getErrorStream();
        return code + " " + (in == null ? "" : text(in)) + " " + connection.getURL();
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
