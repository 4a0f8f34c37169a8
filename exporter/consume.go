package exporter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/consumer/consumererror/xconsumererror"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.uber.org/zap"

	"github.com/planflame/planflame/exporter/convert"
	"github.com/planflame/planflame/exporter/push"
)

// Reasons of exporter_pyroscope_dropped_samples; metadata.yaml lists them.
const (
	droppedMalformed     = "malformed"
	droppedTooOld        = "too_old"
	droppedTooNew        = "too_new"
	droppedTooLarge      = "too_large"
	droppedTooManySeries = "too_many_series"
	droppedRefused       = "refused"
)

// begin makes the series of all counters, at 0: a series that is born with its first failure never
// shows that as an increase.
func (p *pyroscope) begin(ctx context.Context) {
	t := p.telemetry
	for _, c := range []metric.Int64Counter{t.ExporterPyroscopeCutValues, t.ExporterPyroscopeFoldedResources, t.ExporterPyroscopeFoldedWeight,
		t.ExporterPyroscopePushedSamples, t.ExporterPyroscopePushedBytes, t.ExporterPyroscopeRepeatedSamples} {
		c.Add(ctx, 0)
	}
	for _, reason := range []string{droppedMalformed, droppedTooOld, droppedTooNew, droppedTooLarge, droppedTooManySeries, droppedRefused} {
		t.ExporterPyroscopeDroppedSamples.Add(ctx, 0, metric.WithAttributes(attribute.String("reason", reason)))
	}
}

// consume pushes one request. At the first failure that may pass it stops and gives back what was
// not stored, so that a retry stores nothing twice. What can never be stored is counted, logged and
// left out; the request fails for good only if nothing was stored. What is folded is counted when
// it is stored or refused, so that a retry counts nothing twice.
func (p *pyroscope) consume(ctx context.Context, pd pprofile.Profiles) error {
	if p.closing.Err() != nil {
		return errClosing
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.closing, cancel)()
	b := &batch{p: p, converter: convert.New(pd.Dictionary(), p.config.Series.sampleLabels(), push.MaxLabelValueBytes)}
	var rest *remainder
	for _, rp := range pd.ResourceProfiles().All() {
		if rest == nil {
			b.begin(rp.Resource().Attributes())
		}
		for _, sp := range rp.ScopeProfiles().All() {
			for _, profile := range sp.Profiles().All() {
				if rest != nil {
					rest.keep(rp, sp, profile, nil)
					continue
				}
				cut := b.converter.CutValues
				unsent, err := b.profile(ctx, profile)
				if err != nil {
					p.resources.release(map[convert.Set]int64{b.own: 1})
					rest = newRemainder(pd, err)
					rest.keep(rp, sp, profile, unsent)
					continue
				}
				p.telemetry.ExporterPyroscopeCutValues.Add(ctx, int64(b.converter.CutValues-cut))
			}
		}
		if rest == nil {
			b.end(ctx)
		}
	}
	switch {
	case rest != nil:
		return retryable(rest.cause, rest.data)
	case b.failed != nil && b.stored == 0:
		return consumererror.NewPermanent(b.failed)
	}
	return nil
}

// retryable asks exporterhelper to try the data again, after the time that the server asks for.
func retryable(cause error, data pprofile.Profiles) error {
	err := xconsumererror.NewProfiles(cause, data)
	if e := asPushError(cause); e != nil && e.RetryAfter > 0 {
		return exporterhelper.NewThrottleRetry(err, e.RetryAfter)
	}
	return err
}

// batch is the work on one request.
type batch struct {
	p         *pyroscope
	converter *convert.Converter
	stored    int   // profiles that the server took
	failed    error // the last failure for good

	// Of the resource at hand:
	tenant string
	own    convert.Set // its values
	shown  convert.Set // own, or folded
	cut    int64       // values that were too long
}

