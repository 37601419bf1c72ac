/**
 * What code of the JDK may see of the agent: the classes of this package are put into the bootstrap loader, and the code
 * that is woven into clients calls nothing else. They know no class but the JDK's and theirs.
 */
package io.fairlead.agent.bootstrap;
