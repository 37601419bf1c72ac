/**
 * The code that is woven in, a class for each hook. It is copied into classes of the JDK and must call nothing but them
 * and the bootstrap package.
 */
package io.fairlead.agent.urlconnection.advice;
