package io.fairlead.agent;

import io.fairlead.config.ConfigFile;

/** Services for tests of other packages. */
public final class TestServices {
    private TestServices() {}

    /** The service {@code orders} with these servers. */
    public static Service orders(String... urls) {
        return ordersWith("", urls);
    }

    /**
     * The service {@code orders} with these servers.
     *
     * @param more further keys of its {@code loadBalancer}, each with a comma behind it
     */
    public static Service ordersWith(String more, String... urls) {
        StringBuilder servers = new StringBuilder();
        for (String url : urls) {
            servers.append(servers.length() == 0 ? "" : ", ")
                    .append("{url: '")
                    .append(url)
                    .append("'}");
        }
        String file = "http: {services: {orders: {loadBalancer: {" + more + "servers: [" + servers + "]}}}}";
        Services services = Services.of(ConfigFile.parse("lb.yaml", file), "http");
        services.build();
        return services.get("orders");
    }
}
