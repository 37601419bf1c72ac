package io.fairlead.agent.jetty;

import io.fairlead.agent.route.Addresses;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/** Gives the addresses that a resolver has found another name. */
final class NamedAddresses implements Promise<List<InetSocketAddress>> {
    private final String name;
    private final Promise<List<InetSocketAddress>> promise;

    NamedAddresses(String name, Promise<List<InetSocketAddress>> promise) {
        this.name = name;
        this.promise = promise;
    }

    @Override
    public void succeeded(@Nullable List<InetSocketAddress> found) {
        List<InetSocketAddress> named = new ArrayList<>();
        if (found != null) {
            for (InetSocketAddress address : found) {
                try {
                    named.add(new InetSocketAddress(Addresses.named(name, address.getAddress()), address.getPort()));
                } catch (UnknownHostException e) {
                    promise.failed(e);
                    return;
                }
            }
        }
        promise.succeeded(named);
    }

    @Override
    public void failed(Throwable cause) {
        if (cause instanceof UnknownHostException) {
            UnknownHostException logical = new UnknownHostException(name);
            logical.initCause(cause);
            promise.failed(logical);
        } else {
            promise.failed(cause);
        }
    }
}
