package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// TestSparkApplicationIsWhole holds that the example for the Spark operator has what v1beta2
// requires, or the API server refuses it.
func TestSparkApplicationIsWhole(t *testing.T) {
	_, block, found := strings.Cut(read(t, "docs/use/kubernetes.md"), "\nWith the Spark operator:\n\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "\n\n")
	var application struct {
		Kind string
		Spec map[string]any
	}
	require.NoError(t, yaml.Unmarshal([]byte(regexp.MustCompile("(?m)^    ").ReplaceAllString(block, "")), &application))
	assert.Equal(t, "SparkApplication", application.Kind)
	for _, key := range []string{"type", "sparkVersion", "driver", "executor"} {
		assert.Contains(t, application.Spec, key)
	}
}

// TestGatesAreNamed holds that those who build a Collector of their own read of each gate that this
// distribution opens.
func TestGatesAreNamed(t *testing.T) {
	list := regexp.MustCompile(`\[\]string\{(.*?)\}`).FindStringSubmatch(read(t, "release/collector/gates.go"))
	require.NotNil(t, list)
	gates := strings.Split(strings.NewReplacer(`"`, "", " ", "").Replace(list[1]), ",")
	assert.Len(t, gates, 2)
	assert.Contains(t, read(t, "docs/use/install.md"), "--feature-gates="+strings.Join(gates, ",")+"`")
}
