/**
 * The algorithms that decide which server a request goes to, one a file, and the interfaces by which a user can add an
 * own one.
 */
package io.fairlead.strategy;
