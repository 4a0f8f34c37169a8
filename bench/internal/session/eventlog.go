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
	"time"
)

// TaskCPU reads the event logs in a folder and sums the tasks' CPU by SQL execution: executorCpuTime + executorDeserializeCpuTime of every
// attempt that ended (SparkListenerTaskEnd, Spark 3.5 and 4.x). Tasks without an execution are under -1.
func TaskCPU(dir string) (map[int64]time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("event logs: none in %s", dir)
	}
	sums := map[int64]time.Duration{}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		err = sumTasks(f, sums)
		f.Close() // read only: nothing to lose
		if err != nil {
			return nil, fmt.Errorf("event log %s: %w", path, err)
		}
	}
	return sums, nil
}

// event has those fields of the events that are used here.
type event struct {
	Event      string
	StageIDs   []int             `json:"Stage IDs"`
	Properties map[string]string `json:"Properties"`
	StageID    int               `json:"Stage ID"`
	Metrics    *struct {
		CPU         int64 `json:"Executor CPU Time"`
		Deserialize int64 `json:"Executor Deserialize CPU Time"`
	} `json:"Task Metrics"`
}

func sumTasks(log io.Reader, sums map[int64]time.Duration) error {
	execution := map[int]int64{} // by stage; a stage belongs to the job that was submitted first with it
	lines := bufio.NewReaderSize(log, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		job, task := bytes.HasPrefix(line, []byte(`{"Event":"SparkListenerJobStart"`)), bytes.HasPrefix(line, []byte(`{"Event":"SparkListenerTaskEnd"`))
		if job || task {
			var e event
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			e.add(execution, sums)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (e *event) add(execution map[int]int64, sums map[int64]time.Duration) {
	if e.Event == "SparkListenerJobStart" {
		id, err := strconv.ParseInt(e.Properties["spark.sql.execution.id"], 10, 64)
		if err != nil {
			id = -1
		}
		for _, stage := range e.StageIDs {
			if _, known := execution[stage]; !known {
				execution[stage] = id
			}
		}
		return
	}
	id, known := execution[e.StageID]
	if !known {
		id = -1
	}
	if e.Metrics != nil {
		sums[id] += time.Duration(e.Metrics.CPU + e.Metrics.Deserialize)
	}
}
