/** The configuration file: read whole, with the file, line and key of everything that is wrong in it. */
package io.fairlead.config;
