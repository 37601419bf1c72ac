package io.fairlead.servlet;

import io.fairlead.servlet.middleware.AnswerHead;
import io.fairlead.servlet.middleware.BodyTransform;
import io.fairlead.servlet.middleware.FieldRules;
import io.fairlead.servlet.middleware.Gzip;
import io.fairlead.servlet.middleware.OwnAnswer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The head of an answer that hooks are shown: a server's, or with its body one of the proxy's own. */
final class Head implements AnswerHead {
    private static final Logger log = LoggerFactory.getLogger(ProxyFilter.class);

    private static final int GZIP_LEVEL = 6;
    private static final List<String> OF_THE_BYTES =
            List.of("Accept-Ranges", "Content-MD5", "Digest", "Repr-Digest", "Content-Digest");

    /** What a 401, 405, 407, 429 or 503 is not complete without. */
    private static final List<String> OF_THE_STATUS =
            List.of("WWW-Authenticate", "Proxy-Authenticate", "Allow", "Retry-After");

    /** Another service's answer that is to be given instead. */
    record Page(String service, String path, @Nullable String query) {}

    private final String method;
    /** Of an answer of the proxy's own; else null. */
    private final byte @Nullable [] body;

    private final int ownStatus;
    private final List<OwnAnswer.Field> fields = new ArrayList<>();
    private int status;
    private long length;
    private List<BodyTransform> transforms = List.of();
    private boolean decodes;
    private boolean heldBack;
    private @Nullable OwnAnswer replacement;
    private @Nullable Page page;
    private @Nullable HttpServletResponse copiedTo;

    private Head(String method, int status, byte @Nullable [] body, long length) {
        this.method = method;
        this.status = status;
        this.ownStatus = status;
        this.body = body;
        this.length = length;
    }

    /**
     * Of a server's answer.
     *
     * @param status what the client is told, which need not be what the server said
     * @param via our name in {@code Via}; null: the field is not added to
     * @param rewriting translates what the fields say of the server; null: nothing is translated
     * @param cookies cookies of the proxy's own
     */
    static Head of(
            Response response,
            String method,
            int status,
            @Nullable String via,
            @Nullable Rewriting rewriting,
            Iterable<String> cookies) {
        Head head = new Head(method, status, null, ResponseHead.length(response));
        ResponseHead.forEach(
                response, via, rewriting, (name, known, value) -> head.fields.add(new OwnAnswer.Field(name, value)));
        cookies.forEach(cookie -> head.fields.add(new OwnAnswer.Field("Set-Cookie", cookie)));
        return head;
    }

    /** Of an answer of the proxy's own. */
    static Head of(OwnAnswer own, String method, @Nullable String service) {
        byte[] body = own.body(service);
        Head head = new Head(method, own.status(), body, body.length);
        String type = own.contentType();
        if (type != null) {
            head.fields.add(new OwnAnswer.Field("Content-Type", type));
        }
        head.fields.addAll(own.fields());
        if (own.status() >= 400 && head.field("Cache-Control") == null) {
            head.fields.add(new OwnAnswer.Field("Cache-Control", "no-store"));
        }
        return head;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public boolean isOwn() {
        return body != null;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void setStatus(int status) {
        boolean never = ResponseHead.isBodiless("GET", status);
        if (status < 200 || status > 599 || (never && !isBodiless())) {
            throw new IllegalArgumentException("an answer with a body cannot have the status " + status);
        }
        this.status = status;
        length = ResponseHead.length(status, length);
    }

    @Override
    public @Nullable String field(String name) {
        for (OwnAnswer.Field field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                return field.value();
            }
        }
        return null;
    }

    @Override
    public List<String> fields(String name) {
        List<String> values = new ArrayList<>();
        for (OwnAnswer.Field field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                values.add(field.value());
            }
        }
        return values;
    }

    @Override
    public List<String> fieldNames() {
        return fields.stream().map(OwnAnswer.Field::name).toList();
    }

    @Override
    public void setField(String name, String value) {
        OwnAnswer.Field field = new OwnAnswer.Field(FieldRules.name(name), FieldRules.value(name, value));
        removeField(name);
        fields.add(field);
        HttpServletResponse response = copiedTo;
        if (response != null) {
            response.setHeader(name, value);
        }
    }

    @Override
    public void addField(String name, String value) {
        fields.add(new OwnAnswer.Field(FieldRules.name(name), FieldRules.value(name, value)));
        HttpServletResponse response = copiedTo;
        if (response != null) {
            response.addHeader(name, value);
        }
    }

