package attribution

import (
	"container/list"
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
)

// units are the generated classes of a JVM, by loader: bounded, the least recently used leave
// first.
type units struct {
	maxUnits int
	maxLines int
	byLoader map[uint64]*list.Element // of *unitEntry
	recent   list.List                // most recently used first
	texts    map[[sha256.Size]byte]*sharedText
	common   *parsed[text] // of all attributors
	lines    int
	evicted  uint64
}

type unitEntry struct {
	unit *Unit
	key  [sha256.Size]byte
}

// sharedText is a parsed text and the number of units that hold it.
type sharedText struct {
	text *text
	file string // see Attributor.File
	held int
}

func newUnits(maxUnits, maxLines int, common *parsed[text]) *units {
	return &units{maxUnits: maxUnits, maxLines: maxLines, common: common, byLoader: make(map[uint64]*list.Element), texts: make(map[[sha256.Size]byte]*sharedText)}
}

// get returns the unit of a loader, nil when there is none.
func (s *units) get(loader uint64) *Unit {
	e := s.byLoader[loader]
	if e == nil {
		return nil
	}
	s.recent.MoveToFront(e)
	return e.Value.(*unitEntry).unit
}

// file is what [Attributor.File] returns. It is no use of the unit.
func (s *units) file(loader uint64) string {
	e := s.byLoader[loader]
	if e == nil {
		return ""
	}
	return s.texts[e.Value.(*unitEntry).key].file
}

// FileOf names the text of a generated class, as [Attributor.File] does: equal bodies have equal
// names, in every run.
func FileOf(body string) string {
	hash := sha256.Sum256([]byte(body))
	return fmt.Sprintf("generated-%x.java", hash[:4])
}

// add parses a source unless an equal text is held already.
func (s *units) add(loader uint64, class, body string, comments map[string]string) error {
	key := textKey(class, body, comments)
	if e := s.byLoader[loader]; e != nil {
		if e.Value.(*unitEntry).key == key {
			return nil // a replay
		}
		s.drop(e)
	}
	shared := s.texts[key]
	if shared == nil {
		t := s.common.get(key)
		if t == nil {
			u, err := ParseUnit(loader, class, body, comments)
			if err != nil {
				return err
			}
			if t = u.text; u.WholeStage() { // others have nothing to share
				s.common.put(key, t)
			}
		}
		shared = &sharedText{text: t, file: FileOf(body)}
		s.texts[key] = shared
		s.lines += len(t.lines)
	}
	shared.held++
	u := &Unit{Loader: loader, Class: strings.Clone(simpleName(class)), text: shared.text} // class may be a piece of the body
	s.byLoader[loader] = s.recent.PushFront(&unitEntry{u, key})
	for s.recent.Len() > 1 && (s.recent.Len() > s.maxUnits || s.lines > s.maxLines) {
		s.drop(s.recent.Back())
		s.evicted++
	}
	return nil
}

func (s *units) drop(e *list.Element) {
	entry := s.recent.Remove(e).(*unitEntry)
	delete(s.byLoader, entry.unit.Loader)
	shared := s.texts[entry.key]
	if shared.held--; shared.held == 0 {
		delete(s.texts, entry.key)
		s.lines -= len(shared.text.lines)
	}
}

// textKey is equal for equal classes, bodies and comments.
func textKey(class, body string, comments map[string]string) [sha256.Size]byte {
	h := sha256.New()
	part := func(s string) { fmt.Fprintf(h, "%d:%s", len(s), s) }
	part(simpleName(class))
	part(body)
	names := make([]string, 0, len(comments))
	for name := range comments {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		part(name)
		part(comments[name])
	}
	return [sha256.Size]byte(h.Sum(nil))
}
