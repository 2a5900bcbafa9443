import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.cli.ExecutionContext;
import org.neo4j.commandline.admin.security.SetInitialPasswordCommand;
import org.neo4j.configuration.connectors.ConnectorPortRegister;
import org.neo4j.configuration.connectors.ConnectorType;
import org.neo4j.dbms.DatabaseStateService;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.io.fs.DefaultFileSystemAbstraction;
import org.neo4j.io.locker.FileLockException;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import picocli.CommandLine;

/**
 * Runs one Neo4j server for the gateway, as its child process.
 *
 * <p>The published artifacts hold the server but no main class for it. This one keeps three promises
 * to its parent:
 *
 * <ul>
 *   <li>Standard output carries exactly one line: {@code ready PORT}, or {@code failed KIND MESSAGE}
 *       with a KIND that {@code graph/neo4jd} turns into a typed error. All else goes to standard
 *       error.
 *   <li>When standard input ends, for whatever reason, the server stops: cleanly if it can, by force
 *       after {@link #HARD_STOP}. The kernel closes the pipe of a parent that was killed, so no
 *       server outlives its parent.
 *   <li>The server never accepts a connection before it has its password, which is read from a file:
 *       arguments and environment are visible to other users of the machine.
 * </ul>
 *
 * <p>{@code StrataNeo4j HOME} serves the folder HOME, which holds {@code neo4j.conf} and
 * {@code password}. {@code StrataNeo4j --train} starts a server on a temporary folder with the
 * {@code neo4j.conf} of the working directory, asks it a few questions and stops it: the Java machine
 * records the classes this needs, so that later starts are quick.
 */
public final class StrataNeo4j {
  private static final Duration HARD_STOP = Duration.ofSeconds(5);
  private static final Duration AVAILABLE = Duration.ofSeconds(60);
  private static final Duration AVAILABLE_POLL = Duration.ofMillis(100);
  private static final int EXIT_FAILED = 2;
  private static final int EXIT_HARD_STOP = 3;

  private static volatile DatabaseManagementService running;

  private StrataNeo4j() {}

  public static void main(String[] args) throws IOException {
    PrintStream parent = System.out;
    System.setOut(System.err);
    if (args.length == 1 && args[0].equals("--train")) {
      train();
      System.exit(0);
    }
    if (args.length != 1) {
      System.err.println("usage: StrataNeo4j HOME | --train");
      System.exit(EXIT_FAILED);
    }
    // Before anything that takes time: a parent killed while we start must be noticed too.
    stopAtShutdown();
    exitAtEndOf(System.in);
    serve(Path.of(args[0]), parent);
  }

  private static void serve(Path home, PrintStream parent) {
    try {
      setInitialPassword(home);
      DatabaseManagementService server =
          new DatabaseManagementServiceBuilder(home)
              .loadPropertiesFromFile(home.resolve("neo4j.conf"))
              .build();
      running = server;
      parent.println("ready " + boltPort(server));
      parent.flush();
    } catch (Throwable failure) {
      failure.printStackTrace();
      parent.println("failed " + kind(failure) + " " + oneLine(failure));
      parent.flush();
      // Not exit(): a half-built server may have left threads that would hold a clean exit up.
      Runtime.getRuntime().halt(EXIT_FAILED);
    }
  }

  /**
   * Gives the user {@code neo4j} its password by Neo4j's own admin command. This counts only before
   * the first start, as the command itself says, so it is left alone afterwards.
   */
  private static void setInitialPassword(Path home) throws IOException {
    if (Files.exists(home.resolve("data/databases/system/neostore"))) {
      return;
    }
    String password = Files.readString(home.resolve("password")).strip();
    try (var files = new DefaultFileSystemAbstraction()) {
      var context = new ExecutionContext(home, home, System.err, System.err, files);
      var command = new CommandLine(new SetInitialPasswordCommand(context));
      if (command.execute(password) != 0) {
        throw new IOException("the initial password could not be set");
      }
    }
  }

  /** Waits until the database answers and returns the port the kernel gave to Bolt. */
  private static int boltPort(DatabaseManagementService server) throws Throwable {
    var database = (GraphDatabaseAPI) server.database("neo4j");
    var shared = ((GraphDatabaseAPI) server.database("system")).getDependencyResolver();
    var states = shared.resolveDependency(DatabaseStateService.class);
    long deadline = System.nanoTime() + AVAILABLE.toNanos();
    while (!database.isAvailable(AVAILABLE_POLL.toMillis())) {
      // The server starts even if its database could not, and only this tells.
      var failure = states.causeOfFailure(database.databaseId());
      if (failure.isPresent()) {
        throw failure.get();
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the database did not become available in " + AVAILABLE.toSeconds() + " s");
      }
    }
    var ports = shared.resolveDependency(ConnectorPortRegister.class);
    return ports.getLocalAddress(ConnectorType.BOLT).getPort();
  }

  private static void exitAtEndOf(InputStream parent) {
    var watch =
        new Thread(
            () -> {
              try {
                while (parent.read() >= 0) {}
              } catch (IOException brokenPipe) {
                // A pipe that cannot be read has no parent at its other end.
              }
              System.exit(0);
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.setPriority(Thread.MAX_PRIORITY);
    watch.start();
  }

  /** Stops the server when this process is told to end, by its parent or by a signal. */
  private static void stopAtShutdown() {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  haltAfter(HARD_STOP);
                  DatabaseManagementService server = running;
                  if (server != null) {
                    server.shutdown();
                  }
                },
                "stop"));
  }

  /** halt() asks nobody: a shutdown that hangs cannot keep this process. */
  private static void haltAfter(Duration grace) {
    var deadline =
        new Thread(
            () -> {
              try {
                Thread.sleep(grace.toMillis());
              } catch (InterruptedException early) {
                // Then the deadline is now.
              }
              Runtime.getRuntime().halt(EXIT_HARD_STOP);
            },
            "hard-stop");
    deadline.setDaemon(true);
    deadline.start();
  }

  private static String kind(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FileLockException) {
        return "in-use";
      }
      if (t instanceof BindException) {
        return "port-taken";
      }
      if (t instanceof AccessDeniedException) {
        return "not-writable";
      }
    }
    return "other";
  }

  private static String oneLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString().replaceAll("\\s+", " ");
  }

  private static void train() throws IOException {
    Path home = Files.createTempDirectory("strata-neo4j-train");
    try {
      DatabaseManagementService server =
          new DatabaseManagementServiceBuilder(home)
              .loadPropertiesFromFile(Path.of("neo4j.conf"))
              .build();
      ask(server.database("neo4j"));
      server.shutdown();
    } finally {
      delete(home);
    }
  }

  private static void ask(GraphDatabaseService database) {
    database.executeTransactionally(
        "CREATE CONSTRAINT trained IF NOT EXISTS FOR (n:Trained) REQUIRE n.id IS UNIQUE");
    database.executeTransactionally(
        "UNWIND $ids AS id MERGE (n:Trained {id: id}) MERGE (n)-[:NEXT]->(:Trained {id: -id})",
        Map.of("ids", new long[] {1, 2, 3}));
    database.executeTransactionally(
        "MATCH (a:Trained {id: 1}) CALL (a) { MATCH p = (a)-[:NEXT*0..3]->(b)"
            + " RETURN b, min(length(p)) AS d } RETURN collect([b.id, d]) AS reached",
        Map.of(),
        rows -> rows.resultAsString());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
