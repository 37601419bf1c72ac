package io.fairlead.servlet.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** ipAllowList and inFlightReq. */
final class AddressGatesTest {
    @Test
    void onlyAddressesOfTheListPass() {
        Middleware list = Configured.of("{sourceRange: [10.0.0.0/8, \"2001:db8::/32\"]}", IpAllowList::read);

        assertThat(FakeRequest.get("/").from("10.1.2.3").through(list).status()).isZero();
        assertThat(FakeRequest.get("/").from("2001:db8::1").through(list).status())
                .isZero();
        assertThat(FakeRequest.get("/").from("::ffff:10.1.2.3").through(list).status())
                .isZero();
        assertThat(FakeRequest.get("/").from("11.1.2.3").through(list).status()).isEqualTo(403);
        // What a client says of its way counts only where the strategy looks at it.
        assertThat(FakeRequest.get("/")
                        .from("11.1.2.3", "10.0.0.1")
                        .through(list)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void theDepthIsCountedFromTheRight() {
        Middleware list = Configured.of(
                "{sourceRange: [192.0.2.1], ipStrategy: {depth: 2}, rejectStatusCode: 404}", IpAllowList::read);

        assertThat(FakeRequest.get("/")
                        .from("10.0.0.9", "192.0.2.1", "10.0.0.1")
                        .through(list)
                        .status())
                .isZero();
        assertThat(FakeRequest.get("/")
                        .from("10.0.0.9", "192.0.2.1", "6.6.6.6", "10.0.0.1")
                        .through(list)
                        .status())
                .isEqualTo(404);
        assertThat(FakeRequest.get("/")
                        .from("192.0.2.1", "192.0.2.1")
                        .through(list)
                        .status())
                .isEqualTo(404);
        assertThat(FakeRequest.get("/").from("192.0.2.1").through(list).status())
                .isEqualTo(404);
    }

    @Test
    void theFirstFromTheRightThatIsNotExcludedCounts() {
        Middleware list =
                Configured.of("{sourceRange: [192.0.2.1], ipStrategy: {excludedIPs: [10.0.0.0/8]}}", IpAllowList::read);

        assertThat(FakeRequest.get("/")
                        .from("10.0.0.9", "6.6.6.6", "192.0.2.1", "", "10.0.0.1")
                        .through(list)
                        .status())
                .isZero();
        assertThat(FakeRequest.get("/")
                        .from("10.0.0.9", "192.0.2.1", "6.6.6.6", "10.0.0.1")
                        .through(list)
                        .status())
                .isEqualTo(403);
        assertThat(FakeRequest.get("/")
                        .from("10.0.0.9", "192.0.2.1", "junk", "10.0.0.1")
                        .through(list)
                        .status())
                .isEqualTo(403);
        assertThat(FakeRequest.get("/")
                        .from("10.0.0.9", "10.0.0.1")
                        .through(list)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aListThatLetsNobodyThroughIsAMistake() {
        assertThat(Configured.problems("{}", IpAllowList::read)).containsExactly(".sourceRange: is missing");
        assertThat(Configured.problems("{sourceRange: []}", IpAllowList::read))
                .containsExactly(".sourceRange: is empty, so that nobody would be let through");
        assertThat(Configured.problems(
                        "{sourceRange: [localhost], ipStrategy: {depth: 1, excludedIPs: [10.0.0.1]}, rejectStatusCode: 200}",
                        IpAllowList::read))
                .containsExactlyInAnyOrder(
                        ".sourceRange[0]: 'localhost' is not an IP address, nor a range such as 10.0.0.0/8",
                        ".ipStrategy.excludedIPs: stands beside depth, which wins; one of the two only",
                        ".rejectStatusCode: must be a whole number from 400 to 599, not '200'");
    }

    @Test
    void onlySoManyRequestsAreUnderWay() {
        InFlightReq limit = (InFlightReq) Configured.of("{amount: 2}", InFlightReq::read);
        FakeRequest first = FakeRequest.get("/").through(limit);
        FakeRequest second = FakeRequest.get("/").through(limit);

        assertThat(FakeRequest.get("/").through(limit).status()).isEqualTo(429);
        // By the host, unless something else is said.
        FakeRequest other = FakeRequest.get("/").to("http://other.example").through(limit);
        assertThat(other.status()).isZero();

        first.end();
        assertThat(FakeRequest.get("/").through(limit).status()).isZero();
        assertThat(FakeRequest.get("/").through(limit).status()).isEqualTo(429);
        second.end();
        other.end();
        assertThat(limit.sources()).isEqualTo(1);
    }

    @Test
    void anAmountOfNothingLetsNothingThrough() {
        InFlightReq limit = (InFlightReq) Configured.of("{amount: 0}", InFlightReq::read);

        assertThat(FakeRequest.get("/").through(limit).status()).isEqualTo(429);
        assertThat(limit.sources()).isZero();
        assertThat(Configured.problems("{}", InFlightReq::read)).containsExactly(".amount: is missing");
    }
}
