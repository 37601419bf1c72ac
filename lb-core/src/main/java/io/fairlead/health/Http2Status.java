package io.fairlead.health;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Reads the status from compressed fields, where it comes first (RFC 7541; RFC 9113, 8.3.2), and nothing else. */
final class Http2Status {
    /** {@code :status} with a value each, from index 8 of the static table on. */
    private static final int[] INDEXED = {200, 204, 206, 304, 400, 404, 500};

    private static final int FIRST_INDEX = 8;

    private Http2Status() {}

    /** @throws IOException there is none, or in a form that no server writes it in */
    static int of(ByteBuffer fields) throws IOException {
        try {
            int first = fields.get() & 255;
            while ((first & 0xe0) == 0x20) {
                // The size of a table that is not kept.
                integer(fields, first, 31);
                first = fields.get() & 255;
            }
            if ((first & 0x80) != 0) {
                return INDEXED[index(integer(fields, first, 127))];
            }
            index(integer(fields, first, (first & 0x40) != 0 ? 63 : 15));
            return value(fields);
        } catch (BufferUnderflowException e) {
            throw new IOException("the head of the answer is cut off", e);
        }
    }

    private static int index(int name) throws IOException {
        int index = name - FIRST_INDEX;
        if (index < 0 || index >= INDEXED.length) {
            throw new IOException("the answer does not begin with its status");
        }
        return index;
    }

    private static int integer(ByteBuffer from, int first, int mask) throws IOException {
        int value = first & mask;
        if (value < mask) {
            return value;
        }
        for (int shift = 0; shift < 21; shift += 7) {
            int next = from.get() & 255;
            value += (next & 127) << shift;
            if (next < 128) {
                return value;
            }
        }
        throw new IOException("the head of the answer has a number that is too large");
    }

    private static int value(ByteBuffer fields) throws IOException {
        int first = fields.get() & 255;
        int length = integer(fields, first, 127);
        boolean huffman = (first & 0x80) != 0;
        int status = 0;
        int digits = 0;
        int bits = 0;
        int known = 0;
        for (int i = 0; i < length; i++) {
            int next = fields.get() & 255;
            if (!huffman) {
                status = status * 10 + digit(next - '0');
                digits++;
                continue;
            }
            bits = ((bits << 8) | next) & 0xffff;
            known += 8;
            while (digits < 3 && known >= 5) {
                int five = (bits >> (known - 5)) & 31;
                int size = five < 3 ? 5 : 6;
                if (known < size) {
                    break;
                }
                // 0 to 2 have five bits, 00000 to 00010; 3 to 9 have six, 011001 to 011111 (RFC 7541, appendix B).
                int digit = size == 5 ? five : ((bits >> (known - 6)) & 63) - 0x19 + 3;
                status = status * 10 + digit(digit);
                digits++;
                known -= size;
            }
        }
        if (digits != 3 || status < 100) {
            throw new IOException("the answer's status is not of three digits");
        }
        return status;
    }

    private static int digit(int value) throws IOException {
        if (value < 0 || value > 9) {
            throw new IOException("the answer's status is not of three digits");
        }
        return value;
    }
}
