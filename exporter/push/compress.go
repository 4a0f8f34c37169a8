package push

import (
	"bytes"
	"compress/gzip"
	"errors"
	"sync"
)

// writers are used again: one takes most of a megabyte.
var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed) // profiles repeat themselves, so that the best costs thrice the time for a tenth less
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// compress is raw as gzip, which is what a pprof profile in a file is too.
func compress(raw []byte) ([]byte, error) {
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	_, err := w.Write(raw)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
