/* SPDX-License-Identifier: MIT */
/*
 * Costs of the base module, relative to reference operations measured in the same run: interning to a
 * dependent random load from as much memory, hashing to memcpy, a parallel loop to a sequential one.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/pool.h"
#include "bench.h"

static void *memory(size_t bytes)
{
    void *block = malloc(bytes);
    if (block == NULL)
        abort();
    return block;
}

/* Keeps a result from being optimised away. */
static void use(uint64_t value)
{
    static volatile uint64_t sink;
    sink = sink + value;
}

/*
 * Seconds of one load whose address depends on the previous load, in random order over this number of
 * bytes: a single cycle through all cache lines (Sattolo's shuffle).
 */
static double seconds_of_random_load(size_t bytes)
{
    enum {
        LINE = 64,
        LOADS = 1 << 20
    };
    size_t count = bytes / LINE;
    unsigned char *lines = memory(count * LINE);
    uint32_t *order = memory(count * sizeof *order);
    uint64_t random = 1;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count - 1; i > 0; i--) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        size_t j = (size_t)(((random >> 32) * i) >> 32);
        uint32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(lines + i * LINE, &order[i], sizeof order[i]);
    uint32_t at = 0;
    double begin = bench_seconds();
    for (int i = 0; i < LOADS; i++)
        memcpy(&at, lines + (size_t)at * LINE, sizeof at);
    double seconds = (bench_seconds() - begin) / LOADS;
    use(at);
    free(order);
    free(lines);
    return seconds;
}

typedef struct key {
    uint32_t words[3];
} key;

/* Different for different i, in no order that the table could profit from. */
static key key_of(uint64_t i)
{
    uint64_t mixed = base_hash_word(i);
    return (key){{(uint32_t)mixed, (uint32_t)(mixed >> 32), 7}};
}

static double add_all(base_intern *table, size_t count, uint64_t stride)
{
    double begin = bench_seconds();
    uint64_t sum = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        key next = key_of(at);
        uint32_t id;
        if (base_intern_add(table, &next, sizeof next, &id, NULL, NULL) != OPAC_OK)
            abort();
        sum += id;
        at = (at + stride) % count;
    }
    use(sum);
    return (bench_seconds() - begin) / (double)count;
}

static void intern_of(size_t count, double *previous)
{
    base_intern table;
    base_intern_init_fixed(&table, sizeof(key));
    double added = add_all(&table, count, 1);
    double found = add_all(&table, count, 7919); /* prime: every key, far from its neighbours */
    size_t footprint = base_slots_memory(&table.slots) + table.keys_capacity +
                       table.ends_capacity * sizeof *table.ends;
    double load = seconds_of_random_load(footprint);
    printf("interning %zu keys of %zu bytes (%zu MB)\n", count, sizeof(key), footprint >> 20);
    bench_ratio("a new key, growth included", "random load", added, load);
    bench_ratio("a key that is there", "random load", found, load);
    if (*previous > 0)
        bench_ratio("a new key", "its cost at a tenth of the size", added, *previous);
    *previous = added;
    printf("  %-52s %8.2f bytes\n", "slots per key",
           (double)base_slots_memory(&table.slots) / (double)count);
    printf("  %-52s %8.2f bytes\n", "beyond the key, slack of growth included",
           (double)footprint / (double)count - (double)sizeof(key));
    base_intern_fini(&table);
}

static double seconds_of_hash(const unsigned char *bytes, size_t length, int rounds)
{
    double begin = bench_seconds();
    uint64_t sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += base_hash_bytes(bytes + (sum & 1), length);
    use(sum);
    return (bench_seconds() - begin) / rounds;
}

static double seconds_of_copy(const unsigned char *bytes, unsigned char *copy, size_t length,
                              int rounds)
{
    double begin = bench_seconds();
    for (int i = 0; i < rounds; i++) {
        memcpy(copy, bytes + (i & 1), length);
        use(copy[length / 2]);
    }
    return (bench_seconds() - begin) / rounds;
}

