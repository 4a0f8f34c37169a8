package semconv_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ours are the beginnings of names that belong to this package. Most of Spark's own settings begin
// otherwise, or have capitals.
var ours = []string{
	"spark.query.", "spark.stage.", "spark.task.", "spark.cpu.", "spark.partition.id", "spark.application.", "spark.executor.id", "spark.version",
	"spark.sql.execution.", "spark.sql.operator.", "spark.sql.query.", "spark.sql.cost.", "planflame.",
}

// theirs are the beginnings of settings of Spark that begin as ours do.
var theirs = []string{"spark.sql.execution.arrow.", "spark.sql.execution.pandas.", "spark.sql.execution.python."}

// exempt are folders whose names are not ours to say: what Spark writes into its event log, and
// what programs of users' set.
var exempt = []string{"build", "dist", "bench/internal/session", "internal/semconv", ".git"}

// literals calls fn with each string of a file and its place.
func literals(t *testing.T, path string, fn func(value, place string)) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			value, err := strconv.Unquote(l.Value)
			require.NoError(t, err)
			fn(value, set.Position(l.Pos()).String())
		}
		return true
	})
}

// TestNamesAreTypedOnce: a name of ours stands in this package, once, and in no other but for
// tests.
func TestNamesAreTypedOnce(t *testing.T) {
	const root = "../.."
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(exempt, name) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		literals(t, path, func(value, place string) {
			begins := func(prefix string) bool { return strings.HasPrefix(value, prefix) }
			assert.False(t, slices.ContainsFunc(ours, begins) && !slices.ContainsFunc(theirs, begins) &&
				value == strings.ToLower(value) && !strings.ContainsAny(value, " ="), "%s: %q belongs to internal/semconv", place, value)
		})
		return nil
	}))
	seen := map[string]string{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		literals(t, file, func(value, place string) {
			assert.Empty(t, seen[value], "%s: %q stands twice", place, value)
			seen[value] = place
		})
	}
	assert.Greater(t, len(seen), 80)
}
