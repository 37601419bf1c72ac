package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import org.jspecify.annotations.Nullable;

/** One part of a hash key: a literal or a variable. Immutable. */
abstract class KeyPart {
    /** The state with this part added to it; the state as it was where the part is empty. */
    abstract long append(RequestFacts request, HashFunction function, long state);

    boolean isLiteral() {
        return false;
    }

    static long add(@Nullable String value, HashFunction function, long state) {
        return value == null || value.isEmpty() ? state : function.add(value, 0, value.length(), state);
    }

    /** The state with the client's address added, be it empty. */
    static long address(RequestFacts request, HashFunction function, long state) {
        String address = request.remoteAddress();
        return function.add(address, 0, address.length(), state);
    }

    static final class Literal extends KeyPart {
        private final String text;

        Literal(String text) {
            this.text = text;
        }

        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(text, function, state);
        }

        @Override
        boolean isLiteral() {
            return true;
        }
    }

    static final class RemoteAddress extends KeyPart {
        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.remoteAddress(), function, state);
        }
    }

    static final class Host extends KeyPart {
        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.host(), function, state);
        }
    }

    static final class Path extends KeyPart {
        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.path(), function, state);
        }
    }

    static final class PathAndQuery extends KeyPart {
        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.query(), function, add(request.path(), function, state));
        }
    }

    static final class Method extends KeyPart {
        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.method(), function, state);
        }
    }

    static final class Query extends KeyPart {
        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.query(), function, state);
        }
    }

    /** A parameter of the query, found where it stands rather than cut out. */
    static final class Parameter extends KeyPart {
        private final String name;

        Parameter(String name) {
            this.name = name;
        }

        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            String query = request.query();
            if (query == null) {
                return state;
            }
            int start = 0;
            while (start <= query.length()) {
                int end = query.indexOf('&', start);
                if (end < 0) {
                    end = query.length();
                }
                int value = start + name.length() + 1;
                if (value <= end
                        && query.charAt(value - 1) == '='
                        && query.regionMatches(true, start, name, 0, name.length())) {
                    return value == end ? state : function.add(query, value, end, state);
                }
                start = end + 1;
            }
            return state;
        }
    }

    static final class Header extends KeyPart {
        private final String name;

        Header(String name) {
            this.name = name;
        }

        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.header(name), function, state);
        }
    }

    static final class Cookie extends KeyPart {
        private final String name;

        Cookie(String name) {
            this.name = name;
        }

        @Override
        long append(RequestFacts request, HashFunction function, long state) {
            return add(request.cookie(name), function, state);
        }
    }
}
