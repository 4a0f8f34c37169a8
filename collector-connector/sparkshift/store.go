package sparkshift

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.uber.org/zap"
)

// Keys of the storage.
const (
	keyIndex  = "index"   // storedIndex
	keyPriors = "priors"  // shift.Fleet.EncodePriors
	keyQuery  = "query/"  // + fingerprint: shift.Fleet.Encode
	keyStacks = "stacks/" // + fingerprint: stackBook.encode
)

// storedIndex lists the histories that are stored.
type storedIndex struct {
	Queries []string `json:"queries"`
}

// store writes histories through a storage client. Only the engine's goroutine writes; mark is called under the engine's lock.
type store struct {
	client storage.Client // nil: in memory only
	dirty  map[string]bool
	stored map[string]bool
	next   map[string]bool // stored once what changes returned is written
}

func (s *store) mark(query string) {
	if s.client != nil {
		s.dirty[query] = true
	}
}

// load opens the storage and takes in what is stored. A history that cannot be read is counted, logged and begun anew; a storage that
// cannot be had is an error.
func (e *engine) load(ctx context.Context, host component.Host) error {
	id := *e.config.Storage
	ext, ok := host.GetExtensions()[id]
	if !ok {
		return fmt.Errorf("storage: no extension %q is configured", id)
	}
	s, ok := ext.(storage.Extension)
	if !ok {
		return fmt.Errorf("storage: extension %q is no storage", id)
	}
	client, err := s.GetClient(ctx, component.KindConnector, e.id, "")
	if err != nil {
		return fmt.Errorf("storage: open %q: %w", id, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.store = store{client: client, dirty: map[string]bool{}, stored: map[string]bool{}}
	if err := e.read(ctx); err != nil {
		return errors.Join(fmt.Errorf("storage: read %q: %w", id, err), e.store.close(ctx))
	}
	return nil
}

// read takes in all that is stored. An error is that of the storage itself.
func (e *engine) read(ctx context.Context) error {
	text, err := e.store.client.Get(ctx, keyIndex)
	if err != nil {
		return err
	}
	if text == nil {
		return nil
	}
	var index storedIndex
	if err := json.Unmarshal(text, &index); err != nil {
		e.fail(ctx, "storage", fmt.Errorf("decode %s: %w", keyIndex, err))
		return nil
	}
	for _, q := range index.Queries {
		text, err := e.store.client.Get(ctx, keyQuery+q)
		if err != nil {
			return err
		}
		e.store.stored[q] = true
		if text == nil {
			continue
		}
		if _, err := e.fleet.Decode(text); err != nil {
			e.fail(ctx, "storage", err)
			continue
		}
		if err := e.readStacks(ctx, q); err != nil {
			return err
		}
		if j := e.fleet.Standing(q); len(j.Operators) > 0 {
			e.shown[q] = &shown{judgement: j}
		}
	}
	if text, err = e.store.client.Get(ctx, keyPriors); err != nil {
		return err
	}
	if text != nil {
		if err := e.fleet.DecodePriors(text); err != nil {
			e.fail(ctx, "storage", err)
		}
	}
	e.log.Info("histories read", zap.Int("queries", e.fleet.Queries()))
	return nil
}

// readStacks takes in what is stored of a query's stacks. An error is that of the storage itself.
func (e *engine) readStacks(ctx context.Context, query string) error {
	text, err := e.store.client.Get(ctx, keyStacks+query)
	if err != nil || text == nil || e.config.MaxStackNodes == 0 {
		return err
	}
	if err := e.stacks.decode(query, text); err != nil {
		e.fail(ctx, "storage", err)
	}
	return nil
}

// changes is what is to be written, encoded under the engine's lock. Nothing is forgotten before it is written.
func (e *engine) changes(ctx context.Context) (ops []*storage.Operation) {
	if e.store.client == nil || len(e.store.dirty) == 0 {
		return nil
	}
	put := func(key string, text []byte, err error) bool {
		if err != nil {
			e.fail(ctx, "storage", err)
			return false
		}
		ops = append(ops, storage.SetOperation(key, text))
		return true
	}
	e.store.next = maps.Clone(e.store.stored)
	for q := range e.store.dirty {
		if e.fleet.Has(q) {
			text, err := e.fleet.Encode(q)
			if put(keyQuery+q, text, err) {
				e.store.next[q] = true
			}
			if text, err = e.stacks.encode(q); text == nil && err == nil {
				ops = append(ops, storage.DeleteOperation(keyStacks+q))
			} else {
				put(keyStacks+q, text, err)
			}
		}
	}
	for q := range e.store.stored {
		if !e.fleet.Has(q) {
			ops = append(ops, storage.DeleteOperation(keyQuery+q), storage.DeleteOperation(keyStacks+q))
			delete(e.store.next, q)
		}
	}
	text, err := json.Marshal(storedIndex{sortedKeys(e.store.next)})
	put(keyIndex, text, err)
	text, err = e.fleet.EncodePriors()
	put(keyPriors, text, err)
	return ops
}

// write writes changes; what could not be written stays marked and is tried again at the next tick.
func (s *store) write(ctx context.Context, ops []*storage.Operation) error {
	if len(ops) == 0 {
		return nil
	}
	if err := s.client.Batch(ctx, ops...); err != nil {
		return fmt.Errorf("store %d entries: %w", len(ops), err)
	}
	s.stored = s.next
	clear(s.dirty)
	return nil
}

func (s *store) close(ctx context.Context) error {
	if s.client == nil {
		return nil
	}
	client := s.client
	s.client = nil
	return client.Close(ctx)
}
