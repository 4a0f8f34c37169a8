package io.planflame.spark.fake;

/** Called like Spark's, since it is known by its class. */
public final class HashPartitioning {
  /** A column. */
  public static final class Attribute {
    private final long id;
    private final Object type;

    public Attribute(long id, Object type) {
      this.id = id;
      this.type = type;
    }

    public Object exprId() {
      return id;
    }

    public Object dataType() {
      return type;
    }
  }

  /** What is computed of columns. */
  public static final class Computed {
    public Object dataType() {
      return "a type";
    }
  }

  private final Object[] expressions;

  public HashPartitioning(Object... expressions) {
    this.expressions = expressions;
  }

  public Object expressions() {
    return Plan.seq(expressions);
  }
}
