package io.fairlead;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;

class LocalAddressTest {
    @Test
    void theAddressIsOneOfThisMachinesInterfaces() throws Exception {
        // A literal: no name server is asked.
        InetAddress address = InetAddress.getByName(LocalAddress.text());
        assertThat(NetworkInterface.getByInetAddress(address)).isNotNull();
        assertThat(LocalAddress.text()).isSameAs(LocalAddress.text());
    }
}
