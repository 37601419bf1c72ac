package io.fairlead.agent;

import io.fairlead.config.ConfigFile;

/** Services for tests of other packages. */
public final class TestServices {
    private TestServices() {}

    /** The service {@code orders} with these servers. */
    public static Service orders(String... urls) {
        return retrying("{}", urls);
    }

    /** The service {@code orders} with these servers and these rules of retrying. */
    public static Service retrying(String retry, String... urls) {
        StringBuilder servers = new StringBuilder();
        for (String url : urls) {
            servers.append(servers.length() == 0 ? "" : ", ")
                    .append("{url: '")
                    .append(url)
                    .append("'}");
        }
        String file = "http: {services: {orders: {loadBalancer: {servers: [" + servers + "], retry: " + retry + "}}}}";
        return Services.of(ConfigFile.parse("lb.yaml", file), "http").get("orders");
    }
}
