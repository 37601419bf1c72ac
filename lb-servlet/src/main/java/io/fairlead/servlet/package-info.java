/** The door for servlet containers: a filter that sends requests on to the servers of a service. */
package io.fairlead.servlet;
