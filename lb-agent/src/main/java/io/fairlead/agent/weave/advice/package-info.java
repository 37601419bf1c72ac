/** Code that is woven into the methods of clients and hands over to their hooks. */
package io.fairlead.agent.weave.advice;
