package columns

import (
	"strings"

	"github.com/planflame/planflame/internal/pipeline"
)

// Parts of operators.
const (
	PartNone  = ""
	PartWrite = "write" // of an exchange
	PartRead  = "read"
)

// partOf is the part of its operator that a sample worked for, as far as the rules can tell.
func partOf(l *pipeline.Labelled) string {
	if l.Operator == "" {
		return PartNone
	}
	return partOfName(l.OperatorName)
}

// partOfName is the part that the name of an exchange's end says.
func partOfName(name string) string {
	switch {
	case strings.HasSuffix(name, " (write)"):
		return PartWrite
	case strings.HasSuffix(name, " (read)"):
		return PartRead
	}
	return PartNone
}
