// Package docs_test holds what users read against what is there: the README's limits, links, paths,
// make targets, and the tables of keys.
package docs_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"

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

// defaults are the keys of a configuration, by their mapstructure names with their paths, and the
// values that a component starts with, as the page writes them. Types of other modules are not
// planflame's to explain.
func defaults(config reflect.Value, prefix string) map[string]string {
	out := map[string]string{}
	for i := range config.NumField() {
		f, value := config.Type().Field(i), config.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		switch {
		case option == "squash" && strings.HasPrefix(f.Type.PkgPath(), "github.com/planflame/"):
			maps.Copy(out, defaults(value, prefix))
		case name == "" || name == "-" || strings.HasPrefix(f.Type.PkgPath(), "go.opentelemetry.io/collector/config/configr"), strings.HasPrefix(f.Type.PkgPath(), "go.opentelemetry.io/collector/config/configoptional"):
		case f.Type.Kind() == reflect.Struct:
			maps.Copy(out, defaults(value, prefix+name+"::"))
		default:
			out[prefix+name] = written(value)
		}
	}
	return out
}

// noSmallUnits matches the zeros that Duration.String adds: 1h0m0s, 10m0s.
var noSmallUnits = regexp.MustCompile(`([hm])(?:0m)?0s$`)

// written is a default as the page has it: lists without brackets, nothing for what is not set.
func written(value reflect.Value) string {
	switch v := value.Interface().(type) {
	case time.Duration:
		return noSmallUnits.ReplaceAllString(v.String(), "$1")
	case []string:
		return strings.Join(v, ", ")
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	switch value.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		return ""
	case reflect.String:
		return value.String()
	}
	return fmt.Sprint(value.Interface())
}

// explained are the keys in the first column of the table below a heading of
// docs/use/configuration.md, with the second column.
func explained(t *testing.T, heading string) map[string]string {
	t.Helper()
	_, section, found := strings.Cut(read(t, "docs/use/configuration.md"), "\n## "+heading+"\n")
	require.True(t, found, heading)
	out := map[string]string{}
	for line := range strings.Lines(section) {
		if len(out) > 0 && line == "\n" {
			break // the table's end
		}
		if cells := strings.Split(line, "|"); len(cells) > 2 && strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			key := strings.Trim(cells[1], " `")
			assert.NotContains(t, out, key, "twice")
			out[key] = strings.Trim(cells[2], ` "`)
		}
	}
	require.NotEmpty(t, out, heading)
	return out
}

// TestKeysAndDefaultsAreTheCodes holds the page's tables against the components, both ways.
func TestKeysAndDefaultsAreTheCodes(t *testing.T) {
	for heading, config := range map[string]component.Config{
		"Receiver `spark_profile`":      sparkprofile.NewFactory().CreateDefaultConfig(),
		"Connector `spark_shift`":       sparkshift.NewFactory().CreateDefaultConfig(),
		"Connector `spark_calibration`": sparkcalibration.NewFactory().CreateDefaultConfig(),
		"Exporter `pyroscope`":          exporter.NewFactory().CreateDefaultConfig(),
	} {
		t.Run(heading, func(t *testing.T) {
			want := defaults(reflect.ValueOf(config).Elem(), "")
			if heading == "Exporter `pyroscope`" {
				want["endpoint"] = "" // of the HTTP client, and the one that all set
			}
			assert.Equal(t, want, explained(t, heading))
		})
	}
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
	assert.ElementsMatch(t, want, slices.Collect(maps.Keys(explained(t, "Spark plugin"))))
}

func TestAnchorsAreGitHubs(t *testing.T) {
	assert.Equal(t, []string{"receiver-spark_profile", "a-fleet-in-3-steps", "weak-or-not"},
		anchors("# Receiver `spark_profile`\n\n```\n# no heading\n```\n## A fleet, in 3 steps!\n### Weak, or not?\n"))
}

type squashed struct {
	E int `mapstructure:"e"`
}

func TestDefaultsAreNested(t *testing.T) {
	type inner struct {
		A int `mapstructure:"a"`
	}
	type outer struct {
		B    string `mapstructure:"b"`
		C    inner  `mapstructure:"c"`
		None int
		Code int           `mapstructure:"-"`
		D    squashed      `mapstructure:",squash"`
		F    time.Duration `mapstructure:"f"`
		G    []string      `mapstructure:"g"`
		H    *int          `mapstructure:"h"`
		I    float64       `mapstructure:"i"`
	}
	config := outer{B: "x", C: inner{A: 3}, D: squashed{E: 4}, F: 90 * time.Minute, G: []string{"k", "l"}, I: 1e6}
	assert.Equal(t, map[string]string{"b": "x", "c::a": "3", "e": "4", "f": "1h30m", "g": "k, l", "h": "", "i": "1000000"},
		defaults(reflect.ValueOf(config), ""))
}
