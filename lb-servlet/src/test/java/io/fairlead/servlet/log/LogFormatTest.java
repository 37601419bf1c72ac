package io.fairlead.servlet.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigFile;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFormatTest {
    /** The line of the Apache manual's example of the combined format. */
    private static final AccessEntry APACHE = entry(
            "frank",
            "/apache_pb.gif",
            Map.of("Referer", "http://www.example.com/start.html", "User-Agent", "Mozilla/4.08 [en] (Win98; I ;Nav)"));

    @Test
    void aCombinedLineBeginsAsApachesDoes() {
        assertThat(line("combined", APACHE))
                .matches(
                        "127\\.0\\.0\\.1 - frank \\[10/Oct/2000:[0-9:]{8} [+-][0-9]{4}] \"GET /apache_pb.gif HTTP/1.0\" 200"
                                + " 2326 \"http://www.example.com/start.html\" \"Mozilla/4.08 \\[en] \\(Win98; I ;Nav\\)\""
                                + " \"r\" \"orders\" \"http://10.0.0.1:8080\" 2 0.412 3.005 4.000 complete\n");
    }

    @Test
    void aCommonLineEndsAsTraefiksDoes() {
        assertThat(line("common", APACHE)).endsWith(" 7 \"r\" \"http://10.0.0.1:8080\" 4ms\n");
    }

    @Test
    void jsonHasTraefiksNamesAndNanoseconds() {
        assertThat(line("json", APACHE))
                .isEqualTo(
                        "{\"StartUTC\":\"2000-10-10T20:55:36Z\",\"ClientHost\":\"127.0.0.1\",\"ClientUsername\":\"frank\","
                                + "\"RequestMethod\":\"GET\",\"RequestScheme\":\"http\",\"RequestHost\":\"shop\","
                                + "\"RequestPath\":\"/apache_pb.gif\",\"RequestProtocol\":\"HTTP/1.0\",\"RequestContentSize\":0,"
                                + "\"RouterName\":\"r\",\"ServiceName\":\"orders\",\"ServiceURL\":\"http://10.0.0.1:8080\","
                                + "\"OriginStatus\":200,\"DownstreamStatus\":200,\"DownstreamContentSize\":2326,\"RequestCount\":7,"
                                + "\"RetryAttempts\":1,\"Tries\":2,\"ConnectDuration\":412000,\"OriginDuration\":3005000,"
                                + "\"Duration\":4000000,\"End\":\"complete\","
                                + "\"request_Referer\":\"http://www.example.com/start.html\","
                                + "\"request_User-Agent\":\"Mozilla/4.08 [en] (Win98; I ;Nav)\"}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"combined", "common", "json"})
    void nothingThatAClientSendsBeginsALineOrEndsAQuotedPart(String format) {
        String evil = "a\r\nb\" 200 \\ \u001b[31m \u0085 \u2028 \u007f\u0000";

        String line = line(format, entry(evil, evil, Map.of("Referer", evil, "User-Agent", evil)));

        assertThat(line).endsWith("\n");
        assertThat(line.substring(0, line.length() - 1).chars())
                .noneMatch(c -> c < ' ' || c == 0x7F || c == 0x85 || c == 0x2028);
        assertThat(line).doesNotContain("b\" 200");
    }

    @Test
    void fieldsCanBeLeftOutOrRedacted() {
        AccessLogSpec spec = spec("""
                {format: json, fields: {defaultMode: drop, names: {ClientHost: redact, DownstreamStatus: keep}}}
                """);

        assertThat(written(spec, entry(null, "/", Map.of())))
                .isEqualTo("{\"ClientHost\":\"REDACTED\",\"DownstreamStatus\":200}\n");
    }

    @Test
    void secretsAreWrittenOnlyWhereTheyAreNamed() {
        AccessLogSpec all = spec("{format: json, fields: {headers: {defaultMode: keep}}}");
        AccessLogSpec named = spec("{format: json, fields: {headers: {names: {authorization: keep, cookie: redact}}}}");

        assertThat(all.shown("X-Other", "v")).isEqualTo("v");
        assertThat(all.shown("Authorization", "v")).isNull();
        assertThat(all.shown("Cookie", "v")).isNull();
        assertThat(named.shown("Authorization", "v")).isEqualTo("v");
        assertThat(named.shown("Cookie", "v")).isEqualTo("REDACTED");
        assertThat(named.shown("X-Other", "v")).isNull();
    }

    @Test
    void oneFilterThatMatchesIsEnough() {
        AccessEntry entry = entry(null, "/", Map.of());

        assertThat(spec("{}").filters().lets(entry)).isTrue();
        assertThat(spec("{filters: {statusCodes: [\"404\", \"500-599\"]}}")
                        .filters()
                        .lets(entry))
                .isFalse();
        assertThat(spec("{filters: {statusCodes: [\"100-200\"]}}").filters().lets(entry))
                .isTrue();
        assertThat(spec("{filters: {statusCodes: [\"404\"], retryAttempts: true}}")
                        .filters()
                        .lets(entry))
                .isTrue();
        assertThat(spec("{filters: {minDuration: 5ms}}").filters().lets(entry)).isFalse();
        assertThat(spec("{filters: {minDuration: 4ms}}").filters().lets(entry)).isTrue();
    }

    @Test
    void whatIsWrongIsSaidWithItsPlace() {
        ConfigFile file = file("""
                {format: xml, filters: {statusCodes: ["200", "2xx", "300-200"]},
                      fields: {names: {ClientHots: keep}, headers: {defaultMode: hide}}}
                """);
        AccessLogSpec.read(file.http().get("accessLog"));

        assertThat(file.problems().list().toString())
                .contains("http.accessLog.format: must be common, combined or json, not 'xml'")
                .contains("must be a status or a range of them, as 200 or 500-599, not '2xx'")
                .contains("not '300-200'")
                .contains("ClientHost")
                .contains("http.accessLog.fields.headers.defaultMode: must be keep, drop or redact, not 'hide'");
    }

    static AccessLogSpec spec(String yaml) {
        ConfigFile file = file(yaml);
        AccessLogSpec spec = AccessLogSpec.read(file.http().get("accessLog"));
        assertThat(file.problems().list()).isEmpty();
        return spec;
    }

    private static ConfigFile file(String yaml) {
        return ConfigFile.parse(
                "lb.yaml",
                "http:\n  services: {orders: {loadBalancer: {servers: [{url: \"http://127.0.0.1:1\"}]}}}\n  accessLog: "
                        + yaml);
    }

    private static String line(String format, AccessEntry entry) {
        return written(spec("{format: " + format + "}"), entry);
    }

    private static String written(AccessLogSpec spec, AccessEntry entry) {
        StringBuilder line = new StringBuilder();
        spec.lines().append(line, entry, 7);
        return line.toString();
    }

    static AccessEntry entry(String user, String target, Map<String, String> fields) {
        return new AccessEntry(
                Instant.parse("2000-10-10T20:55:36Z"),
                "127.0.0.1",
                user,
                "GET",
                "shop",
                target,
                "HTTP/1.0",
                "http",
                "r",
                "orders",
                "http://10.0.0.1:8080",
                2,
                200,
                200,
                0,
                2326,
                412_000,
                3_005_000,
                4_000_000,
                AccessEntry.End.COMPLETE,
                new TreeMap<>(fields));
    }
}
