package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PasswordHashTest {
    /** From Apache's page "Password Formats" and Traefik's page on basicAuth; the others by {@code openssl passwd}. */
    @ParameterizedTest
    @CsvSource({
        "myPassword,{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=",
        "myPassword,$apr1$r31.....$HqJZimcKQFAMYayBlzkrA/",
        "myPassword,$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC",
        "test,$apr1$H6uskkkW$IgXLP6ewTrSuBkTrqE8wj/",
        "test2,$apr1$d9hr9HBB$4HxwgUir3HP4EsggP/QNo0",
        "Hello world!,$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5",
        "Hello world!,$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1",
    })
    void everyFormThatHtpasswdWritesIsUnderstood(String password, String hash) {
        PasswordHash read = PasswordHash.parse(hash);

        assertThat(read.matches(password.getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(read.matches((password + "x").getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        assertThat(read.matches(new byte[0])).isFalse();
        assertThat(read.matches("mypassword".getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    /** From the tests of Openwall's crypt_blowfish. */
    @ParameterizedTest
    @CsvSource({
        "U*U,$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "U*U,$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "U*U,$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "U*U*,$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK",
    })
    void bcryptIsUnderstoodInAllItsVersions(String password, String hash) {
        assertThat(PasswordHash.parse(hash).matches(password.getBytes(StandardCharsets.UTF_8)))
                .isTrue();
    }

    @Test
    void bcryptTakesLongPasswordsAsHtpasswdCutsThem() {
        PasswordHash hash = PasswordHash.parse("$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui");
        String password = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

        assertThat(hash.matches((password + "chars after 72 are ignored").getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(hash.matches(("x" + password).getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "$apr1$",
                "$apr1$x$short",
                "$2y$99$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC",
                "$2y$31$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC",
                "$2y$05$short",
                "{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE",
                "{SSHA}VBPuJHI7uixaa6LQGx4s+5GKNwo=",
                "rl.3StKT.4T8M",
                "$argon2id$v=19$m=65536,t=3,p=4$x$y",
            })
    void whatIsNoneOfThemIsNone(String text) {
        assertThat(PasswordHash.parse(text)).isNull();
    }
}
