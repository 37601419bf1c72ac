package io.fairlead.sticky;

import io.fairlead.Pick;
import io.fairlead.RequestFacts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which of a service's places (servers, or services of a weighted one) a client's cookie means, and which cookie means a
 * place.
 *
 * <p>A value is 24 bytes of HMAC-SHA256 over the service's name and the place's id, in base64url: it tells nothing of the
 * id, the same place has the same value in every proxy with the same secret, and nobody without it can make one. Its
 * first 8 bytes find the place, and the other 16 are compared in constant time.
 *
 * <p>Immutable. The table of values is made when the first cookie is read or set.
 */
public final class Affinity {
    private static final int HANDLE_BYTES = 8;
    private static final int VALUE_BYTES = 24;
    private static final int VALUE_CHARS = 32;
    /** So many cookies of the name are looked at; nobody has more than a few. */
    private static final int MOST_COOKIES = 8;

    private final StickyCookie cookie;
    private final StickyKey key;
    private final String service;
    private final String name;
    private final List<String> ids;
    private volatile @Nullable Table table;

    private Affinity(
            StickyCookie cookie, StickyKey key, String service, String name, List<String> ids, @Nullable Table table) {
        this.cookie = cookie;
        this.key = key;
        this.service = service;
        this.name = name;
        this.ids = ids;
        this.table = table;
    }

    /**
     * The affinity of a service without places.
     *
     * @param ifNoSecret the key where the cookie names no secret
     */
    public static Affinity of(StickyCookie cookie, StickyKey ifNoSecret, String service) {
        String secret = cookie.secret();
        String own = cookie.name();
        return new Affinity(
                cookie,
                secret == null ? ifNoSecret : StickyKey.of(secret),
                service.toLowerCase(Locale.ROOT),
                own == null ? nameOf(service) : own,
                new ArrayList<>(),
                null);
    }

    /** The same for these places. */
    public Affinity with(Collection<String> places) {
        Table known = table;
        List<String> newIds = new ArrayList<>(places);
        return new Affinity(
                cookie,
                key,
                service,
                name,
                newIds,
                known == null ? null : new Table(newIds, known.valueById, this::value));
    }

    /** Whether the same cookie of this one and of the other means the same place. */
    public boolean isLike(Affinity other) {
        return cookie.equals(other.cookie)
                && service.equals(other.service)
                && name.equals(other.name)
                && (cookie.secret() != null || key == other.key);
    }

    /** The cookie's name. */
    public String cookieName() {
        return name;
    }

    /**
     * The id of the place that the request's cookie means, of several the first that was made here; null where there is
     * none.
     */
    public @Nullable String idIn(RequestFacts request) {
        return find(request, id -> id);
    }

    /**
     * What can be had of the first of the request's cookies that was made here and means a place of which anything can be
     * had; null where there is none. Of the cookies of that name a few are looked at: a client may have one of another
     * path, domain or secret beside the one that counts, and sends them in an order of its own.
     *
     * @param use called with the id of a place; null: this one cannot be used, and the next cookie counts
     */
    public <T> @Nullable T find(RequestFacts request, Function<String, @Nullable T> use) {
        for (int i = 0; i < MOST_COOKIES; i++) {
            String text = request.affinity(name, i);
            if (text == null) {
                return null;
            }
            String id = idOf(text);
            T found = id == null ? null : use.apply(id);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The place that a value means; null: it was not made here. */
    private @Nullable String idOf(String text) {
        if (text.length() != VALUE_CHARS) {
            return null;
        }
        byte[] value;
        try {
            value = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            // Forged, or another application's.
            return null;
        }
        Table known = table();
        String id = known.idByHandle.get(handle(value));
        byte[] expected = id == null ? null : known.valueById.get(id);
        return expected != null && MessageDigest.isEqual(expected, value) ? id : null;
    }

    /**
     * The pick of a place, so that the client is kept on it: with a cookie to be set where it has not that of the place, or
     * another before it, whose place may be used again at any time.
     *
     * @param id the place
     */
    public Pick stick(Pick pick, String id, RequestFacts request) {
        if (id.equals(idIn(request))) {
            return new StickyPick(pick, true, null, id);
        }
        boolean kept = find(request, one -> one.equals(id) ? one : null) != null;
        return new StickyPick(pick, kept, this, id);
    }

    /** The field {@code Set-Cookie} that keeps a client on a place. */
    String setCookie(String id) {
        byte[] known = table().valueById.get(id);
        byte[] value = known == null ? value(id) : known;
        return name + "=" + Base64.getUrlEncoder().withoutPadding().encodeToString(value) + cookie.attributes();
    }

    private Table table() {
        Table known = table;
        if (known == null) {
            known = new Table(ids, new HashMap<>(), this::value);
            table = known;
        }
        return known;
    }

    private byte[] value(String id) {
        return Arrays.copyOf(key.mac("fairlead sticky\0" + service + "\0" + id), VALUE_BYTES);
    }

    private static Long handle(byte[] value) {
        return ByteBuffer.wrap(value, 0, HANDLE_BYTES).getLong();
    }

    /** So that two services of one host do not share a cookie; the name itself is nobody's business. */
    private static String nameOf(String service) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(service.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
            return String.format("_lb_%08x", ByteBuffer.wrap(hash).getInt());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static final class Table {
        final Map<String, byte[]> valueById = new HashMap<>();
        final Map<Long, String> idByHandle = new HashMap<>();

        Table(List<String> places, Map<String, byte[]> before, Function<String, byte[]> values) {
            for (String id : places) {
                byte[] known = before.get(id);
                byte[] value = known == null ? values.apply(id) : known;
                valueById.put(id, value);
                idByHandle.put(handle(value), id);
            }
        }
    }
}