// tenantOf is whose a resource is, as far as its receiver knows better than the process itself: its
// pod, container or user.
func tenantOf(resource pcommon.Map) string {
	for _, key := range []string{"k8s.pod.uid", "container.id", "process.user.id"} {
		if v, ok := resource.Get(key); ok {
			return v.AsString()
		}
	}
	return ""
}

// begin begins with a resource.
func (b *batch) begin(attributes pcommon.Map) {
	b.tenant = tenantOf(attributes)
	b.own, b.cut = b.p.resource.set(attributes)
	b.shown = b.own
	if !b.p.resources.admit(b.p.now(), b.tenant, map[convert.Set]int64{b.own: 1})[b.own] {
		b.shown = folded(b.own)
	}
}

// end counts a resource of which nothing has to be pushed again.
func (b *batch) end(ctx context.Context) {
	b.p.telemetry.ExporterPyroscopeCutValues.Add(ctx, b.cut)
	if b.shown != b.own {
		b.p.telemetry.ExporterPyroscopeFoldedResources.Add(ctx, 1)
	}
}

// drop counts samples that will never be stored and says why.
func (b *batch) drop(ctx context.Context, reason string, samples int, err error) {
	b.failed = err
	b.p.telemetry.ExporterPyroscopeDroppedSamples.Add(ctx, int64(samples), metric.WithAttributes(attribute.String("reason", reason)))
	b.p.log.Warn("profile dropped", zap.String("reason", reason), zap.Int("samples", samples), zap.Error(err))
}

// profile converts and pushes one profile. An error is one that may pass; unsent then tells, for
// each sample of in, whether it must be tried again.
func (b *batch) profile(ctx context.Context, in pprofile.Profile) (unsent func(i int) bool, err error) {
	if reason, err := b.outsideWindow(in.Time().AsTime()); err != nil {
		b.drop(ctx, reason, in.Samples().Len(), err)
		return nil, nil
	}
	converted, labels, fold, err := b.convert(in)
	switch {
	case errors.Is(err, convert.ErrNoSamples):
		return nil, nil
	case err != nil:
		b.drop(ctx, droppedMalformed, in.Samples().Len(), fmt.Errorf("convert profile of %d samples: %w", in.Samples().Len(), err))
		return nil, nil
	}
	parts, tooLarge, err := push.Split(converted.Profile, b.p.config.Limits.Split)
	if err != nil {
		b.drop(ctx, droppedMalformed, in.Samples().Len(), err)
		return nil, nil
	}
	if tooLarge > 0 {
		b.drop(ctx, droppedTooLarge, tooLarge, fmt.Errorf("%d samples larger than limits::max_bytes (%d)", tooLarge, b.p.config.Limits.Split.Bytes))
	}
	for i := range parts {
		parts[i].Profile.TimeNanos = converted.Profile.TimeNanos
		if err := b.push(ctx, labels, &parts[i]); err != nil {
			unsent = heldBy(parts[i:], converted.Origin)
			b.p.telemetry.ExporterPyroscopeFoldedWeight.Add(ctx, fold.weight()-b.release(fold, in, unsent))
			return unsent, err
		}
	}
	b.p.telemetry.ExporterPyroscopeFoldedWeight.Add(ctx, fold.weight())
	return nil, nil
}

// release takes back what was folded and ranked of samples that will be pushed again, and returns
// the weight that was folded.
func (b *batch) release(fold *folding, in pprofile.Profile, unsent func(i int) bool) (folded int64) {
	weights, err := b.converter.Weights(in, unsent)
	if err != nil {
		return 0 // cannot be: all of them have been read before
	}
	again := *fold
	again.weights = fold.keyed(weights)
	again.ranking.release(again.weights)
	return again.weight()
}

// heldBy tells which source samples are in the parts.
func heldBy(parts []push.Part, origin []int) func(i int) bool {
	return func(i int) bool {
		for p := range parts {
			if parts[p].Holds(origin[i]) {
				return true
			}
		}
		return false
	}
}

