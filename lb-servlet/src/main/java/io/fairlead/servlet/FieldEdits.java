package io.fairlead.servlet;

import io.fairlead.servlet.middleware.FieldRules;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** What middlewares change of the fields of a request, in order. Filled by one thread before others read it. */
final class FieldEdits {
    private enum Kind {
        SET,
        ADD,
        REMOVE
    }

    private record Edit(Kind kind, String name, String value) {}

    private @Nullable List<Edit> edits;

    void set(String name, String value) {
        add(new Edit(Kind.SET, FieldRules.name(name), FieldRules.value(name, value)));
    }

    void add(String name, String value) {
        add(new Edit(Kind.ADD, FieldRules.name(name), FieldRules.value(name, value)));
    }

    void remove(String name) {
        add(new Edit(Kind.REMOVE, FieldRules.name(name), ""));
    }

    private void add(Edit edit) {
        List<Edit> all = edits;
        if (all == null) {
            all = new ArrayList<>();
            edits = all;
        }
        all.add(edit);
    }

    /** @param hasBody whether the request has a body */
    void applyTo(HttpFields.Mutable fields, boolean hasBody) {
        if (edits == null) {
            return;
        }
        for (Edit edit : edits) {
            switch (edit.kind()) {
                case SET -> {
                    removeAlike(fields, edit.name());
                    fields.put(edit.name(), edit.value());
                }
                case ADD -> fields.add(edit.name(), edit.value());
                case REMOVE -> {
                    removeAlike(fields, edit.name());
                    fields.remove(edit.name());
                }
            }
        }
        HttpField type = hasBody ? null : fields.getField(HttpHeader.CONTENT_TYPE);
        if (type != null) {
            // Known as what it is, it would make the client add a length of 0 to a request that has no body.
            fields.remove(HttpHeader.CONTENT_TYPE);
            fields.add(new HttpField(null, type.getName(), type.getValue()));
        }
    }

    /** Many servers take underscores for hyphens, and would believe the client's own field in whatever mixture of them. */
    private static void removeAlike(HttpFields.Mutable fields, String name) {
        List<String> alike = null;
        for (HttpField field : fields) {
            String other = field.getName();
            if (other.length() == name.length() && isAlike(other, name)) {
                if (alike == null) {
                    alike = new ArrayList<>();
                }
                alike.add(other);
            }
        }
        if (alike != null) {
            alike.forEach(fields::remove);
        }
    }

    private static boolean isAlike(String one, String other) {
        return one.replace('_', '-').equalsIgnoreCase(other.replace('_', '-'));
    }
}
