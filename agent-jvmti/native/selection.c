#include "selection.h"

#define ROUNDS 24
#define GOLDEN 0x9e3779b97f4a7c15ull /* 2^64 / φ */
#define ODD 0xd6e8feb86659fd93ull

/* SplitMix64's finaliser (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

uint64_t pf_application_hash(const char *id, size_t bytes) {
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < bytes; i++) h = (h ^ (uint8_t)id[i]) * 0x100000001b3ull;
    return h;
}

uint64_t pf_selection_key(uint64_t seed, uint64_t application_hash, uint64_t run, uint32_t stage) {
    uint64_t h = mix(application_hash ^ mix(seed));
    h = mix(h ^ mix(run + GOLDEN));
    return mix(h ^ mix((uint64_t)stage + ODD));
}

uint32_t pf_selection_rank(uint64_t key, uint32_t partitions, uint32_t partition) {
    if (partition >= partitions) return partitions;
    const uint64_t n = partitions;
    uint64_t x = partition;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        const uint64_t h = mix(key + i * GOLDEN);
        uint64_t y = ((h >> 32) * n >> 32) - x; /* K - x … */
        y += n & (0 - (y >> 63));               /* … mod n */
        const uint64_t swap = 0 - (mix(h ^ ((x > y ? x : y) + 1) * ODD) >> 63);
        x ^= (x ^ y) & swap;
    }
    return (uint32_t)x;
}

static uint32_t units(uint32_t partitions, double fraction, uint32_t least) {
    const double exact = fraction * (double)partitions; /* at most partitions: fraction is at most 1 */
    uint32_t n = (uint32_t)exact;
    if ((double)n < exact) n++;
    if (n < least) n = least;
    return n < partitions ? n : partitions;
}

struct pf_choice pf_select(uint64_t key, uint32_t partitions, uint32_t partition, double fraction, uint32_t least) {
    if (!(fraction > 0)) return (struct pf_choice){false, 0};
    if (partitions == 0) {
        const double draw = (double)(mix(key ^ mix((uint64_t)partition + GOLDEN)) >> 11) * 0x1p-53;
        return (struct pf_choice){partition <= INT32_MAX && draw < fraction, fraction};
    }
    const uint32_t n = units(partitions, fraction, least);
    return (struct pf_choice){pf_selection_rank(key, partitions, partition) < n, (double)n / (double)partitions};
}
