package io.fairlead.servlet.middleware;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of an answer on its way to the client: status and fields, without those that belong to a connection or to the
 * framing (RFC 9110, 7.6.1), which the container makes anew.
 *
 * <p>Belongs to one answer. To be used in {@link AnswerHook#head}; beyond that only a {@link BodyTransform} that was added
 * there may set fields, until it has handed on its first byte.
 */
public interface AnswerHead {
    /** The method of the request. */
    String method();

    /** Whether the answer is the proxy's own: it could not get one of a server, or a middleware answered. */
    boolean isOwn();

    /** The status. */
    int status();

    /**
     * Sets the status.
     *
     * @param status from 200 to 599
     * @throws IllegalArgumentException it is none of these; or it is 204 or 304, which have no body, and this answer may
     *     have one
     */
    void setStatus(int status);

    /** The first value of a field, its name compared without case; null where it is missing. */
    @Nullable
    String field(String name);

    /** All values of a field, in order. */
    List<String> fields(String name);

    /** The names of the fields, as they are spelt, each as often as it stands there. */
    List<String> fieldNames();

    /**
     * Puts a field in the place of those of that name.
     *
     * @throws IllegalArgumentException the name is no token, or belongs to the connection or to the framing; or the value
     *     holds a control character
     */
    void setField(String name, String value);

    /** As {@link #setField}, beside those of that name. */
    void addField(String name, String value);

    /** Takes the fields of that name out. */
    void removeField(String name);

    /** The length of the body as it is announced; -1 where it is not known, which it is not once it is changed. */
    long length();

    /**
     * Whether the answer has no body by its method or status: an answer to HEAD, 204, 205, 304. What is said in a head of the
     * body is to be the same for HEAD as for GET.
     */
    boolean isBodiless();

    /**
     * Changes the body. Those that are added later get what the earlier ones hand on. The length is not announced any more,
     * and a strong {@code ETag} becomes a weak one, since the bytes are others; {@code Accept-Ranges}, {@code
     * Content-MD5}, {@code Digest}, {@code Repr-Digest} and {@code Content-Digest} are taken out.
     */
    void transformBody(BodyTransform transform);

    /**
     * As {@link #transformBody}, with the body's content decoded: where it is gzip, it is unpacked before and packed again
     * after.
     *
     * @return false, and nothing is done, when the content has another coding, or is a part of one (206)
     */
    boolean transformDecodedBody(BodyTransform transform);

    /** Holds back as much of the body before anything is sent, so that another answer can still be given instead. */
    void transformHeldBack(BodyTransform transform);

    /**
     * Puts another answer in the place of this one, of which nothing is sent. The hooks before this one see the other one;
     * this head is not to be changed any more.
     */
    void replace(OwnAnswer other);

    /**
     * Puts the answer of another service to a GET without a body in the place of this one: the body and the fields of that
     * one with this status, or the proxy's own answer with this status where that service gives none.
     *
     * @param service the name of the service
     * @param path the path, which begins with a slash
     * @param query without the question mark; null: none
     * @throws IllegalArgumentException path or query are none, as in {@link RoutedRequest#setPath}
     * @throws IllegalStateException an answer of this status has no body
     */
    void replaceBy(String service, String path, @Nullable String query);
}
