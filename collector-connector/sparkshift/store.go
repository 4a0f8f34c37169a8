package sparkshift

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.uber.org/zap"
)

// Keys of the storage.
const (
	keyIndex  = "index"   // storedIndex
	keyPriors = "priors"  // shift.Fleet.EncodePriors
	keyQuery  = "query/"  // + historyOf: shift.Fleet.Encode
	keyStacks = "stacks/" // + historyOf + "/" + slot, less than mostStackRuns: stacks of one of its runs; + "/references": stacks of its references
)

func stacksKey(query string, slot int) string { return keyStacks + query + "/" + strconv.Itoa(slot) }
func referencesKey(query string) string       { return keyStacks + query + "/references" }

// storedIndex lists the histories that are stored.
type storedIndex struct {
	Queries []string `json:"queries"`
}

// store writes histories through a storage client. Only the engine's goroutine writes; mark is
// called under the engine's lock.
type store struct {
	client storage.Client // nil: in memory only
	dirty  map[string]bool
	stored map[string]bool
	next   map[string]bool   // stored once what changes returned is written
	stacks map[string]stored // being written, by key; nil: deleted
}

func (s *store) mark(query string) {
	if s.client != nil {
		s.dirty[query] = true
	}
}

// load opens the storage and takes in what is stored. A history that cannot be read is counted,
// logged and begun again; a storage that cannot be had is an error.
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

// read takes in all that is stored. An error comes from the storage itself.
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

// readStacks takes in what is stored of a query's stacks. An error comes from the storage itself.
func (e *engine) readStacks(ctx context.Context, query string) error {
	known := e.fleet.Runs(query)
	if e.config.MaxStackNodes == 0 {
		known = nil
	}
	for slot := range mostStackRuns {
		text, err := e.store.client.Get(ctx, stacksKey(query, slot))
		if err != nil {
			return err
		}
		if text == nil {
			continue
		}
		if err := e.stacks.decode(query, slot, text, known); err != nil {
			e.fail(ctx, "storage", err)
		}
	}
	text, err := e.store.client.Get(ctx, referencesKey(query))
	if err != nil || text == nil {
		return err
	}
	standing := e.fleet.References(query)
	if e.config.MaxStackNodes == 0 {
		standing = nil
	}
	if err := e.stacks.decodeReferences(query, text, standing); err != nil {
		e.fail(ctx, "storage", err)
	}
	return nil
}

// changes is what is to be written, encoded under the engine's lock. Nothing is forgotten before it
// is written.
func (e *engine) changes(ctx context.Context) (ops []*storage.Operation) {
	if e.store.client == nil {
		clear(e.stacks.unsaved)
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
	e.store.next, e.store.stacks, e.stacks.unsaved = e.store.stored, e.stacks.unsaved, map[string]stored{}
	for key, s := range e.store.stacks {
		if s == nil {
			ops = append(ops, storage.DeleteOperation(key))
			continue
		}
		text, err := s.encode()
		put(key, text, err)
	}
	if len(e.store.dirty) == 0 {
		return ops
	}
	e.store.next = maps.Clone(e.store.stored)
	for q := range e.store.dirty {
		if e.fleet.Has(q) {
			text, err := e.fleet.Encode(q)
			if put(keyQuery+q, text, err) {
				e.store.next[q] = true
			}
		}
	}
	for q := range e.store.stored {
		if !e.fleet.Has(q) {
			ops = append(ops, storage.DeleteOperation(keyQuery+q))
			for slot := range mostStackRuns {
				ops = append(ops, storage.DeleteOperation(stacksKey(q, slot)))
			}
			ops = append(ops, storage.DeleteOperation(referencesKey(q)))
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
func (e *engine) write(ctx context.Context, ops []*storage.Operation) {
	if len(ops) == 0 {
		return
	}
	s := &e.store
	if err := s.client.Batch(ctx, ops...); err != nil {
		e.fail(ctx, "storage", fmt.Errorf("store %d entries: %w", len(ops), err))
		e.mu.Lock()
		defer e.mu.Unlock()
		for key, stacks := range s.stacks {
			if _, newer := e.stacks.unsaved[key]; !newer {
				e.stacks.unsaved[key] = stacks
			}
		}
		return
	}
	s.stored = s.next
	clear(s.dirty)
}

func (s *store) close(ctx context.Context) error {
	if s.client == nil {
		return nil
	}
	client := s.client
	s.client = nil
	return client.Close(ctx)
}
