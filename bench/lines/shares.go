package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/attribution"
)

// shares are where the tasks' CPU of a recorded run went.
type shares struct {
	TaskSeconds float64            `json:"task_seconds"` // as planflame shows it; Spark's own account beside it
	SparkCPU    float64            `json:"spark_cpu_seconds"`
	Node        float64            `json:"plan_node"` // shares of task_seconds
	Named       float64            `json:"named"`
	Buckets     map[string]float64 `json:"buckets"`
	// Worst are the statements with the lowest share with a plan node, the lowest first.
	Worst []statementShare `json:"worst"`
}

// statementShare is the share of one statement.
type statementShare struct {
	Statement string  `json:"statement"`
	Node      float64 `json:"plan_node"`
	Seconds   float64 `json:"task_seconds"`
}

// unnamed are the buckets that say that something is not known.
var unnamed = map[string]bool{
	string(attribution.BucketUnknown): true, string(attribution.BucketPending): true, string(attribution.BucketNoPlan): true, string(attribution.BucketNoSamples): true,
}

// nodeCPU is the CPU of one operator or bucket of one execution: a bucket has its name in brackets.
type nodeCPU struct {
	statement, operator string
	cpu                 time.Duration
}

// shareOut sums where CPU went.
func shareOut(all []nodeCPU, spark time.Duration) shares {
	s := shares{SparkCPU: spark.Seconds(), Buckets: map[string]float64{}}
	sum, node := map[string]float64{}, map[string]float64{}
	for _, n := range all {
		cpu := n.cpu.Seconds()
		s.TaskSeconds += cpu
		sum[n.statement] += cpu
		bucket, isBucket := strings.CutPrefix(n.operator, "[")
		if bucket = strings.TrimSuffix(bucket, "]"); isBucket {
			s.Buckets[bucket] += cpu
		} else {
			s.Node += cpu
			node[n.statement] += cpu
		}
		if !isBucket || !unnamed[bucket] {
			s.Named += cpu
		}
	}
	s.Node, s.Named = share(s.Node, s.TaskSeconds), share(s.Named, s.TaskSeconds)
	for name, cpu := range s.Buckets {
		s.Buckets[name] = share(cpu, s.TaskSeconds)
	}
	for id, cpu := range sum {
		s.Worst = append(s.Worst, statementShare{id, share(node[id], cpu), cpu})
	}
	slices.SortFunc(s.Worst, func(a, b statementShare) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), strings.Compare(a.Statement, b.Statement))
	})
	return s
}
