/** The access log: one line a request, written by a thread of its own. */
package io.fairlead.servlet.log;
