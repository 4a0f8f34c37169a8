package outcome

import "github.com/planflame/planflame/tasksample"

// Finding is one thing that the owner of the job could do something about (package finding).
type Finding struct {
	Rule    string              `json:"rule"` // a heading of docs/use/findings.md
	Query   string              `json:"query,omitempty"`
	Stage   *tasksample.StageID `json:"stage_id,omitempty"`
	Seconds float64             `json:"seconds"` // at most to be won, of CPU or of wall time
	Share   float64             `json:"share"`   // of the run's
	Text    string              `json:"text"`    // what was found, with its figures
	Try     string              `json:"try"`

	// Count, Kept and Most are a rule's own.
	Count int     `json:"-"`
	Kept  bool    `json:"-"`
	Most  float64 `json:"-"`
}

// MostFindings are shown below the table: no one reads more. summary.json has all.
const MostFindings = 3

func (t *table) findings(s Summary) {
	for i, f := range s.Findings[:min(len(s.Findings), MostFindings)] {
		if i == 0 {
			t.line("")
			t.line(t.styled(bold, "findings"))
		}
		t.text(plain, "  %s. Try: %s.", f.Text, f.Try)
	}
}
