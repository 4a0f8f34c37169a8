package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimeListenerTest {
  private final TimeDesk desk = new TimeDesk(id -> new String[] {"", "", ""}, 1);
  private final TimeListener listener = new TimeListener(desk);

  @BeforeEach
  void reset() {
    NativeAgent.reset();
    Complaints.forget();
  }

  /** An event whose query execution has no tracker. */
  public static final class BrokenEnd {
    public long executionId() {
      return 7;
    }

    public long time() {
      return 200;
    }

    public Object qe() {
      return "";
    }
  }

  /** As Spark's event of a command. */
  public static final class Start {
    public long executionId() {
      return 7;
    }

    public long time() {
      return 100;
    }

    public Start sparkPlanInfo() {
      return this;
    }

    public String nodeName() {
      return "Execute DropTableCommand";
    }
  }

  @Test
  void aCommandIsToldByTheRootOfItsPlan() {
    desk.applicationStarted("app-7", 0);
    listener.other(TimeListener.START, new Start());
    listener.other(TimeListener.END, new BrokenEnd());
    desk.close(300);
    assertTrue(NativeAgent.CALLS.stream().anyMatch(call -> call.contains("\"root_node\":\"Execute DropTableCommand\"")));
  }

  @Test
  void aDeskThatIsOffIsToldNothing() {
    desk.applicationStarted("app-7", 0);
    desk.executionStarted(7, 7, 100, "");
    desk.off();
    listener.onApplicationEnd(null); // no one looks at it
    desk.poll(9000);
    desk.replay();
    desk.close(9000);
    assertEquals(0, listener.failed().count());
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
  }

  @Test
  void anExecutionEndsAlsoIfItsPhasesCannotBeRead() {
    desk.applicationStarted("app-7", 0);
    desk.executionStarted(7, 7, 100, "");
    listener.other(TimeListener.END, new BrokenEnd());
    desk.close(300);
    assertEquals(1, listener.failed().count());
    assertTrue(NativeAgent.CALLS.stream().anyMatch(call -> call.contains("\"kind\":\"execution\"") && call.contains("\"ended_ms\":200")));
  }
}
