package io.fairlead.agent.jmx;

import java.util.List;

/**
 * The state of one service, as it is when an attribute is read.
 *
 * <p>Safe for use from any thread. The names of the attributes are those of the gateway's {@code /api/services}.
 */
public interface ServiceMXBean {
    /** The service's name, as the file spells it. */
    String getName();

    /** Of the calls that are counted here: {@code http} or {@code https}. */
    String getScheme();

    /** The strategy's name; {@code failover}, {@code weighted} or {@code mirroring} for services made of services. */
    String getStrategy();

    /** Whether a server could be picked. */
    boolean isUp();

    /** Requests under way to all of its servers. */
    int getInFlight();

    /** Requests that wait for one of its servers, since limits keep them out. */
    int getWaiting();

    /** How many requests its servers were picked for, those that have left the list not counted. */
    long getPicks();

    /** How many requests counted against its servers, those that have left the list not counted. */
    long getFailures();

    /** Its servers, in the order of the list. */
    List<ServerState> getServers();
}
