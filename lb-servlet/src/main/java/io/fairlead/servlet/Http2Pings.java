package io.fairlead.servlet;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Pings HTTP/2 connections on which nothing has come for a while, and ends those on which nothing comes even then: a
 * server that is gone without a word would else be found out by the time limit of each request.
 */
final class Http2Pings implements Connection.Listener {
    private final Scheduler scheduler;
    private final Duration readIdle;
    private final Duration answer;

    /**
     * Watches the connections that it is told of.
     *
     * @param readIdle after so long a connection is pinged
     * @param answer so long the answer may take
     */
    Http2Pings(Scheduler scheduler, Duration readIdle, Duration answer) {
        this.scheduler = scheduler;
        this.readIdle = readIdle;
        this.answer = answer;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HTTP2Connection http2) {
            wait(http2);
        }
    }

    private void wait(HTTP2Connection connection) {
        long before = connection.getBytesIn();
        later(readIdle, () -> {
            if (!connection.getEndPoint().isOpen()) {
                return;
            }
            if (connection.getBytesIn() != before) {
                wait(connection);
            } else {
                ping(connection, before, () -> wait(connection));
            }
        });
    }

    /** Pings a connection now, whatever has come before, and ends it where nothing comes. */
    void check(HTTP2Connection connection) {
        ping(connection, connection.getBytesIn(), () -> {});
    }

    private void ping(HTTP2Connection connection, long before, Runnable answered) {
        connection.getSession().ping(new PingFrame(System.nanoTime(), false), Callback.NOOP);
        later(answer, () -> {
            if (!connection.getEndPoint().isOpen()) {
                return;
            }
            if (connection.getBytesIn() != before) {
                answered.run();
            } else {
                connection.onConnectionFailure(ErrorCode.NO_ERROR.code, "a ping was not answered");
                connection.getEndPoint().close();
            }
        });
    }

    private void later(Duration delay, Runnable task) {
        scheduler.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
