/** Which server next, may this request be sent again, is the budget spent: the same for all adapters. */
package io.fairlead.retry;
