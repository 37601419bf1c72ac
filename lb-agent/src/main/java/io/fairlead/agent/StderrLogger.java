package io.fairlead.agent;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** The log of the core inside the agent: warnings and errors, and with debugging everything, on standard error. */
public final class StderrLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    /** A logger; its name is not printed. */
    public StderrLogger(String name) {
        this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return Log.isDebug();
    }

    @Override
    public boolean isInfoEnabled() {
        return Log.isDebug();
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return StderrLogger.class.getName();
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        String text = MessageFormatter.basicArrayFormat(pattern, arguments);
        Log.line(thrown == null ? text : text + ": " + thrown);
    }
}
