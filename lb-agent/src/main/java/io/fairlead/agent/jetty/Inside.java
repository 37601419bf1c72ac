package io.fairlead.agent.jetty;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Origin;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;

/** What the adapter asks of objects of the client whose types differ between its versions. */
final class Inside {
    private static final String FIELDS = "org.eclipse.jetty.http.HttpFields";

    private final boolean since12;
    private final Class<?> listener;

    private final Constructor<?> newOrigin;
    private final Method resolveDestination;
    private final Method matchProxy;

    private final Method client;
    private final Method origin;
    private final Method queue;
    private final Method removeQueued;
    private final Method sendExchange;
    private final Constructor<?> newExchange;

    private final Method request;
    private final Method conversation;
    private final Method response;
    private final Method listeners;
    private final Method abortExchange;

    private final Method exchanges;
    private final Method conversationListeners;
    private final Method updateListeners;

    private final Method connectionChannel;
    private final Method channelExchange;

    private final Method abortRequest;
    private final Method abortCause;
    private final List<Field> aborted = new ArrayList<>();
    private final Method method;
    private final Method path;
    private final Method query;
    private final Method headers;
    private final Method header;
    private final Method setField;
    private final Method removeField;
    private final Method cookies;
    private final Method body;
    private final @Nullable Method bodyAgain;

    private final Method status;
    private final Method failure;
    private final @Nullable Method notifier;
    private final Method notifyFailure;
    private final Method notifyComplete;

    Inside() throws ReflectiveOperationException {
        since12 = find(JettyClient.TRANSPORT + "HttpExchange") != null;
        String in = since12 ? JettyClient.TRANSPORT : JettyClient.ROOT;
        String api = since12 ? JettyClient.ROOT : JettyClient.ROOT + "api.";
        Class<?> destinationType = type(in + "HttpDestination");
        Class<?> exchangeType = type(in + "HttpExchange");
        Class<?> requestType = type(in + "HttpRequest");
        Class<?> conversationType = type(in + "HttpConversation");
        Class<?> resultType = type(api + "Result");
        Class<?> responseType = type(api + "Response");
        listener = type(api + (since12 ? "Response$Listener" : "Response$CompleteListener"));

        newOrigin = longest(Origin.class, Origin.Address.class);
        resolveDestination = open(HttpClient.class.getDeclaredMethod("resolveDestination", Origin.class));
        matchProxy = open(type(JettyClient.ROOT + "ProxyConfiguration").getMethod("match", Origin.class));

        client = open(destinationType.getMethod("getHttpClient"));
        origin = open(destinationType.getMethod("getOrigin"));
        queue = open(destinationType.getMethod("getHttpExchanges"));
        removeQueued = open(destinationType.getMethod("remove", exchangeType));
        sendExchange = open(destinationType.getMethod("send", exchangeType));
        newExchange = longest(exchangeType, requestType);

        request = open(exchangeType.getMethod("getRequest"));
        conversation = open(exchangeType.getMethod("getConversation"));
        response = open(exchangeType.getMethod("getResponse"));
        listeners = open(exchangeType.getMethod("getResponseListeners"));
        abortExchange = open(
                since12
                        ? exchangeType.getMethod("abort", Throwable.class, Promise.class)
                        : exchangeType.getMethod("abort", Throwable.class));

        exchanges = open(conversationType.getMethod("getExchanges"));
        conversationListeners = open(conversationType.getMethod("getResponseListeners"));
        updateListeners = open(conversationType.getMethod(
                "updateResponseListeners", since12 ? listener : type(api + "Response$ResponseListener")));

        for (Field each : requestType.getDeclaredFields()) {
            if (each.getName().equals("aborted") || each.getName().equals("failed")) {
                aborted.add(open(each));
            }
        }

        connectionChannel = open(type(in + (since12 ? "internal." : "http.") + "HttpConnectionOverHTTP")
                .getMethod("getHttpChannel"));
        channelExchange = open(type(in + "HttpChannel").getMethod("getHttpExchange"));

        Class<?> requestApi = type(api + "Request");
        abortRequest = open(requestApi.getMethod("abort", Throwable.class));
        abortCause = open(requestApi.getMethod("getAbortCause"));
        method = open(requestApi.getMethod("getMethod"));
        path = open(requestApi.getMethod("getPath"));
        query = open(requestApi.getMethod("getQuery"));
        headers = open(requestApi.getMethod("getHeaders"));
        Class<?> fields = type(FIELDS);
        header = open(fields.getMethod("get", String.class));
        Class<?> mutable = find(FIELDS + "$Mutable");
        setField = open((mutable == null ? fields : mutable).getMethod("put", String.class, String.class));
        removeField = open((mutable == null ? fields : mutable).getMethod("remove", String.class));
        cookies = open(requestApi.getMethod("getCookies"));
        body = open(has(requestApi, "getBody") ? requestApi.getMethod("getBody") : requestApi.getMethod("getContent"));
        bodyAgain = open(body.getReturnType().getMethod(since12 ? "rewind" : "isReproducible"));

        status = open(responseType.getMethod("getStatus"));
        failure = open(resultType.getMethod("getFailure"));
        if (since12) {
            Class<?> listenersType = type(in + "ResponseListeners");
            notifier = null;
            notifyFailure = open(listenersType.getMethod("notifyFailure", responseType, Throwable.class));
            notifyComplete = open(listenersType.getMethod("notifyComplete", resultType));
        } else {
            Class<?> notifierType = type(in + "ResponseNotifier");
            notifier = open(destinationType.getMethod("getResponseNotifier"));
            notifyFailure = open(notifierType.getMethod("notifyFailure", List.class, responseType, Throwable.class));
            notifyComplete = open(notifierType.getMethod("notifyComplete", List.class, resultType));
        }
    }

