package costmodel

// Operator is what an operator cost in a recording, or is to cost.
type Operator struct {
	Kind     string             // role, physical class, end of an exchange, partial or final
	Role     string             // a coarser Kind
	Features map[string]float64 // counts of a row's work, ≥ 0, by name
	Rows     float64            // that it took in; of an operator that counts none, its runs
	RowsOut  float64            // that the operator above it took in; 0 unknown
	Build    float64            // rows of the broadcast table that it looks each row up in; 0 none or unknown
	Runs     float64            // of its query
	Tasks    float64            // of all runs
	Segments float64            // of all runs: parts that an exchange writes for its readers
	Samples  float64            // CPU in samples, 0 too
	Sample   float64            // seconds that a sample stands for
	Group    string             // what is left out together to judge a model: a query
	Host     string             // recordings of one host and JVM have one speed
}

// seconds is the operator's CPU.
func (o *Operator) seconds() float64 { return o.Samples * o.Sample }
