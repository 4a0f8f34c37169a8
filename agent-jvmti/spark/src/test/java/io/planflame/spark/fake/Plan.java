package io.planflame.spark.fake;

import java.util.ArrayList;
import java.util.Arrays;
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
  }

  private final String name;
  private final List<Plan> children;
  private final List<Plan> subqueries = new ArrayList<>();

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

  public Object metrics() {
    return Map$.MODULE$.empty();
  }

  public Object children() {
    return seq(children);
  }

  public Object subqueries() {
    return seq(subqueries);
  }

  static Object seq(List<Plan> plans) {
    scala.collection.immutable.List<Object> out = List$.MODULE$.empty();
    for (int i = plans.size() - 1; i >= 0; i--) {
      out = out.$colon$colon(plans.get(i));
    }
    return out;
  }
}
