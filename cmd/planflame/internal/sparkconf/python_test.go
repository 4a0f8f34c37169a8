package sparkconf

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakePySpark is a package with the names that the module wraps, and a plugin that prints what it
// is told.
var fakePySpark = map[string]string{
	"py4j/__init__.py": "",
	"pyspark/__init__.py": `import py4j
class Plugin:
    @staticmethod
    def enter(method, line, sql): print("enter", method, line, sql)
    @staticmethod
    def leave(): print("leave")
class Jvm: pass
jvm = Jvm(); jvm.io = Jvm(); jvm.io.planflame = Jvm(); jvm.io.planflame.spark = Jvm(); jvm.io.planflame.spark.UserCall = Plugin
class Context: _jvm = jvm
class SparkContext: _active_spark_context = Context()
`,
	"pyspark/sql/__init__.py": "",
	"pyspark/sql/dataframe.py": `
import inspect
class DataFrame:
    def count(self): return self.filter("x")
    def filter(self, condition):
        "Keeps rows."
        return (inspect.stack()[1].function, inspect.stack()[1].filename.endswith("planflame.py"))
    def fail(self): raise ValueError("theirs")
    @property
    def columns(self): return ["x"]
`,
	"pyspark/sql/session.py": `
class SparkSession:
    def sql(self, text, args=None): return text
    def stop(self): return "stopped"
`,
	"sitecustomize.py": "print('the user\\'s own')\n",
}

// runPython runs a program with the module in front of the fake PySpark and returns what it
// printed.
func runPython(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	users := filepath.Join(dir, "users")
	for name, text := range fakePySpark {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(users, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(users, name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "etl.py"), []byte(program), 0o644))
	path, err := pythonPath(filepath.Join(dir, "python"), []string{"PYTHONPATH=" + users})
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "python3", filepath.Join(dir, "etl.py"))
	cmd.Env = setEnv(os.Environ(), envPythonPath, path)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestPythonTellsTheLinesOfCalls(t *testing.T) {
	require.Equal(t, `the user's own
enter count etl.py:4 
leave
('filter', True) Keeps rows. filter
enter filter etl.py:5 
leave
('filter', True)
enter fail etl.py:7 
leave
theirs
enter sql etl.py:10 select 1
leave
select 1
stopped ['x']
`, runPython(t, `from pyspark.sql.dataframe import DataFrame
from pyspark.sql.session import SparkSession
df = DataFrame()
counted = df.count()
kept = df.filter("y") if print(counted, DataFrame.filter.__doc__, DataFrame.filter.__name__) is None else 0
try:
    print(kept) or df.fail()
except ValueError as e:
    print(e)
print(SparkSession().sql("select 1"))
print(SparkSession().stop(), df.columns)
`))
}

func TestPythonWithoutThePluginIsLeftAlone(t *testing.T) {
	require.Equal(t, `the user's own
('filter', True)
('filter', True)
`, runPython(t, `import pyspark
from pyspark.sql.dataframe import DataFrame
def broken(method, line, sql):
    raise RuntimeError("ours")
pyspark.Plugin.enter = broken
print(DataFrame().filter("x"))
pyspark.Context._jvm = None
print(DataFrame().filter("x"))
`))
}
