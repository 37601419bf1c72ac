package io.fairlead.benchmarks.proxy;

/** What is asked of the proxies. */
enum Case {
    /** A small answer. */
    SMALL_GET("GET of 1 KiB", "/small", 0, Case.SMALL_BYTES),
    /** A long answer. */
    DOWNLOAD("download of 1 MiB", "/large", 0, Case.LARGE_BYTES),
    /** A long request. */
    UPLOAD("upload of 1 MiB", "/upload", Case.LARGE_BYTES, 5);

    static final int SMALL_BYTES = 1024;
    static final int LARGE_BYTES = 1024 * 1024;

    private final String title;
    private final String path;
    private final int requestBytes;
    private final int answerBytes;

    Case(String title, String path, int requestBytes, int answerBytes) {
        this.title = title;
        this.path = path;
        this.requestBytes = requestBytes;
        this.answerBytes = answerBytes;
    }

    String title() {
        return title;
    }

    String path() {
        return path;
    }

    /** The length of the request's body; 0: a GET, which has none. */
    int requestBytes() {
        return requestBytes;
    }

    int answerBytes() {
        return answerBytes;
    }
}
