package columns

// Usual is what an operator usually costs by a model of others. Nanoseconds of CPU per row.
type Usual struct {
	NsPerRow  float64 `json:"ns_per_row"`
	Low       float64 `json:"low_ns_per_row"` // 95 % of operators lie in the interval
	High      float64 `json:"high_ns_per_row"`
	Ratio     float64 `json:"ratio"`     // of its cost to the usual one
	Expensive bool    `json:"expensive"` // beyond the interval, and beyond the error of its samples
}
