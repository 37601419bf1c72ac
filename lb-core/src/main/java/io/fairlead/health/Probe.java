package io.fairlead.health;

import io.fairlead.Endpoint;
import io.fairlead.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One check over a socket of its own. It speaks to the socket itself rather than through an HTTP client, so that inside
 * an application under the agent it cannot be redirected, and so that it brings no client along.
 */
final class Probe {
    private static final int MAX_STATUS_LINE = 1024;

    private Probe() {}

    /** Returns when the check passed. */
    static void run(Endpoint endpoint, HealthCheck check, Scheduler scheduler) throws IOException {
        long nanos = check.timeout().toNanos();
        long deadline = System.nanoTime() + nanos;
        int port = check.port() == 0 ? endpoint.port() : check.port();
        try (Socket plain = new Socket()) {
            // The limits of the socket hold for one read each; a peer that drips could stretch a check without end.
            Scheduler.Timer end = scheduler.schedule(() -> close(plain), nanos);
            try {
                plain.connect(new InetSocketAddress(endpoint.host(), port), millisLeft(deadline));
                try (Socket socket = endpoint.isSecure() ? secured(plain, endpoint.host(), port, deadline) : plain) {
                    if (check.path() != null) {
                        get(socket, endpoint, check, check.path(), deadline);
                    }
                }
            } catch (SocketException e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw timedOut(e);
                }
                throw e;
            } finally {
                end.cancel();
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SocketTimeoutException timedOut(Throwable cause) {
        SocketTimeoutException late = new SocketTimeoutException("timed out");
        late.initCause(cause);
        return late;
    }

    private static Socket secured(Socket plain, String host, int port, long deadline) throws IOException {
        SSLSocket socket =
                (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(plain, host, port, true);
        socket.setSoTimeout(millisLeft(deadline));
        socket.startHandshake();
        return socket;
    }

    private static void get(Socket socket, Endpoint endpoint, HealthCheck check, String path, long deadline)
            throws IOException {
        String host = check.hostname() == null ? endpoint.authority() : check.hostname();
        String request = "GET " + endpoint.path() + path + " HTTP/1.1\r\nHost: " + host
                + "\r\nUser-Agent: fairlead-health\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        int status = status(statusLine(socket, deadline));
        if (status < 200 || status >= 400) {
            throw new IOException("GET " + endpoint.path() + path + " answered " + status);
        }
    }

    private static String statusLine(Socket socket, long deadline) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        while (line.length() < MAX_STATUS_LINE) {
            // Set anew for each byte: a server that drips must not stretch the check beyond its timeout.
            socket.setSoTimeout(millisLeft(deadline));
            int b = in.read();
            if (b < 0) {
                throw new IOException("the connection was closed before a status line");
            }
            if (b == '\n') {
                return line.toString();
            }
            line.append((char) b);
        }
        throw new IOException("the status line is longer than " + MAX_STATUS_LINE + " bytes");
    }

    private static int status(String line) throws IOException {
        if (line.matches("HTTP/1\\.[01] [1-9][0-9][0-9]( .*)?\r?")) {
            return Integer.parseInt(line.substring(9, 12));
        }
        throw new IOException("the answer is not HTTP");
    }

    private static int millisLeft(long deadline) throws SocketTimeoutException {
        long millis = (deadline - System.nanoTime()) / 1_000_000L;
        if (millis <= 0) {
            throw new SocketTimeoutException("timed out");
        }
        return (int) Math.min(Integer.MAX_VALUE, millis);
    }
}
