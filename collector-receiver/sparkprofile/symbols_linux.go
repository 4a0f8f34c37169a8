package sparkprofile

import (
	"maps"
	"slices"
	"sync"

	"go.uber.org/zap"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
)

// symbols names native and kernel code of live JVMs; the tables of mapped files are shared between
// JVMs. Safe for concurrent use.
type symbols struct {
	log    *zap.Logger
	cache  *codemap.ObjectCache
	kernel *codemap.KernelSymbols

	mu      sync.Mutex
	objects map[sampler.JVMID]*codemap.Objects
}

// symbolCacheBytes bounds the symbol tables, which codemap keeps compressed.
const symbolCacheBytes = 128 << 20

func newSymbols(log *zap.Logger) *symbols {
	return &symbols{log: log, cache: codemap.NewObjectCache(symbolCacheBytes), kernel: &codemap.KernelSymbols{}, objects: map[sampler.JVMID]*codemap.Objects{}}
}

// of returns the symbolizer of a JVM, or nil where its maps cannot be read: its native frames stay
// without names, which is counted.
func (s *symbols) of(v sampler.JVM) pipeline.Symbolizer {
	objects, err := codemap.NewObjects(v.PID, s.cache, s.kernel)
	if err != nil {
		s.log.Warn("native code of this JVM has no names: its maps cannot be read", zap.Int("pid", v.PID), zap.Error(err))
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[v.ID] = objects
	return objects
}

// known returns the symbolizer of a JVM that has one; nil otherwise.
func (s *symbols) known(id sampler.JVMID) pipeline.Symbolizer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if objects := s.objects[id]; objects != nil {
		return objects
	}
	return nil
}

// refresh reads the maps of the live JVMs again: libraries come late. A JVM that has just ended
// keeps what was read.
func (s *symbols) refresh() {
	s.mu.Lock()
	live := slices.Collect(maps.Values(s.objects))
	s.mu.Unlock()
	for _, o := range live {
		if err := o.Refresh(); err != nil {
			s.log.Debug("maps of a JVM could not be read again", zap.Error(err))
		}
	}
}

// gone forgets a JVM.
func (s *symbols) gone(id sampler.JVMID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, id)
}
