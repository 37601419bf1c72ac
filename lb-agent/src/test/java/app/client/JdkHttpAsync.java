package app.client;

/** {@code java.net.http.HttpClient} by {@code sendAsync}. */
public final class JdkHttpAsync extends JdkHttp {
    private JdkHttpAsync() throws Exception {
        super(true);
    }

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new JdkHttpAsync().run();
    }
}
