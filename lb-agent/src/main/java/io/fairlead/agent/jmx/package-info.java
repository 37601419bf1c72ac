/**
 * Shows the services by JMX. Nothing of JMX is loaded before the application, or a tool that watches it, asks the JVM for
 * its MBean server; the answer is waited for, and the services are registered in it.
 */
package io.fairlead.agent.jmx;
