package io.fairlead.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Ranges of IP addresses, any of which may contain an address.
 *
 * <p>Immutable.
 */
public final class AddressRanges {
    /** No range: contains nothing. */
    public static final AddressRanges NONE = new AddressRanges(new ArrayList<>());

    private final AddressRange[] ranges;

    private AddressRanges(Collection<AddressRange> ranges) {
        this.ranges = ranges.toArray(new AddressRange[0]);
    }

    /** These ranges. */
    public static AddressRanges of(Collection<AddressRange> ranges) {
        return new AddressRanges(ranges);
    }

    /** Reads a list of addresses and ranges; what is none of them is a problem of the file, and is left out. */
    public static AddressRanges read(ConfigNode list) {
        List<AddressRange> ranges = new ArrayList<>();
        for (ConfigNode item : list.items()) {
            String text = item.requiredString();
            AddressRange range = text == null ? null : AddressRange.parse(text);
            if (range != null) {
                ranges.add(range);
            } else if (text != null) {
                item.problem(Quote.of(text) + " is not an IP address, nor a range such as 10.0.0.0/8");
            }
        }
        return new AddressRanges(ranges);
    }

    /** Whether there is no range. */
    public boolean isEmpty() {
        return ranges.length == 0;
    }

    /** Whether the address, as text without port, brackets and zone, lies in one of them; false for what is no address. */
    public boolean contains(String address) {
        if (ranges.length == 0) {
            return false;
        }
        byte[] bytes = IpAddress.parse(address);
        if (bytes == null) {
            return false;
        }
        for (AddressRange range : ranges) {
            if (range.contains(bytes)) {
                return true;
            }
        }
        return false;
    }
}
