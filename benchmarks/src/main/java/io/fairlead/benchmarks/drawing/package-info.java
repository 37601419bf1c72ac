/** What the plots of the documentation are drawn with. */
package io.fairlead.benchmarks.drawing;
