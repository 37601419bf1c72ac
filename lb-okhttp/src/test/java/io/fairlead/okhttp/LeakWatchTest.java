package io.fairlead.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("leaks on purpose")
class LeakWatchTest {
    @Test
    void aBodyThatIsNeverClosedIsSeen() throws IOException {
        OkHttpClient client = new OkHttpClient();
        try (RawServer leaky = RawServer.answering("a body that nobody reads")) {
            assertThat(client.newCall(new Request.Builder().url(leaky.url()).build())
                            .execute()
                            .code())
                    .isEqualTo(200);
            List<String> seen = new ArrayList<>();
            await().until(() -> {
                System.gc();
                // A new connection makes the pool look at the others.
                try (RawServer other = RawServer.answering("other")) {
                    client.newCall(new Request.Builder().url(other.url()).build())
                            .execute()
                            .close();
                }
                seen.addAll(LeakWatch.drain());
                return !seen.isEmpty();
            });
            assertThat(seen).first().asString().contains("127.0.0.1");
        } finally {
            client.connectionPool().evictAll();
            LeakWatch.drain();
        }
    }
}