// push sends one part; an error is one that may pass.
func (b *batch) push(ctx context.Context, labels []push.Label, part *push.Part) error {
	name := nameOf(seriesText(labels), part.Profile)
	at, unsettled := b.p.stamps.take(name)
	if unsettled {
		b.p.telemetry.ExporterPyroscopeRepeatedSamples.Add(ctx, int64(name.samples))
	}
	part.Profile.TimeNanos = at.UnixNano()
	err := b.p.client.PushPart(ctx, labels, part)
	if err == nil {
		b.stored++
		b.p.telemetry.ExporterPyroscopePushedSamples.Add(ctx, int64(len(part.Profile.Sample)))
		b.p.telemetry.ExporterPyroscopePushedBytes.Add(ctx, int64(part.Bytes))
		return nil
	}
	switch e := asPushError(err); {
	case e == nil:
		b.drop(ctx, droppedMalformed, len(part.Profile.Sample), err)
	case e.TooManySeries():
		b.drop(ctx, droppedTooManySeries, len(part.Profile.Sample),
			fmt.Errorf("%w; raise Pyroscope's -ingester.max-global-series-per-tenant or lower series::max_values", err))
	case e.Permanent:
		b.drop(ctx, droppedRefused, len(part.Profile.Sample), err)
	default:
		b.p.stamps.keep(name, at, unsettled || e.Unsettled())
		return err
	}
	return nil
}

func (b *batch) outsideWindow(t time.Time) (reason string, err error) {
	now := b.p.now()
	limits := b.p.config.Limits
	switch age := now.Sub(t); {
	case limits.MaxAge > 0 && age > limits.MaxAge:
		return droppedTooOld, fmt.Errorf("profile of %s is %s old, limits::max_age is %s",
			t.Format(time.RFC3339), age.Truncate(time.Second), limits.MaxAge)
	case limits.MaxAhead > 0 && -age > limits.MaxAhead:
		return droppedTooNew, fmt.Errorf("profile of %s is %s ahead of the clock, limits::max_ahead is %s",
			t.Format(time.RFC3339), (-age).Truncate(time.Second), limits.MaxAhead)
	}
	return "", nil
}

// convert makes the pprof profile and the labels that all of its samples share.
func (b *batch) convert(in pprofile.Profile) (*convert.Converted, []push.Label, *folding, error) {
	weights, err := b.converter.Weights(in, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	t, err := b.converter.SampleType(in)
	if err != nil {
		return nil, nil, nil, err
	}
	name := profileName(t.Type)
	fold := b.fold(profileType{name, t.Type, t.Unit}, weights)
	converted, err := b.converter.Profile(in, fold.of)
	if err != nil {
		return nil, nil, nil, err
	}
	return converted, b.p.resource.labels(name, b.shown), fold, nil
}

// folding is which sets of sample attributes of a profile keep their values. Samples without any of
// them always do.
type folding struct {
	resource convert.Set
	ranking  *ranking[seriesKey]
	weights  map[seriesKey]int64
	admitted map[seriesKey]bool
}

// fold decides which sets keep their values.
func (b *batch) fold(t profileType, weights map[convert.Set]int64) *folding {
	f := &folding{resource: b.shown, ranking: b.p.ranking(t)}
	f.weights = f.keyed(weights)
	f.admitted = f.ranking.admit(b.p.now(), b.tenant, f.weights)
	return f
}

// keyed are the weights of sets that can be folded.
func (f *folding) keyed(weights map[convert.Set]int64) map[seriesKey]int64 {
	keyed := make(map[seriesKey]int64, len(weights))
	for set, w := range weights {
		if !isEmpty(set) {
			keyed[seriesKey{f.resource, set}] = w
		}
	}
	return keyed
}

// of is the set that takes the place of a set.
func (f *folding) of(set convert.Set) convert.Set {
	if isEmpty(set) || f.admitted[seriesKey{f.resource, set}] {
		return set
	}
	return folded(set)
}

// weight is the weight of all sets that do not keep their values.
func (f *folding) weight() (sum int64) {
	for k, w := range f.weights {
		if !f.admitted[k] {
			sum += w
		}
	}
	return sum
}
