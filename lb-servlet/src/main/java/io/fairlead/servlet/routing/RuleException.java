package io.fairlead.servlet.routing;

/** A rule that cannot be read; the message says where and why. */
final class RuleException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    /** @param position the character of the rule, from 0 on */
    RuleException(int position, String what) {
        super(what);
        text = what + " (position " + (position + 1) + " of the rule)";
    }

    @Override
    public String getMessage() {
        return text;
    }
}
