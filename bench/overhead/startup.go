package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
)

// startupCost is what planflame's own threads do while a Spark session starts, up to the moment
// when it takes queries. Two sessions differ by more than that, so pairs do not show it. What the
// JVM's flags change in all other threads is not in it.
type startupCost struct {
	Stock    []float64        `json:"stock_cpu_seconds"` // CPU of JVMs with stock flags and without the plugin
	Sessions []startupSession `json:"sessions"`
	Ratio    float64          `json:"ratio"` // 1 + (median of what planflame's threads used, less Service of stock) / median of stock
}

// startupSession are the threads of one session with a Collector at 200 Hz, in CPU seconds.
type startupSession struct {
	Agent   float64 `json:"agent"`
	Poller  float64 `json:"poller"`
	Plans   float64 `json:"plans"`
	Service float64 `json:"service"` // HotSpot's Service Thread, which delivers compiled methods to the agent
	CPU     float64 `json:"cpu"`     // of the JVM
}

// startup starts sessions with and without planflame, one after the other.
func (b *bench) startup(ctx context.Context) error {
	var out startupCost
	var service []float64
	for round := range b.o.rounds {
		plain, err := b.startSession(ctx, false)
		if err != nil {
			return fmt.Errorf("stock: %w", err)
		}
		out.Stock, service = append(out.Stock, plain.CPU), append(service, plain.Service)
		s, err := b.startSession(ctx, true)
		if err != nil {
			return err
		}
		out.Sessions = append(out.Sessions, s)
		b.say("round %d of %d: stock %.2f s; planflame %.2f s, of which agent %.3f, poller %.3f, plans %.3f, service thread %.3f (stock's %.3f)", round+1, b.o.rounds, plain.CPU, s.CPU, s.Agent, s.Poller, s.Plans, s.Service, plain.Service)
	}
	out.sum(report.Median(service))
	b.r.Startup = &out
	b.r.Figures["startup_account_ratio"] = out.Ratio
	return nil
}

// sum computes the ratio; service is what the Service Thread uses in a stock session.
func (c *startupCost) sum(service float64) {
	var own []float64
	for _, s := range c.Sessions {
		own = append(own, s.Agent+s.Poller+s.Plans+max(0, s.Service-service))
	}
	c.Ratio = 1 + report.Median(own)/report.Median(c.Stock)
}

// startSession starts one session, reads what its threads have used when it takes queries, and ends
// it.
func (b *bench) startSession(ctx context.Context, planflame bool) (s startupSession, err error) {
	spec := consoleSpec{name: "startup-stock", master: b.o.master}
	if planflame {
		spec = consoleSpec{name: "startup-planflame", master: b.o.master, jvm: agentFlags, plugin: true}
		if err := fresh(b.o.dir + "/startup-collector"); err != nil {
			return s, err
		}
		c, err := b.startCollector(ctx, reading{hz: 200, mode: "privileged"}, b.o.dir+"/startup-collector")
		if err != nil {
			return s, err
		}
		defer func() {
			_, stopErr := c.stop()
			err = errors.Join(err, stopErr)
		}()
	}
	c, err := b.startConsole(ctx, spec)
	if err != nil {
		return s, err
	}
	cpu, err1 := processCPU(c.pid)
	threads, err2 := threadCPU(c.pid)
	if err := errors.Join(err1, err2, c.close()); err != nil {
		return s, err
	}
	of := func(pick func(thread) bool) float64 {
		return grown(map[thread]time.Duration{}, threads, pick).Seconds()
	}
	s = startupSession{Agent: of(thread.isAgent), Poller: of(thread.isPoller), Plans: of(thread.isPlans), Service: of(thread.isService), CPU: cpu.Seconds()}
	if planflame && s.Agent == 0 {
		return s, errors.New("the agent has no thread")
	}
	return s, nil
}
