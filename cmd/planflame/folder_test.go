package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var nine = time.Date(2026, 11, 24, 9, 5, 7, 0, time.UTC)

// put writes a run's files.
func put(t *testing.T, dir results, text string, withProfile bool) {
	t.Helper()
	paths := []string{dir.recording()}
	if withProfile {
		paths = append(paths, dir.profile(), dir.summary(), dir.page())
	}
	for _, path := range paths {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func recordingIn(t *testing.T, dir results) string {
	t.Helper()
	b, err := os.ReadFile(dir.recording())
	require.NoError(t, err)
	return string(b)
}

// Two runs within a second stay beside each other, and the link leads to the one that ended last.
func TestRunsStay(t *testing.T) {
	t.Chdir(t.TempDir())
	first, err := newFolder("", nine)
	require.NoError(t, err)
	put(t, first.results, "first", true)
	second, err := newFolder("", nine)
	require.NoError(t, err)
	put(t, second.results, "second", true)
	require.Equal(t, []string{"20261124-090507-unfinished", "20261124-090507-unfinished-2"}, names(t, runsFolder))
	require.NoError(t, second.settle("nightly sales/EU"))
	require.Equal(t, results("planflame-out/20261124-090507-nightly-sales-EU"), second.results)
	require.Empty(t, second.argument(), "it is the last run")
	require.NoError(t, first.settle("nightly sales/EU"))
	require.Equal(t, []string{"20261124-090507-nightly-sales-EU", "20261124-090507-nightly-sales-EU-2", "latest"}, names(t, runsFolder))
	last, err := lastRun(nil)
	require.NoError(t, err)
	require.Equal(t, "first", recordingIn(t, last))
	require.Equal(t, "second", recordingIn(t, second.results))

	third, err := newFolder("", nine.Add(time.Second))
	require.NoError(t, err)
	third.discard()
	require.Len(t, names(t, runsFolder), 3, "nothing is left of a run without Spark, and all of the others")
}

func TestRunReplacesAnEarlierRunsResultsWhenItHasEnded(t *testing.T) {
	dir := results(t.TempDir())
	put(t, dir, "yesterday", true)
	f, err := newFolder(string(dir), nine)
	require.NoError(t, err)
	put(t, f.results, "today", false)
	require.Equal(t, "yesterday", recordingIn(t, dir))
	require.NoError(t, f.settle("app"))
	require.Equal(t, "today", recordingIn(t, dir))
	require.Equal(t, []string{"recording"}, names(t, string(dir)), "no profile of another run beside it")
	require.Equal(t, " "+string(dir), f.argument())
}

func TestDiscardRemovesTheFoldersThatWereMade(t *testing.T) {
	home := t.TempDir()
	f, err := newFolder(filepath.Join(home, "new", "folder"), nine)
	require.NoError(t, err)
	put(t, f.results, "of no Spark", false)
	f.discard()
	require.Empty(t, names(t, home))
	require.DirExists(t, home)
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"nightly margin": "nightly-margin", "../../etc": "etc", "": "spark", "///": "spark", "Größe_1.py": "Größe_1.py",
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee": "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd",
	} {
		require.Equal(t, want, fileName(name), name)
	}
}

func TestHelpStartsWithExamples(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"run", "--help"}} {
		root := newRoot()
		root.SetArgs(args)
		var out bytes.Buffer
		root.SetOut(&out)
		require.NoError(t, root.Execute())
		require.Regexp(t, `(?s)\A(planflame shows [^\n]+\n\n)?(  planflame [^\n]+\n)+\n`, out.String())
	}
}
