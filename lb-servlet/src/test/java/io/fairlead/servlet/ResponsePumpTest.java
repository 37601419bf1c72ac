package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pump between a server that always has more and a client that always takes it. */
@Timeout(20)
final class ResponsePumpTest {
    private static final long TURN = 256 * 1024;
    private static final int CHUNK = 32 * 1024;

    private final Noting relay = new Noting();
    private final Taking client = new Taking();
    private final Giving server = new Giving();

    @Test
    void whatNeverPausesIsCarriedInTurns() throws Exception {
        server.left = Long.MAX_VALUE;
        ResponsePump pump = pump();

        pump.wake();
        for (int turn = 1; turn <= 3; turn++) {
            assertThat(client.taken).isBetween(turn * TURN, turn * (TURN + CHUNK));
            assertThat(relay.later).hasSize(turn);
            relay.later.get(turn - 1).run();
        }
    }

    @Test
    void whereNobodyTellsOfTheNextTurnThereIsOne() throws Exception {
        server.left = 4 * TURN;
        relay.takesTurns = false;

        pump().wake();

        assertThat(client.taken).isEqualTo(4 * TURN);
        assertThat(server.demands).isOne();
    }

    @Test
    void itIsLetGoBetweenTurnsWhenTheExchangeEnds() throws Exception {
        server.left = Long.MAX_VALUE;
        ResponsePump pump = pump();
        pump.wake();

        relay.ended = true;
        pump.wake();

        assertThat(relay.lettings).isOne();
        long taken = client.taken;
        relay.later.get(0).run();
        assertThat(client.taken).isEqualTo(taken);
    }

    private ResponsePump pump() throws IOException {
        HttpServletResponse response = (HttpServletResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getOutputStream" -> client;
                    case "getBufferSize" -> CHUNK;
                    case "isCommitted" -> true;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        ResponsePump pump = new ResponsePump(relay, response, server, -1, false);
        pump.handedOver();
        return pump;
    }

    private static final class Giving implements Content.Source {
        long left;
        int demands;

        @Override
        public Content.Chunk read() {
            if (left == 0) {
                return null;
            }
            int count = (int) Math.min(left, CHUNK);
            left -= count;
            return Content.Chunk.from(ByteBuffer.allocate(count), false);
        }

        @Override
        public void demand(Runnable callback) {
            demands++;
        }

        @Override
        public void fail(Throwable failure) {
            left = 0;
        }
    }

    private static final class Taking extends ServletOutputStream {
        long taken;

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            try {
                listener.onWritePossible();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void write(int oneByte) {
            taken++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            taken += count;
        }
    }

    private static final class Noting implements ResponsePump.Relay {
        final List<Runnable> later = new ArrayList<>();
        boolean takesTurns = true;
        boolean ended;
        int lettings;

        @Override
        public boolean endsApart() {
            return false;
        }

        @Override
        public boolean later(Runnable task) {
            if (takesTurns) {
                later.add(task);
            }
            return takesTurns;
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public boolean isCompleted() {
            return ended;
        }

        @Override
        public void moved() {}

        @Override
        public void answerRead() {}

        @Override
        public void finish() {}

        @Override
        public void serverBrokeOff(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void notWritten(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void pumpFailed(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void disconnect() {
            // Nothing more is to come.
        }

        @Override
        public void letGo() {
            lettings++;
        }
    }
}
