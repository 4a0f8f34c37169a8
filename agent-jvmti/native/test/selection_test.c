/* The selection against the vectors that all its implementations share
 * (tasksample/testdata/selection.json), its edges, and what it costs. */
#include "../selection.h"

#include <stdlib.h>

#include "../clock.h"
#include "check.h"

static char text[65536];

/* The value behind "key": from *at on; *at goes behind it. NULL if there is none. The file is a
 * list of flat objects in which each key stands once and in the same order. */
static const char *value(char **at, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    char *found = strstr(*at, quoted);
    if (found == NULL) return NULL;
    return *at = found + strlen(quoted);
}

static uint64_t hex(char **at, const char *key) {
    const char *v = value(at, key);
    CHECK(v != NULL && *v == '"');
    return v == NULL ? 0 : strtoull(v + 1, NULL, 16);
}

static uint64_t number(char **at, const char *key) {
    const char *v = value(at, key);
    CHECK(v != NULL);
    return v == NULL ? 0 : strtoull(v, NULL, 10);
}

static int numbers(char **at, const char *key, int64_t *into, int most) {
    char *v = (char *)value(at, key);
    int n = 0;
    CHECK(v != NULL && *v == '[');
    if (v == NULL) return 0;
    for (v++; n < most; n++) {
        while (*v == ' ' || *v == '\n' || *v == ',') v++;
        if (*v == ']') break;
        into[n] = strtoll(v, &v, 10);
    }
    return n;
}

static void one_vector(char **at) {
    const uint64_t seed = hex(at, "seed");
    const char *id = value(at, "application") + 1;
    const uint64_t application = pf_application_hash(id, (size_t)(strchr(id, '"') - id)); /* no escapes in the ids */
    const uint64_t run = number(at, "run");
    const uint64_t stage = number(at, "stage");
    const uint64_t key = pf_selection_key(seed, application, run, (uint32_t)stage);
    CHECK_EQ(key, hex(at, "key"));
    const uint32_t partitions = (uint32_t)number(at, "partitions");
    int64_t of[32], ranks[32];
    const int n = numbers(at, "of", of, 32);
    CHECK(n > 0 && numbers(at, "ranks", ranks, 32) == n);
    for (int i = 0; i < n; i++) CHECK_EQ(pf_selection_rank(key, partitions, (uint32_t)of[i]), ranks[i]);
}

static void test_vectors(const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/../../tasksample/testdata/selection.json", folder);
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    if (f == NULL) return;
    CHECK(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    int n = 0;
    for (char *at = text; strstr(at, "\"seed\"") != NULL; n++) one_vector(&at);
    CHECK_EQ(n, 6);
}

static uint32_t selected(uint64_t key, uint32_t partitions, double fraction, uint32_t least, double *inclusion) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < partitions; i++) {
        const struct pf_choice c = pf_select(key, partitions, i, fraction, least);
        n += c.selected;
        *inclusion = c.inclusion;
    }
    return n;
}

static void test_how_many(void) {
    static const struct {
        uint32_t partitions;
        double fraction;
        uint32_t least, want;
    } table[] = {
        {200, 0.05, 0, 10}, {200, 0.051, 0, 11}, {200, 0.05, 20, 20}, {7, 0.05, 3, 3}, {7, 0.05, 0, 1}, {7, 0.05, 100, 7}, {7, 1, 0, 7},
        {7, 0, 3, 0},       {1, 0.001, 0, 1},    {1000, 0.1, 5, 100}, {0, 0.5, 3, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double inclusion = -1;
        CHECK_EQ(selected(7 + i, table[i].partitions, table[i].fraction, table[i].least, &inclusion), table[i].want);
        if (table[i].partitions > 0) CHECK(inclusion == (double)table[i].want / table[i].partitions);
    }
}

/* Their number is not known: each partition on its own. 20,000 draws of 0.25: five standard
 * deviations are 306. */
static void test_unknown_partitions(void) {
    int n = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const struct pf_choice c = pf_select(11, 0, i, 0.25, 9);
        n += c.selected;
        CHECK(c.inclusion == 0.25);
    }
    CHECK(n > 4694 && n < 5306);
    CHECK(!pf_select(11, 0, 0xffffffff, 1, 0).selected); /* no partition */
    CHECK(pf_select(11, 0, 3, 1, 0).selected);
}

static int by_value(const void *a, const void *b) { return *(const uint64_t *)a > *(const uint64_t *)b ? 1 : -1; }

/* The median of runs, so that another's use of the CPU does not count; under the sanitizers it is
 * told, not judged. */
static void test_cost(void) {
    enum { RUNS = 15, CALLS = 20000 };
    uint64_t took[RUNS], sum = 0;
    for (int r = 0; r < RUNS; r++) {
        const uint64_t before = pf_now();
        for (uint32_t i = 0; i < CALLS; i++) sum += pf_select(pf_selection_key(i, 5, 0, 12), 200, i % 200, 0.05, 3).selected;
        took[r] = (pf_now() - before) / CALLS;
    }
    qsort(took, RUNS, sizeof *took, by_value);
    CHECK(sum > 0);
    printf("  a selection takes %" PRIu64 " ns (median of %d runs, as this binary is built)\n", took[RUNS / 2], RUNS);
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: selection_test DIR\n"), 2;
    test_vectors(argv[1]);
    test_how_many();
    test_unknown_partitions();
    test_cost();
    return check_result(__FILE__);
}
