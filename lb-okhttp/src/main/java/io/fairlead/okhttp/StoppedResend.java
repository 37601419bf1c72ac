package io.fairlead.okhttp;

import java.io.IOException;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.ByteString;

/**
 * Carries an answer out of OkHttp, which would have sent the request again for it. An {@code IOException}, since that is
 * what interceptors between expect to see.
 */
final class StoppedResend extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Response response;

    StoppedResend(Response response) {
        super("not sent again for its status " + response.code());
        // OkHttp has thrown its body away.
        this.response = response.newBuilder()
                .body(ResponseBody.create(ByteString.EMPTY, response.body().contentType()))
                .build();
    }

    /** The answer, of whose body nothing is left. */
    Response response() {
        return response;
    }

    /** The stack would say nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
