package io.planflame.spark.shim;

import io.planflame.identity.Pretty;
import java.util.ArrayList;
import java.util.List;

/**
 * What people want to know of a physical node whose logical node does not say it: what a write
 * writes, which columns a node puts out.
 */
final class Details {
  private static final int MAX_COLUMNS = 12; // more than a name has room for

  private Details() {}

  /**
   * {@code parquet clean by day} of a write, {@code sku, day} of a projection, a scan or a range;
   * "" of any other node. A LocalTableScan has none: Spark folds constants into it, and calls its
   * columns after their literals.
   */
  static String of(Object plan, String simple, Pretty pretty) {
    try {
      if (simple.equals("DataWritingCommandExec")) {
        return write(Members.call(plan, "cmd"), pretty);
      }
      if (simple.equals("WriteFilesExec")) {
        return write(plan, pretty);
      }
      Object link = Scala.orNull(Members.call(plan, "logicalLink"));
      if (link != null && Members.has(plan, "write", 0) && Members.has(link, "table", 0)) { // DataSource V2
        return tableV2(link);
      }
      if (simple.equals("ProjectExec")) {
        return columns(Members.call(plan, "projectList"), pretty);
      }
      boolean shown = simple.contains("Scan") && !simple.equals("LocalTableScanExec") || simple.equals("RangeExec");
      return shown ? columns(Members.call(plan, "output"), pretty) : "";
    } catch (IllegalStateException | Members.NoSuchMember unknown) { // a node of somebody else's, or of another Spark line
      return "";
    }
  }

  /**
   * {@code parquet clean} of a logical node that writes, the table of one of DataSource V2; "" of
   * any other node.
   */
  static String target(Object plan) {
    try {
      if (Members.has(plan, "outputPath", 0) && Members.has(plan, "fileFormat", 0)) {
        return files(plan);
      }
      return Members.has(plan, "query", 0) && Members.has(plan, "table", 0) ? tableV2(plan) : "";
    } catch (IllegalStateException | Members.NoSuchMember unknown) {
      return "";
    }
  }

  private static String tableV2(Object node) {
    return Sources.lastPart(String.valueOf(Members.callOr("", Members.call(node, "table"), "name")));
  }

  /** What {@link #files} says, and partition columns. */
  private static String write(Object command, Pretty pretty) {
    String columns = columns(Members.callOr(null, command, "partitionColumns"), pretty);
    return files(command) + (columns.isEmpty() ? "" : " by " + columns);
  }

  /** Format, and table or last part of the path. */
  private static String files(Object command) {
    List<String> words = new ArrayList<>();
    Object format = Members.callOr(null, command, "fileFormat");
    if (format != null) {
      words.add(String.valueOf(Members.callOr(TermReader.kind(format), format, "shortName")));
    }
    String place = place(command);
    if (!place.isEmpty()) {
      words.add(place);
    }
    return String.join(" ", words);
  }

  private static String place(Object command) {
    Object option = Members.callOr(null, command, "catalogTable");
    Object table = option == null ? Members.callOr(null, command, "table") : Scala.orNull(option);
    if (table != null && Members.has(table, "identifier", 0)) {
      return String.valueOf(Members.call(Members.call(table, "identifier"), "table"));
    }
    Object path = Members.callOr(null, command, "outputPath");
    return path == null ? "" : Sources.directory(path);
  }

  /** The names of columns; without literals, which Spark names after their values. */
  private static String columns(Object attributes, Pretty pretty) {
    List<String> names = new ArrayList<>();
    for (Object attribute : Scala.list(attributes)) {
      if (isLiteral(attribute)) {
        continue;
      }
      if (names.size() == MAX_COLUMNS) {
        names.add("…");
        break;
      }
      names.add(pretty.column(TermReader.exprId(attribute), String.valueOf(Members.call(attribute, "name"))));
    }
    return String.join(", ", names);
  }

  private static boolean isLiteral(Object named) {
    return TermReader.kind(named).equals("Alias") && TermReader.kind(Members.call(named, "child")).equals("Literal");
  }
}
