/**
 * What decides whether a server can be used: active checks, ejection for failures, backoff after failed connections.
 * The only package that changes eligibility.
 */
package io.fairlead.health;
