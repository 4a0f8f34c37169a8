package io.planflame.spark;

import io.planflame.spark.shim.JobStages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.scheduler.SparkListenerJobStart;

/**
 * The driver's names of stages that run for no SQL execution; the oldest are forgotten.
 * Thread-safe.
 */
final class StageBook {
  private static final int KEPT = 4096;

  private final String label;
  private final Map<Integer, byte[]> stages =
      new LinkedHashMap<Integer, byte[]>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
          return size() > KEPT;
        }
      };

  /** @param label the name the user gave to all queries of the application, or "" */
  StageBook(String label) {
    this.label = label;
  }

  /**
   * From the listener: a job starts that belongs to no SQL execution. A stage that an earlier job
   * had keeps its names.
   */
  void started(SparkListenerJobStart event) {
    add(JobStages.of(event), event.properties() == null ? new Properties() : event.properties());
  }

  void add(List<JobStages.Stage> ofJob, Properties properties) {
    String description = properties.getProperty("spark.job.description", "");
    QueryName name = new QueryName(label);
    name.ofJob(properties.getProperty(Settings.QUERY_NAME, ""), description, properties.getProperty("spark.jobGroup.id", ""));
    Map<Integer, byte[]> json = new StageNames(ofJob, description).json(name);
    synchronized (stages) {
      json.forEach(stages::putIfAbsent);
    }
  }

  /** The JSON of a stage, null if it is not known. */
  byte[] of(int stageId) {
    synchronized (stages) {
      return stages.get(stageId);
    }
  }
}
