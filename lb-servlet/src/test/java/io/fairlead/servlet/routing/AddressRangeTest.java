package io.fairlead.servlet.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,10.255.0.1,true",
        "10.0.0.0/8,11.0.0.1,false",
        "192.168.1.128/25,192.168.1.129,true",
        "192.168.1.128/25,192.168.1.127,false",
        "0.0.0.0/0,1.2.3.4,true",
        "0.0.0.0/0,::1,false",
        "127.0.0.1,127.0.0.1,true",
        "127.0.0.1,127.0.0.2,false",
        "::1,0:0:0:0:0:0:0:1,true",
        "fd00::/8,fd12:3456::1,true",
        "fd00::/8,fe80::1,false",
        "10.0.0.0/8,localhost,false",
        "10.0.0.0/8,'',false",
    })
    void aRangeContainsItsAddresses(String range, String address, boolean contained) {
        assertThat(AddressRange.parse(range).contains(address)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/", "256.1.1.1", "1.2.3.4.5"})
    void whatIsNoRangeIsNone(String text) {
        assertThat(AddressRange.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "[::1]:80,::1",
        "[fe80::1%eth0],fe80::1",
        "10.0.0.1:8080,10.0.0.1",
        "fe80::1%2,fe80::1",
        "10.0.0.1,10.0.0.1"
    })
    void anAddressIsBaredOfPortZoneAndBrackets(String text, String bare) {
        assertThat(AddressRange.bare(text)).isEqualTo(bare);
    }
}
