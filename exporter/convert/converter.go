package convert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// Converter converts profiles that share one dictionary. Not for concurrent use.
type Converter struct {
	dict       pprofile.ProfilesDictionary
	listed     map[string]int // attribute → place in the list
	names      []string       // Pyroscope name at each place
	valueLimit int

	values    map[int32]listedValue
	sets      map[string]Set              // attribute indices of a sample → its set: most samples have the attributes of another
	labelsOf  map[Set]map[string][]string // shared by the samples of a set
	key       []byte
	CutValues uint64 // attribute values that were longer than the limit, once each
}

// listedValue is a decoded entry of the attribute table: place is -1 where the attribute is not
// listed.
type listedValue struct {
	place int
	value string
}

// ErrNoSamples says that a profile holds nothing to convert: no samples, or only samples of value
// 0.
var ErrNoSamples = errors.New("profile has no samples")

// Attribute is a sample attribute that becomes a label.
type Attribute struct{ Key, Label string }

// New returns a Converter for profiles of dict. attributes lists the sample attributes that become
// labels; valueLimit is the most bytes of a label value.
func New(dict pprofile.ProfilesDictionary, attributes []Attribute, valueLimit int) *Converter {
	c := &Converter{dict: dict, listed: map[string]int{}, valueLimit: valueLimit, values: map[int32]listedValue{}, sets: map[string]Set{}, labelsOf: map[Set]map[string][]string{}}
	for i, a := range attributes {
		c.listed[a.Key] = i
		c.names = append(c.names, a.Label)
	}
	return c
}

// SampleType returns p's sample type and unit, or the error with which Profile would refuse it.
func (c *Converter) SampleType(p pprofile.Profile) (profile.ValueType, error) {
	t, err := newBuilder(c.dict).sampleType(p)
	if err != nil {
		return profile.ValueType{}, err
	}
	return *t, nil
}

// Weights returns the summed value of p's samples by set of listed attributes, of those that some
// reports; nil: all.
func (c *Converter) Weights(p pprofile.Profile, some func(i int) bool) (map[Set]int64, error) {
	weights := map[Set]int64{}
	for i, s := range p.Samples().All() {
		if some != nil && !some(i) {
			continue
		}
		v, err := sampleValue(s)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		set, err := c.set(s)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		if weights[set], err = add(weights[set], v); err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return weights, nil
}

// Converted is a profile and where its samples came from.
type Converted struct {
	Profile *profile.Profile
	// Origin is parallel to the samples of the source: the index in Profile.Sample that the sample
	// was added to, or Nowhere for a value of 0.
	Origin []int
}

// Nowhere is the Origin of a sample that added nothing.
const Nowhere = -1

// Profile converts p. fold maps each set of listed attributes to the one whose labels the samples
// get; nil keeps them. It returns ErrNoSamples if nothing is left to send.
func (c *Converter) Profile(p pprofile.Profile, fold func(Set) Set) (*Converted, error) {
	b := newBuilder(c.dict)
	if err := b.header(p); err != nil {
		return nil, err
	}
	merged := map[sampleKey]int{}
	origin := make([]int, 0, p.Samples().Len())
	for i, s := range p.Samples().All() {
		v, err := sampleValue(s)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		set, err := c.set(s)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		if v == 0 {
			origin = append(origin, Nowhere)
			continue
		}
		if fold != nil {
			set = fold(set)
		}
		key := sampleKey{stack: s.StackIndex(), set: set}
		if at, ok := merged[key]; ok {
			m := b.out.Sample[at]
			if m.Value[0], err = add(m.Value[0], v); err != nil {
				return nil, fmt.Errorf("sample %d: %w", i, err)
			}
			origin = append(origin, at)
			continue
		}
		locations, err := b.stack(s.StackIndex())
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		merged[key] = len(b.out.Sample)
		origin = append(origin, len(b.out.Sample))
		b.out.Sample = append(b.out.Sample, &profile.Sample{Location: locations, Value: []int64{v}, Label: c.labels(set)})
	}
	if len(b.out.Sample) == 0 {
		return nil, ErrNoSamples
	}
	if err := b.out.CheckValid(); err != nil {
		return nil, fmt.Errorf("converted profile: %w", err)
	}
	return &Converted{Profile: b.out, Origin: origin}, nil
}

type sampleKey struct {
	stack int32
	set   Set
}

func (c *Converter) labels(set Set) map[string][]string {
	if len(c.names) == 0 {
		return nil
	}
	if labels, ok := c.labelsOf[set]; ok {
		return labels
	}
	labels := map[string][]string{}
	c.labelsOf[set] = labels
	for i, v := range set.Values() {
		if v != "" {
			labels[c.names[i]] = []string{v}
		}
	}
	return labels
}

// set returns the listed attributes of a sample. The last of several entries of one attribute
// counts.
func (c *Converter) set(s pprofile.Sample) (Set, error) {
	c.key = c.key[:0]
	for _, index := range s.AttributeIndices().All() {
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(index))
	}
	if set, ok := c.sets[string(c.key)]; ok {
		return set, nil
	}
	values := make([]string, len(c.names))
	for _, index := range s.AttributeIndices().All() {
		v, err := c.attribute(index)
		if err != nil {
			return "", err
		}
		if v.place >= 0 {
			values[v.place] = v.value
		}
	}
	set := NewSet(values)
	c.sets[string(c.key)] = set
	return set, nil
}

func (c *Converter) attribute(index int32) (listedValue, error) {
	if v, ok := c.values[index]; ok {
		return v, nil
	}
	if index < 0 || int(index) >= c.dict.AttributeTable().Len() {
		return listedValue{}, fmt.Errorf("attribute index %d outside of the table of %d", index, c.dict.AttributeTable().Len())
	}
	kv := c.dict.AttributeTable().At(int(index))
	key, err := stringAt(c.dict, kv.KeyStrindex())
	if err != nil {
		return listedValue{}, fmt.Errorf("key of attribute %d: %w", index, err)
	}
	v := listedValue{place: -1}
	if place, ok := c.listed[key]; ok {
		value, cut := LabelValue(kv.Value().AsString(), c.valueLimit)
		if cut {
			c.CutValues++
		}
		v = listedValue{place: place, value: value}
	}
	c.values[index] = v
	return v, nil
}

// sampleValue is the sum of the sample's values, or the number of its timestamps where it has no
// value (profiles.proto, Sample).
func sampleValue(s pprofile.Sample) (int64, error) {
	values, times := s.Values(), s.TimestampsUnixNano().Len()
	switch {
	case values.Len() == 0 && times == 0:
		return 0, errors.New("neither values nor timestamps")
	case values.Len() == 0:
		return int64(times), nil
	case times > 0 && values.Len() != times:
		return 0, fmt.Errorf("%d values for %d timestamps", values.Len(), times)
	}
	var sum int64
	for _, v := range values.All() {
		if v < 0 {
			return 0, fmt.Errorf("negative value %d", v)
		}
		var err error
		if sum, err = add(sum, v); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// add adds two values that are not negative.
func add(a, b int64) (int64, error) {
	if a > math.MaxInt64-b {
		return 0, fmt.Errorf("sum of %d and %d overflows", a, b)
	}
	return a + b, nil
}

func stringAt(dict pprofile.ProfilesDictionary, index int32) (string, error) {
	if index < 0 || int(index) >= dict.StringTable().Len() {
		return "", fmt.Errorf("string index %d outside of the table of %d", index, dict.StringTable().Len())
	}
	return dict.StringTable().At(int(index)), nil
}
