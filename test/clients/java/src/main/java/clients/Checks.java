package clients;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Runs checks one after the other and reports each as a line of JSON. */
final class Checks {
  private Checks() {}

  interface Check {
    void run() throws Exception;
  }

  static void check(String name, Check check) {
    try {
      check.run();
      System.out.println("{\"check\":\"" + name + "\"}");
    } catch (Throwable problem) {
      problem.printStackTrace();
      System.out.println("{\"check\":\"" + name + "\",\"problem\":\"" + escaped(problem.toString()) + "\"}");
    }
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ");
  }

  static void same(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new AssertionError(actual + " is not " + expected);
  }

  /** Waits for an effect. */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + 90_000_000_000L;
    while (System.nanoTime() < deadline) {
      if (condition.call()) return;
      Thread.sleep(50);
    }
    throw new AssertionError("not in 90 s: " + what);
  }

  static void refused(int code, Supplier<?> call) {
    try {
      call.get();
    } catch (io.fabric8.kubernetes.client.KubernetesClientException problem) {
      same(problem.getCode(), code);
      return;
    }
    throw new AssertionError("the server did not refuse it");
  }
}
