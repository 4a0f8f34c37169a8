package io.planflame.spark.fake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import scala.None$;
import scala.Option;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map$;

/** A node of a physical plan with the members that the plugin calls by name. */
public class Plan {
  /** The texts that were asked for, in order: who reads a plan asks each node for its own. */
  public static final List<String> READ = new ArrayList<>();

  /** Stands for SQLConf. */
  public static final class Conf {
    public Object maxToStringFields() {
      return 25;
    }

    public Object adaptiveExecutionEnabled() {
      return true;
    }
  }

  private final String name;
  private final List<Plan> children;
  private final List<Plan> subqueries = new ArrayList<>();
  private final java.util.Map<Object, Object> tags = new HashMap<>();
  private scala.collection.immutable.Map<String, Object> metrics = Map$.MODULE$.empty();

  public Plan(String name, Plan... children) {
    this.name = name;
    this.children = Arrays.asList(children);
  }

  public Plan subquery(Plan plan) {
    subqueries.add(plan);
    return this;
  }

  public String nodeName() {
    return name;
  }

  public String simpleString(Object fields) {
    READ.add(text());
    return text();
  }

  String text() {
    return name;
  }

  public Object conf() {
    return new Conf();
  }

  public Option<?> logicalLink() {
    return None$.MODULE$;
  }

  /** Stands for SQLMetric. */
  public static final class Metric {
    private final long id;

    Metric(long id) {
      this.id = id;
    }

    public long id() {
      return id;
    }

    public Option<?> name() {
      return None$.MODULE$;
    }

    public String metricType() {
      return "sum";
    }
  }

  /** Gives it a metric. */
  public Plan metric(long id) {
    metrics = Map$.MODULE$.<String, Object>empty().updated("numOutputRows", new Metric(id));
    return this;
  }

  public Object metrics() {
    return metrics;
  }

  public Object collectLeaves() {
    List<Plan> out = new ArrayList<>();
    addLeaves(out);
    return seq(out);
  }

  private void addLeaves(List<Plan> out) {
    if (children.isEmpty()) {
      out.add(this);
    }
    children.forEach(child -> child.addLeaves(out));
  }

  public void setTagValue(Object tag, Object value) {
    tags.put(tag, value);
  }

  public Option<?> getTagValue(Object tag) {
    return Option.apply(tags.get(tag));
  }

  public Object children() {
    return seq(children);
  }

  public Object subqueries() {
    return seq(subqueries);
  }

  static Object seq(List<Plan> plans) {
    return seq(plans.toArray());
  }

  static Object seq(Object... elements) {
    scala.collection.immutable.List<Object> out = List$.MODULE$.empty();
    for (int i = elements.length - 1; i >= 0; i--) {
      out = out.$colon$colon(elements[i]);
    }
    return out;
  }
}
