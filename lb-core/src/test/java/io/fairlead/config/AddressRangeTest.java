package io.fairlead.config;

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
        "10.0.0.0/8,::ffff:10.1.2.3,true",
        "::ffff:10.0.0.0/104,10.1.2.3,true",
        "::ffff:10.0.0.0/104,11.1.2.3,false",
        "10.1.2.3/8,10.9.9.9,true",
        "::/0,::1,true",
        "::/0,10.0.0.1,false",
        "2001:db8::/32,2001:db8:0:0:1::,true",
        "2001:db8::1:2,2001:DB8:0:0:0:0:1:2,true",
        "64:ff9b::10.0.0.1,64:ff9b::a00:1,true",
        "10.0.0.0/8,010.0.0.1,false",
        "10.0.0.0/8,10.0.0.1:80,false",
        "::1/128,::2,false",
    })
    void aRangeContainsItsAddresses(String range, String address, boolean contained) {
        assertThat(AddressRange.parse(range).contains(address)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0.0/33",
                "10.0.0/8",
                "::1/129",
                "10.0.0.0/",
                "256.1.1.1",
                "1.2.3.4.5",
                "010.0.0.1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                ":1",
                "1:",
                ":::",
                "12345::",
                "g::",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:6:7:8::",
                "::1%eth0",
                "[::1]",
                "10.0.0.0/8/8",
                "10.0.0.0/-1",
                "::ffff:10.0.0.0/8",
                "\u0661.2.3.4"
            })
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

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2:3:4:5:6,64,2001:db8:1:2:0:0:0:0",
        "2001:db8:1:2ff:3:4:5:6,56,2001:db8:1:200:0:0:0:0",
        "2001:db8::ff,127,2001:db8:0:0:0:0:0:fe",
        "2001:db8::1,1,0:0:0:0:0:0:0:0",
        "10.1.2.3,64,10.1.2.3",
        "::ffff:10.1.2.3,64,::ffff:10.1.2.3",
        "unknown,64,unknown",
    })
    void anIpv6AddressBelongsToItsNetwork(String address, int bits, String network) {
        assertThat(AddressRange.networkOf(address, bits)).isEqualTo(network);
    }
}
