package jvmlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClusterDriver(t *testing.T) {
	for text, want := range map[string]bool{
		`{"application_id": "app-20261122031405-0007", "executor_id": "driver"}`:        true,
		`{"application_id": "application_1763780000000_0042", "executor_id": "driver"}`: true,
		`{"application_id": "spark-5f2c", "executor_id": "driver"}`:                     true,
		`{"application_id": "local-1763780000000", "executor_id": "driver"}`:            false,
		`{"application_id": "app-20261122031405-0007", "executor_id": "0"}`:             false,
		`{"executor_id": "driver"}`: false,
		`{`:                         false,
	} {
		require.Equal(t, want, (&Application{JSON: []byte(text)}).ClusterDriver(), text)
	}
}