    private static @Nullable Class<?> find(String name) {
        try {
            return type(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, false, Inside.class.getClassLoader());
    }

    private static boolean has(Class<?> type, String method) {
        for (Method each : type.getMethods()) {
            if (each.getName().equals(method)) {
                return true;
            }
        }
        return false;
    }

    /** The constructor that takes most, and this as its second parameter. */
    private static Constructor<?> longest(Class<?> type, Class<?> second) throws NoSuchMethodException {
        Constructor<?> longest = null;
        for (Constructor<?> each : type.getConstructors()) {
            int count = each.getParameterCount();
            if (count > 1
                    && each.getParameterTypes()[1] == second
                    && (longest == null || count > longest.getParameterCount())) {
                longest = each;
            }
        }
        if (longest == null) {
            throw new NoSuchMethodException("a constructor of " + type.getName());
        }
        return open(longest);
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    // Of the client and its origins.

    /** The same origin with another address. */
    Origin origin(Origin like, Origin.Address address) {
        List<@Nullable Object> arguments = new ArrayList<>();
        arguments.add(like.getScheme());
        arguments.add(address);
        arguments.add(like.getTag());
        int count = newOrigin.getParameterCount();
        try {
            if (count > arguments.size()) {
                arguments.add(Origin.class.getMethod("getProtocol").invoke(like));
            }
            if (count > arguments.size()) {
                arguments.add(Origin.class.getMethod("getTransport").invoke(like));
            }
            return (Origin) newOrigin.newInstance(arguments.toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no origin can be made: " + e, e);
        }
    }

    /** Whether a call goes through a proxy. */
    boolean isProxied(HttpClient of, Origin to) {
        return call(matchProxy, of.getProxyConfiguration(), to) != null;
    }

    // Of a destination.

    /** Sends a request of an exchange that is over once more, as an exchange of another destination. */
    void send(Object destination, Object exchange) {
        call(sendExchange, destination, exchange);
    }

    /** Finds the destination of an origin, or makes one. */
    Object destination(HttpClient of, Origin to) {
        return required(call(resolveDestination, of, to));
    }

    HttpClient client(Object destination) {
        return (HttpClient) required(call(client, destination));
    }

    Origin origin(Object destination) {
        return (Origin) required(call(origin, destination));
    }

    /** The exchanges that wait for a connection. */
    List<Object> waiting(Object destination) {
        return new ArrayList<>((Queue<?>) required(call(queue, destination)));
    }

    /** Takes one of them out; false: it does not wait any more. */
    boolean takeOut(Object destination, Object exchange) {
        return Boolean.TRUE.equals(call(removeQueued, destination, exchange));
    }

    // Of a connection of HTTP/1.1.

    /** The exchange that is under way on it; null: none. */
    @Nullable
    Object underWay(Object connection) {
        return call(channelExchange, required(call(connectionChannel, connection)));
    }

    // Of an exchange.

    Object request(Object exchange) {
        return required(call(request, exchange));
    }

    int status(Object exchange) {
        return (Integer) required(call(status, required(call(response, exchange))));
    }

    /** Ends an exchange that has no connection. */
    void abort(Object exchange, Throwable cause) {
        if (since12) {
            call(abortExchange, exchange, cause, new Ignoring());
        } else {
            call(abortExchange, exchange, cause);
        }
    }

    /** An exchange of the same request, in the place of one that is over. */
    Object instead(Object exchange, Object destination) {
        ((Collection<?>) required(call(exchanges, required(call(conversation, exchange))))).remove(exchange);
        try {
            return newExchange.newInstance(destination, request(exchange), call(listeners, exchange));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no exchange can be made: " + e, e);
        }
    }

    /** Lets a listener stand in the place of the application's until an answer begins. */
    void listen(Object exchange, InvocationHandler handler) {
        Object proxy = Proxy.newProxyInstance(Inside.class.getClassLoader(), new Class<?>[] {listener}, handler);
        call(updateListeners, required(call(conversation, exchange)), proxy);
    }

    /** Tells the application's listeners of a failure. */
    void tell(Object exchange, Object destination, Object result) {
        Object of = required(call(conversation, exchange));
        call(updateListeners, of, (Object) null);
        Object all = required(call(conversationListeners, of));
        Object ended = required(call(response, exchange));
        Throwable why = failure(result);
        if (notifier == null) {
            call(notifyFailure, all, ended, why);
            call(notifyComplete, all, result);
        } else {
            Object by = required(call(notifier, destination));
            call(notifyFailure, by, all, ended, why);
            call(notifyComplete, by, all, result);
        }
    }

    /** Why an exchange failed; null: it did not. */
    @Nullable
    Throwable failure(Object result) {
        return (Throwable) call(failure, result);
    }

    // Of a request.

    void abortRequest(Object of, Throwable cause) {
        call(abortRequest, of, cause);
    }

    /** Why the application, or a time limit, has given a request up; null: it has not. */
    @Nullable
    Throwable abortCause(Object of) {
        return (Throwable) call(abortCause, of);
    }

    /** Lets a request be sent again that the client has ended for its connection's sake. */
    void revive(Object of, Throwable cause) {
        for (Field each : aborted) {
            try {
                clear((AtomicReference<?>) each.get(of), cause);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static <T> void clear(AtomicReference<T> reference, Throwable cause) {
        T value = reference.get();
        if (value == cause) {
            reference.compareAndSet(value, null);
        }
    }

    String method(Object of) {
        return (String) required(call(method, of));
    }

    String path(Object of) {
        String found = (String) call(path, of);
        return found == null || found.isEmpty() ? "/" : found;
    }

    @Nullable
    String query(Object of) {
        return (String) call(query, of);
    }

    /** The first value of a field; to those of cookies belong the cookies that the application has added. */
    @Nullable
    String header(Object of, String name) {
        String written = (String) call(header, required(call(headers, of)), name);
        List<?> added = name.equalsIgnoreCase("Cookie") ? (List<?>) call(cookies, of) : null;
        if (added == null || added.isEmpty()) {
            return written;
        }
        StringBuilder all = new StringBuilder(written == null ? "" : written);
        for (Object each : added) {
            all.append(all.length() == 0 ? "" : "; ")
                    .append(property(each, "getName"))
                    .append('=')
                    .append(property(each, "getValue"));
        }
        return all.toString();
    }

    void setField(Object of, String name, String value) {
        call(setField, required(call(headers, of)), name, value);
    }

    void removeField(Object of, String name) {
        call(removeField, required(call(headers, of)), name);
    }

    private static @Nullable Object property(Object of, String getter) {
        try {
            return open(of.getClass().getMethod(getter)).invoke(of);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Brings a request's body back to its beginning; false: it cannot be sent again. */
    boolean rewind(Object of) {
        Object content = call(body, of);
        return content == null || (bodyAgain != null && Boolean.TRUE.equals(call(bodyAgain, content)));
    }

    // Calls.

    private static Object required(@Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException("the client's answer is null");
        }
        return value;
    }

    private static @Nullable Object call(Method method, Object on, @Nullable Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(method.getName() + " failed: " + cause, cause);
        }
    }

    /** Nobody waits for it. */
    private static final class Ignoring implements Promise<Object> {
        @Override
        public void succeeded(@Nullable Object result) {}

        @Override
        public void failed(Throwable cause) {}
    }
}
