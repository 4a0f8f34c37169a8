package costmodel

// Operator is what an operator cost in a recording, or is to cost.
type Operator struct {
	Kind     string             // role, physical class, end of an exchange, partial or final
	Role     string             // a coarser Kind
	Features map[string]float64 // counts, ≥ 0, by name
	Rows     float64            // that it took in; of an operator that counts none, its runs
	Samples  float64            // CPU in samples, 0 too
	Sample   float64            // seconds that a sample stands for
	Group    string             // what is left out together to judge a model: a query
	Host     string             // recordings of one host and JVM have one speed
}

// seconds is the operator's CPU.
func (o *Operator) seconds() float64 { return o.Samples * o.Sample }
