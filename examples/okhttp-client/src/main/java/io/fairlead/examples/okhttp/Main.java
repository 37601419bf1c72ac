package io.fairlead.examples.okhttp;

import io.fairlead.LoadBalancers;
import io.fairlead.config.ConfigException;
import io.fairlead.config.ConfigProblem;
import io.fairlead.okhttp.LoadBalancingInterceptor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Paths;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Calls a URL whose host is a service of a configuration file, and prints what its servers answer:
 *
 * <pre>{@code java -jar okhttp-client.jar lb.yaml http://orders/ 4}</pre>
 */
public final class Main {
    private static final int OK = 0;
    private static final int CALL_FAILED = 1;
    private static final int CANNOT_BEGIN = 2;

    private final PrintStream out;
    private final PrintStream err;

    private Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the example; exit status 0, 1 when a call failed, 2 when the arguments or the file are wrong. */
    public static void main(String[] args) {
        System.exit(new Main(System.out, System.err).run(args));
    }

    private int run(String[] args) {
        if (args.length < 2 || args.length > 3) {
            err.println("usage: java -jar okhttp-client.jar FILE URL [COUNT]");
            return CANNOT_BEGIN;
        }
        try (LoadBalancers balancers = LoadBalancers.load(Paths.get(args[0]))) {
            Request request = new Request.Builder().url(args[1]).build();
            return call(balancers, request, args.length == 3 ? Integer.parseInt(args[2]) : 1);
        } catch (ConfigException e) {
            for (ConfigProblem problem : e.problems()) {
                err.println(problem);
            }
            return CANNOT_BEGIN;
        } catch (NumberFormatException e) {
            err.println("COUNT: '" + args[2] + "' is not a number");
            return CANNOT_BEGIN;
        } catch (IllegalArgumentException e) {
            err.println("URL: " + e.getMessage());
            return CANNOT_BEGIN;
        }
    }

    /** The three lines that an application needs are the first of these. */
    private int call(LoadBalancers balancers, Request request, int count) {
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(LoadBalancingInterceptor.of(balancers))
                .build();
        int status = OK;
        for (int i = 0; i < count; i++) {
            try (Response response = client.newCall(request).execute()) {
                out.println(response.code() + " " + response.body().string());
            } catch (IOException e) {
                err.println(request.url() + ": " + e.getMessage());
                status = CALL_FAILED;
            }
        }
        return status;
    }
}
