/** How many requests may be under way: limits that are given, limits that are learnt, and who waits for a place. */
package io.fairlead.limit;
