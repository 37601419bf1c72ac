/** The command line of the agent's jar: {@code check}, {@code attach} and {@code status}. */
package io.fairlead.agent.cli;
