package tasksample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// lockstep is a stage of tasks that do the same three things in the same order, each about as long
// as a clock's period.
type lockstep struct {
	tasks, threads int
	cpu, cv        float64 // of a task, nanoseconds; coefficient of variation
	phases         [3]float64
}

// clocks are the clocks of a stage's threads. Periods are drawn from period · (1 ± jitter), again
// after so many samples. A thread's first period begins at a random moment.
type clocks struct {
	period, jitter float64
	redrawn        int
}

// threadClock is the clock of one thread.
type threadClock struct {
	of           clocks
	left, period float64
	samples      int
}

func (c clocks) draw(rng *rand.Rand) float64 { return c.period * (1 + c.jitter*(2*rng.Float64()-1)) }

func (c clocks) start(rng *rand.Rand) *threadClock {
	t := &threadClock{of: c, period: c.draw(rng)}
	t.left = t.period * rng.Float64()
	return t
}

// run samples a task.
func (t *threadClock) run(rng *rand.Rand, cpu float64, keyAt func(part float64) int) *Unit[int] {
	u, at := &Unit[int]{}, t.left
	for ; at < cpu; at += t.period {
		u.Sample(keyAt(at/cpu), time.Duration(t.period))
		if t.samples++; t.of.redrawn > 0 && t.samples%t.of.redrawn == 0 {
			t.period = t.of.draw(rng)
		}
	}
	t.left = at - cpu
	return u
}

func (l lockstep) keyAt(part float64) int {
	switch {
	case part < l.phases[0]:
		return 0
	case part < l.phases[0]+l.phases[1]:
		return 1
	}
	return 2
}

// sample samples the stage once, and returns what it says with the CPU of each phase and of all.
func (l lockstep) sample(rng *rand.Rand, c clocks) (r Result[int], truth [3]float64, all float64) {
	threads := make([]*threadClock, l.threads)
	for i := range threads {
		threads[i] = c.start(rng)
	}
	stage := NewStage[int]()
	for i := range l.tasks {
		cpu := l.cpu * max(0.5, 1+l.cv*rng.NormFloat64())
		all += cpu
		for k, p := range l.phases {
			truth[k] += p * cpu
		}
		stage.Add(threads[i%l.threads].run(rng, cpu, l.keyAt), TierBase, time.Duration(cpu))
	}
	return stage.Estimate(), truth, all
}

// repeat is the coverage of 95 % intervals and the mean error, both in %, and the mean of the
// weights over the CPU.
func (l lockstep) repeat(times int, c clocks) (covered, err, weighed float64) {
	for i := range times {
		rng := rand.New(rand.NewPCG(uint64(i), 99))
		r, truth, all := l.sample(rng, c)
		for k := range truth {
			e := r.Keys[k]
			err += 100 * math.Abs(float64(e.CPU)-truth[k]) / all / float64(len(truth)*times)
			if float64(e.Low) <= truth[k] && truth[k] <= float64(e.High) {
				covered += 100 / float64(len(truth)*times)
			}
		}
		weighed += float64(r.Samples) * c.period / all / float64(times)
	}
	return covered, err, weighed
}

// Tasks in step with the clock deceive a clock of equal periods, and not one whose periods are
// drawn. 0.4 and 40 are sampler's jitter and redrawAfter.
func TestTasksInStepWithTheClock(t *testing.T) {
	drawn := clocks{period: 50e6, jitter: 0.4, redrawn: 40}
	for _, test := range []struct {
		cpu, cv    float64
		threads    int
		c          clocks
		least, err float64
		most       float64 // coverage, of clocks that are known to be deceived
	}{
		{cpu: 50e6, cv: 0.03, threads: 16, c: clocks{period: 50e6}, most: 30, err: 5},
		{cpu: 50e6, cv: 0.10, threads: 16, c: clocks{period: 50e6}, most: 65, err: 2},
		{cpu: 50e6, cv: 0.03, threads: 16, c: drawn, least: 91, most: 100, err: 0.75},
		{cpu: 50e6, cv: 0.10, threads: 16, c: drawn, least: 91, most: 100, err: 0.75},
		{cpu: 50e6, cv: 0.03, threads: 2, c: drawn, least: 91, most: 100, err: 0.75},
		{cpu: 25e6, cv: 0.03, threads: 16, c: drawn, least: 91, most: 100, err: 1},
		{cpu: 100e6, cv: 0.03, threads: 16, c: drawn, least: 91, most: 100, err: 0.75},
		{cpu: 35e6, cv: 0.03, threads: 16, c: drawn, least: 85, most: 100, err: 1}, // at the edge of the range
		{cpu: 70e6, cv: 0.03, threads: 16, c: drawn, least: 85, most: 100, err: 1},
	} {
		t.Run(fmt.Sprintf("%v tasks with a CV of %v on %d threads, jitter %v", time.Duration(test.cpu), test.cv, test.threads, test.c.jitter), func(t *testing.T) {
			t.Parallel()
			l := lockstep{tasks: 4000, threads: test.threads, cpu: test.cpu, cv: test.cv, phases: [3]float64{0.5, 0.3, 0.2}}
			covered, err, weighed := l.repeat(200, test.c)
			t.Logf("coverage %.1f %%, error %.2f %% of the stage, samples over periods %.3f", covered, err, weighed)
			if covered < test.least || covered > test.most {
				t.Errorf("coverage %.1f %% is not in %v to %v", covered, test.least, test.most)
			}
			if err > test.err {
				t.Errorf("error %.2f %%, at most %v", err, test.err)
			}
			if math.Abs(weighed-1) > 0.03 {
				t.Errorf("%.3f of the samples that the rate stands for", weighed)
			}
		})
	}
}
