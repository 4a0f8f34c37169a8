package io.planflame.spark;

/** Java lists as Scala's immutable ones, which are a Seq for Scala 2.12 and 2.13 alike. */
final class Lists {
  private Lists() {}

  @SuppressWarnings("deprecation") // the one that both Scalas have
  static <T> scala.collection.immutable.List<T> of(java.util.List<T> list) {
    return scala.collection.JavaConverters.asScalaBufferConverter(list).asScala().toList();
  }
}
