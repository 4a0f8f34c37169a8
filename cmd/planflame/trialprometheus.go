package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	promv1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/planflame/planflame/internal/semconv"
)

// Names of series and labels, as Prometheus makes them of semconv's.
var (
	promRuns  = promName(semconv.MetricQueryRuns) + "_total"
	promCPU   = promName(semconv.MetricOperatorCPU) + "_seconds_total"
	promRows  = promName(semconv.MetricOperatorRows) + "_total"
	promQuery = model.LabelName(promName(semconv.QueryFingerprint))
	promTitle = model.LabelName(promName(semconv.QueryName))
	promPlace = model.LabelName(promName(semconv.StagePlace))
	promID    = model.LabelName(promName(semconv.OperatorID))
	promShown = model.LabelName(promName(semconv.OperatorName))
)

func promName(name string) string { return strings.ReplaceAll(name, ".", "_") }

const (
	promTimeout = 2 * time.Minute // of one request: Prometheus' own default (--query.timeout)
	// overflow is the query of what had no series of its own (max_series of the receiver).
	overflow = "other"
	// promSteps is how many points of a re-run's series are asked for: enough to see each restart
	// of a Collector.
	promSteps = 500
	// promLeastStep is how often config/prometheus scrapes.
	promLeastStep = 15 * time.Second
)

// prometheus reads what queries cost from a Prometheus server.
type prometheus struct {
	api promv1.API
	url string // without the password
}

func newPrometheus(address string) (*prometheus, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		// The address, which err has too, may hold a password.
		return nil, errors.New("--prometheus: not a URL such as http://prom:9090")
	}
	client, err := api.NewClient(api.Config{Address: address})
	if err != nil {
		return nil, fmt.Errorf("--prometheus %s: %w", u.Redacted(), err)
	}
	return &prometheus{promv1.NewAPI(client), u.Redacted()}, nil
}

// usual reads the increase of all series without a trial, over a time up to now. A series is born
// with its first run, of which increase() sees nothing: births add it. selector has more matchers,
// as PromQL writes them between braces.
func (p *prometheus) usual(ctx context.Context, over time.Duration, now time.Time, selector string) (trialQueries, error) {
	matchers := semconv.Trial + `=""`
	if selector != "" {
		matchers += "," + selector
	}
	return p.read(func(metric string, by []model.LabelName) ([]*model.Sample, error) {
		series, window := metric+"{"+matchers+"}", model.Duration(over).String()
		births := fmt.Sprintf("min_over_time(%s[%s]) unless last_over_time(%s[1d] offset %s)", series, window, series, window)
		// The label keeps births apart from the increases of the same series.
		return p.vector(ctx, fmt.Sprintf(`sum by (%s) (increase(%s[%s]) or label_replace(%s, "birth", "yes", "", ""))`, joinLabels(by), series, window, births), now)
	})
}

// reruns reads all that the series of a trial have counted since it was planned. A series of a
// single run begins with all that it will ever have, of which increase() sees nothing.
func (p *prometheus) reruns(ctx context.Context, name string, since, now time.Time) (trialQueries, error) {
	over := max(now.Sub(since).Truncate(time.Second), promLeastStep)
	step := max((over / promSteps).Truncate(time.Second), promLeastStep)
	return p.read(func(metric string, by []model.LabelName) ([]*model.Sample, error) {
		query := fmt.Sprintf("%s{%s=%q}[%s:%s]", metric, semconv.Trial, name, model.Duration(over), model.Duration(step))
		value, err := p.ask(ctx, query, now)
		if err != nil {
			return nil, err
		}
		matrix, ok := value.(model.Matrix)
		if !ok {
			return nil, fmt.Errorf("query %s of %s: a %s, not a matrix", query, p.url, value.Type())
		}
		return increases(matrix, by), nil
	})
}

// increases sums series by labels. Each counts from 0, and again when it falls.
func increases(matrix model.Matrix, by []model.LabelName) (out []*model.Sample) {
	sums := map[model.Fingerprint]*model.Sample{}
	for _, series := range matrix {
		labels := model.Metric{}
		for _, l := range by {
			if v, ok := series.Metric[l]; ok {
				labels[l] = v
			}
		}
		s := sums[labels.Fingerprint()]
		if s == nil {
			s = &model.Sample{Metric: labels}
			sums[labels.Fingerprint()] = s
			out = append(out, s)
		}
		before := model.SampleValue(0)
		for _, x := range series.Values {
			if x.Value < before {
				before = 0
			}
			s.Value, before = s.Value+x.Value-before, x.Value
		}
	}
	return out
}

// read puts the three metrics together.
func (p *prometheus) read(sum func(metric string, by []model.LabelName) ([]*model.Sample, error)) (trialQueries, error) {
	ofQuery := []model.LabelName{promQuery, promTitle}
	ofOperator := []model.LabelName{promQuery, promTitle, promPlace, promID, promShown}
	runs, errRuns := sum(promRuns, ofQuery)
	cpu, errCPU := sum(promCPU, ofOperator)
	rows, errRows := sum(promRows, ofOperator)
	if err := errors.Join(errRuns, errCPU, errRows); err != nil {
		return nil, err
	}
	if len(cpu) > 0 && len(runs) == 0 {
		return nil, fmt.Errorf("%s has %s and no %s: the Collectors of the drivers' nodes must be of this version", p.url, promCPU, promRuns)
	}
	all, rowsOf := trialQueries{}, map[model.Fingerprint]float64{}
	for _, s := range rows {
		rowsOf[s.Metric.Fingerprint()] = float64(s.Value)
	}
	for _, s := range cpu {
		q := all.of(string(s.Metric[promQuery]), string(s.Metric[promTitle]))
		id := string(s.Metric[promID])
		q.add(id, string(s.Metric[promShown]), float64(s.Value), rowsOf[s.Metric.Fingerprint()], isBucket(id))
	}
	for _, s := range runs {
		q := all.of(string(s.Metric[promQuery]), string(s.Metric[promTitle]))
		q.runs.Count += float64(s.Value)
		q.failed = q.runs.Count == 0 // the series is there, so a driver told of an end
	}
	return all, nil
}

// isBucket reports whether an operator's id stands for CPU without an operator. Python workers and
// what feeds them are in brackets, too, and grow with rows.
func isBucket(id string) bool {
	return strings.HasPrefix(id, "[") && !strings.HasPrefix(id, "[python ")
}

// vector asks for one value a series. What is not a number is left out.
func (p *prometheus) vector(ctx context.Context, query string, at time.Time) (out []*model.Sample, err error) {
	value, err := p.ask(ctx, query, at)
	if err != nil {
		return nil, err
	}
	vector, ok := value.(model.Vector)
	if !ok {
		return nil, fmt.Errorf("query %s of %s: a %s, not a vector", query, p.url, value.Type())
	}
	for _, s := range vector {
		if !math.IsNaN(float64(s.Value)) {
			out = append(out, s)
		}
	}
	return out, nil
}

func (p *prometheus) ask(ctx context.Context, query string, at time.Time) (model.Value, error) {
	value, _, _, err := p.api.Query(ctx, query, at, promv1.WithTimeout(promTimeout))
	if err != nil {
		return nil, fmt.Errorf("query %s of %s: %w", query, p.url, err)
	}
	return value, nil
}

func joinLabels(labels []model.LabelName) string {
	words := make([]string, len(labels))
	for i, l := range labels {
		words[i] = string(l)
	}
	return strings.Join(words, ", ")
}
