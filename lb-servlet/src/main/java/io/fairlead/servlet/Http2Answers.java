package io.fairlead.servlet;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Fails requests whose answers are malformed (RFC 9113, 8.1.1), and tells of streams that Jetty's session has reset by
 * itself: it tells nobody, and such a request would wait for ever.
 */
final class Http2Answers implements HTTP2Session.FrameListener {
    private static final String ANSWER = Http2Answers.class.getName();
    /** As many digits as a long takes in any case. */
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    @Override
    public void onOutgoingFrame(Session session, Frame frame) {
        if (frame instanceof HeadersFrame headers) {
            HTTP2Stream stream = stream(session, headers.getStreamId());
            if (stream != null && headers.getMetaData() instanceof MetaData.Request request) {
                stream.setAttribute(ANSWER, new Answer(HttpMethod.HEAD.is(request.getMethod())));
            }
        } else if (frame instanceof ResetFrame reset && isOfSession(reset.getError())) {
            HTTP2Stream stream = stream(session, reset.getStreamId());
            Answer answer = answer(stream);
            if (stream != null && answer != null && answer.failed.compareAndSet(false, true)) {
                tell(stream, reset.getError(), "the stream was reset: " + ErrorCode.toString(reset.getError(), ""));
            }
        }
    }

    /** These two are of who has given up, and knows. */
    private static boolean isOfSession(int error) {
        return error != ErrorCode.CANCEL_STREAM_ERROR.code && error != ErrorCode.NO_ERROR.code;
    }

    /** Before the session itself looks at the frame. */
    @Override
    public void onIncomingFrame(Session session, Frame frame) {
        if (frame instanceof HeadersFrame headers) {
            if (MetaData.Failed.getFailure(headers.getMetaData()) == null) {
                HTTP2Stream stream = stream(session, headers.getStreamId());
                Answer answer = answer(stream);
                if (stream != null && answer != null) {
                    failIf(answer.head(headers), stream, answer);
                }
            }
        } else if (frame instanceof DataFrame data) {
            HTTP2Stream stream = stream(session, data.getStreamId());
            Answer answer = answer(stream);
            if (stream != null && answer != null) {
                failIf(answer.data(data), stream, answer);
            }
        }
    }

    private static @Nullable HTTP2Stream stream(Session session, int id) {
        return session.getStream(id) instanceof HTTP2Stream stream ? stream : null;
    }

    private static @Nullable Answer answer(@Nullable HTTP2Stream stream) {
        return stream != null && stream.getAttribute(ANSWER) instanceof Answer answer ? answer : null;
    }

    private static void failIf(@Nullable String fault, HTTP2Stream stream, Answer answer) {
        if (fault != null && answer.failed.compareAndSet(false, true)) {
            int error = ErrorCode.PROTOCOL_ERROR.code;
            stream.reset(new ResetFrame(stream.getId(), error), Callback.NOOP);
            // Before the session hands on the frame, and so before what the frame would do.
            tell(stream, error, "the answer is malformed: " + fault);
        }
    }

    private static void tell(HTTP2Stream stream, int error, String reason) {
        Stream.Listener listener = stream.getListener();
        if (listener != null) {
            listener.onFailure(stream, error, reason, new IOException(reason), Callback.NOOP);
        }
    }

    /** How far an answer has come. Frames come one after another. */
    private static final class Answer {
        private final boolean toHead;
        private final AtomicBoolean failed = new AtomicBoolean();
        private boolean begun;
        /** How much of the body is still to come; less than zero: nobody knows. */
        private long left = -1;

        private Answer(boolean toHead) {
            this.toHead = toHead;
        }

        private @Nullable String head(HeadersFrame frame) {
            if (!(frame.getMetaData() instanceof MetaData.Response head)) {
                return trailers(frame);
            }
            if (begun) {
                return "a second head";
            }
            int status = head.getStatus();
            if (HttpStatus.isInformational(status)) {
                return frame.isEndStream() ? "it ends with an interim answer" : null;
            }
            begun = true;
            boolean bodiless = toHead || status == HttpStatus.NO_CONTENT_204 || status == HttpStatus.NOT_MODIFIED_304;
            List<String> lengths = head.getHttpFields().getValuesList(HttpHeader.CONTENT_LENGTH);
            if (!lengths.isEmpty()
                    && (lengths.size() > 1 || !LENGTH.matcher(lengths.get(0)).matches())) {
                return "its length is none";
            }
            left = bodiless || lengths.isEmpty() ? -1 : Long.parseLong(lengths.get(0));
            return frame.isEndStream() && left > 0 ? "its length says that it has a body" : null;
        }

        private @Nullable String trailers(HeadersFrame frame) {
            if (!begun) {
                return "trailers without a head";
            }
            if (!frame.isEndStream()) {
                return "it goes on after its trailers";
            }
            return left > 0 ? "its body is shorter than its length" : null;
        }

        private @Nullable String data(DataFrame frame) {
            if (!begun) {
                return "a body without a head";
            }
            if (left < 0) {
                return null;
            }
            left -= frame.remaining();
            if (left < 0) {
                left = 0;
                return "its body is longer than its length";
            }
            return frame.isEndStream() && left > 0 ? "its body is shorter than its length" : null;
        }
    }
}
