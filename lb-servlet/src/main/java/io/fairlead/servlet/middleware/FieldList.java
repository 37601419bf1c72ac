package io.fairlead.servlet.middleware;

import io.fairlead.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;

/** Fields with the values that they are to have; an empty value takes the field out. Immutable. */
record FieldList(List<OwnAnswer.Field> fields) {
    FieldList {
        fields = List.copyOf(fields);
    }

    /** Reads a mapping of names to values. */
    static FieldList read(ConfigNode node) {
        List<OwnAnswer.Field> fields = new ArrayList<>();
        for (ConfigNode entry : node.entries()) {
            String value = entry.string("");
            String wrong = FieldRules.wrongName(entry.key());
            if (wrong != null) {
                entry.problem(wrong);
            } else if (!FieldRules.isValue(value)) {
                entry.problem("holds a character that cannot stand in a field");
            } else if (!value.isEmpty() && !FieldRules.isValueOf(entry.key(), value)) {
                entry.problem("'" + value + "' is no host, with or without a port");
            } else {
                fields.add(new OwnAnswer.Field(entry.key(), value));
            }
        }
        return new FieldList(fields);
    }

    void applyTo(RoutedRequest request) {
        for (OwnAnswer.Field field : fields) {
            if (field.value().isEmpty()) {
                request.removeField(field.name());
            } else {
                request.setField(field.name(), field.value());
            }
        }
    }

    void applyTo(AnswerHead head) {
        for (OwnAnswer.Field field : fields) {
            if (field.value().isEmpty()) {
                head.removeField(field.name());
            } else {
                head.setField(field.name(), field.value());
            }
        }
    }
}
