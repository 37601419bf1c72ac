package io.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResponseBreakerTest {
    private final List<String> called = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "jetty/12.1, '',            sendError complete",
        "jetty/12.1, 'sendError',   sendError setTimeout",
        "Other/1,    '',            setTimeout",
        "Other/1,    'setTimeout',  setTimeout sendError complete",
        "Other/1,    'setTimeout sendError', setTimeout sendError complete"
    })
    void theNextWayIsTakenWhereOneIsRefused(String server, String refused, String calls) {
        ServletContext servletContext = fake(ServletContext.class, "addMapping", server);
        FilterConfig config = (FilterConfig) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FilterConfig.class},
                (proxy, method, args) -> method.getName().equals("getServletContext") ? servletContext : "proxy");
        ResponseBreaker breaker = ResponseBreaker.of(config);
        called.clear();

        breaker.breakOff(
                fake(AsyncContext.class, refused, ""),
                fake(HttpServletRequest.class, refused, ""),
                fake(HttpServletResponse.class, refused, ""));

        assertThat(called).containsExactly(calls.split(" "));
    }

    /** Notes the calls, and refuses those of these names as a container does at the wrong moment. */
    private <T> T fake(Class<T> type, String refused, String info) {
        Object made =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    called.add(method.getName());
                    if (!refused.isEmpty() && List.of(refused.split(" ")).contains(method.getName())) {
                        throw new IllegalStateException("refused");
                    }
                    return method.getReturnType() == String.class ? info : null;
                });
        return type.cast(made);
    }
}