    @Override
    public void removeField(String name) {
        fields.removeIf(field -> field.name().equalsIgnoreCase(name));
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean isBodiless() {
        return ResponseHead.isBodiless(method, status);
    }

    @Override
    public void transformBody(BodyTransform transform) {
        if (transforms.isEmpty()) {
            transforms = new ArrayList<>();
        }
        transforms.add(transform);
        length = -1;
        OF_THE_BYTES.forEach(this::removeField);
        weakenTag();
    }

    /** Only where the bytes are others than the server's for certain. */
    private void weakenTag() {
        String tag = field("ETag");
        if (tag != null && !tag.startsWith("W/")) {
            setField("ETag", "W/" + tag);
        }
    }

    @Override
    public boolean transformDecodedBody(BodyTransform transform) {
        if (status == 206 || field("Content-Range") != null) {
            // A part of something can neither be unpacked nor changed as the whole would be.
            return false;
        }
        List<String> codings = fields("Content-Encoding");
        if (codings.isEmpty() || codings.equals(List.of("identity"))) {
            transformBody(transform);
            return true;
        }
        boolean gzip = codings.size() == 1
                && (codings.get(0).equalsIgnoreCase("gzip") || codings.get(0).equalsIgnoreCase("x-gzip"));
        if (!gzip) {
            return false;
        }
        decodes = true;
        transformBody(Gzip.decoder());
        transformBody(transform);
        transformBody(Gzip.encoder(GZIP_LEVEL));
        return true;
    }

    @Override
    public void transformHeldBack(BodyTransform transform) {
        heldBack = true;
        if (transforms.isEmpty()) {
            transforms = new ArrayList<>();
        }
        transforms.add(transform);
    }

    @Override
    public void replace(OwnAnswer other) {
        replacement = other;
    }

    @Override
    public void replaceBy(String service, String path, @Nullable String query) {
        UpstreamTarget.check(path, query);
        if (ResponseHead.isBodiless("GET", status)) {
            throw new IllegalStateException("an answer of " + status + " has no body that a page could stand in for");
        }
        page = new Page(service, path, query);
    }

    // For who sends it.

    /** Takes over what an answer says that this one stands in the place of, and what the client cannot go on without. */
    void carryOver(Head replaced) {
        if (replaced.status != replaced.ownStatus) {
            // It belongs to the status that the client is not to see.
            return;
        }
        for (String name : OF_THE_STATUS) {
            List<String> values = replaced.fields(name);
            if (!values.isEmpty()) {
                removeField(name);
                values.forEach(value -> fields.add(new OwnAnswer.Field(name, value)));
            }
        }
    }

    /** The same without the wish for another service's answer; a server's becomes one of the proxy's own. */
    Head withoutPage(String forMethod, String service) {
        if (body == null || status != ownStatus) {
            // What a server says may be no status of an answer that has a body.
            int told = status >= 200 && status <= 599 ? status : HttpStatus.BAD_GATEWAY_502;
            Head own = of(OwnAnswer.of(told, HttpStatus.getMessage(told)), forMethod, service);
            own.carryOver(this);
            return own;
        }
        Head plain = new Head(forMethod, status, body, length);
        plain.fields.addAll(fields);
        plain.transforms = transforms;
        return plain;
    }

    /** Has the container end the client's connection after this answer, which is one over HTTP/1. */
    void closeAfterwards() {
        fields.add(new OwnAnswer.Field("Connection", "close"));
    }

    @Nullable
    OwnAnswer replacement() {
        return replacement;
    }

    @Nullable
    Page page() {
        return page;
    }

    /** In order. */
    List<BodyTransform> transforms() {
        return transforms;
    }

    /** Whether a small piece of the body may become a very large one. */
    boolean decodes() {
        return decodes;
    }

    /** Whether the head is not to be sent before something of the body is. */
    boolean isHeldBack() {
        return heldBack;
    }

    /** How long the body of an answer of the proxy's own is. */
    int ownLength() {
        return body == null ? 0 : body.length;
    }

    /** How many bytes its fields have, about. */
    int size() {
        int size = 0;
        for (OwnAnswer.Field field : fields) {
            size += ResponseHead.size(field.name(), field.value());
        }
        return size;
    }

    /** How many bytes the largest of them has. */
    int largest() {
        int largest = 0;
        for (OwnAnswer.Field field : fields) {
            largest = Math.max(largest, ResponseHead.size(field.name(), field.value()));
        }
        return largest;
    }

    /** Puts the head into the response, which nothing stands in but what was there before the proxy. */
    void copyTo(HttpServletResponse response) {
        response.setStatus(status);
        for (OwnAnswer.Field field : fields) {
            ResponseHead.put(response, field.name(), HttpHeader.CACHE.get(field.name()), field.value());
        }
        copiedTo = response;
    }

    /**
     * Writes the whole answer, which is the proxy's own; what stood in the response before is gone.
     *
     * @param atOnce whether it is sent before this returns, which may have to wait for the client: for a request whose body
     *     has not been read, and whose connection a container may close. Else it is sent when the request ends
     * @return how many bytes of a body the client is sent: none in answer to HEAD
     * @throws IOException the client is gone
     */
    int writeTo(HttpServletResponse response, boolean atOnce) throws IOException {
        byte[] bytes;
        try {
            bytes = changed(body == null ? new byte[0] : body);
        } catch (IOException | RuntimeException | Error e) {
            log.warn("the body of an answer of the proxy's own could not be changed", e);
            return of(Answer.FAILED.own(), method, null).writeTo(response, atOnce);
        }
        response.reset();
        copyTo(response);
        if (!ResponseHead.isBodiless("GET", status)) {
            if (atOnce || bytes.length > response.getBufferSize() / 4) {
                // Else the container writes it, and with it sends the head, as soon as it has the last byte.
                response.setContentLength(bytes.length);
            }
            response.getOutputStream().write(bytes);
        }
        if (atOnce) {
            response.flushBuffer();
        }
        return isBodiless() ? 0 : bytes.length;
    }

    private byte[] changed(byte[] bytes) throws IOException {
        if (transforms.isEmpty()) {
            return bytes;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        BodyTransforms chain = new BodyTransforms(transforms);
        try {
            chain.transform(ByteBuffer.wrap(bytes), true, piece -> {
                byte[] copy = new byte[piece.remaining()];
                piece.get(copy);
                all.write(copy, 0, copy.length);
            });
        } finally {
            chain.close();
        }
        return all.toByteArray();
    }
}
