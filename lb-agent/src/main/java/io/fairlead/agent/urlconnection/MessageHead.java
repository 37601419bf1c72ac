package io.fairlead.agent.urlconnection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Reads and changes {@code sun.net.www.MessageHeader}, a class that nobody can be compiled against. */
final class MessageHead {
    private static final int LONGEST_CODE = 3;

    private final Method getValue;
    private final Method set;
    private final Method remove;

    private MessageHead(Method getValue, Method set, Method remove) {
        this.getValue = getValue;
        this.set = set;
        this.remove = remove;
    }

    /** Finds the methods; its package has been exported to this class before. */
    static MessageHead find() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.net.www.MessageHeader", false, null);
        return new MessageHead(
                type.getMethod("getValue", int.class),
                type.getMethod("set", String.class, String.class),
                type.getMethod("remove", String.class));
    }

    /** The status of an answer's head; 0 where it is not HTTP. */
    int status(Object head) throws ReflectiveOperationException {
        return status((String) call(getValue, head, 0));
    }

    void set(Object head, String name, String value) throws ReflectiveOperationException {
        call(set, head, name, value);
    }

    void remove(Object head, String name) throws ReflectiveOperationException {
        call(remove, head, name);
    }

    private static @Nullable Object call(Method method, Object head, Object... arguments)
            throws ReflectiveOperationException {
        try {
            return method.invoke(head, arguments);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(method + " failed: " + e.getCause(), e);
        }
    }

    static int status(@Nullable String line) {
        if (line == null || !line.startsWith("HTTP/1.")) {
            return 0;
        }
        int i = line.indexOf(' ');
        while (i >= 0 && i < line.length() && line.charAt(i) == ' ') {
            i++;
        }
        int code = 0;
        int digits = 0;
        while (i >= 0 && i < line.length() && digits < LONGEST_CODE && line.charAt(i) >= '0' && line.charAt(i) <= '9') {
            code = code * 10 + line.charAt(i++) - '0';
            digits++;
        }
        return digits == LONGEST_CODE ? code : 0;
    }
}
