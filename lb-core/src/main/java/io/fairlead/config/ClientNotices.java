package io.fairlead.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * What of a file has no effect where an application's own HTTP client carries the requests, and not the proxy: how servers
 * are spoken to is that client's affair. In no other way are such files wrong.
 */
public final class ClientNotices {
    /** Of a transport; its time limits hold for clients, too. */
    private static final List<String> OF_THE_PROXY = Collections.unmodifiableList(Arrays.asList(
            "serverName", "insecureSkipVerify", "rootCAs", "certificates", "maxIdleConnsPerHost", "disableHTTP2"));

    private ClientNotices() {}

    /**
     * One for each key of a transport that the client does not know of, and one for each server of {@code h2c://}; in the
     * order of the lines.
     *
     * @param who what carries the requests, as in "has no effect WHO"
     * @param ofH2c what is to be said of a server that speaks HTTP/2 without TLS
     */
    public static List<ConfigProblem> of(ConfigFile file, String who, String ofH2c) {
        List<ConfigProblem> notices = new ArrayList<>();
        for (ConfigNode transport : file.http().get("serversTransports").entries()) {
            for (ConfigNode key : transport.entries()) {
                if (OF_THE_PROXY.stream().anyMatch(key.key()::equalsIgnoreCase)) {
                    notices.add(notice(file, key, "has no effect " + who + ", where the client's own settings hold"));
                }
            }
        }
        for (ConfigNode service : file.http().get("services").entries()) {
            for (ConfigNode server : service.get("loadBalancer").get("servers").items()) {
                ConfigNode url = server.get("url");
                if (url.string("").regionMatches(true, 0, "h2c://", 0, 6)) {
                    notices.add(notice(file, url, ofH2c));
                }
            }
        }
        notices.sort(Comparator.comparingInt(ConfigProblem::line));
        return notices;
    }

    private static ConfigProblem notice(ConfigFile file, ConfigNode node, String message) {
        return new ConfigProblem(file.name(), node.line(), node.path(), message);
    }
}
