package io.planflame.spark.shim;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Members of Spark's and Scala's classes, called by name and looked up once a class. A member that
 * a Spark line lacks is a {@link NoSuchMember}, whose message names class and member. Thread-safe.
 */
public final class Members {
  /** A member that this Spark line does not have. */
  public static final class NoSuchMember extends RuntimeException {
    NoSuchMember(Class<?> type, String name) {
      super(type.getName() + " has no member " + name);
    }
  }

  /** Stands for "looked up and not there". */
  private static final Object ABSENT = new Object();

  private static final ClassValue<ConcurrentHashMap<String, Object>> METHODS = table();
  private static final ClassValue<ConcurrentHashMap<String, Object>> FIELDS = table();

  private Members() {}

  private static ClassValue<ConcurrentHashMap<String, Object>> table() {
    return new ClassValue<ConcurrentHashMap<String, Object>>() {
      @Override
      protected ConcurrentHashMap<String, Object> computeValue(Class<?> type) {
        return new ConcurrentHashMap<>();
      }
    };
  }

  /** Whether {@code target} has a public method of this name and number of arguments. */
  public static boolean has(Object target, String name, int arguments) {
    return method(target.getClass(), name, arguments) != null;
  }

  /**
   * Calls a public method by name.
   *
   * @throws NoSuchMember when there is none of that name and number of arguments
   */
  public static Object call(Object target, String name, Object... arguments) {
    Method method = method(target.getClass(), name, arguments.length);
    if (method == null) {
      throw new NoSuchMember(target.getClass(), name);
    }
    return invoke(method, target, arguments);
  }

  /**
   * Calls a public method, or returns {@code otherwise} when this Spark line has none of that name.
   */
  public static Object callOr(Object otherwise, Object target, String name, Object... arguments) {
    Method method = method(target.getClass(), name, arguments.length);
    return method == null ? otherwise : invoke(method, target, arguments);
  }

  /** The singleton of a Scala object, e.g. {@code org.apache.spark.sql.execution.SQLExecution$}. */
  public static Object singleton(String className) throws ClassNotFoundException {
    Class<?> type = Class.forName(className, true, loader());
    return readStatic(type, "MODULE$");
  }

  /** The loader that sees Spark: Spark's own, for a plugin's jar may be loaded by a child of it. */
  public static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : Members.class.getClassLoader();
  }

  /**
   * Reads a field, private ones too, of the object's class or a superclass; null also when there is
   * no such field.
   */
  public static Object readField(Object target, String name) {
    Field field = field(target.getClass(), name);
    try {
      return field == null ? null : field.get(target);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("read " + target.getClass().getName() + "." + name, e);
    }
  }

  /** Writes a field that {@link #readField} reads, final ones too. */
  static void writeField(Object target, String name, Object value) {
    Field field = field(target.getClass(), name);
    if (field == null) {
      throw new NoSuchMember(target.getClass(), name);
    }
    try {
      field.set(target, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("write " + target.getClass().getName() + "." + name, e);
    }
  }

  /** Reads a static field, private ones too. */
  static Object readStatic(Class<?> type, String name) {
    Field field = field(type, name);
    if (field == null) {
      throw new NoSuchMember(type, name);
    }
    try {
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("read " + type.getName() + "." + name, e);
    }
  }

  private static Method method(Class<?> type, String name, int arguments) {
    ConcurrentHashMap<String, Object> methods = METHODS.get(type);
    String key = arguments == 0 ? name : name + '/' + arguments; // most have none: no text is made for them
    Object found = methods.get(key);
    if (found == null) {
      found = findMethod(type, name, arguments);
      methods.put(key, found);
    }
    return found == ABSENT ? null : (Method) found;
  }

  /**
   * Finds the method at the highest superclass that has it, and calls go to what overrides it. The
   * first look at a class makes the JVM copy all that it declares, hundreds of methods if it is
   * Scala's. Expressions and plan nodes have a common superclass.
   */
  private static Object findMethod(Class<?> type, String name, int arguments) {
    Class<?> above = type.getSuperclass();
    Method inherited = above == null ? null : method(above, name, arguments);
    if (inherited != null && !Modifier.isStatic(inherited.getModifiers())) {
      return inherited;
    }
    if (arguments == 0) {
      try {
        Method method = type.getMethod(name); // copies nothing but this one; Scala's classes have hundreds
        method.setAccessible(true);
        return method;
      } catch (NoSuchMethodException e) {
        return ABSENT;
      }
    }
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments && !method.isBridge()) {
        method.setAccessible(true);
        return method;
      }
    }
    for (Method method : type.getMethods()) { // only a bridge, e.g. inherited through a generic trait
      if (method.getName().equals(name) && method.getParameterCount() == arguments) {
        method.setAccessible(true);
        return method;
      }
    }
    return ABSENT;
  }

  private static Field field(Class<?> type, String name) {
    ConcurrentHashMap<String, Object> fields = FIELDS.get(type);
    Object found = fields.get(name);
    if (found == null) {
      found = fields.computeIfAbsent(name, key -> findField(type, name));
    }
    return found == ABSENT ? null : (Field) found;
  }

  private static Object findField(Class<?> type, String name) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        Field field = at.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (NoSuchFieldException e) {
        continue; // try the superclass
      }
    }
    return ABSENT;
  }

  private static Object invoke(Method method, Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("call " + method.getDeclaringClass().getName() + "." + method.getName(), e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("call " + method.getDeclaringClass().getName() + "." + method.getName(), e);
    }
  }
}
