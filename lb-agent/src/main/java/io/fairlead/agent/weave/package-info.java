/** Weaves advice into classes, named one by one, whose shape has been checked. */
package io.fairlead.agent.weave;
