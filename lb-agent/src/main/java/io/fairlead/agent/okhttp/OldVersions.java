package io.fairlead.agent.okhttp;

import okhttp3.RequestBody;

/** Where OkHttp 3.12 is different. */
final class OldVersions {
    /** It has no way to go on to another address within a call. */
    static final boolean IS_3_12 = !has(RequestBody.class, "isOneShot");

    private OldVersions() {}

    /** Whether a body can be sent once only. */
    static boolean isOneShot(RequestBody body) {
        return !IS_3_12 && (body.isOneShot() || body.isDuplex());
    }

    private static boolean has(Class<?> type, String method) {
        try {
            type.getMethod(method);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
