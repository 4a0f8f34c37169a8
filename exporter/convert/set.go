package convert

import "strings"

// Set is the values of the listed attributes of a sample, in the order of the list; "" where the
// sample lacks the attribute. Comparable.
type Set string

// setSeparator stands between values; LabelValue keeps it out of them.
const setSeparator = "\x00"

// NewSet returns the set of values, which must not hold NUL.
func NewSet(values []string) Set { return Set(strings.Join(values, setSeparator)) }

// Values returns the values in the order of the list.
func (s Set) Values() []string { return strings.Split(string(s), setSeparator) }
