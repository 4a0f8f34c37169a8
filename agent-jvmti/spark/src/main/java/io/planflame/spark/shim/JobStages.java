package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Reads the stages of a job out of Spark's event of its start. */
public final class JobStages {
  /** What Spark says of one stage. */
  public static final class Stage {
    public final int id;

    /** The short form of its call site. */
    public final String name;

    /** The long form of its call site. */
    public final String details;

    public final List<Integer> parents;

    /** The names of its RDDs' classes, or what the user called them; the topmost first. */
    public final List<String> rdds;

    /** The short form of the call site of its topmost RDD. */
    public final String topCallSite;

    public Stage(int id, String name, String details, List<Integer> parents, List<String> rdds, String topCallSite) {
      this.id = id;
      this.name = name;
      this.details = details;
      this.parents = parents;
      this.rdds = rdds;
      this.topCallSite = topCallSite;
    }
  }

  private JobStages() {}

  /** The stages of SparkListenerJobStart, ascending by id. */
  public static List<Stage> of(Object jobStart) {
    TreeMap<Integer, Stage> out = new TreeMap<>();
    for (Object info : Scala.list(Members.call(jobStart, "stageInfos"))) {
      List<Integer> parents = new ArrayList<>();
      for (Object parent : Scala.list(Members.call(info, "parentIds"))) {
        parents.add((Integer) parent);
      }
      List<String> rdds = new ArrayList<>();
      String top = "";
      for (Object rdd : Scala.list(Members.call(info, "rddInfos"))) {
        top = rdds.isEmpty() ? String.valueOf(Members.call(rdd, "callSite")) : top;
        rdds.add(String.valueOf(Members.call(rdd, "name")));
      }
      int id = (Integer) Members.call(info, "stageId");
      out.put(id, new Stage(id, (String) Members.call(info, "name"), (String) Members.call(info, "details"), parents, rdds, top));
    }
    return new ArrayList<>(out.values());
  }
}
