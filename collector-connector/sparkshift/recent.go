package sparkshift

import (
	"container/list"
	"iter"
)

// recent is a map that knows which entry was used least recently. Not safe for concurrent use.
type recent[K comparable, V any] struct {
	by    map[K]*list.Element // of recentEntry
	order *list.List          // used last first
}

type recentEntry[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any]() *recent[K, V] {
	return &recent[K, V]{by: map[K]*list.Element{}, order: list.New()}
}

// put adds an entry, or replaces the key's.
func (r *recent[K, V]) put(k K, v V) {
	r.remove(k)
	r.by[k] = r.order.PushFront(recentEntry[K, V]{k, v})
}

// use returns the key's value, which is the last used from then on.
func (r *recent[K, V]) use(k K) (v V, ok bool) {
	e, ok := r.by[k]
	if !ok {
		return v, false
	}
	r.order.MoveToFront(e)
	return e.Value.(recentEntry[K, V]).value, true
}

func (r *recent[K, V]) remove(k K) (v V, ok bool) {
	e, ok := r.by[k]
	if !ok {
		return v, false
	}
	delete(r.by, k)
	return r.order.Remove(e).(recentEntry[K, V]).value, true
}

// oldest is the entry that was used least recently.
func (r *recent[K, V]) oldest() (k K, v V, ok bool) {
	e := r.order.Back()
	if e == nil {
		return k, v, false
	}
	entry := e.Value.(recentEntry[K, V])
	return entry.key, entry.value, true
}

func (r *recent[K, V]) removeOldest() (k K, v V, ok bool) {
	if k, v, ok = r.oldest(); ok {
		r.remove(k)
	}
	return k, v, ok
}

// all are the entries, in no order; an entry may be removed on the way.
func (r *recent[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, e := range r.by {
			if !yield(k, e.Value.(recentEntry[K, V]).value) {
				return
			}
		}
	}
}
