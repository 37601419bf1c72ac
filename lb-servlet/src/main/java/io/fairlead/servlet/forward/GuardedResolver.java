package io.fairlead.servlet.forward;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names, and leaves out the addresses that a name may not have: what is connected to is what was looked at.
 * Fails with a {@link ForbiddenAddressException} where none is left.
 */
public final class GuardedResolver implements SocketAddressResolver {
    private final SocketAddressResolver resolver;
    private final Supplier<@Nullable ForwardRules> rules;
    private final ForwardLog log;

    /**
     * A resolver that asks another one.
     *
     * @param rules the rules of the moment; null forbids everything
     * @param log told of names that are left without an address
     */
    public GuardedResolver(SocketAddressResolver resolver, Supplier<@Nullable ForwardRules> rules, ForwardLog log) {
        this.resolver = resolver;
        this.rules = rules;
        this.log = log;
    }

    @Override
    public void resolve(String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> promise) {
        String name = host.toLowerCase(Locale.ROOT);
        resolver.resolve(
                host,
                port,
                context,
                Promise.from(
                        found -> {
                            ForwardRules now = rules.get();
                            List<InetSocketAddress> allowed = new ArrayList<>();
                            for (InetSocketAddress address : found) {
                                if (now != null && now.allows(name, address.getAddress())) {
                                    allowed.add(address);
                                }
                            }
                            if (allowed.isEmpty()) {
                                log.special(name, found);
                                promise.failed(new ForbiddenAddressException(host));
                            } else {
                                promise.succeeded(allowed);
                            }
                        },
                        promise::failed));
    }
}
