package io.fairlead;

/**
 * The servers that one request has been sent to, so that a retry goes to another.
 *
 * <p>Belongs to one request: not safe for use from several threads at once. {@link #NONE} is empty and stays so.
 */
public final class Tried {
    /** No server has been tried; {@link #add} is refused. */
    public static final Tried NONE = new Tried(0);

    private String[] ids;
    private int size;

    private Tried(int capacity) {
        ids = new String[capacity];
    }

    /** An empty set that can be added to. */
    public static Tried create() {
        return new Tried(4);
    }

    /** Whether the endpoint of this id has been tried. */
    public boolean contains(String id) {
        for (int i = 0; i < size; i++) {
            if (ids[i].equals(id)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds an endpoint; one that is in it already is not added again.
     *
     * @param id the endpoint's id
     * @throws UnsupportedOperationException on {@link #NONE}
     */
    public void add(String id) {
        if (this == NONE) {
            throw new UnsupportedOperationException("Tried.NONE stays empty; use Tried.create()");
        }
        if (contains(id)) {
            return;
        }
        if (size == ids.length) {
            ids = java.util.Arrays.copyOf(ids, size * 2);
        }
        ids[size++] = id;
    }

    /** How many endpoints have been tried. */
    public int size() {
        return size;
    }

    /** Whether none has been tried. */
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public String toString() {
        return java.util.Arrays.asList(ids).subList(0, size).toString();
    }
}
