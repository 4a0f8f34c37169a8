"""What the JVM of a Spark session says of itself."""
import glob
import os


def cpu_seconds(stat):
    """CPU of a process or thread, from its /proc/…/stat."""
    with open(stat, encoding="ascii", errors="replace") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compiler_line(spark):
    """The CPU that the JVM's compiler threads have used, and all of it."""
    process = f"/proc/{spark._jvm.java.lang.ProcessHandle.current().pid()}"
    compiler = 0
    for task in glob.glob(process + "/task/*"):
        try:
            with open(task + "/comm", encoding="ascii", errors="replace") as f:
                name = f.read()
            if name.startswith(("C1 Compiler", "C2 Compiler")):
                compiler += cpu_seconds(task + "/stat")
        except FileNotFoundError:
            pass  # the thread has ended
    return f"compiler threads: {compiler:.2f} of {cpu_seconds(process + '/stat'):.2f} CPU s of the JVM"
