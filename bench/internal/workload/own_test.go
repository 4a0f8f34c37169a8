package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOwnStatementsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Own {
		assert.False(t, seen[s.ID], s.ID)
		seen[s.ID] = true
	}
}
