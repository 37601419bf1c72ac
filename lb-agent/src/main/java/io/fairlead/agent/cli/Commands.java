package io.fairlead.agent.cli;

import io.fairlead.agent.Log;
import io.fairlead.config.ConfigFile;
import io.fairlead.config.ConfigProblem;
import java.io.File;
import java.nio.file.Paths;
import java.util.List;

/** What {@code java -jar lb-agent.jar} does. What it complains of goes to standard error. */
public final class Commands {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int WRONG = 2;

    private Commands() {}

    /**
     * Runs a command.
     *
     * @param jar the agent's jar
     * @return the exit status
     */
    public static int run(String[] arguments, File jar) {
        if (arguments.length == 2 && arguments[0].equals("check")) {
            return check(arguments[1]);
        }
        if (arguments.length == 3 && arguments[0].equals("attach")) {
            return attach(arguments[1], arguments[2], jar);
        }
        if (arguments.length == 2 && arguments[0].equals("status")) {
            return status(arguments[1], jar);
        }
        Log.plain("usage: java -javaagent:lb-agent.jar=FILE ...          starts an application with the agent");
        Log.plain("       java -jar lb-agent.jar attach PID FILE         brings the agent into a running JVM");
        Log.plain("       java -jar lb-agent.jar status PID              tells what the agent does in a running JVM");
        Log.plain("       java -jar lb-agent.jar check FILE              checks a configuration file");
        return WRONG;
    }

    private static int check(String file) {
        List<ConfigProblem> problems =
                ConfigFile.read(Paths.get(file)).problems().list();
        problems.forEach(problem -> Log.plain(problem.toString()));
        return problems.isEmpty() ? OK : WRONG;
    }

    private static int attach(String pid, String file, File jar) {
        List<ConfigProblem> problems =
                ConfigFile.read(Paths.get(file)).problems().list();
        if (!problems.isEmpty()) {
            int more = problems.size() - 1;
            Log.plain(problems.get(0) + (more == 0 ? "" : " (and " + more + " more: java -jar lb-agent.jar check)"));
            return FAILED;
        }
        try {
            String failure = Attachment.attach(pid, new File(file).getAbsoluteFile(), jar);
            if (failure == null) {
                return OK;
            }
            Log.line("JVM " + pid + ": " + failure);
        } catch (Exception | LinkageError e) {
            Log.line("JVM " + pid + " cannot be attached to: " + Attachment.reason(e));
        }
        return FAILED;
    }

    private static int status(String pid, File jar) {
        try {
            String report = Attachment.report(pid, jar);
            if (!report.isEmpty()) {
                System.out.print(report);
                return OK;
            }
            Log.line("JVM " + pid + ": no agent is at work there");
        } catch (Exception | LinkageError e) {
            Log.line("JVM " + pid + " cannot be asked: " + Attachment.reason(e));
        }
        return FAILED;
    }
}
