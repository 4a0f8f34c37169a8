package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repeats are the places that repeat VERSION, each with the number of times.
var repeats = []struct {
	file    string
	pattern string // its group is the version
	times   int
}{
	{"otelcol-builder.yaml", `github\.com/planflame/planflame v(\S+)`, 6},
	{"otelcol-builder.yaml", `(?m)^  version: (\S+)$`, 1},
	{"agent-jvmti/spark/pom.xml", `<artifactId>planflame-spark</artifactId>\s*<version>([^<]+)</version>`, 1},
	{"config/helm/planflame/Chart.yaml", `(?m)^(?:appVersion|version): (\S+)$`, 2},
	{"README.md", fileOfRelease, 1},
	{"docs/use/install.md", fileOfRelease, 9},
	{"docs/use/fleet.md", fileOfRelease, 1},
	{"docs/use/kubernetes.md", fileOfRelease, 3},
	{"docs/use/yarn.md", fileOfRelease, 3},
}

// fileOfRelease is how documents name files of a release.
const fileOfRelease = `planflame[a-z-]*[-_:](\d+\.\d+\.\d+)`

func TestVersionsAreEqual(t *testing.T) {
	checkVersions(t, "..", version(t, ".."))
}

// TestSetVersion sets another version in a copy of the files.
func TestSetVersion(t *testing.T) {
	dir := t.TempDir()
	files := []string{"VERSION", "release/set-version"}
	for _, r := range repeats {
		files = append(files, r.file)
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		to := filepath.Join(dir, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, content, 0o755))
	}
	out, err := exec.Command(filepath.Join(dir, "release", "set-version"), "3.14.159").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "3.14.159", version(t, dir))
	checkVersions(t, dir, "3.14.159")

	out, err = exec.Command(filepath.Join(dir, "release", "set-version"), "v3").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "v3 is not X.Y.Z")
}

func checkVersions(t *testing.T, dir, want string) {
	t.Helper()
	for _, r := range repeats {
		content, err := os.ReadFile(filepath.Join(dir, r.file))
		require.NoError(t, err)
		found := regexp.MustCompile(r.pattern).FindAllStringSubmatch(string(content), -1)
		assert.Len(t, found, r.times, "versions in %s", r.file)
		for _, match := range found {
			assert.Equal(t, want, match[1], "version in %s: run release/set-version", r.file)
		}
	}
}

func version(t *testing.T, dir string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "VERSION"))
	require.NoError(t, err)
	return strings.TrimSpace(string(content))
}

// TestChangelogHasVersion asks for a section of the version that is about to be released.
func TestChangelogHasVersion(t *testing.T) {
	content, err := os.ReadFile("../CHANGELOG.md")
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^## \[`+regexp.QuoteMeta(version(t, ".."))+`\]`, string(content))
}

// TestModuleHasNoReplace asks for a go.mod that works for those who require the module: their build
// ignores our replace directives.
func TestModuleHasNoReplace(t *testing.T) {
	content, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	assert.NotRegexp(t, `(?m)^\s*(replace|exclude)\b`, string(content))
}
