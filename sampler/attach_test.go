package sampler

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/procfs"
)

// A thread that does not exist is no failure, and is looked for once a second.
func TestThreadsThatDoNotExistWait(t *testing.T) {
	root := t.TempDir()
	status := func(outer, inner string) {
		dir := filepath.Join(root, "500", "task", outer)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "status"), []byte("NSpid:\t"+outer+"\t"+inner+"\n"), 0o644))
	}
	status("500", "1")
	require.NoError(t, os.WriteFile(filepath.Join(root, "500", "status"), []byte("NSpid:\t500\t1\n"), 0o644))
	j := &jvm{info: JVM{Mode: ModePrivileged, PID: 500}, fs: procfs.FS{Root: root}, log: goldenLog(t, func([]byte) {}), rings: rings{threads: map[threadKey]*thread{}}}
	var err error
	j.tids, err = j.fs.Threads(500)
	require.NoError(t, err)
	now := time.Unix(1000, 0)
	j.attachSlots(now)
	require.NotEmpty(t, j.rings.threads)
	for _, th := range j.rings.threads {
		assert.Equal(t, now.Add(retryOpen), th.retry)
	}
	assert.Zero(t, j.openFailures)
	status("507", "31")
	_, err = j.tids.Outer(31)
	assert.ErrorIs(t, err, os.ErrNotExist, "they were listed for this look at the slots")
	j.attachSlots(now.Add(retryOpen - 1))
	_, err = j.tids.Outer(31)
	assert.NoError(t, err, "and not for this one, in which all of them wait")
}
