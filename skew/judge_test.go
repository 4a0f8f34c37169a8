package skew

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// seconds is a duration of so many seconds.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// body is a task that starts at 0 and has a body alone: CPU, and waits up to its end.
func body(end, cpu float64, rows int64) Task {
	return Task{Host: "a", Succeeded: true, End: seconds(end), Run: seconds(end), CPU: seconds(cpu), RowsIn: rows, BytesIn: 100 * rows}
}

// peers are seven tasks of 2 s: 1.5 s of CPU, 0.5 s of waits, 1000 rows.
func peers() []Task {
	var out []Task
	for range 7 {
		out = append(out, body(2, 1.5, 1000))
	}
	return out
}

func stageOf(tasks []Task) Stage {
	s := Stage{Tasks: tasks}
	for _, t := range tasks {
		s.Completed = max(s.Completed, t.End)
	}
	return s
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// TestVerdicts has one task of 10 s beside seven of 2 s, on eight slots. Excess and parts are
// computed by hand: in the comments, what rows explain is (volume - 1) × the peer's part.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		task  Task
		want  Verdict
		parts Parts
		cpu   float64 // a row, over the peers'
	}{
		"hot key": { // 5 × the rows: 4 × 1.5 of CPU, 4 × 0.5 of waits
			body(10, 7.5, 5000), DataSkew, Parts{PartRows: 8}, 1,
		},
		"hot key, cheaper a row": { // rows explain 14 s, more than there is
			body(10, 6, 8000), DataSkew, Parts{PartRows: 8}, 0.5,
		},
		"hot key that spills": { // rows explain 6 of CPU and 2 of waits; what waits take beyond goes to what CPU leaves
			body(10, 1.5, 5000), DataSkew, Parts{PartRows: 8}, 0.2,
		},
		"slow rows": {body(10, 9.5, 1000), ComputationSkew, Parts{PartCPU: 8}, 9.5 / 1.5},
		"slow rows, a few more": { // 1.2 × the rows: 0.3 of CPU, 0.1 of waits (of which it has none beyond)
			body(10, 9.5, 1200), ComputationSkew, Parts{PartRows: 0.4, PartCPU: 7.6}, 9.5 / 1.5 / 1.2,
		},
		"sleeps": {body(10, 1.5, 1000), Wait, Parts{PartWait: 8}, 1},
		"garbage": {
			func() Task { x := body(10, 1.5, 1000); x.GC = seconds(6); return x }(), GC, Parts{PartGC: 6, PartWait: 2}, 1,
		},
		"more garbage than its body": {
			func() Task { x := body(10, 1.5, 1000); x.GC = seconds(60); return x }(), GC, Parts{PartGC: 8.5, PartWait: -0.5}, 1,
		},
		"shuffle": {
			func() Task { x := body(10, 1.5, 1000); x.FetchWait = seconds(7); return x }(), FetchWait, Parts{PartFetch: 7, PartWait: 1}, 1,
		},
		"deserialization": {
			func() Task { x := body(10, 1.5, 1000); x.Run = seconds(3); x.Serde = seconds(7); return x }(), Serialization, Parts{PartSerde: 7, PartWait: 1}, 1,
		},
		"a bit of all": {
			func() Task { x := body(10, 4.5, 1000); x.GC, x.FetchWait = seconds(2), seconds(2); return x }(), Mixed,
			Parts{PartCPU: 3, PartGC: 2, PartFetch: 2, PartWait: 1}, 3,
		},
	} {
		got := Judge([]Stage{stageOf(append(peers(), c.task))}, 8)
		if len(got.Slow) != 1 {
			t.Fatalf("%s: %d slow tasks", name, len(got.Slow))
		}
		s := got.Slow[0]
		if c.parts[PartWait] < 0 { // the peers wait longer: what it has beyond them is scaled to the excess
			c.parts[PartGC], c.parts[PartWait] = 8, 0
		}
		if s.Task != 7 || s.Verdict != c.want || !near(s.Excess, 8) || !near(s.Peer, 2) || !near(s.Seconds, 10) || !near(s.CPURatio, c.cpu) {
			t.Errorf("%s: %+v", name, s)
		}
		for part := range PartsCount {
			if !near(s.Parts[part], c.parts[part]) {
				t.Errorf("%s: part %d is %v s, want %v", name, part, s.Parts[part], c.parts[part])
			}
		}
		if !near(got.Replayed.Seconds(), 10) || !near(got.Without.Seconds(), 2) || !near(got.Gain().Seconds(), 8) {
			t.Errorf("%s: replayed %v, without %v", name, got.Replayed, got.Without)
		}
	}
}

