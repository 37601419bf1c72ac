package io.fairlead;

import java.util.Arrays;

/**
 * The servers that one request has been sent to, so that a retry goes to another.
 *
 * <p>Belongs to one request: not safe for use from several threads at once. {@link #NONE} is empty and stays so.
 */
public final class Tried {
    /** No server has been tried; {@link #add} is refused. */
    public static final Tried NONE = new Tried(0);

    private String[] ids;
    private String[] services;
    private int size;

    private Tried(int capacity) {
        ids = new String[capacity];
        services = new String[capacity];
    }

    /** An empty set that can be added to. */
    public static Tried create() {
        return new Tried(4);
    }

    /** A set of the same endpoints that can be added to. */
    public Tried copy() {
        Tried copy = new Tried(Math.max(4, size + 1));
        System.arraycopy(ids, 0, copy.ids, 0, size);
        System.arraycopy(services, 0, copy.services, 0, size);
        copy.size = size;
        return copy;
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

    /** How many endpoints have been tried that were added as this service's. */
    public int countOf(String service) {
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (services[i].equals(service)) {
                count++;
            }
        }
        return count;
    }

    /**
     * Adds an endpoint that is no service's; see {@link #add(String, String)}.
     *
     * @param id the endpoint's id
     */
    public void add(String id) {
        add(id, "");
    }

    /**
     * Adds an endpoint; one that is in the set already is not added again.
     *
     * @param id the endpoint's id
     * @param service the service that it was picked from; empty: none whose tries are counted
     * @throws UnsupportedOperationException on {@link #NONE}
     */
    public void add(String id, String service) {
        if (this == NONE) {
            throw new UnsupportedOperationException("Tried.NONE stays empty; use Tried.create()");
        }
        if (contains(id)) {
            return;
        }
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size * 2);
            services = Arrays.copyOf(services, size * 2);
        }
        ids[size] = id;
        services[size++] = service;
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
        return Arrays.asList(ids).subList(0, size).toString();
    }
}
