package io.planflame.spark;

import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.PlanWatch;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * What the driver's half adds to the sessions of its application: a rule that changes no plan and
 * shows each to {@link PlannedPlans}. Spark tells no one of a plan that runs without an SQL
 * execution, as the plan of df.rdd does. Spark makes it by its name in {@value #KEY}; PySpark 3.5
 * reads no other way to add one.
 */
public final class SessionExtension extends AbstractFunction1<Object, Object> {
  static final String KEY = "spark.sql.extensions";

  private static final String NAME = SessionExtension.class.getName();

  /** For Spark. */
  public SessionExtension() {}

  /** Adds this class behind the user's, if sessions will find it. */
  static void register(SparkConf conf) {
    try {
      if (Class.forName(NAME, false, Members.loader()) == SessionExtension.class) {
        conf.set(KEY, behind(conf.get(KEY, "")));
      }
    } catch (ClassNotFoundException e) {
      return; // sessions would warn of it
    }
  }

  /** The value of {@link #KEY} with this class behind the user's, once. */
  static String behind(String users) {
    if (Arrays.asList(users.trim().split("\\s*,\\s*")).contains(NAME)) {
      return users;
    }
    return users.trim().isEmpty() ? NAME : users + "," + NAME;
  }

  @Override
  public Object apply(Object extensions) {
    try {
      PlanWatch watch = new PlanWatch(SessionExtension::see); // here, since a session's own maker is not guarded
      Members.call(extensions, "injectColumnar", new AbstractFunction1<Object, Object>() {
        @Override
        public Object apply(Object session) {
          return watch;
        }
      });
    } catch (Throwable e) {
      Complaints.once("add a rule to a session", e);
    }
    return BoxedUnit.UNIT;
  }

  private static void see(Object plan) {
    PlanBook book = PlanBook.ofThisJvm();
    if (book != null) {
      book.planned().see(plan);
    }
  }
}