// TestVolume takes what a task had most of.
func TestVolume(t *testing.T) {
	peer := profile{rowsIn: 10, bytesIn: 1000, rowsOut: 5}
	for _, c := range []struct {
		task profile
		want float64
		by   Measure
	}{
		{profile{rowsIn: 30, bytesIn: 1000, rowsOut: 5}, 3, RowsIn},
		{profile{rowsIn: 10, bytesIn: 7000, rowsOut: 5}, 7, BytesIn}, // rows that hold more
		{profile{rowsIn: 10, bytesIn: 1000, rowsOut: 55}, 11, RowsOut},
		{profile{rowsIn: 5, bytesIn: 200, rowsOut: 1}, 0.5, RowsIn},
		{profile{rowsIn: 10_000, bytesIn: 1000, rowsOut: 999}, 1000, RowsIn}, // what is left of many rows is no work
		{profile{rowsIn: 500, bytesIn: 1000, rowsOut: 450}, 90, RowsOut},     // a filter that lets most pass
	} {
		if got, by := c.task.volume(&peer); !near(got, c.want) || by != c.by {
			t.Errorf("%+v: %v by %q, want %v by %q", c.task, got, by, c.want, c.by)
		}
	}
	if got, by := (&profile{}).volume(&profile{}); got != 1 || by != NoMeasure {
		t.Errorf("volume of nothing is %v by %q", got, by)
	}
	if got, by := (&profile{rowsIn: 40}).volume(&profile{}); got != 40 || by != RowsIn {
		t.Errorf("volume over empty peers is %v by %q", got, by)
	}
}

// TestHost has four tasks of one host at half the speed of eight others'.
func TestHost(t *testing.T) {
	var tasks []Task
	for i := range 12 {
		task := body(2, 1.5, 1000)
		if i%3 == 0 {
			task = body(6, 3, 1000)
			task.Host = "slow"
		}
		tasks = append(tasks, task)
	}
	got := Judge([]Stage{stageOf(tasks)}, 12)
	if len(got.Slow) != 4 {
		t.Fatalf("%d slow tasks", len(got.Slow))
	}
	for _, s := range got.Slow {
		if s.Verdict != Host || !near(s.Parts[PartHost], 4) || !near(s.Excess, 4) {
			t.Errorf("%+v", s)
		}
	}
	// One slow task on a host whose others are fast is not the host's.
	tasks[0] = body(20, 19.5, 1000)
	for i := 3; i < 12; i += 3 {
		tasks[i] = body(2, 1.5, 1000)
		tasks[i].Host = tasks[0].Host
	}
	got = Judge([]Stage{stageOf(tasks)}, 12)
	if len(got.Slow) != 1 || got.Slow[0].Verdict != ComputationSkew || got.Slow[0].Parts[PartHost] != 0 {
		t.Errorf("%+v", got.Slow)
	}
}

// TestGates has a case on each side of each limit.
func TestGates(t *testing.T) {
	spread := func(last float64, others ...float64) []Task {
		var out []Task
		for _, s := range append(others, last) {
			out = append(out, body(s, s, 10))
		}
		return out
	}
	for name, c := range map[string]struct {
		tasks []Task
		slots int
		want  int
	}{
		"0.9 s more":        {spread(1.1, 0.2, 0.2, 0.2, 0.2, 0.2), 6, 0},
		"1.1 s more":        {spread(1.3, 0.2, 0.2, 0.2, 0.2, 0.2), 6, 1},
		"0.45 of the peers": {spread(14.5, 10, 10, 10, 10, 10), 6, 0},
		"0.55 of the peers": {spread(15.5, 10, 10, 10, 10, 10), 6, 1},
		// The median absolute deviation of log(1 + s) is log(3/2.8). Six tasks need 16 deviations:
		// 6 × (1 + 60/36).
		"15.9 deviations":  {spread(3*math.Pow(3/2.8, 15.9*1.4826)-1, 1.7, 1.8, 2, 2.2, 2.3), 6, 0},
		"16.1 deviations":  {spread(3*math.Pow(3/2.8, 16.1*1.4826)-1, 1.7, 1.8, 2, 2.2, 2.3), 6, 1},
		"three peers":      {spread(20, 2, 2, 2), 4, 0},
		"four peers":       {spread(20, 2, 2, 2, 2), 5, 1},
		"4 % of the stage": {append(spread(3, 1, 1, 1, 1), spread(1, clones(42, 1)...)...), 2, 0}, // 1 of 25 s on two slots
		"7 % of the stage": {append(spread(3, 1, 1, 1, 1), spread(1, clones(22, 1)...)...), 2, 1}, // 1 of 15 s
		"6 % by two tasks": {spread(3, append(clones(56, 1), 2.6)...), 1, 2},                      // 2 and 1.6 of 61.6 s
	} {
		if got := Judge([]Stage{stageOf(c.tasks)}, c.slots); len(got.Slow) != c.want {
			t.Errorf("%s: %+v", name, got.Slow)
		}
	}
}

// clones are n values.
func clones(n int, value float64) []float64 { return slices.Repeat([]float64{value}, n) }

