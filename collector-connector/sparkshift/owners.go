package sparkshift

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/planflame/planflame/internal/attributes"
)

// ownersMark stands between a fingerprint and the hash of its owners.
const ownersMark = "@"

// historyOf names the history of a run: the query's fingerprint, and a hash of its owners if it has
// any. Teams, environments and clusters may run one query, each with its own data and machines.
// The service is no owner here, as the names of many applications have a date.
func historyOf(fingerprint string, labels map[string]string) string {
	var owners strings.Builder
	for _, name := range attributes.OfOwners() {
		if value := labels[name]; value != "" {
			owners.WriteString(name + "=" + strconv.Quote(value))
		}
	}
	if owners.Len() == 0 {
		return fingerprint
	}
	sum := sha256.Sum256([]byte(owners.String()))
	return fingerprint + ownersMark + hex.EncodeToString(sum[:8])
}

// fingerprintOf is the fingerprint of a history's query.
func fingerprintOf(history string) string {
	fingerprint, _, _ := strings.Cut(history, ownersMark)
	return fingerprint
}
