package main

import (
	"errors"
	"io"
	"os"

	"github.com/planflame/planflame/sampler/recording"
)

// trim leaves out of a recording what no sample needs: most of the code that a JVM compiled. It
// replaces the file whole or not at all.
func trim(path string) error {
	from := func() (io.ReadCloser, error) { return os.Open(path) }
	meta, err := recording.MetaOf(from)
	if err != nil {
		return err
	}
	fresh := path + ".trimmed"
	file, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	w, err := recording.NewWriter(file, meta)
	if err == nil {
		_, err = recording.Trim(w, nil, from)
		err = errors.Join(err, w.Close())
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	return nil
}
