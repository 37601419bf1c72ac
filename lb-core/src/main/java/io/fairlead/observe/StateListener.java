package io.fairlead.observe;

/**
 * Hears of changes of state: of a service and its servers, each change once, in the order in which they came about.
 *
 * <p>It is called by the thread that brought the change about, be it a request's or a timer's, and holds no lock then, so
 * it may call the load balancer; it must not block. Changes of one service are told one after the other, those of several
 * services at the same time. What it throws is logged once and harms nobody.
 */
@FunctionalInterface
public interface StateListener {
    /** A state is another than before. */
    void changed(StateChange change);
}
