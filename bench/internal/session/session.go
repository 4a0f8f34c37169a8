package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/google/pprof/profile"
)

// Statement is one SQL statement of a Spec. ID is unique in it.
type Statement struct {
	ID      string `json:"id"`
	SQL     string `json:"sql"`
	Discard bool   `json:"discard,omitempty"` // rows go to the noop sink, not to the driver
	// Conf are settings of the SQL session while the statement runs.
	Conf map[string]string `json:"conf,omitempty"`
}

// Spec is what one session runs; test/jobs/passes.py reads it as JSON and documents it.
type Spec struct {
	Tables     map[string]string   `json:"tables"`              // view → parquet
	Editions   map[string][]string `json:"editions,omitempty"`  // view → parquets, of which pass after pass reads the next
	Functions  map[string]string   `json:"functions,omitempty"` // name in SQL → Java class of a user-defined function
	Setup      []string            `json:"setup,omitempty"`
	Statements []Statement         `json:"statements"`
	Warmup     int                 `json:"warmup"` // passes that are not counted
	Passes     int                 `json:"passes"`
	Seed       int64               `json:"seed"`
}

// Settings say where and how a session runs.
type Settings struct {
	Planflame string   // the command
	Plain     bool     // Spark alone, without planflame: executions have no operators
	Spark     string   // virtual environment of a Spark
	Job       string   // test/jobs/passes.py
	Dir       string   // folder for everything it writes; made
	Hz        int      // samples a second of task CPU
	Rates     []string // flags of planflame run that take the place of Hz; nil: Hz
	Conf      []string // further settings of Spark, key=value
	Master    string   // "" local[2]
	Memory    string   // of the driver; "" 4g
	Submit    string   // command that takes spark-submit's arguments; "" Spark's own
	// Baselines are computed from the same recording: name → what `planflame report --without`
	// leaves out.
	Baselines map[string]string
}

// Execution is one run of a statement.
type Execution struct {
	Statement string
	Pass      int           // from 0; warm-up passes are negative
	ID        int64         // sql_execution_id
	Wall      time.Duration // as the driver saw it
	TaskCPU   time.Duration // Spark's own account
	Schedule  Schedule      // of its longest stage
	// Operators are what planflame says; the CPU without a plan node is under its bucket's name in
	// brackets.
	Operators map[string]Operator
	Baselines map[string]map[string]Operator // the same by the name of a baseline
	// Metrics are the times of Spark's own SQL metrics, by name of the plan node.
	Metrics map[string]time.Duration
}

// Operator is the CPU of one operator in one execution.
type Operator struct {
	Name    string // as people read it
	CPU     time.Duration
	Samples int64
}

// Jars is the folder of the jars of the Spark in a virtual environment.
func Jars(spark string) (string, error) {
	found, err := filepath.Glob(filepath.Join(spark, "lib", "python3*", "site-packages", "pyspark", "jars"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("jars of Spark in %s: %d folders, not one", spark, len(found))
	}
	return found[0], nil
}

// Run runs a session and returns its executions, in their order. progress gets what the job prints.
func Run(ctx context.Context, s Settings, spec Spec, progress func(line string)) ([]Execution, error) {
	out, events, log, specFile := filepath.Join(s.Dir, "out"), filepath.Join(s.Dir, "events"), filepath.Join(s.Dir, "executions.jsonl"), filepath.Join(s.Dir, "spec.json")
	if err := os.RemoveAll(s.Dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(events, 0o755); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(spec, "", " ")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(specFile, text, 0o644); err != nil {
		return nil, err
	}
	events, err = filepath.Abs(events)
	if err != nil {
		return nil, err
	}
	rates := s.Rates
	if rates == nil {
		rates = []string{"--hz", strconv.Itoa(s.Hz)}
	}
	args := append([]string{s.Planflame, "run", "--out", out}, rates...)
	args = append(args, "--")
	if s.Plain {
		args = nil
	}
	args = append(args, orDefault(s.Submit, filepath.Join(s.Spark, "bin", "spark-submit")),
		"--master", orDefault(s.Master, "local[2]"), "--driver-memory", orDefault(s.Memory, "4g"),
		"--conf", "spark.eventLog.enabled=true", "--conf", "spark.eventLog.dir=file://"+events, "--conf", "spark.eventLog.rolling.enabled=false", "--conf", "spark.eventLog.compress=false")
	for _, c := range s.Conf {
		args = append(args, "--conf", c)
	}
	args = append(args, s.Job, "--spec", specFile, "--log", log)
	if err := s.run(ctx, args, progress); err != nil {
		return nil, err
	}
	baselines := map[string]map[int64]map[string]Operator{}
	for name, without := range s.Baselines {
		if baselines[name], err = s.baseline(ctx, out, name, without); err != nil {
			return nil, err
		}
	}
	return s.read(out, events, log, baselines)
}

// baseline computes a recording again without some of the evidence.
func (s Settings) baseline(ctx context.Context, out, name, without string) (map[int64]map[string]Operator, error) {
	into := filepath.Join(s.Dir, "without-"+without)
	said, err := exec.CommandContext(ctx, s.Planflame, "report", out, "--without", without, "--into", into).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("baseline %s of session in %s: %w\n%s", name, s.Dir, err, said)
	}
	return readOperators(filepath.Join(into, "profile.pb.gz"))
}

// run runs planflame, or Spark alone; what it says is kept in a file beside its output.
func (s Settings) run(ctx context.Context, args []string, progress func(string)) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(s.Spark, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	said, err := os.Create(filepath.Join(s.Dir, "said.log"))
	if err != nil {
		return err
	}
	defer said.Close()
	cmd.Stderr = said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		fmt.Fprintln(said, lines.Text()) // the job's Python says there what went wrong
		if bytes.HasPrefix(lines.Bytes(), []byte("pass ")) {
			progress(lines.Text())
		}
	}
	if err := errors.Join(lines.Err(), cmd.Wait()); err != nil {
		return fmt.Errorf("session in %s: %w; see %s", s.Dir, err, said.Name())
	}
	return nil
}

