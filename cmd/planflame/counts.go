package main

import (
	"reflect"

	"github.com/planflame/planflame/sampler"
)

// addCounts adds the counts of another JVM: every field of sampler.Stats is a sum, and none is left
// out when one is added there.
func addCounts(to *sampler.Stats, from sampler.Stats) {
	sum, more := reflect.ValueOf(to).Elem(), reflect.ValueOf(from)
	for i := range sum.NumField() {
		sum.Field(i).SetUint(sum.Field(i).Uint() + more.Field(i).Uint())
	}
}
