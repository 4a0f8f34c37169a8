package io.planflame.spark.shim;

import io.planflame.identity.RunText;
import java.util.List;

/**
 * Names the leaves of logical plans: by catalog name where there is one, else by format and schema;
 * never by path.
 */
final class Sources {
  private Sources() {}

  /** The leaf's stable name. */
  static String identity(Object leaf, String kind) {
    if (isOfStream(leaf, kind)) {
      return "stream:" + schema(leaf);
    }
    Object table = catalogTable(leaf);
    if (table != null) {
      return "table:" + Members.call(Members.call(table, "identifier"), "unquotedString");
    }
    switch (kind) {
      case "LogicalRelation":
        Object relation = Members.call(leaf, "relation");
        return format(relation) + ":" + schema(relation);
      case "InMemoryRelation":
        return "cached:" + schema(leaf);
      case "DataSourceV2ScanRelation":
        Object inner = Members.call(leaf, "relation");
        return identity(inner, TermReader.kind(inner));
      case "DataSourceV2Relation":
        return v2(leaf);
      case "Range":
      case "OneRowRelation":
        return kind;
      default:
        return kind + ":" + schema(leaf);
    }
  }

  /**
   * A batch of a stream: what the source has new, or an empty relation if there is nothing new
   * and only state is to be told.
   */
  private static boolean isOfStream(Object leaf, String kind) {
    return kind.equals("StreamingDataSourceV2ScanRelation")
        || (kind.equals("LogicalRelation") || kind.equals("LocalRelation")) && Boolean.TRUE.equals(Members.callOr(false, leaf, "isStreaming"));
  }

  /**
   * A short name for people: the table's, else the name of the directory or file; empty when there
   * is none.
   */
  static String label(Object leaf) {
    Object table = catalogTable(leaf);
    if (table != null) {
      return String.valueOf(Members.call(Members.call(table, "identifier"), "table"));
    }
    if (TermReader.kind(leaf).equals("DataSourceV2ScanRelation")) {
      return label(Members.call(leaf, "relation"));
    }
    if (TermReader.kind(leaf).equals("DataSourceV2Relation")) {
      return lastPart(String.valueOf(Members.call(Members.call(leaf, "table"), "name")));
    }
    Object location = Members.has(leaf, "relation", 0) ? Members.callOr(null, Members.call(leaf, "relation"), "location") : null;
    List<Object> paths = location == null ? null : Scala.list(Members.callOr(null, location, "rootPaths"));
    return paths == null || paths.isEmpty() ? "" : directory(paths.get(0));
  }

  /** The name of the file or directory that people know: not the name of one part of it. */
  static String directory(Object path) {
    String name = (String) Members.call(path, "getName");
    Object parent = Members.call(path, "getParent");
    if (parent != null && (name.startsWith("part-") || name.matches("[\\w$]+=.*"))) {
      return directory(parent);
    }
    int dot = name.indexOf('.');
    return RunText.without(dot > 0 ? name.substring(0, dot) : name);
  }

  /** {@code orders} of {@code catalog.schema.orders} or of a path. */
  static String lastPart(String name) {
    return RunText.without(name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1));
  }

  /** LogicalRelation.catalogTable, HiveTableRelation.tableMeta. */
  private static Object catalogTable(Object leaf) {
    Object meta = Members.callOr(null, leaf, "tableMeta");
    return meta != null ? meta : Scala.orNull(Members.callOr(null, leaf, "catalogTable"));
  }

  private static String v2(Object leaf) {
    Object identifier = Scala.orNull(Members.call(leaf, "identifier"));
    if (identifier != null) {
      return "table:" + identifier;
    }
    return TermReader.kind(Members.call(leaf, "table")) + ":" + schema(leaf);
  }

  private static String format(Object relation) {
    Object format = Members.callOr(null, relation, "fileFormat");
    if (format == null) {
      return TermReader.kind(relation);
    }
    return String.valueOf(Members.callOr(TermReader.kind(format), format, "shortName"));
  }

  private static String schema(Object node) {
    return (String) Members.call(Members.call(node, "schema"), "catalogString");
  }
}
