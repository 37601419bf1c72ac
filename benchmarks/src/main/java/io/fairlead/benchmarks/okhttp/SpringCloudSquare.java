package io.fairlead.benchmarks.okhttp;

import java.net.URI;
import java.util.List;
import java.util.Map;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerProperties;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.blocking.client.BlockingLoadBalancerClient;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.square.okhttp.loadbalancer.OkHttpLoadBalancerInterceptor;
import reactor.core.publisher.Flux;

/**
 * OkHttp with the interceptor of Spring Cloud Square over Spring Cloud's round robin, put together by hand as its
 * configuration does, without an application context: the list of servers is fixed and cached nowhere else.
 */
final class SpringCloudSquare {
    private SpringCloudSquare() {}

    static Client create(List<String> urls) {
        List<ServiceInstance> instances = urls.stream()
                .<ServiceInstance>map(url -> {
                    URI uri = URI.create(url);
                    return new DefaultServiceInstance(
                            uri.getAuthority(), "orders", uri.getHost(), uri.getPort(), false);
                })
                .toList();
        RoundRobinLoadBalancer balancer = new RoundRobinLoadBalancer(new Provider(new Fixed(instances)), "orders");
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(
                        new OkHttpLoadBalancerInterceptor(new BlockingLoadBalancerClient(new OneService(balancer))))
                .build();
        return new OkHttpSubject(client, List.of("http://orders"), () -> {});
    }

    private record Fixed(List<ServiceInstance> instances) implements ServiceInstanceListSupplier {
        @Override
        public String getServiceId() {
            return "orders";
        }

        @Override
        public Flux<List<ServiceInstance>> get() {
            return Flux.just(instances);
        }
    }

    /** What Spring's context gives. */
    private record Provider(ServiceInstanceListSupplier supplier)
            implements ObjectProvider<ServiceInstanceListSupplier> {
        @Override
        public ServiceInstanceListSupplier getObject(@Nullable Object... args) {
            return supplier;
        }

        @Override
        public ServiceInstanceListSupplier getObject() {
            return supplier;
        }

        @Override
        public ServiceInstanceListSupplier getIfAvailable() {
            return supplier;
        }

        @Override
        public ServiceInstanceListSupplier getIfUnique() {
            return supplier;
        }
    }

    private record OneService(RoundRobinLoadBalancer balancer)
            implements ReactiveLoadBalancer.Factory<ServiceInstance> {
        @Override
        public LoadBalancerProperties getProperties(String serviceId) {
            return new LoadBalancerProperties();
        }

        @Override
        public ReactiveLoadBalancer<ServiceInstance> getInstance(String serviceId) {
            return balancer;
        }

        @Override
        public <X> Map<String, X> getInstances(String name, Class<X> type) {
            return Map.of();
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals")
        public <X> X getInstance(String name, Class<?> clazz, Class<?>... generics) {
            throw new UnsupportedOperationException("no context");
        }
    }
}
