package io.planflame.spark;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.ClassWriter;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;

/**
 * Makes Spark's code generation sign what it writes: a Java agent for the oracle's own JVM, never
 * for a user's. {@link Signatures} does the signing, and nothing at all outside of its own runs.
 *
 * <p>Changed are, in Spark 3.5 and 4.x: every {@code doProduce} and {@code doConsume} of a physical
 * operator, since the text it returns is its own. {@code CodegenSupport.consume} is changed for the
 * code of output columns that no one has evaluated yet. {@code prepareRowVar} and {@code
 * constructDoConsumeFunction} are the consumer's work: a row packed for it, its code as a method,
 * and the call of that method. {@code Expression.genCode} is changed, and {@code
 * CodegenContext.addNewFunction} and {@code addInnerClass}, whose text leaves the operator's own.
 */
public final class SigningAgent implements ClassFileTransformer {
  private static final String SQL = "org/apache/spark/sql/";
  private static final String EXPRESSION = SQL + "catalyst/expressions/Expression";
  private static final String CONTEXT = SQL + "catalyst/expressions/codegen/CodegenContext";
  private static final String SIGNATURES = "io/planflame/spark/Signatures";
  private static final String STRING = "Ljava/lang/String;";

  /** Called by the JVM before main. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new SigningAgent());
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    boolean ours = name != null && (name.startsWith(SQL + "execution/") || name.equals(EXPRESSION) || name.equals(CONTEXT));
    if (!ours || redefined != null) {
      return null;
    }
    try {
      ClassReader reader = new ClassReader(bytes);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS); // no branch is added: frames stay
      reader.accept(new Signer(writer, name), 0);
      return writer.toByteArray();
    } catch (RuntimeException e) {
      Signatures.refuse("instrument " + name, e); // the JVM would swallow it
      return null;
    }
  }

  private static final class Signer extends ClassVisitor {
    private final String type;

    Signer(ClassVisitor next, String type) {
      super(Opcodes.ASM9, next);
      this.type = type;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) != 0) {
        return next;
      }
      boolean generates = descriptor.startsWith("(L" + CONTEXT + ";");
      if (generates && descriptor.endsWith(")" + STRING) && (name.equals("doProduce") || name.equals("doConsume"))) {
        return new Around(next, "enter", "text", STRING);
      }
      if (generates && name.equals("constructDoConsumeFunction")) {
        return new Around(next, "enterConsumer", "text", STRING);
      }
      if (generates && name.equals("prepareRowVar")) {
        return new Around(next, "enterConsumer", "row", "Ljava/lang/Object;");
      }
      if (generates && name.equals("consume") && type.equals(SQL + "execution/CodegenSupport")) {
        return new Before(next, 2, "outputs", "(Ljava/lang/Object;)V");
      }
      if (type.equals(EXPRESSION) && name.equals("genCode")) {
        return new Around(next, null, "expression", "Ljava/lang/Object;");
      }
      if (type.equals(CONTEXT) && name.equals("addNewFunction")) {
        return new Before(next, 2, "function", "(" + STRING + ")" + STRING);
      }
      if (type.equals(CONTEXT) && name.equals("addInnerClass")) {
        return new Before(next, 1, "function", "(" + STRING + ")" + STRING);
      }
      return next;
    }
  }

  /**
   * Calls {@code enter(this)} first and puts {@code leave(result)} in the place of what is
   * returned.
   */
  private static final class Around extends MethodVisitor {
    private final String enter;
    private final String leave;
    private final String result;

    Around(MethodVisitor next, String enter, String leave, String result) {
      super(Opcodes.ASM9, next);
      this.enter = enter;
      this.leave = leave;
      this.result = result;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (enter != null) {
        visitVarInsn(Opcodes.ALOAD, 0);
        visitMethodInsn(Opcodes.INVOKESTATIC, SIGNATURES, enter, "(Ljava/lang/Object;)V", false);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN) {
        boolean text = result.equals(STRING);
        if (!text) {
          super.visitInsn(Opcodes.DUP); // signed in place
        }
        visitMethodInsn(Opcodes.INVOKESTATIC, SIGNATURES, leave, "(" + result + ")" + (text ? STRING : "V"), false);
      }
      super.visitInsn(opcode);
    }
  }

  /** Passes an argument by a method of Signatures first. */
  private static final class Before extends MethodVisitor {
    private final int argument;
    private final String method;
    private final String descriptor;

    Before(MethodVisitor next, int argument, String method, String descriptor) {
      super(Opcodes.ASM9, next);
      this.argument = argument;
      this.method = method;
      this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitVarInsn(Opcodes.ALOAD, argument);
      visitMethodInsn(Opcodes.INVOKESTATIC, SIGNATURES, method, descriptor, false);
      if (Type.getReturnType(descriptor) != Type.VOID_TYPE) {
        visitVarInsn(Opcodes.ASTORE, argument);
      }
    }
  }
}
