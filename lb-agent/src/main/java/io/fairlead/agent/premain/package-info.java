/**
 * What the application's class loader can see of the agent: the class that the JVM calls, and the loader behind which
 * everything else stands.
 */
package io.fairlead.agent.premain;
