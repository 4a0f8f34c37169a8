package semconv

// Operator is who uses CPU within a stage: an operator of a query's plan, or a bucket of CPU that
// no operator has. It holds nothing of one run or of one JVM, so statistics of different windows,
// nodes and days merge. The zero value is no one.
type Operator struct {
	Query          string // QueryFingerprint
	Place          string // StagePlace
	ID, Name, Role string // "" if Bucket is set
	Bucket         string // without its brackets
}

// Shown returns the id and the name that series and profiles show. Both of a bucket are its name
// in brackets.
func (o Operator) Shown() (id, name string) {
	if o.Bucket != "" {
		shown := Bracketed(o.Bucket)
		return shown, shown
	}
	return o.ID, o.Name
}

// Bracketed returns a bucket's name as it is shown among operators.
func Bracketed(bucket string) string { return "[" + bucket + "]" }
