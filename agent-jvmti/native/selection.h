/*
 * Which partitions of a stage are sampled at the detail rate: exactly n of N, drawn by a keyed
 * permutation. It is swap-or-not with 24 rounds (Hoang, Morris, Rogaway, CRYPTO 2012). Every
 * implementation computes the same result without communication. tasksample/selection.go says what
 * is selected and why; tasksample/testdata/selection.json holds the vectors. Pure arithmetic: any
 * thread, no allocation, no call.
 */
#ifndef PF_SELECTION_H
#define PF_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FNV-1a of an application's id, UTF-8; of no bytes where the id is not known. */
uint64_t pf_application_hash(const char *id, size_t bytes);

/* The key of a stage. No attempt number is in it: all attempts of a stage select the same
 * partitions. run is 0 for Spark. */
uint64_t pf_selection_key(uint64_t seed, uint64_t application_hash, uint64_t run, uint32_t stage);

/* The place of a partition in the permuted order of 0 … partitions - 1; `partitions` for one
 * outside of them. */
uint32_t pf_selection_rank(uint64_t key, uint32_t partitions, uint32_t partition);

struct pf_choice {
    bool selected;
    double inclusion; /* π of every unit of the stage */
};

/* Selects max(⌈fraction · partitions⌉, least) partitions, at most all; none where fraction is 0.
 * partitions 0: their number is not known; each is drawn on its own with probability fraction, and
 * least cannot hold. fraction is within 0 … 1. */
struct pf_choice pf_select(uint64_t key, uint32_t partitions, uint32_t partition, double fraction, uint32_t least);

#endif
