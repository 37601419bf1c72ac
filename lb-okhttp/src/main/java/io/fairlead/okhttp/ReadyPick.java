package io.fairlead.okhttp;

import io.fairlead.Endpoint;
import io.fairlead.Outcome;
import io.fairlead.Pick;
import io.fairlead.ServiceSettings;

/** The way to one server that nobody picked: what becomes of it counts for and against nobody. */
final class ReadyPick implements Pick {
    private final String service;
    private final Endpoint endpoint;
    private final ServiceSettings settings;

    ReadyPick(String service, Endpoint endpoint, ServiceSettings settings) {
        this.service = service;
        this.endpoint = endpoint;
        this.settings = settings;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public String service() {
        return service;
    }

    @Override
    public ServiceSettings settings() {
        return settings;
    }

    @Override
    public void responded() {
        // Nothing is learnt.
    }

    @Override
    public void done(Outcome outcome) {
        // Nothing is counted.
    }
}
