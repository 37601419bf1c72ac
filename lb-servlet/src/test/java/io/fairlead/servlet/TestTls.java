package io.fairlead.servlet;

import io.fairlead.tls.Pem;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The test authority's certificate for 127.0.0.1 on a plain server socket. */
final class TestTls {
    private TestTls() {}

    static ServerSocket serverSocket() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "server",
                Pem.privateKey(JettyBackend.pem("server.key")),
                new char[0],
                Pem.certificates(JettyBackend.pem("server.pem")).toArray(new Certificate[0]));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }
}