// TestMatter leaves out slow tasks that the stage does not wait for.
func TestMatter(t *testing.T) {
	tasks := append(peers(), body(30, 29, 1000), body(3.4, 3, 1000)) // without the excess of the first alone 3.4 s instead of 2: less than 5 % of 30
	got := Judge([]Stage{stageOf(tasks)}, 9)
	if len(got.Slow) != 1 || got.Slow[0].Task != 7 {
		t.Fatalf("%+v", got.Slow)
	}
	tasks[8] = body(30, 29, 1000) // two that end together: each matters with the other
	if got = Judge([]Stage{stageOf(tasks)}, 9); len(got.Slow) != 2 || !near(got.Gain().Seconds(), 28) {
		t.Fatalf("%+v", got)
	}
	for i := range tasks { // a failed attempt is no peer, and not slow
		tasks[i].Succeeded = i < 7
	}
	if got = Judge([]Stage{stageOf(tasks)}, 9); len(got.Slow) != 0 || got.Judged != 7 {
		t.Fatalf("%+v", got)
	}
}

// TestFirstWave has two slots whose first tasks are slow, as in a JVM that has just started.
func TestFirstWave(t *testing.T) {
	wave := func(second Task) []Task {
		tasks := []Task{body(6, 5.5, 1000), second}
		for i := range 14 {
			task := body(1, 0.5, 1000)
			task.Start = tasks[i].End - time.Millisecond // Spark may be early
			task.End += task.Start
			tasks = append(tasks, task)
		}
		return tasks
	}
	if got := Judge([]Stage{stageOf(wave(body(5.5, 5, 1000)))}, 2); len(got.Slow) != 0 {
		t.Errorf("both are cold: %+v", got.Slow)
	}
	if got := Judge([]Stage{stageOf(wave(body(1, 0.5, 1000)))}, 2); len(got.Slow) != 1 || got.Slow[0].Task != 0 || !near(got.Slow[0].Excess, 5) {
		t.Errorf("one is slow: %+v", got.Slow)
	}
	hot := wave(body(5.5, 5, 10_000))
	hot[0].RowsIn = 12_000
	if got := Judge([]Stage{stageOf(hot)}, 2); len(got.Slow) != 2 || got.Slow[0].Verdict != DataSkew || got.Slow[1].Verdict != DataSkew {
		t.Errorf("the largest files come first: %+v", got.Slow)
	}
}

// TestBusyHost has tasks that wait for a core in proportion to their CPU, and one that waits alone.
func TestBusyHost(t *testing.T) {
	queued := func(cpu, queue, other float64, rows int64) Task {
		task := body(cpu+queue+other, cpu, rows)
		task.RunQueue = seconds(queue)
		return task
	}
	for name, c := range map[string]struct {
		task  Task
		want  Verdict
		parts Parts
	}{
		"slow rows":        {queued(2, 8, 0.5, 1000), ComputationSkew, Parts{PartCPU: 9}}, // the peer there: 0.2 + 0.8
		"slow rows, idler": {queued(5, 5, 0.5, 1000), ComputationSkew, Parts{PartCPU: 9}}, // 0.2 + 0.2, less than the 0.8 of the others
		"rows":             {queued(2, 8, 0.5, 10_000), DataSkew, Parts{PartRows: 9}},     // 9 × (0.2 + 0.8 + 0.5) is more
		"no core":          {queued(0.2, 9.8, 0.5, 1000), Host, Parts{PartHost: 9}},       // the same CPU
		"a bit slow":       {queued(0.9, 8.6, 0.5, 1000), "", Parts{}},                    // 0.7 s of CPU, the rest is the machine's
		"sleeps":           {queued(0.2, 0.8, 9.5, 1000), Wait, Parts{PartWait: 9}},
	} {
		var tasks []Task
		for range 15 {
			tasks = append(tasks, queued(0.2, 0.8, 0.5, 1000))
		}
		got := Judge([]Stage{stageOf(append(tasks, c.task))}, 16)
		if c.want == "" && len(got.Slow) == 0 {
			continue
		}
		if len(got.Slow) != 1 || got.Slow[0].Verdict != c.want {
			t.Errorf("%s: %+v", name, got.Slow)
			continue
		}
		for part := range PartsCount {
			if !near(got.Slow[0].Parts[part], c.parts[part]) {
				t.Errorf("%s: part %d is %v s, want %v", name, part, got.Slow[0].Parts[part], c.parts[part])
			}
		}
	}
}

// TestCleanStages counts flags in stages whose tasks differ by chance alone: lognormal times, rows
// that explain none or some of it. One in a hundred is the goal.
func TestCleanStages(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 1))
	stages, flagged := 20_000, 0
	if testing.Short() {
		stages = 2_000
	}
	for range stages {
		n := 5 + int(math.Exp(random.Float64()*math.Log(400)))
		sigma, typical := 0.02+0.38*random.Float64(), math.Exp(random.Float64()*4-1.5) // 0.2 … 12 s
		slots := 1 + random.IntN(64)
		var tasks []Task
		for range n {
			rows := math.Exp(0.3 * random.Float64() * random.NormFloat64())
			took := typical * rows * math.Exp(sigma*random.NormFloat64())
			tasks = append(tasks, body(took, took*random.Float64(), int64(1000*rows)))
		}
		if len(Judge([]Stage{stageOf(tasks)}, slots).Slow) > 0 {
			flagged++
		}
	}
	t.Logf("%d of %d clean stages have a flag", flagged, stages)
	if flagged*100 > stages {
		t.Errorf("%d of %d clean stages have a flag", flagged, stages)
	}
}
