package perfevent

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/internal/testkit"
)

// selfOpenedEnv makes the test binary open an event on itself and burn CPU: what a JVM does in
// self-opened mode.
const selfOpenedEnv = "PLANFLAME_TEST_SELF_OPENED"

func TestMain(m *testing.M) {
	if os.Getenv(selfOpenedEnv) != "" {
		if err := selfOpened(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var ownSpec = Spec{Period: time.Millisecond, ExcludeKernel: true, StackBytes: 512, RingPages: 64} // room for 300 samples

// selfOpened prints fd, ring pages and, after the burning, the CPU since the opening; it ends when
// its input does.
func selfOpened() error {
	runtime.LockOSThread()
	before := testkit.ThreadCPU()
	e, err := Open(0, ownSpec)
	if err != nil {
		return err
	}
	fmt.Println(e.fd, e.RingPages())
	used := testkit.Burn(before + 100*time.Millisecond)
	fmt.Println(int64(used - before))
	_, err = bufio.NewReader(os.Stdin).ReadByte()
	if err != nil && err.Error() == "EOF" {
		err = nil
	}
	return err
}

// canOpenOwn is what an ordinary user needs: perf_event_paranoid at most 2, no seccomp filter.
func canOpenOwn(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e, err := Open(0, Spec{Period: time.Second, ExcludeKernel: true, RingPages: 1})
	testkit.Requires(t, "perf events on own threads (kernel.perf_event_paranoid ≤ 2, no seccomp filter)", err)
	require.NoError(t, e.Close())
}

func TestOwnThreadIsSampledAtThePeriod(t *testing.T) {
	canOpenOwn(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e, err := Open(0, ownSpec)
	require.NoError(t, err)
	steal := testkit.StartSteal(t)
	before := testkit.ThreadCPU()
	used := testkit.Burn(before+100*time.Millisecond) - before
	var sampled time.Duration
	var last uint64
	var reader Reader
	c := reader.Read(e, Handler{Sample: func(s *Sample) {
		sampled += s.Period
		assert.Equal(t, uint32(unix.Gettid()), s.TID)
		assert.Equal(t, uint32(os.Getpid()), s.PID)
		assert.Greater(t, s.Time, last, "times grow")
		last = s.Time
		ip, ok := s.Reg(RegIP)
		assert.True(t, ok)
		require.NotEmpty(t, s.User)
		assert.Equal(t, ip, s.User[0])
		assert.Empty(t, s.Kernel)
		assert.NotEmpty(t, s.Stack)
	}})
	assert.Zero(t, c.Lost+uint64(c.Bad+c.Damaged))
	agrees(t, used, sampled, steal.Band(t))
	ended, err := e.Ended()
	require.NoError(t, err)
	assert.False(t, ended)
	require.NoError(t, e.Close())
	require.NoError(t, e.Close(), "a second Close does nothing")
	assert.Equal(t, Counts{}, reader.Read(e, Handler{}), "a closed event has nothing")
}

func TestEventOfAnotherProcessIsTakenOver(t *testing.T) { takeOverTest(t) }

func TestEventOfAnotherProcessIsTakenOverByAnOrdinaryUser(t *testing.T) {
	if testkit.AsNobody(t) {
		takeOverTest(t)
	}
}

func takeOverTest(t *testing.T) {
	canOpenOwn(t)
	steal := testkit.StartSteal(t)
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), selfOpenedEnv+"=1")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stdout)
	require.True(t, lines.Scan(), "the child opens its event")
	first := strings.Fields(lines.Text())
	fd, err := strconv.Atoi(first[0])
	require.NoError(t, err)
	pages, err := strconv.Atoi(first[1])
	require.NoError(t, err)
	pidfd, err := unix.PidfdOpen(cmd.Process.Pid, 0)
	require.NoError(t, err)
	defer unix.Close(pidfd)

	_, err = TakeOver(pidfd, 0, pages, ownSpec.Layout())
	assert.ErrorContains(t, err, "not a perf event", "standard input is none")
	e, err := TakeOver(pidfd, fd, pages, ownSpec.Layout())
	require.NoError(t, err)
	defer func() { assert.NoError(t, e.Close()) }()

	require.True(t, lines.Scan(), "the child burns")
	used, err := strconv.Atoi(lines.Text())
	require.NoError(t, err)
	require.NoError(t, stdin.Close())
	require.NoError(t, cmd.Wait())
	ended, err := e.Ended()
	require.NoError(t, err)
	assert.True(t, ended)

	var sampled time.Duration
	var reader Reader
	c := reader.Read(e, Handler{Sample: func(s *Sample) { sampled += s.Period }})
	assert.Zero(t, c.Lost+uint64(c.Bad+c.Damaged))
	agrees(t, time.Duration(used), sampled, steal.Band(t)) // the ring outlives its process
}

// agrees compares samples × period with a thread's CPU. A period that ends in the kernel gives no
// sample (exclude_kernel), and on a busy machine a thread that mostly burns still spends some per
// cent there: interrupts and switches.
func agrees(t *testing.T, used, sampled time.Duration, steal float64) {
	t.Helper()
	ratio := sampled.Seconds() / used.Seconds()
	assert.GreaterOrEqual(t, ratio, 0.85-steal, "%v sampled of %v", sampled, used)
	assert.LessOrEqual(t, ratio, 1.03+steal, "%v sampled of %v", sampled, used)
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	_, err := Open(0, Spec{})
	assert.ErrorContains(t, err, "period")
	_, err = Open(1<<30, ownSpec)
	assert.ErrorContains(t, err, "thread 1073741824: perf_event_open")
	_, err = TakeOver(-1, 3, 3, ownSpec.Layout())
	assert.ErrorContains(t, err, "ring pages 3")
	_, err = TakeOver(-1, 3, 4, Layout{})
	assert.ErrorContains(t, err, "sample type")
	_, err = TakeOver(-1, 3, 4, ownSpec.Layout())
	assert.ErrorIs(t, err, unix.EBADF)
}
