package filestorage

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	contrib "github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/extension/extensiontest"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/planflame/planflame/collector-extension/filestorage/internal/metadata"
	"github.com/planflame/planflame/collector-extension/filestorage/internal/metadatatest"
)

// fileName is the file of the component that fill and opened use.
const fileName = "exporter_pyroscope_"

func init() {
	// A child that was built to detect races would sleep for a second at its end.
	childEnvironment = append(childEnvironment, "GORACE=atexit_sleep_ms=0")
}

// values are a queue's: some span many pages, some share one.
func values() map[string][]byte {
	all := map[string][]byte{"qmv0": []byte("indexes")}
	for i := range 40 {
		size := 700
		if i%5 == 0 {
			size = 9_000
		}
		all[strconv.Itoa(100+i)] = bytes.Repeat([]byte{byte(i + 1)}, size+i)
	}
	return all
}

// start starts an extension on a directory. Its log and its metrics are the last two results.
func start(t *testing.T, directory string) (storage.Extension, *observer.ObservedLogs, *componenttest.Telemetry) {
	t.Helper()
	tel := componenttest.NewTelemetry()
	set := extensiontest.NewNopSettings(metadata.Type)
	set.TelemetrySettings = tel.NewTelemetrySettings()
	core, logs := observer.New(zap.WarnLevel)
	set.Logger = zap.New(core)
	cfg := NewFactory().CreateDefaultConfig().(*contrib.Config)
	cfg.Directory = directory
	e, err := NewFactory().Create(t.Context(), set, cfg)
	require.NoError(t, err)
	require.NoError(t, e.Start(t.Context(), componenttest.NewNopHost()))
	t.Cleanup(func() {
		require.NoError(t, e.Shutdown(context.Background()))
		require.NoError(t, tel.Shutdown(context.Background()))
	})
	return e.(storage.Extension), logs, tel
}

// opened is the client of the one component.
func opened(t *testing.T, e storage.Extension) storage.Client {
	t.Helper()
	c, err := e.GetClient(t.Context(), component.KindExporter, component.MustNewID("pyroscope"), "")
	require.NoError(t, err)
	return c
}

// filled returns the bytes of a file with all values.
func filled(t *testing.T) []byte {
	t.Helper()
	directory := t.TempDir()
	e, _, _ := start(t, directory)
	c := opened(t, e)
	for k, v := range values() {
		require.NoError(t, c.Set(t.Context(), k, v))
	}
	require.NoError(t, c.Close(t.Context()))
	file, err := os.ReadFile(filepath.Join(directory, fileName))
	require.NoError(t, err)
	return file
}

// reopened starts an extension over a file with these bytes, deletes all values and writes another
// one. It returns how many were there as they had been, and whether the file was moved aside.
func reopened(t *testing.T, file []byte) (kept int, damaged bool) {
	t.Helper()
	directory := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(directory, fileName), file, 0o600))
	e, logs, tel := start(t, directory)
	c := opened(t, e)
	for k, v := range values() {
		got, err := c.Get(t.Context(), k)
		require.NoError(t, err)
		if bytes.Equal(got, v) {
			kept++
		}
		require.NoError(t, c.Delete(t.Context(), k))
	}
	require.NoError(t, c.Set(t.Context(), "200", []byte("new")))
	got, err := c.Get(t.Context(), "200")
	require.NoError(t, err)
	require.Equal(t, "new", string(got))
	require.NoError(t, c.Close(t.Context()))

	count := int64(0)
	if aside, err := os.ReadFile(filepath.Join(directory, fileName+damagedEnding)); err == nil {
		count, damaged = 1, true
		assert.Equal(t, file, aside)
		assert.Zero(t, kept)
	}
	require.Equal(t, int(count), logs.FilterMessageSnippet("storage file damaged").Len())
	metadatatest.AssertEqualExtensionFileStorageDamagedFiles(t, tel, []metricdata.DataPoint[int64]{{Value: count}}, metricdatatest.IgnoreTimestamp())
	return kept, damaged
}

func TestSoundFileIsLeft(t *testing.T) {
	kept, damaged := reopened(t, filled(t))
	assert.Equal(t, len(values()), kept)
	assert.False(t, damaged)
	_, damaged = reopened(t, nil)
	assert.False(t, damaged, "an empty file is a new one")
}

// TestDamageAtEachPage cuts a file at or within each page, and flips bits of each part of each
// page's head and first entry. The component gets a file that works each time. A file that is left
// loses no more than the values whose bytes were changed.
func TestDamageAtEachPage(t *testing.T) {
	file, page := filled(t), os.Getpagesize()
	pages := len(file) / page
	for ; bytes.Count(file[(pages-1)*page:pages*page], []byte{0}) == page; pages-- { // never used
	}
	require.Greater(t, pages, 8)
	aside, whole := 0, 0
	see := func(name string, file []byte) {
		t.Run(name, func(t *testing.T) {
			kept, damaged := reopened(t, file)
			switch {
			case damaged:
				aside++
			case kept == len(values()):
				whole++
			default:
				assert.GreaterOrEqual(t, kept, len(values())-1)
			}
		})
	}
	for p := range pages {
		cut := p*page + p%2*page/2 // at the page, or within it
		if cut > 0 {               // else it is a new one
			see(fmt.Sprintf("cut at byte %d", cut), file[:cut])
		}
		for i, offset := range []int{0, 8, 10, 12, 16, 20, 24, 28} { // id, flags, count, overflow; an entry's flags, position, sizes
			bits := byte(1) << (p % 8)
			if (p+i)%2 == 0 {
				bits = 0xff
			}
			bad := bytes.Clone(file)
			bad[p*page+offset] ^= bits
			see(fmt.Sprintf("flip %#x at %d of page %d", bits, offset, p), bad)
		}
	}
	t.Logf("%d pages: %d files moved aside, %d whole", pages, aside, whole)
	assert.Greater(t, aside, pages)
}

// TestFilesInUseAreSound: no file that the original extension writes is taken for damaged, however
// its entries come and go.
func TestFilesInUseAreSound(t *testing.T) {
	directory := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		e, logs, _ := start(t, directory)
		require.Empty(t, logs.All())
		c := opened(t, e)
		for range 200 {
			key := strconv.Itoa(random.IntN(1_000))
			if random.IntN(2) == 0 {
				require.NoError(t, c.Delete(t.Context(), key))
			} else {
				require.NoError(t, c.Set(t.Context(), key, make([]byte, random.IntN(1<<(1+random.IntN(14))))))
			}
		}
		require.NoError(t, c.Close(t.Context()))
	}
	require.NoFileExists(t, filepath.Join(directory, fileName+damagedEnding))
}

// TestOtherFilesAreLeft: a directory may have files that are not the extension's.
func TestOtherFilesAreLeft(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{"notes", "exporter_a_.damaged", "exporter_a_.backup", "tempdb123"} {
		require.NoError(t, os.WriteFile(filepath.Join(directory, name), []byte("no storage"), 0o600))
	}
	_, logs, _ := start(t, directory)
	assert.Empty(t, logs.All())
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	assert.Len(t, entries, 4)
}

// TestOpenFileIsLeft: a file that another process has open is not damaged.
func TestOpenFileIsLeft(t *testing.T) {
	directory := t.TempDir()
	e, _, _ := start(t, directory)
	c := opened(t, e)
	_, logs, _ := start(t, directory)
	assert.Empty(t, logs.All())
	assert.NoFileExists(t, filepath.Join(directory, fileName+damagedEnding))
	require.NoError(t, c.Close(t.Context()))
}
