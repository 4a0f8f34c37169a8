package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class DriverCallTest {
  private boolean refuses = true;

  @Test
  void aQuestionForWhichThereIsNoThreadKeepsNoOtherFromTheDriver() throws Throwable {
    DictionaryAnswer answer = new DictionaryAnswer();
    DriverCall call = new DriverCall(question -> answer, work -> {
      if (refuses) {
        throw new RejectedExecutionException("no thread");
      }
      work.run();
    });
    assertThrows(RejectedExecutionException.class, () -> call.ask(new DictionaryQuestion()));
    assertFalse(call.isOpen());
    refuses = false;
    call.ask(new DictionaryQuestion());
    assertSame(answer, call.answered().get());
    assertFalse(call.isOpen());
  }
}
