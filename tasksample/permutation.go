package tasksample

// Permutation is a keyed permutation of a stage's partition ids. Every process that knows the key
// computes the same rank of a partition without communication. The partitions with rank < n are
// exactly n of N, drawn like a simple random sample.
//
// The construction is swap-or-not (Hoang, Morris, Rogaway: An Enciphering Scheme Based on a Card
// Shuffle, CRYPTO 2012). It permutes any 0 … N-1 without tables or walking. In each round x has the
// partner K-x mod N, and a bit that both share decides whether they swap. The round function is not
// cryptographic (SplitMix64's finaliser, Steele, Lea, Flood, OOPSLA 2014): no one attacks a
// profiler's draw. testdata/selection.json holds vectors for other languages; all arithmetic wraps
// at 64 bits, shifts are unsigned.
type Permutation struct {
	key        uint64
	partitions uint32
}

// rounds of swap-or-not; each costs two multiplicative hashes and no branch that could be
// mispredicted, the whole 0.2 µs of CPU.
const rounds = 24

// Constants of the round function.
const (
	golden = 0x9e3779b97f4a7c15 // 2⁶⁴ / φ
	odd    = 0xd6e8feb86659fd93
)

// NewPermutation permutes 0 … partitions-1. With 0 or 1 partitions it is the identity.
func NewPermutation(key uint64, partitions uint32) Permutation { return Permutation{key, partitions} }

// Rank is the place of a partition in the permuted order, 0 … N-1. A partition outside of 0 … N-1
// has rank N, so it is never among the first n.
func (p Permutation) Rank(partition PartitionID) uint32 {
	if partition < 0 || uint64(partition) >= uint64(p.partitions) {
		return p.partitions
	}
	n, x := uint64(p.partitions), uint64(partition)
	for i := range uint64(rounds) {
		h := mix(p.key + i*golden)
		y := (h>>32*n)>>32 - x        // K - x; K is uniform in 0 … N-1 up to 2⁻³²
		y += n & uint64(int64(y)>>63) // … mod N
		swap := -(mix(h^(max(x, y)+1)*odd) >> 63)
		x ^= (x ^ y) & swap
	}
	return uint32(x)
}

// Key makes the key of a stage's permutation. It holds no attempt number of the stage, so a retried
// stage selects the same partitions. A unit (a partition with all its attempts) is in the sample as
// a whole or not at all. run tells runs within one application apart, for callers whose stage ids
// repeat; Spark's do not, there it is 0.
func Key(seed uint64, application string, run uint64, stage StageID) uint64 {
	h := uint64(0xcbf29ce484222325) // FNV-1a, 64 bits, over the UTF-8 bytes
	for i := range len(application) {
		h = (h ^ uint64(application[i])) * 0x100000001b3
	}
	h = mix(h ^ mix(seed))
	h = mix(h ^ mix(run+golden))
	return mix(h ^ mix(uint64(uint32(stage))+odd))
}

// mix is SplitMix64's finaliser.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
