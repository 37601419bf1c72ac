package io.fairlead.servlet;

import java.util.ArrayList;
import java.util.List;

/** Requests in HTTP/2 that would be two in HTTP/1.1, if they were written down as they are. */
final class Http2Attacks {
    /**
     * One of them.
     *
     * @param fields names and values in turn, pseudo-fields among them
     * @param body null: the request ends with its head
     */
    record Attack(String name, String body, List<String> fields) {}

    private static final String SMUGGLED = "GET /SMUGGLED HTTP/1.1\r\nHost: a\r\n\r\n";

    private Http2Attacks() {}

    static List<Attack> all() {
        return List.of(
                with("a length that is too short", SMUGGLED, "content-length", "0"),
                with("a length that is too long", "hello", "content-length", "50"),
                with("two lengths", "hello", "content-length", "5", "content-length", "0"),
                with("a length of no number", "hello", "content-length", "5x"),
                with("a length without a body", null, "content-length", "50"),
                with("a coding", "0\r\n\r\n" + SMUGGLED, "transfer-encoding", "chunked"),
                with("a coding in capitals", "0\r\n\r\n" + SMUGGLED, "Transfer-Encoding", "chunked"),
                with("a line end in a value", null, "x", "y\r\nTransfer-Encoding: chunked"),
                with("a request in a value", null, "x", "y\r\n\r\n" + SMUGGLED),
                with("a LF in a value", null, "x", "y\nContent-Length: 5"),
                with("a NUL in a value", null, "x", "y\0z"),
                with("a line end in a name", null, "x: y\r\nTransfer-Encoding", "chunked"),
                with("a colon in a name", null, "transfer-encoding: chunked\r\nx", "y"),
                with("a blank in a name", null, "transfer-encoding ", "chunked"),
                with("Connection", "hello", "connection", "content-length"),
                with("TE with another coding", null, "te", "chunked"),
                with("Upgrade", null, "upgrade", "h2c"),
                head("a request in the path", "POST", "/first HTTP/1.1\r\nHost: a\r\n\r\n" + SMUGGLED, "a"),
                head("a blank in the path", "POST", "/first HTTP/1.1", "a"),
                head("a request in the method", "GET /SMUGGLED HTTP/1.1\r\nHost: a\r\n\r\nPOST", "/first", "a"),
                head("a line end in the authority", "POST", "/first", "a\r\nX: y"),
                head("an empty path", "POST", "", "a"),
                head("a path without a slash", "POST", "first", "a"),
                new Attack(
                        "two paths",
                        null,
                        List.of(
                                ":method",
                                "POST",
                                ":scheme",
                                "http",
                                ":authority",
                                "a",
                                ":path",
                                "/first",
                                ":path",
                                "/SMUGGLED")),
                new Attack(
                        "a pseudo-field behind another",
                        null,
                        List.of(":method", "POST", ":scheme", "http", "x", "y", ":path", "/first", ":authority", "a")),
                new Attack(
                        "an unknown pseudo-field",
                        null,
                        List.of(
                                ":method",
                                "POST",
                                ":scheme",
                                "http",
                                ":authority",
                                "a",
                                ":path",
                                "/first",
                                ":smuggled",
                                "/SMUGGLED")));
    }

    private static Attack with(String name, String body, String... more) {
        List<String> fields = new ArrayList<>(pseudo("POST", "/first", "a"));
        fields.addAll(List.of(more));
        return new Attack(name, body, fields);
    }

    private static Attack head(String name, String method, String path, String authority) {
        return new Attack(name, null, pseudo(method, path, authority));
    }

    private static List<String> pseudo(String method, String path, String authority) {
        return List.of(":method", method, ":scheme", "http", ":authority", authority, ":path", path);
    }
}
