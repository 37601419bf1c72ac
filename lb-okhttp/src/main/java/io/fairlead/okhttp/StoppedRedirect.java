package io.fairlead.okhttp;

import java.io.IOException;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Carries a redirect out of OkHttp, which would have followed it on the pinned connection. An {@code IOException}, since
 * that is what interceptors between expect to see.
 */
final class StoppedRedirect extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Response response;
    private final transient Request next;

    StoppedRedirect(Response response, Request next) {
        super("redirected to " + next.url().redact());
        this.response = response;
        this.next = next;
    }

    /** The redirect, its body closed. */
    Response response() {
        return response;
    }

    /** What OkHttp would have sent next. */
    Request next() {
        return next;
    }

    /** The stack would cost more than the redirect and says nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
