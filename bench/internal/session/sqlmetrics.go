package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// SQLMetrics reads the event logs in a folder and sums what Spark's own SQL metrics say of time.
// Keys are the SQL execution and the name of the plan node without its number ("HashAggregate",
// "Scan parquet", "WholeStageCodegen"). It takes metrics of the types timing and nsTiming, and
// updates of all task attempts that ended. Most nodes have none: a filter, a project, a join's
// probe (Spark 3.5 and 4.x).
func SQLMetrics(dir string) (map[int64]map[string]time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	m := metrics{owner: map[int64]timing{}, value: map[int64]int64{}}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		err = m.read(f)
		f.Close() // read only: nothing to lose
		if err != nil {
			return nil, fmt.Errorf("event log %s: %w", path, err)
		}
	}
	return m.sums(), nil
}

// timing is one metric of a node that has a time as its value.
type timing struct {
	execution int64
	node      string
	unit      time.Duration
}

// metrics are joined at the end: a task's updates may stand before the plan update that names them.
type metrics struct {
	owner map[int64]timing // :: accumulator →
	value map[int64]int64
}

// planNode is SparkPlanInfo, as far as it is used.
type planNode struct {
	NodeName string
	Children []planNode
	Metrics  []struct {
		AccumulatorID int64
		MetricType    string
	}
}

func (m *metrics) read(log io.Reader) error {
	lines := bufio.NewReaderSize(log, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		head := line[:min(len(line), 120)]
		switch {
		case bytes.Contains(head, []byte("SparkListenerSQLExecutionStart")), bytes.Contains(head, []byte("SparkListenerSQLAdaptiveExecutionUpdate")):
			var e struct {
				ExecutionID   int64
				SparkPlanInfo planNode
			}
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			m.own(e.ExecutionID, e.SparkPlanInfo)
		case bytes.Contains(head, []byte("SparkListenerTaskEnd")):
			if err := m.task(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (m *metrics) own(execution int64, node planNode) {
	name, _, _ := strings.Cut(node.NodeName, " (") // WholeStageCodegen (2)
	for _, metric := range node.Metrics {
		switch metric.MetricType {
		case "timing":
			m.owner[metric.AccumulatorID] = timing{execution, name, time.Millisecond}
		case "nsTiming":
			m.owner[metric.AccumulatorID] = timing{execution, name, time.Nanosecond}
		}
	}
	for _, child := range node.Children {
		m.own(execution, child)
	}
}

func (m *metrics) task(line []byte) error {
	var e struct {
		Info struct {
			Accumulables []struct {
				ID       int64
				Update   any
				Metadata string
			}
		} `json:"Task Info"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	for _, a := range e.Info.Accumulables {
		if a.Metadata != "sql" {
			continue
		}
		n, err := strconv.ParseInt(fmt.Sprint(a.Update), 10, 64) // a string
		if err != nil {
			return fmt.Errorf("accumulator %d: %w", a.ID, err)
		}
		if n > 0 { // -1: never set
			m.value[a.ID] += n
		}
	}
	return nil
}

func (m *metrics) sums() map[int64]map[string]time.Duration {
	out := map[int64]map[string]time.Duration{}
	for id, t := range m.owner {
		if out[t.execution] == nil {
			out[t.execution] = map[string]time.Duration{}
		}
		out[t.execution][t.node] += time.Duration(m.value[id]) * t.unit
	}
	return out
}
