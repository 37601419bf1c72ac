package io.fairlead.agent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The service {@code orders} of two servers that answer and one that refuses, and the file that names them. */
final class Orders implements AutoCloseable {
    final Backend a;
    final Backend b;
    private final File file;

    private Orders(Path folder) throws IOException {
        a = Backend.start("a");
        b = Backend.start("b");
        file = Configs.orders(folder, a.url(), "http://127.0.0.1:" + Backend.deadPort(), b.url());
    }

    static Orders in(Path folder) throws IOException {
        return new Orders(folder);
    }

    /** The JVM's option that brings the agent in. */
    String agent() {
        return "-javaagent:" + Jvm.agent() + "=" + file;
    }

    /** That a program of the matrix reaches both servers, and no other, and that the agent has nothing to say. */
    void assertReachedBy(Jvm app) throws Exception {
        assertBoth(app.ask("get http://orders/x", 4), "200 a http://orders/x", "200 b http://orders/x");
        assertThat(app.ask("post http://orders/x 1000", 4)).allMatch(answer -> answer.startsWith("200 "));
        assertThat(app.agentLines()).isEmpty();
    }

    /** That these are the answers of both servers, and of no other. */
    static void assertBoth(List<String> answers, String ofA, String ofB) {
        assertThat(answers).contains(ofA, ofB).containsOnly(ofA, ofB);
    }

    @Override
    public void close() throws IOException {
        a.close();
        b.close();
    }
}
