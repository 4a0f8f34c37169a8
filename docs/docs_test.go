// Package docs_test holds what users read against what is there: the README's limits, links, paths,
// make targets, and the tables of keys.
package docs_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/connector"

	"github.com/planflame/planflame/collector-connector/sparkcalibration"
	"github.com/planflame/planflame/collector-connector/sparkshift"
	"github.com/planflame/planflame/collector-receiver/sparkprofile"
	"github.com/planflame/planflame/exporter"
)

const root = ".."

// read returns the text of a file, named from the root.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// pages are the documents for users, named from the root.
func pages(t *testing.T) []string {
	t.Helper()
	out := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, name := range found {
			name, err := filepath.Rel(root, name)
			require.NoError(t, err)
			out = append(out, name)
		}
	}
	return out
}

func TestREADMEIsShort(t *testing.T) {
	readme := read(t, "README.md")
	assert.LessOrEqual(t, strings.Count(readme, "\n"), 150, "lines")
	assert.LessOrEqual(t, len(strings.Fields(readme)), 1200, "words")
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
	noSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the fragments that GitHub gives a page's headings.
func anchors(text string) []string {
	var out []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		out = append(out, strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return out
}

func TestLinksResolve(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(read(t, page), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			n++
			name, fragment, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if assert.True(t, exists(target), "%s links to %s", page, m[1]) && fragment != "" {
				assert.Contains(t, anchors(read(t, target)), fragment, "%s links to %s", page, m[1])
			}
		}
	}
	assert.Greater(t, n, 30)
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}

// Paths in backquotes that begin with a folder of the repository. What make builds is not there
// yet.
var path = regexp.MustCompile("`((?:agent-jvmti|bench|cmd|collector-connector|collector-receiver|config|docs|exporter|jobs|scripts|test)/[^`\\s*…]*)`")

func TestPathsExist(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		for _, m := range path.FindAllStringSubmatch(read(t, page), -1) {
			n++
			assert.True(t, exists(m[1]), "%s names %s", page, m[1])
		}
	}
	assert.Greater(t, n, 60)
}

var (
	made   = regexp.MustCompile("(?:`|^    |\\b[A-Z_]+=\\S+ |-c 0 )make ([a-z][a-z0-9/-]*)")
	target = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*(?: [a-z0-9-]+)*):`)
)

func TestMakeTargetsExist(t *testing.T) {
	makefile := read(t, "Makefile")
	targets := []string{"build/planflame"} // $(CLI)
	for _, m := range target.FindAllStringSubmatch(makefile, -1) {
		targets = append(targets, strings.Fields(m[1])...)
	}
	n := 0
	for _, page := range pages(t) {
		for line := range strings.Lines(read(t, page)) {
			for _, m := range made.FindAllStringSubmatch(line, -1) {
				n++
				assert.Contains(t, targets, m[1], page)
			}
		}
	}
	assert.Greater(t, n, 30)
}

// keys are the mapstructure names of a configuration with their paths. Types of other modules are
// not planflame's to explain.
func keys(config reflect.Type, prefix string) []string {
	var out []string
	for i := range config.NumField() {
		f := config.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		switch {
		case option == "squash" && strings.HasPrefix(f.Type.PkgPath(), "github.com/planflame/"):
			out = append(out, keys(f.Type, prefix)...)
		case name == "" || name == "-" || strings.HasPrefix(f.Type.PkgPath(), "go.opentelemetry.io/collector/config/configr"), strings.HasPrefix(f.Type.PkgPath(), "go.opentelemetry.io/collector/config/configoptional"):
		case f.Type.Kind() == reflect.Struct:
			out = append(out, keys(f.Type, prefix+name+"::")...)
		default:
			out = append(out, prefix+name)
		}
	}
	return out
}

// explained are the keys in the first columns of the table below a heading of
// docs/use/configuration.md.
func explained(t *testing.T, heading string) []string {
	t.Helper()
	return explainedIn(t, "docs/use/configuration.md", "\n## "+heading+"\n")
}

// explainedIn are those of a page, below a line.
func explainedIn(t *testing.T, page, heading string) []string {
	t.Helper()
	_, section, found := strings.Cut(read(t, page), heading)
	require.True(t, found, heading)
	var out []string
	for line := range strings.Lines(section) {
		if len(out) > 0 && line == "\n" {
			break // the table's end
		}
		if strings.HasPrefix(line, "| `") {
			first, _, _ := strings.Cut(line[1:], "|")
			for _, key := range strings.Split(first, ",") {
				out = append(out, strings.Trim(key, " `"))
			}
		}
	}
	require.NotEmpty(t, out, heading)
	return out
}

func TestReceiverKeysAreExplained(t *testing.T) {
	assert.ElementsMatch(t, keys(reflect.TypeFor[sparkprofile.Config](), ""), explained(t, "Receiver `spark_profile`"))
}

func TestConnectorKeysAreExplained(t *testing.T) {
	of := func(f connector.Factory) reflect.Type { return reflect.TypeOf(f.CreateDefaultConfig()).Elem() }
	assert.ElementsMatch(t, keys(of(sparkshift.NewFactory()), ""), explainedIn(t, "docs/how-it-works/shifts.md", "\n## Configuration\n"))
	assert.ElementsMatch(t, keys(of(sparkcalibration.NewFactory()), ""), explainedIn(t, "docs/how-it-works/estimation.md", "\n| key of `spark_calibration` | default | |\n"))
}

func TestExporterKeysAreExplained(t *testing.T) {
	want := append(keys(reflect.TypeFor[exporter.Config](), ""), "endpoint") // of the HTTP client, and the one that everybody sets
	assert.ElementsMatch(t, want, explained(t, "Exporter `pyroscope`"))
}

func TestPluginKeysAreExplained(t *testing.T) {
	var want []string
	for _, m := range regexp.MustCompile(`"(spark\.planflame\.[a-z.]+)"`).FindAllStringSubmatch(read(t, "agent-jvmti/spark/src/main/java/io/planflame/spark/Settings.java"), -1) {
		switch m[1] {
		case "spark.planflame.": // the prefix of all
		case "spark.planflame.label.":
			want = append(want, m[1]+"NAME")
		default:
			want = append(want, m[1])
		}
	}
	assert.ElementsMatch(t, want, explained(t, "Spark plugin"))
}

func TestAnchorsAreGitHubs(t *testing.T) {
	assert.Equal(t, []string{"receiver-spark_profile", "a-fleet-in-3-steps", "weak-or-not"},
		anchors("# Receiver `spark_profile`\n\n```\n# no heading\n```\n## A fleet, in 3 steps!\n### Weak, or not?\n"))
}

type squashed struct {
	E int `mapstructure:"e"`
}

func TestKeysAreNested(t *testing.T) {
	type inner struct {
		A int `mapstructure:"a"`
	}
	type outer struct {
		B    string `mapstructure:"b"`
		C    inner  `mapstructure:"c"`
		None int
		Code int      `mapstructure:"-"`
		D    squashed `mapstructure:",squash"`
	}
	assert.Equal(t, []string{"b", "c::a", "e"}, keys(reflect.TypeFor[outer](), ""))
}
