package io.fairlead.agent.okhttp;

import io.fairlead.agent.route.Exchange;
import okhttp3.Address;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/** What is known of a call's current hop. Belongs to the call's thread, but for {@link #exchange}. */
final class Hop {
    /** The hop before, where this one is a redirect's: its connection may lead elsewhere. */
    @Nullable
    Address before;
    /** Null: the hop is not ours. */
    volatile @Nullable Exchange exchange;

    @Nullable
    Address address;

    @Nullable
    Request request;
    /** The exchange has another server now, for which a new address is to be made. */
    boolean moved;
    /** The request has been handed over to be written. */
    boolean sent;
    /** The application has given the call up. */
    volatile boolean cancelled;
    /** How many hops there have been. */
    int count;
}
