package io.fairlead.servlet.routing;

import io.fairlead.RequestFacts;
import java.util.Enumeration;

/** What rules ask of a request beyond what hash keys do. */
public interface RouteFacts extends RequestFacts {
    /** All values of a header field, its name compared without case; empty where the field is missing. */
    Enumeration<String> headers(String name);
}
