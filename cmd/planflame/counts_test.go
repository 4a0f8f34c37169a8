package main

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
)

// Every field is added, each with a value of its own.
func TestAddCounts(t *testing.T) {
	sum, more := sampler.Stats{}, sampler.Stats{}
	for i := range reflect.TypeFor[sampler.Stats]().NumField() {
		reflect.ValueOf(&sum).Elem().Field(i).SetUint(uint64(3 + i))
		reflect.ValueOf(&more).Elem().Field(i).SetUint(uint64(1000 * i))
	}
	addCounts(&sum, more)
	for i := range reflect.TypeFor[sampler.Stats]().NumField() {
		require.EqualValues(t, 1001*i+3, reflect.ValueOf(sum).Field(i).Uint(), reflect.TypeFor[sampler.Stats]().Field(i).Name)
	}
	require.EqualValues(t, 1004, sum.Lost, "the second field")
}
