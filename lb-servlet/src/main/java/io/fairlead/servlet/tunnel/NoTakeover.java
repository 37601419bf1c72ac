package io.fairlead.servlet.tunnel;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A container whose connections cannot be taken over. */
final class NoTakeover implements Takeover {
    @Override
    public boolean isPossible(HttpServletRequest request) {
        return false;
    }

    @Override
    public boolean isExtendedConnect(HttpServletRequest request) {
        return false;
    }

    @Override
    public void take(HttpServletRequest request, HttpServletResponse response, Tunnel tunnel) throws IOException {
        throw new IOException("this container keeps its connections");
    }
}
