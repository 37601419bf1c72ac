/** The command line of the agent's jar: {@code check} and {@code attach}. */
package io.fairlead.agent.cli;
