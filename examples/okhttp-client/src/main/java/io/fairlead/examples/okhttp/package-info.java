/** An OkHttp client that calls a service by its name. */
package io.fairlead.examples.okhttp;