// Read reads the executions of a session that was run under planflame with this folder as
// Settings.Dir.
func Read(dir string) ([]Execution, error) {
	return Settings{Dir: dir}.read(filepath.Join(dir, "out"), filepath.Join(dir, "events"), filepath.Join(dir, "executions.jsonl"), nil)
}

// read joins the three files by sql_execution_id.
func (s Settings) read(out, events, log string, baselines map[string]map[int64]map[string]Operator) ([]Execution, error) {
	cpu, err := TaskCPU(events)
	if err != nil {
		return nil, err
	}
	metrics, err := SQLMetrics(events)
	if err != nil {
		return nil, err
	}
	var operators map[int64]map[string]Operator
	if !s.Plain {
		if operators, err = readOperators(filepath.Join(out, "profile.pb.gz")); err != nil {
			return nil, err
		}
	}
	schedules, err := Schedules(events)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	var all []Execution
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var l struct {
			ID        string
			Pass      int
			Execution int64
			Seconds   float64
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", log, i+1, err)
		}
		e := Execution{Statement: l.ID, Pass: l.Pass, ID: l.Execution, Wall: time.Duration(l.Seconds * 1e9), TaskCPU: cpu[l.Execution], Schedule: schedules[l.Execution], Operators: operators[l.Execution], Metrics: metrics[l.Execution]}
		if e.TaskCPU == 0 {
			return nil, fmt.Errorf("%s, line %d: execution %d has no task in the event log", log, i+1, e.ID)
		}
		for name, operators := range baselines {
			if e.Baselines == nil {
				e.Baselines = map[string]map[string]Operator{}
			}
			e.Baselines[name] = operators[e.ID]
		}
		all = append(all, e)
	}
	return all, nil
}

// readOperators sums a profile by execution and operator.
func readOperators(path string) (map[int64]map[string]Operator, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	p, err := profile.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	sums := map[int64]map[string]Operator{}
	for _, s := range p.Sample {
		label := func(name string) string {
			if v := s.Label[name]; len(v) > 0 {
				return v[0]
			}
			return ""
		}
		id, err := strconv.ParseInt(label("sql_execution_id"), 10, 64)
		if err != nil || label("group") != "" {
			continue // no part of an execution, or no task's CPU
		}
		if sums[id] == nil {
			sums[id] = map[string]Operator{}
		}
		name := label("operator")
		op := sums[id][name]
		op.Name, op.Samples, op.CPU = label("operator_name"), op.Samples+s.Value[0], op.CPU+time.Duration(s.Value[1])
		sums[id][name] = op
	}
	return sums, nil
}

func orDefault(v, otherwise string) string {
	if v == "" {
		return otherwise
	}
	return v
}
