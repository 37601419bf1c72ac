package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.servlet.containers.Container;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request and its answer look like on the other side. */
final class PassingThroughTest extends ContainerTest {
    @Test
    void theContainerIsTheOneThatTheRunIsFor() {
        assertThat(Container.serverInfo()).startsWith(System.getProperty("fairlead.test.server"));
    }

    @Test
    void aGetIsAnsweredByTheServer() throws Exception {
        RawBackend backend = backend(answer(200, "hello", "Content-Type: text/plain", "X-One: 1", "X-One: 2"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/a/b?c=d");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.value("Content-Type")).isEqualTo("text/plain");
        assertThat(answer.value("Content-Length")).isEqualTo("5");
        assertThat(answer.values("X-One")).containsExactly("1", "2");
        assertThat(backend.request().startLine()).isEqualTo("GET /a/b?c=d HTTP/1.1");
        awaitNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "DELETE", "PROPFIND"})
    void aRequestWithoutABodyGainsNoFraming(String method) throws Exception {
        RawBackend backend = backend(head(200) + "Content-Length: 0\r\n\r\n");
        proxyTo(backend.url());

        client().exchange(method, "/", "", "Content-Type: text/plain");

        RawMessage request = backend.request();
        assertThat(request.startLine()).startsWith(method + " / ");
        assertThat(request.values("Content-Length")).isEmpty();
        assertThat(request.values("Transfer-Encoding")).isEmpty();
        assertThat(request.value("Content-Type")).isEqualTo("text/plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "REPORT"})
    void aBodyWithALengthArrivesWithThatLength(String method) throws Exception {
        RawBackend backend = backend(answer(201, "made"));
        proxyTo(backend.url());

        RawMessage answer =
                client().exchange(method, "/x", "some words", "Content-Length: 10", "Content-Type: text/plain");

        assertThat(answer.status()).isEqualTo(201);
        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("some words");
        assertThat(request.value("Content-Length")).isEqualTo("10");
        assertThat(request.values("Transfer-Encoding")).isEmpty();
    }

    @Test
    void aFormIsABodyLikeAnyOther() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        client().exchange(
                        "POST",
                        "/form?c=3",
                        "a=1&b=2",
                        "Content-Length: 7",
                        "Content-Type: application/x-www-form-urlencoded");

        RawMessage request = backend.request();
        assertThat(request.body()).isEqualTo("a=1&b=2");
        assertThat(request.target()).isEqualTo("/form?c=3");
    }

    @Test
    void aPostWithoutABodyHasALengthOfZero() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        client().exchange("POST", "/", "", "Content-Length: 0");

        assertThat(backend.request().value("Content-Length")).isEqualTo("0");
    }

    @Test
    void chunksGoBothWays() throws Exception {
        RawBackend backend =
                backend(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n");
        proxyTo(backend.url());

        RawMessage answer =
                client().exchange("POST", "/", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "Transfer-Encoding: chunked");

        assertThat(answer.body()).isEqualTo("abcdefg");
        RawMessage request = backend.request();
        assertThat(request.isChunked()).isTrue();
        assertThat(request.body()).isEqualTo("hello world");
        assertThat(request.values("Content-Length")).isEmpty();
    }

    @Test
    void anAnswerThatEndsWithItsConnectionArrivesWhole() throws Exception {
        RawBackend backend = backend(peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 200 OK\r\n\r\nuntil the end");
        });
        proxyTo(backend.url());

        try (RawClient client = client()) {
            assertThat(client.get("/").body()).isEqualTo("until the end");
            assertThat(client.get("/").body()).isEqualTo("until the end");
        }
    }

    @Test
    void theAnswerToAHeadKeepsTheLengthOfTheGet() throws Exception {
        RawBackend backend = backend(head(200) + "Content-Length: 12345\r\n\r\n");
        proxyTo(backend.url());

        RawClient client = client();
        RawMessage answer = client.exchange("HEAD", "/", "");

        assertThat(answer.value("Content-Length")).isEqualTo("12345");
        // The connection is in step: the next answer is read from its beginning.
        assertThat(client.exchange("HEAD", "/", "").status()).isEqualTo(200);
    }

    @Test
    void theAnswerToAHeadWithoutALengthGainsNone() throws Exception {
        RawBackend backend = backend(head(200, "Transfer-Encoding: chunked") + "\r\n");
        proxyTo(backend.url());

        RawClient client = client();

        assertThat(client.exchange("HEAD", "/", "").values("Content-Length")).isEmpty();
        assertThat(client.exchange("HEAD", "/", "").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusesWithoutABodyHaveNone(int status) throws Exception {
        RawBackend backend = backend(head(status, "ETag: \"x\"") + "\r\n");
        proxyTo(backend.url());

        RawClient client = client();
        RawMessage answer = client.get("/");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.value("ETag")).isEqualTo("\"x\"");
        assertThat(answer.values("Transfer-Encoding")).isEmpty();
        assertThat(answer.values("Content-Length")).isEmpty();
        assertThat(client.get("/").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 206, 301, 302, 401, 404, 418, 500, 502, 503, 504, 599})
    void everyStatusIsAnAnswerAndPassesOn(int status) throws Exception {
        RawBackend backend = backend(answer(status, "as it came", "Location: http://elsewhere/", "Retry-After: 7"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo("as it came");
        assertThat(answer.value("Location")).isEqualTo("http://elsewhere/");
        assertThat(answer.value("Retry-After")).isEqualTo("7");
        assertThat(backend.connections()).isEqualTo(1);
    }

    @Test
    void thereIsOneDateAndOneServerAndTheyAreTheServersOwn() throws Exception {
        RawBackend backend = backend(answer(200, "x", "Date: Thu, 01 Jan 1970 00:00:00 GMT", "Server: backend/1"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/");

        assertThat(answer.value("Date")).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(answer.value("Server")).isEqualTo("backend/1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "text/html", "text/xml", "application/json", "image/png", "text/event-stream"})
    void theTypeOfTheAnswerGainsNoCharset(String type) throws Exception {
        RawBackend backend = backend(answer(200, "x", "Content-Type: " + type));
        proxyTo(backend.url());

        assertThat(client().get("/").value("Content-Type")).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html;charset=utf-8", "text/plain; Charset=ISO-8859-15", "text/x; a=\"b;c\"; q=1"})
    void theTypeOfTheAnswerKeepsItsParameters(String type) throws Exception {
        RawBackend backend = backend(answer(200, "x", "Content-Type: " + type));
        proxyTo(backend.url());

        assertThat(client().get("/").value("Content-Type").replace(" ", ""))
                .isEqualToIgnoringCase(type.replace(" ", ""));
    }

    @Test
    void anUnchangedAnswerKeepsTheLengthThatItTells() throws Exception {
        RawBackend backend = backend(head(304, "Content-Length: 77", "ETag: x") + "\r\n");
        proxyTo(backend.url());

        RawClient client = client();

        assertThat(client.get("/").value("Content-Length")).isIn("77", null);
        assertThat(client.get("/").status()).isEqualTo(304);
    }

    @Test
    void cookiesOfSeveralClientsDoNotMix() throws Exception {
        RawBackend backend = backend(answer(200, "", "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2"));
        proxyTo(backend.url());

        assertThat(client().get("/").values("Set-Cookie")).containsExactly("a=1; Path=/", "b=2");
        client().get("/", "Cookie: c=3");

        assertThat(backend.request().values("Cookie")).isEmpty();
        assertThat(backend.request().values("Cookie")).containsExactly("c=3");
    }

    @Test
    void compressedAnswersStayCompressedAndTheRequestIsNotMadeToAskForThem() throws Exception {
        RawBackend backend = backend(answer(200, "not really gzip", "Content-Encoding: gzip"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/");

        assertThat(answer.body()).isEqualTo("not really gzip");
        assertThat(answer.value("Content-Encoding")).isEqualTo("gzip");
        assertThat(backend.request().values("Accept-Encoding")).isEmpty();
    }

    @Test
    void nothingIsAddedButHostAndForwardedFields() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        client().get("/");

        assertThat(backend.request().fields())
                .extracting(field -> field.substring(0, field.indexOf(':')))
                .containsExactlyInAnyOrder(
                        "Host",
                        "X-Forwarded-For",
                        "X-Forwarded-Proto",
                        "X-Forwarded-Host",
                        "X-Forwarded-Port",
                        "X-Real-IP");
    }

    @Test
    void fieldsOfOneHopStayBehindOnBothSides() throws Exception {
        RawBackend backend = backend(answer(
                200,
                "x",
                "Connection: X-Secret, keep-alive",
                "X-Secret: 1",
                "Keep-Alive: timeout=5",
                "Proxy-Connection: keep-alive",
                "Upgrade: h2c",
                "X-Kept: 1"));
        proxyTo(backend.url());

        RawMessage answer = client().get(
                        "/",
                        "Connection: X-Mine, TE",
                        "Connection: X-Other",
                        "X-Mine: 1",
                        "X-Other: 2",
                        "TE: trailers",
                        "Keep-Alive: timeout=5",
                        "Proxy-Authorization: Basic eDp5",
                        "Proxy-Connection: keep-alive",
                        "Proxy: evil",
                        "Trailer: X-T",
                        "X-Kept: 2");

        assertThat(answer.values("X-Secret")).isEmpty();
        assertThat(answer.values("Proxy-Connection")).isEmpty();
        assertThat(answer.values("Upgrade")).isEmpty();
        assertThat(answer.value("X-Kept")).isEqualTo("1");
        RawMessage request = backend.request();
        for (String name : new String[] {
            "Connection",
            "X-Mine",
            "X-Other",
            "Keep-Alive",
            "Proxy-Authorization",
            "Proxy-Connection",
            "Proxy",
            "Trailer",
            "Upgrade"
        }) {
            assertThat(request.values(name)).as(name).isEmpty();
        }
        // Anew, since the proxy takes trailers from the server as the client does from the proxy.
        assertThat(request.value("TE")).isEqualTo("trailers");
        assertThat(request.value("X-Kept")).isEqualTo("2");
    }

    /** RFC 9110, 7.6.2. */
    @ParameterizedTest
    @CsvSource({"OPTIONS, 3, 2", "OPTIONS, 1, 0", "OPTIONS, many, many", "GET, 3, 3", "GET, 0, 0"})
    void overHowManyProxiesARequestStillGoesIsCounted(String method, String told, String arriving) throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        assertThat(client().exchange(method, "/", "", "Max-Forwards: " + told).status())
                .isEqualTo(200);

        assertThat(backend.request().value("Max-Forwards")).isEqualTo(arriving);
    }

    @Test
    void aRequestThatIsToGoNoFurtherIsAnsweredHere() throws Exception {
        RawBackend backend = backend(answer(200, "leaked"));
        proxyTo(backend.url());

        assertThat(client().exchange("OPTIONS", "/", "", "Max-Forwards: 0").status())
                .isEqualTo(204);
        // Tomcat answers to no TRACE, whatever it says.
        assertThat(client().exchange("TRACE", "/", "", "Max-Forwards: 0").status())
                .isEqualTo(405);
        assertThat(backend.connections()).isZero();
    }

    @Test
    void fieldsWithSeveralValuesAreKeptApart() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        client().get("/", "X-Many: a", "X-Many: b, c", "X-Empty:");

        RawMessage request = backend.request();
        assertThat(request.values("X-Many")).containsExactly("a", "b, c");
        assertThat(request.value("X-Empty")).isEmpty();
    }

    @Test
    void bytesAboveAsciiInFieldsGoThrough() throws Exception {
        RawBackend backend = backend(answer(200, "", "X-Name: h\u00e9\u00fc"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/", "X-Name: d\u00e9j\u00e0");

        assertThat(answer.value("X-Name")).isEqualTo("h\u00e9\u00fc");
        assertThat(backend.request().value("X-Name")).isEqualTo("d\u00e9j\u00e0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a%20b?x=%zz",
                "/%7Euser/%41?q=%41+%2B",
                "/a?b=1&b=2&&=&c",
                "/a?",
                "/a;v=1/b;w",
                "/a/./b",
                "/a//b",
                "//host/path",
                "/a=b&c:d@e!$'()*,",
                "/?x=/../y",
                "/a?b?c=d",
                "/...",
                "/a..b/..c",
                "/a??",
                "/a%3F%3Fb%23?c",
                "/a?;&=%&%2&+%2B%20",
                "/;/x?y",
                "/a;/b;=;;?",
                "/%C3%A9?%C3=%FF",
                "/%7B%7d%5B%7C",
            })
    void pathAndQueryGoThroughByteForByte(String target) throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        assertThat(client().get(target).status()).isEqualTo(200);

        assertThat(backend.request().target()).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%2Fb?x=%zz", "/a%5Cb", "/100%25"})
    void escapedSlashesGoThroughWhereTheContainerLetsThem(String target) throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        int status = client().get(target).status();

        if (status == 200) {
            assertThat(backend.request().target()).isEqualTo(target);
        } else {
            assertThat(Container.isTomcat()).isTrue();
            assertThat(status).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '~',
            value = {
                "/%e9 /%e9",
                "/a?b[]={x}|y^z` /a?b[]={x}|y^z`",
                "/{x}|y /{x}|y",
                "/a?<b>\"c\" /a?<b>\"c\"",
                // Containers tell what the bytes mean, not how they were written.
                "/caf\u00c3\u00a9 /caf%C3%A9",
                "/a?q=\u00c3\u00a9 /a?q=%C3%A9",
                // No UTF-8: nobody can tell what was meant.
                "/a?q=\u00e9 400",
                "/\u00c3 400",
            })
    void whatIsNotEscapedGoesThroughWhereTheContainerLetsIt(String target, String arriving) throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url());

        int status = client().get(target).status();

        if (status == 200) {
            assertThat(backend.request().target()).isEqualTo(arriving);
        } else {
            assertThat(status).isEqualTo(400);
            assertThat(backend.connections()).isZero();
            assertThat(Container.isTomcat() || arriving.equals("400")).isTrue();
        }
    }

    @Test
    void theBasePathOfTheServerIsPutBeforeWithOneSlash() throws Exception {
        RawBackend backend = backend(answer(200, ""));
        proxyTo(backend.url() + "/base/?key=1");

        client().get("/x?y=2");
        client().get("/");

        assertThat(backend.request().target()).isEqualTo("/base/x?key=1&y=2");
        assertThat(backend.request().target()).isEqualTo("/base/?key=1");
    }

    @Test
    void connectionsToTheServerAreUsedAgain() throws Exception {
        RawBackend backend = backend(answer(200, "x"));
        proxyTo(backend.url());

        try (RawClient client = client()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/" + i).body()).isEqualTo("x");
            }
        }

        assertThat(backend.connections()).isEqualTo(1);
    }

    @Test
    void interimAnswersDoNotHoldTheFinalOneUp() throws Exception {
        RawBackend backend = backend(peer -> {
            while (peer.readRequest()) {
                peer.write("HTTP/1.1 102 Processing\r\n\r\n"
                        + "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"
                        + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                        + answer(200, "final"));
            }
        });
        proxyTo(backend.url());

        try (RawClient client = client()) {
            assertThat(client.get("/").body()).isEqualTo("final");
            RawMessage second = client.get("/");
            assertThat(second.body()).isEqualTo("final");
            assertThat(second.values("Link")).isEmpty();
        }
        assertThat(backend.connections()).isEqualTo(1);
    }

    @Test
    void anUpgradeIsNotPassedOn() throws Exception {
        RawBackend backend = backend(answer(200, "plain"));
        proxyTo(backend.url());

        RawMessage answer = client().get("/", "Connection: Upgrade", "Upgrade: foo/1");

        assertThat(answer.body()).isEqualTo("plain");
        assertThat(backend.request().values("Upgrade")).isEmpty();
    }

    @Test
    void anHttp10ClientIsAnswered() throws Exception {
        RawBackend backend = backend(head(200) + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        proxyTo(backend.url());

        RawClient client = client();
        client.write("GET /old HTTP/1.0\r\n\r\n");
        RawMessage answer = client.read("GET");

        assertThat(answer.body()).isEqualTo("abc");
        assertThat(answer.values("Transfer-Encoding")).isEmpty();
        assertThat(backend.request().value("Host")).isEqualTo("127.0.0.1:" + backend.port());
    }
}
