package io.fairlead.benchmarks.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A socket that leads nowhere and answers every request without a body with the same two bytes. A call by it is all the
 * client's own work, without the system's, whose differences from call to call are greater than what an agent costs.
 */
final class MemorySocket extends SocketImpl {
    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** How many bytes of the answer have been read. */
    private int read = ANSWER.length;
    /** How many bytes of the end of a request have been seen. */
    private int seen;

    private final InputStream in = new InputStream() {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (read == ANSWER.length) {
                throw new SocketTimeoutException("nothing was asked");
            }
            int count = Math.min(length, ANSWER.length - read);
            System.arraycopy(ANSWER, read, buffer, offset, count);
            read += count;
            return count;
        }
    };

    private final OutputStream out = new OutputStream() {
        @Override
        public void write(int b) {
            seen = b == END[seen] ? seen + 1 : b == END[0] ? 1 : 0;
            if (seen == END.length) {
                seen = 0;
                read = 0;
            }
        }
    };

    /** Makes every socket of this JVM one of these. */
    // The JDK would rather not have it; nothing else changes the sockets of its own client.
    @SuppressWarnings("deprecation")
    static void install() throws IOException {
        Socket.setSocketImplFactory(MemorySocket::new);
    }

    @Override
    protected void create(boolean stream) {
        // Nothing is to be made.
    }

    @Override
    protected void connect(String name, int toPort) {
        port = toPort;
    }

    @Override
    protected void connect(InetAddress to, int toPort) {
        address = to;
        port = toPort;
    }

    @Override
    protected void connect(SocketAddress to, int timeout) {
        address = ((InetSocketAddress) to).getAddress();
        port = ((InetSocketAddress) to).getPort();
    }

    @Override
    protected void bind(InetAddress host, int toPort) {
        localport = toPort;
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("it cannot listen");
    }

    @Override
    protected void accept(SocketImpl socket) throws IOException {
        throw new SocketException("it cannot listen");
    }

    @Override
    protected InputStream getInputStream() {
        return in;
    }

    @Override
    protected OutputStream getOutputStream() {
        return out;
    }

    @Override
    protected int available() {
        return ANSWER.length - read;
    }

    @Override
    protected void close() {
        read = ANSWER.length;
    }

    @Override
    protected void sendUrgentData(int data) {
        // Nobody asks for it.
    }

    @Override
    public void setOption(int option, Object value) {
        // There are none.
    }

    @Override
    public Object getOption(int option) {
        return 0;
    }
}
