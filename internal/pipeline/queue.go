package pipeline

// queue is a first-in first-out list of items.
type queue struct {
	items []item
	head  int
}

func (q *queue) len() int     { return len(q.items) - q.head }
func (q *queue) push(it item) { q.items = append(q.items, it) }
func (q *queue) first() item  { return q.items[q.head] }

// pop takes the first item; the space in front is given back once it is half of the list.
func (q *queue) pop() item {
	it := q.items[q.head]
	q.items[q.head] = nil
	q.head++
	if q.head > 1024 && q.head*2 > len(q.items) {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	return it
}
