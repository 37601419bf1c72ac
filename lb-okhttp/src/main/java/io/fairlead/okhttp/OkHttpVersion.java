package io.fairlead.okhttp;

import okhttp3.Dns;
import okhttp3.Interceptor;

/** What the OkHttp on the class path can do; found out by its methods, since its version is no API. */
final class OkHttpVersion {
    private OkHttpVersion() {}

    /** Whether an interceptor can choose the address of a call, and watch it: since 5.4. */
    static boolean canPin() {
        try {
            Interceptor.Chain.class.getMethod("withDns", Dns.class);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
