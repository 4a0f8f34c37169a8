package filestorage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// bucket is the one bucket of the original extension's files.
var bucket = []byte("default")

// newPages is how many pages a file has before its bucket is made.
const newPages = 4

// lockWithin bounds how long a check waits for the lock of a file.
const lockWithin = time.Second

// errSound ends the transaction of a check, so that it changes nothing.
var errSound = errors.New("sound")

// check returns an error if a file's tree is not sound, or if an entry cannot be read. It may crash
// instead, or not return. It opens the file as the original extension does, and leaves it as it is.
func check(path string) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWithin, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, berrors.ErrTimeout) {
		return errLocked
	}
	if err != nil {
		return err
	}
	if err := db.Update(checkAll); !errors.Is(err, errSound) {
		return err
	}
	return nil
}

func checkAll(tx *bbolt.Tx) error {
	for err := range tx.Check() {
		return err
	}
	if err := checkPages(tx); err != nil {
		return err
	}
	beyondNew, err := tx.Page(newPages)
	if err != nil {
		return err
	}
	if tx.Bucket(bucket) == nil && beyondNew != nil {
		return errors.New("the bucket of entries is missing")
	}
	if err := tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
		if !bytes.Equal(name, bucket) || b == nil {
			return fmt.Errorf("%q is there beside the bucket of entries", name)
		}
		return checkEntries(b)
	}); err != nil {
		return err
	}
	return errSound
}

func checkEntries(b *bbolt.Bucket) error {
	sum := uint32(0)
	return b.ForEach(func(k, v []byte) error {
		if v == nil {
			return fmt.Errorf("entry %q is a bucket", k)
		}
		sum ^= crc32.ChecksumIEEE(v) // a page that is missing faults
		return nil
	})
}

// The head of a page and an element of it, as bbolt's internal/common/page.go has them.
const (
	headBytes    = 16
	elementBytes = 16
)

// checkPages makes sure of what bbolt takes for granted when it writes, and its Check does not look
// at. No page passes the end of the pages in use. Keys and values lie close together within their
// pages. No key is empty. A branch knows each page below it by that page's first key.
func checkPages(tx *bbolt.Tx) error {
	file, err := os.Open(tx.DB().Path())
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	size := tx.DB().Info().PageSize
	first, known := map[int]string{}, map[int]string{} // keys :: page
	for id := 0; ; id++ {
		info, err := tx.Page(id)
		if err != nil {
			return err
		}
		if info == nil {
			break
		}
		if info.Type != "leaf" && info.Type != "branch" {
			continue // the rest of a free page is not its own
		}
		id += info.OverflowCount
		if last, err := tx.Page(id); err != nil || last == nil {
			return errors.Join(err, fmt.Errorf("page %d: its %d overflow pages pass the end", info.ID, info.OverflowCount))
		}
		page := make([]byte, (1+info.OverflowCount)*size)
		if _, err := file.ReadAt(page, int64(info.ID)*int64(size)); err != nil {
			return fmt.Errorf("page %d: %w", info.ID, err)
		}
		keys, below := keysOf(page, info.Count, info.Type == "leaf")
		if len(keys) != info.Count {
			return fmt.Errorf("page %d: entry %d is not in its place, or has no key", info.ID, len(keys))
		}
		if len(keys) > 0 {
			first[info.ID] = keys[0]
		}
		for i, id := range below {
			known[id] = keys[i]
		}
	}
	for id, key := range known {
		if first[id] != key {
			return fmt.Errorf("page %d: its first key is %q, and %q for the page above", id, first[id], key)
		}
	}
	return nil
}

// keysOf returns the keys of a page's elements, up to one that is not sound, and the ids of the
// pages below a branch.
func keysOf(page []byte, count int, leaf bool) (keys []string, below []int) {
	end := headBytes + count*elementBytes // of the elements
	if end > len(page) {
		return nil, nil
	}
	data := end // of the next key, which its value follows
	for at := headBytes; at < end; at += elementBytes {
		element := page[at:]
		field := func(offset int) int { return int(binary.LittleEndian.Uint32(element[offset:])) }
		pos, key, value := field(0), field(4), 0
		if leaf {
			pos, key, value = field(4), field(8), field(12)
		} else {
			below = append(below, int(binary.LittleEndian.Uint64(element[8:])))
		}
		if key == 0 || at+pos != data || data+key+value > len(page) {
			return keys, nil
		}
		keys = append(keys, string(page[data:data+key]))
		data += key + value
	}
	return keys, below
}
