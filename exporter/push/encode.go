package push

import (
	"maps"
	"reflect"
	"slices"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// encode is p as an uncompressed pprof profile (profile.proto, google/pprof): the very bytes that profile.Profile.WriteUncompressed makes, which takes
// three times the memory, most of it for copies within p. timeAt is where the value of time_nanos begins; 0: p has no time.
func encode(p *profile.Profile) (out []byte, timeAt int) {
	e := encoder{numbers: map[string]int64{}}
	size := 1 << 10
	for _, s := range p.Sample {
		size += 24 + 2*len(s.Location)
	}
	e.out = make([]byte, 0, size+64*len(p.Location))
	e.text("")
	timeAt = e.profile(p)
	return e.out, timeAt
}

// encoder writes one profile.
type encoder struct {
	out     []byte
	numbers map[string]int64 // :: text → its number in the string table
	texts   []string         // the string table
	// labels are the encoded labels of the sample before: samples of one set share the very map.
	labels   []byte
	labelsOf uintptr
}

func (e *encoder) text(s string) int64 {
	n, ok := e.numbers[s]
	if !ok {
		n = int64(len(e.texts))
		e.numbers[s] = n
		e.texts = append(e.texts, s)
	}
	return n
}

// number writes a field, unless it is 0.
func (e *encoder) number(field protowire.Number, v uint64) {
	if v != 0 {
		e.always(field, v)
	}
}

func (e *encoder) always(field protowire.Number, v uint64) {
	e.out = protowire.AppendTag(e.out, field, protowire.VarintType)
	e.out = protowire.AppendVarint(e.out, v)
}

func (e *encoder) flag(field protowire.Number, v bool) { e.number(field, protowire.EncodeBool(v)) }

// message writes what body writes as a field.
func (e *encoder) message(field protowire.Number, body func()) {
	e.out = protowire.AppendTag(e.out, field, protowire.BytesType)
	begin := len(e.out)
	body()
	n := len(e.out) - begin
	e.out = protowire.AppendVarint(e.out, uint64(n)) // belongs before it
	var length [10]byte
	k := copy(length[:], e.out[begin+n:])
	copy(e.out[begin+k:], e.out[begin:begin+n])
	copy(e.out[begin:], length[:k])
}

// many writes n values of a repeated field, packed where that is shorter.
func (e *encoder) many(field protowire.Number, n int, value func(i int) uint64) {
	if n <= 2 {
		for i := range n {
			e.always(field, value(i))
		}
		return
	}
	e.message(field, func() {
		for i := range n {
			e.out = protowire.AppendVarint(e.out, value(i))
		}
	})
}

// profile writes fields in the order of google/pprof's, so that texts get the same numbers.
func (e *encoder) profile(p *profile.Profile) (timeAt int) {
	for _, t := range p.SampleType {
		e.valueType(1, t)
	}
	for _, s := range p.Sample {
		e.message(2, func() { e.sample(s) })
	}
	for _, m := range p.Mapping {
		e.message(3, func() { e.mapping(m) })
	}
	for _, l := range p.Location {
		e.message(4, func() { e.location(l) })
	}
	for _, f := range p.Function {
		e.message(5, func() {
			e.number(1, f.ID)
			e.number(2, uint64(e.text(f.Name)))
			e.number(3, uint64(e.text(f.SystemName)))
			e.number(4, uint64(e.text(f.Filename)))
			e.number(5, uint64(f.StartLine))
		})
	}
	drop, keep := e.text(p.DropFrames), e.text(p.KeepFrames)
	period := p.PeriodType
	if period != nil {
		e.text(period.Type)
		e.text(period.Unit)
	}
	for _, c := range p.Comments {
		e.text(c)
	}
	standard, doc := e.text(p.DefaultSampleType), e.text(p.DocURL)
	for _, s := range e.texts {
		e.out = protowire.AppendTag(e.out, 6, protowire.BytesType)
		e.out = protowire.AppendString(e.out, s)
	}
	e.number(7, uint64(drop))
	e.number(8, uint64(keep))
	if p.TimeNanos != 0 {
		timeAt = len(e.out) + protowire.SizeTag(timeNanos)
		e.always(timeNanos, uint64(p.TimeNanos))
	}
	e.number(10, uint64(p.DurationNanos))
	if period != nil && (period.Type != "" || period.Unit != "") {
		e.valueType(11, period)
	}
	e.number(12, uint64(p.Period))
	e.many(13, len(p.Comments), func(i int) uint64 { return uint64(e.text(p.Comments[i])) })
	e.always(14, uint64(standard))
	e.number(15, uint64(doc))
	return timeAt
}

func (e *encoder) valueType(field protowire.Number, t *profile.ValueType) {
	e.message(field, func() {
		e.number(1, uint64(e.text(t.Type)))
		e.number(2, uint64(e.text(t.Unit)))
	})
}

func (e *encoder) sample(s *profile.Sample) {
	e.many(1, len(s.Location), func(i int) uint64 { return s.Location[i].ID })
	e.many(2, len(s.Value), func(i int) uint64 { return uint64(s.Value[i]) })
	if len(s.NumLabel) > 0 {
		e.labelsOf = 0
		e.textLabels(s.Label)
		e.numberLabels(s)
		return
	}
	if len(s.Label) == 0 {
		return
	}
	of := reflect.ValueOf(s.Label).Pointer()
	if of == e.labelsOf {
		e.out = append(e.out, e.labels...)
		return
	}
	begin := len(e.out)
	e.textLabels(s.Label)
	e.labelsOf, e.labels = of, append(e.labels[:0], e.out[begin:]...)
}

func (e *encoder) textLabels(labels map[string][]string) {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		for _, v := range labels[key] {
			e.message(3, func() {
				e.number(1, uint64(e.text(key)))
				e.number(2, uint64(e.text(v)))
			})
		}
	}
}

func (e *encoder) numberLabels(s *profile.Sample) {
	for _, key := range slices.Sorted(maps.Keys(s.NumLabel)) {
		k, units := e.text(key), s.NumUnit[key]
		for i, v := range s.NumLabel[key] {
			e.message(3, func() {
				e.number(1, uint64(k))
				e.number(3, uint64(v))
				if len(units) > 0 {
					e.number(4, uint64(e.text(units[i])))
				}
			})
		}
	}
}

func (e *encoder) mapping(m *profile.Mapping) {
	e.number(1, m.ID)
	e.number(2, m.Start)
	e.number(3, m.Limit)
	e.number(4, m.Offset)
	e.number(5, uint64(e.text(m.File)))
	e.number(6, uint64(e.text(m.BuildID)))
	e.flag(7, m.HasFunctions)
	e.flag(8, m.HasFilenames)
	e.flag(9, m.HasLineNumbers)
	e.flag(10, m.HasInlineFrames)
}

func (e *encoder) location(l *profile.Location) {
	e.number(1, l.ID)
	if l.Mapping != nil {
		e.number(2, l.Mapping.ID)
	}
	e.number(3, l.Address)
	for i := range l.Line {
		line := &l.Line[i]
		e.message(4, func() {
			if line.Function != nil {
				e.number(1, line.Function.ID)
			}
			e.number(2, uint64(line.Line))
			e.number(3, uint64(line.Column))
		})
	}
	e.flag(5, l.IsFolded)
}
