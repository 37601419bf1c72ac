/** The agent itself, behind its isolated loader: starts, reads the file, and keeps the list of clients that it knows. */
package io.fairlead.agent;
