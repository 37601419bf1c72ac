/** Sticky sessions: the opaque cookie that keeps a client on a server, or on a service of a weighted one. */
package io.fairlead.sticky;
