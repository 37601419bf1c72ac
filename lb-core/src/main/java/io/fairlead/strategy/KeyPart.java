package io.fairlead.strategy;

import io.fairlead.RequestFacts;
import org.jspecify.annotations.Nullable;

/** One part of a hash key: a literal or a variable. Immutable. */
abstract class KeyPart {
    /** The hash with this part added to it; the hash as it was where the part is empty. */
    abstract long append(RequestFacts request, long hash);

    boolean isLiteral() {
        return false;
    }

    static long add(@Nullable String value, long hash) {
        return value == null || value.isEmpty() ? hash : XxHash64.hash(value, hash);
    }

    static final class Literal extends KeyPart {
        private final String text;

        Literal(String text) {
            this.text = text;
        }

        @Override
        long append(RequestFacts request, long hash) {
            return add(text, hash);
        }

        @Override
        boolean isLiteral() {
            return true;
        }
    }

    static final class RemoteAddress extends KeyPart {
        @Override
        long append(RequestFacts request, long hash) {
            return add(request.remoteAddress(), hash);
        }
    }

    static final class Host extends KeyPart {
        @Override
        long append(RequestFacts request, long hash) {
            return add(request.host(), hash);
        }
    }

    static final class Path extends KeyPart {
        @Override
        long append(RequestFacts request, long hash) {
            return add(request.path(), hash);
        }
    }

    static final class PathAndQuery extends KeyPart {
        @Override
        long append(RequestFacts request, long hash) {
            return add(request.query(), add(request.path(), hash));
        }
    }

    static final class Method extends KeyPart {
        @Override
        long append(RequestFacts request, long hash) {
            return add(request.method(), hash);
        }
    }

    static final class Query extends KeyPart {
        @Override
        long append(RequestFacts request, long hash) {
            return add(request.query(), hash);
        }
    }

    /** A parameter of the query, found where it stands rather than cut out. */
    static final class Parameter extends KeyPart {
        private final String name;

        Parameter(String name) {
            this.name = name;
        }

        @Override
        long append(RequestFacts request, long hash) {
            String query = request.query();
            if (query == null) {
                return hash;
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
                    return value == end ? hash : XxHash64.hash(query, value, end, hash);
                }
                start = end + 1;
            }
            return hash;
        }
    }

    static final class Header extends KeyPart {
        private final String name;

        Header(String name) {
            this.name = name;
        }

        @Override
        long append(RequestFacts request, long hash) {
            return add(request.header(name), hash);
        }
    }

    static final class Cookie extends KeyPart {
        private final String name;

        Cookie(String name) {
            this.name = name;
        }

        @Override
        long append(RequestFacts request, long hash) {
            return add(request.cookie(name), hash);
        }
    }
}
