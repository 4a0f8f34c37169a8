"""Tells the planflame plugin which line of the program each DataFrame call is on. planflame run puts it on PYTHONPATH.

Python imports this module at its start, before the program. It wraps a few methods of PySpark's classes when the program imports them. A
wrapper tells the plugin in the driver's JVM where its outermost caller is, which costs two calls over py4j, and never raises by itself.
"""
import functools
import importlib.util
import os
import sys
import threading
import types

HERE = os.path.dirname(os.path.abspath(__file__))

# module -> class -> the methods that are wrapped; None: all public ones
CLASSES = {
    "pyspark.sql.dataframe": {"DataFrame": None},
    "pyspark.sql.classic.dataframe": {"DataFrame": None},  # 4.x
    "pyspark.sql.group": {"GroupedData": None},
    "pyspark.sql.session": {"SparkSession": {"sql"}},
    "pyspark.sql.readwriter": {
        "DataFrameReader": {"load", "json", "parquet", "text", "csv", "xml", "orc", "jdbc"},  # they list files and infer schemas
        "DataFrameWriter": {"save", "insertInto", "saveAsTable", "json", "parquet", "text", "csv", "xml", "orc", "jdbc"},
        "DataFrameWriterV2": {"create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions"},
    },
}


class Calls:
    """The way to the plugin, and whether this thread is inside a wrapped call."""

    def __init__(self):
        self.inside = threading.local()
        self.jvm = self.enter = self.leave = None
        self.off = False

    def connect(self):
        """Whether a JVM with the plugin is there."""
        context = sys.modules["pyspark"].SparkContext._active_spark_context
        if type(getattr(context, "_gateway", None)).__name__ == "JavaGateway":
            self.off = True  # PYSPARK_PIN_THREAD=false: a call and its end may be on different threads of the JVM
        jvm = None if self.off or context is None else context._jvm
        if jvm is not self.jvm:
            call = None if jvm is None else jvm.io.planflame.spark.UserCall
            self.enter, self.leave = (call.enter, call.leave) if call is not None else (None, None)
            self.jvm = jvm
        return jvm is not None

    def begin(self, method, args):
        """Tells the plugin of a call; whether it did."""
        if self.off or getattr(self.inside, "call", False):
            return False
        try:
            if not self.connect():
                return False
            line = line_of(sys._getframe(2))
            if not line:
                return False
            text = args[1] if method == "sql" and len(args) > 1 and isinstance(args[1], str) else ""
            self.inside.call = True
            try:
                self.enter(method, line, text)
            except Exception:  # a JVM without the plugin
                self.inside.call = False
                raise
            except BaseException:  # an interrupt must leave no line behind
                self.end()
                raise
            return True
        except Exception:
            self.off = True  # a plugin without it, Spark Connect: the program is none the wiser
            return False

    def end(self):
        self.inside.call = False
        try:
            self.leave()
        except Exception:
            self.off = True


calls = Calls()


def line_of(frame):
    """The first line outside of PySpark and py4j: etl.py:14, or the line of a notebook's cell."""
    folders = (os.path.dirname(sys.modules["pyspark"].__file__), os.path.dirname(sys.modules["py4j"].__file__), HERE)
    ours = tuple(os.path.join(folder, "") for folder in folders)
    while frame is not None and frame.f_code.co_filename.startswith(ours):
        frame = frame.f_back
    if frame is None:
        return ""
    file = frame.f_code.co_filename
    if "ipykernel_" in file or file.startswith("<ipython-input"):
        return "cell [%d]:%d" % (sys.modules["IPython"].get_ipython().execution_count, frame.f_lineno)
    return "%s:%d" % (os.path.basename(file), frame.f_lineno)


def told(method):
    """The method, which tells the plugin where it is called."""

    @functools.wraps(method)
    def wrapper(*args, **kwargs):
        if not calls.begin(method.__name__, args):
            return method(*args, **kwargs)
        try:
            return method(*args, **kwargs)
        finally:
            calls.end()

    # PySpark names jobs after its outermost frame and that frame's caller. The wrapper must pass
    # for the method.
    file = os.path.join(os.path.dirname(sys.modules["pyspark"].__file__), "planflame.py")
    wrapper.__code__ = wrapper.__code__.replace(co_filename=file, co_name=method.__name__)
    return wrapper


def wrap(module):
    for name, methods in CLASSES[module.__name__].items():
        cls = getattr(module, name, None)
        for method, value in list(vars(cls).items()) if cls is not None else []:
            wanted = not method.startswith("_") if methods is None else method in methods
            if wanted and isinstance(value, types.FunctionType):
                setattr(cls, method, told(value))


class Finder:
    """Finds the modules of CLASSES as Python would, and wraps their classes once they are loaded."""

    def __init__(self):
        self.finding = threading.local()

    def find_spec(self, name, path=None, target=None):
        if name not in CLASSES or getattr(self.finding, "now", False):
            return None
        self.finding.now = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.finding.now = False
        load = getattr(spec and spec.loader, "exec_module", None)
        if load is None:
            return None

        def exec_module(module):
            load(module)
            try:
                if module.__name__ == name:  # a zip has one loader for all its modules
                    wrap(module)
            except Exception:
                pass

        spec.loader.exec_module = exec_module
        return spec


def next_customization():
    """Runs the sitecustomize that this one hides, if there is one."""
    path, own = sys.path[:], sys.modules.pop("sitecustomize", None)
    sys.path[:] = [p for p in path if os.path.abspath(p) != HERE]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as e:
        if getattr(e, "name", None) != "sitecustomize":
            raise
        if own is not None:
            sys.modules["sitecustomize"] = own


sys.meta_path.insert(0, Finder())
next_customization()
