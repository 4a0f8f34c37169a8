package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCapabilitySet(t *testing.T) {
	for text, want := range map[string]capabilitySet{
		"":                       {},
		"PERFMON":                {38: true}, // linux/capability.h
		"CAP_SYS_PTRACE,PERFMON": {19: true, 38: true},
		"IPC_LOCK":               {14: true},
	} {
		var c capabilitySet
		require.NoError(t, c.Set(text))
		assert.Equal(t, want, c, text)
	}
	var c capabilitySet
	assert.ErrorContains(t, c.Set("PERFMON,CAP_EVERYTHING"), "CAP_EVERYTHING")
}
