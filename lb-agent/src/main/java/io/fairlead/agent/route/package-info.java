/** What all clients share: the tries of a request, and addresses that keep the logical name. */
package io.fairlead.agent.route;