static void hashing(void)
{
    static const size_t lengths[] = {12, 64, 1024, 16384};
    unsigned char *bytes = memory(20000), *copy = memory(20000);
    for (size_t i = 0; i < 20000; i++)
        bytes[i] = (unsigned char)(i * 31);
    printf("hashing, each call depending on the previous one\n");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char what[64];
        int rounds = (int)bench_times(100000000 / (lengths[i] + 100));
        double hash = seconds_of_hash(bytes, lengths[i], rounds);
        double copied = seconds_of_copy(bytes, copy, lengths[i], rounds);
        snprintf(what, sizeof what, "%zu bytes", lengths[i]);
        bench_ratio(what, "memcpy of the same", hash, copied);
    }
    free(bytes);
    free(copy);
}

typedef struct loop_data {
    double *numbers;
    int rounds; /* work an index */
    uint64_t count;
} loop_data;

static opac_status do_some(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)worker;
    (void)error;
    const loop_data *data = context;
    double value = data->numbers[index];
    for (int i = 0; i < data->rounds; i++)
        value = value * 0.999 + 1;
    data->numbers[index] = value;
    return OPAC_OK;
}

/* The body as a pointer that the compiler cannot see through, as it is for a pool. */
static base_pool_body hidden_body(void)
{
    base_pool_body volatile hidden = do_some;
    return hidden;
}

/* Without a pool: a plain loop of calls. */
static double seconds_of_loop(base_pool *pool, uint64_t count, loop_data *data)
{
    base_pool_body body = hidden_body();
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        double begin = bench_seconds();
        if (pool != NULL)
            base_pool_for(pool, count, do_some, data, NULL, NULL);
        else
            for (uint64_t i = 0; i < count; i++)
                body(data, i, 0, NULL);
        double seconds = bench_seconds() - begin;
        best = seconds < best ? seconds : best;
    }
    return best / (double)count;
}

static void *first_half(void *argument)
{
    loop_data *data = argument;
    base_pool_body body = hidden_body();
    for (uint64_t i = 0; i < data->count / 2; i++)
        body(data, i, 0, NULL);
    return NULL;
}

/* The speedup that the machine currently provides for two plain threads, with half of the loop each. */
static double seconds_of_bare_threads(loop_data *data, uint64_t count)
{
    base_pool_body body = hidden_body();
    double best = 1e9;
    data->count = count;
    for (int round = 0; round < 5; round++) {
        pthread_t other;
        double begin = bench_seconds();
        if (pthread_create(&other, NULL, first_half, data) != 0)
            abort();
        for (uint64_t i = count / 2; i < count; i++)
            body(data, i, 0, NULL);
        pthread_join(other, NULL);
        double seconds = bench_seconds() - begin;
        best = seconds < best ? seconds : best;
    }
    return best / (double)count;
}

static void loops(void)
{
    enum {
        COUNT = 1000000
    };
    base_pool *alone, *two;
    if (base_pool_new(1, &alone, NULL) != OPAC_OK || base_pool_new(2, &two, NULL) != OPAC_OK)
        abort();
    loop_data data = {.numbers = calloc(COUNT, sizeof(double)), .rounds = 1};
    if (data.numbers == NULL)
        abort();
    double plain = seconds_of_loop(NULL, COUNT, &data);
    printf("parallel loops\n");
    bench_ratio("an index, one thread", "plain loop", seconds_of_loop(alone, COUNT, &data), plain);
    bench_ratio("an index, two threads", "plain loop", seconds_of_loop(two, COUNT, &data), plain);
    data.rounds = (int)bench_times(1000);
    plain = seconds_of_loop(NULL, COUNT / 50, &data);
    bench_ratio("speed-up of a pool of two, indices of some us", "plain loop", plain,
                seconds_of_loop(two, COUNT / 50, &data));
    bench_ratio("speed-up of two bare threads, the same work", "plain loop", plain,
                seconds_of_bare_threads(&data, COUNT / 50));
    data.rounds = 1;
    plain = seconds_of_loop(NULL, COUNT, &data);
    bench_ratio("a loop of 2 indices, two threads", "turns of the plain loop",
                2 * seconds_of_loop(two, 2, &data), plain);
    base_pool_free(alone);
    base_pool_free(two);
    free(data.numbers);
}

int main(void)
{
    double previous = 0;
    intern_of(100000, &previous);
    if (!bench_is_smoke()) {
        intern_of(1000000, &previous);
        intern_of(10000000, &previous);
    }
    hashing();
    loops();
    return 0;
}
