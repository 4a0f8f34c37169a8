package costmetrics

// QueryNames remembers the names of queries. A stage may run code of another query's plan, as under
// foreachBatch, and the keys of its statistics have that query's fingerprint alone. One goroutine
// at a time.
type QueryNames struct {
	most int
	by   map[namedQuery]string
}

// namedQuery is a query of an owner: others may claim any name for its fingerprint.
type namedQuery struct {
	Owner
	query string
}

// NewQueryNames returns an empty memory of at most so many names.
func NewQueryNames(most int) *QueryNames {
	return &QueryNames{most: most, by: map[namedQuery]string{}}
}

// Add remembers a name, if it is one. If there is no room, another is forgotten.
func (n *QueryNames) Add(owner Owner, query, name string) {
	key := namedQuery{owner, query}
	if name == "" || n.by[key] == name {
		return
	}
	if _, known := n.by[key]; !known && len(n.by) >= n.most {
		for other := range n.by {
			delete(n.by, other)
			break
		}
	}
	n.by[key] = name
}

// Of is the newest name of a query; "" if none is known.
func (n *QueryNames) Of(owner Owner, query string) string { return n.by[namedQuery{owner, query}] }
