/* SPDX-License-Identifier: MIT */
/*
 * All samplers have the same distribution of results. The number of runs is in units of SCALE. Three
 * oracles:
 *
 *   - exact: on tiny systems, the distribution of the result of one advance (the number of episodes and
 *     the counts of branches), by dynamic programming over all episodes;
 *   - a sampler that counts one transition after the other (sampling.h);
 *   - the other sampler.
 *
 * The tests can fail: a sampler with either of two plausible errors (a batch that exceeds k is drawn
 * again; each step is split independently) is detected by the exact distribution, and the same sampler
 * without them is not.
 *
 * Each comparison fails for a correct sampler with probability FIT_FALSE_ALARM (1e-6) over the choice of
 * the seed; there are about sixty of them.
 */
#ifndef TESTS_LEARN_DISTRIBUTIONS_CASES_H
#define TESTS_LEARN_DISTRIBUTIONS_CASES_H

#include "base/map.h"
#include "learn/sampling.h"
#include "stat/hypergeometric.h"
#include "support/fit.h"
#include "support/random.h"

/* ---- the exact distribution of one advance ---- */

/* A chain; state `begin` is where episodes start. */
typedef struct chain {
    const arc *arcs; /* action 0 alone counts */
    size_t count;
    uint32_t begin;
    uint64_t horizon, k;
} chain;

typedef struct law {
    base_map now, next, end; /* counts by arc, 4 bits each; in `end` the episodes above them */
} law;

static void add(base_map *graph, uint64_t key, double probability)
{
    uint64_t *slot;
    opac_error error;
    double sum = 0;
    size_t before = graph->count;
    assert_ok(base_map_at(graph, key, &slot, &error), &error);
    if (graph->count == before)
        memcpy(&sum, slot, sizeof sum);
    sum += probability;
    memcpy(slot, &sum, sizeof sum);
}

static uint64_t count_of(const chain *c, uint64_t counts, uint32_t state)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->arcs[i].state == state && c->arcs[i].action == 0)
            sum += counts >> 4 * i & 15;
    return sum;
}

static void go_on(law *l, const chain *c, uint64_t episode, uint64_t t, uint32_t state,
                  uint64_t counts, double probability, bool full)
{
    if (t == c->horizon) {
        add(full ? &l->end : &l->next, full ? counts | episode << 40 : counts, probability);
        return;
    }
    uint64_t room = c->k - count_of(c, counts, state);
    for (size_t i = 0; i < c->count; i++) {
        if (c->arcs[i].state != state || c->arcs[i].action != 0)
            continue;
        uint64_t more = room > 0 ? counts + (UINT64_C(1) << 4 * i) : counts;
        go_on(l, c, episode, t + 1, c->arcs[i].target, more, probability * c->arcs[i].probability,
              full || room == 1);
    }
}

static void compute_law(law *l, const chain *c)
{
    double left = 1;
    *l = (law){0};
    add(&l->now, 0, 1);
    for (uint64_t episode = 1; left > 1e-13; episode++) {
        left = 0;
        for (size_t i = 0; i < l->now.count; i++) {
            double probability;
            memcpy(&probability, &l->now.entries[i].value, sizeof probability);
            go_on(l, c, episode, 0, c->begin, l->now.entries[i].key, probability, false);
        }
        base_map swap = l->now;
        l->now = l->next;
        l->next = swap;
        base_map_clear(&l->next);
        for (size_t i = 0; i < l->now.count; i++) {
            double probability;
            memcpy(&probability, &l->now.entries[i].value, sizeof probability);
            left += probability;
        }
    }
}

static void forget_law(law *l)
{
    base_map_fini(&l->now);
    base_map_fini(&l->next);
    base_map_fini(&l->end);
}

/* The p-value of outcomes as keys of `end`. */
static double compare(const law *l, const uint64_t *keys, size_t count)
{
    size_t cells = l->end.count;
    uint64_t *observed = calloc(cells, sizeof *observed);
    double *probability = malloc(cells * sizeof *probability), p_value = 0;
    bool outside = false;
    assert_true(observed != NULL);
    assert_true(probability != NULL);
    for (size_t i = 0; i < cells; i++)
        memcpy(&probability[i], &l->end.entries[i].value, sizeof probability[i]);
    /* The entries' values become positions, to be found by key. */
    for (size_t i = 0; i < cells; i++)
        l->end.entries[i].value = i;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *at = base_map_find(&l->end, keys[i]);
        outside |= at == NULL;
        if (at != NULL)
            observed[*at]++;
    }
    for (size_t i = 0; i < cells; i++)
        memcpy(&l->end.entries[i].value, &probability[i], sizeof probability[i]);
    if (!outside)
        p_value = fit_chi_square(observed, probability, cells, count);
    free(observed);
    free(probability);
    return p_value;
}

/* ---- one advance of a sampler, as a key ---- */

static uint64_t count_arc(const sample_statistics *stats, const arc *a, uint32_t begin)
{
    uint32_t from = SAMPLE_NONE, to;
    uint64_t sum = 0;
    if (!base_intern_find(&stats->keys, &a->target, sizeof a->target, &to) ||
        (a->state != begin && !base_intern_find(&stats->keys, &a->state, sizeof a->state, &from)))
        return 0;
    uint32_t row = a->state != begin ? sample_statistics_row(stats, from, 0) : stats->reset_row;
    const sample_row *r = &stats->rows.items[row];
    for (uint32_t c = 0; c < stats->counters.count; c++)
        for (uint32_t b = 0; b < r->width && stats->counters.items[c].row == row; b++)
            if (stats->targets.items[r->begin + b] == to)
                sum += sample_statistics_observed(stats, c, b);
    return sum;
}

static uint64_t advance_once(const sampling_scene *scene, const chain *c, int kind, uint64_t seed,
                             sample_population_counts *counts)
{
    sampling_run r;
    opac_error error;
    uint64_t key = 0;
    assert_ok(sampling_begin(&r, scene, seed, &error), &error);
    sampling_advance(&r, kind, counts);
    for (size_t i = 0; i < c->count; i++)
        if (c->arcs[i].action == 0)
            key |= count_arc(&r.run.stats, &c->arcs[i],
                             r.run.stats.reset_row != SAMPLE_NONE ? c->begin : UINT32_MAX)
                   << 4 * i;
    key |= r.run.episodes << 40;
    assert_int_equal(r.run.steps, r.run.episodes * r.run.horizon);
    sampling_end(&r);
    return key;
}

static void check_exactly(const sampling_system *system, const chain *c, int kind, size_t runs,
                          sample_population_counts *counts)
{
    law l;
    sampling_scene scene;
    uint64_t *keys = malloc(runs * sizeof *keys);
    assert_non_null(keys);
    sampling_open(&scene, system, NULL);
    compute_law(&l, c);
    for (size_t i = 0; i < runs; i++)
        keys[i] = advance_once(&scene, c, kind, random_seed(1000 + i), counts);
    assert_true(compare(&l, keys, runs) > FIT_FALSE_ALARM);
    forget_law(&l);
    sampling_close(&scene);
    free(keys);
}

/* Two states with uneven visits, and an action that is not taken before the first one is known. */
static const arc pair_arcs[] = {
    {0, 0, 0, 0.5}, {0, 0, 1, 0.5}, {0, 1, 0, 1}, {1, 0, 0, 0.75}, {1, 0, 1, 0.25},
};
static const char *const pair_labels[] = {"a", "b"};

static const sampling_system coins = {.arcs = pair_arcs,
                                      .arc_count = 5,
                                      .states = 2,
                                      .labels = pair_labels,
                                      .initial = "10",
                                      .formula = "G F a",
                                      .horizon = 4,
                                      .k = 7,
                                      .count_pairs = true};
static const chain coins_chain = {pair_arcs, 5, 0, 4, 7};

static void one_advance_has_its_exact_law(void **state)
{
    (void)state;
    sample_population_counts counts = {0};
    check_exactly(&coins, &coins_chain, PLAIN, SCALE * 4000, NULL);
    check_exactly(&coins, &coins_chain, STEP, SCALE * 8000, NULL);
    check_exactly(&coins, &coins_chain, POPULATION, SCALE * 10000, &counts);
    /* The rare paths were taken, all of them, and often. */
    assert_true(counts.batches > SCALE * 8000);
    assert_true(counts.splits > SCALE * 8000);
    assert_true(counts.singles > SCALE * 8000);
    assert_true(counts.dropped > SCALE * 8000);
}

/* Two memories of the automaton, one counter for both. */
static void shared_counters_have_their_exact_law(void **state)
{
    (void)state;
    sampling_system system = coins;
    sample_population_counts counts = {0};
    system.formula = "G F a & G F b";
    system.count_pairs = false;
    check_exactly(&system, &coins_chain, PLAIN, SCALE * 4000, NULL);
    check_exactly(&system, &coins_chain, STEP, SCALE * 8000, NULL);
    check_exactly(&system, &coins_chain, POPULATION, SCALE * 10000, &counts);
    assert_true(counts.splits > SCALE * 8000);
    assert_true(counts.singles > SCALE * 8000);
}

/* The reset is one more step, and has a counter. */
static void random_starts_have_their_exact_law(void **state)
{
    (void)state;
    static const arc arcs[] = {{0, 0, 0, 0.25}, {0, 0, 1, 0.75}, {1, 0, 0, 0.5},
                               {1, 0, 1, 0.5},  {2, 0, 0, 0.5},  {2, 0, 1, 0.5}};
    sampling_system system = coins;
    sample_population_counts counts = {0};
    system.arcs = arcs;
    system.arc_count = 4;
    system.initial = "11";
    system.horizon = 3;
    system.k = 5;
    chain c = {arcs, 6, 2, 3, 5};
    check_exactly(&system, &c, PLAIN, SCALE * 4000, NULL);
    check_exactly(&system, &c, STEP, SCALE * 8000, NULL);
    check_exactly(&system, &c, POPULATION, SCALE * 10000, &counts);
    assert_true(counts.splits > SCALE * 8000);
    assert_true(counts.singles > SCALE * 8000);
}

/* ---- a sampler that can be wrong ---- */

enum {
    RIGHT,
    REDRAWS,
    SPLITS_STEPS
};

enum {
    LONGEST = 4,
    ARCS = 5
};
typedef uint64_t flows[LONGEST][ARCS];

/* Visits of a state, and whether that makes a counter full. */
static bool crosses(const chain *c, flows f, const uint64_t *counts)
{
    for (uint32_t s = 0; s < 2; s++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < c->count; i++)
            for (uint64_t t = 0; t < c->horizon && c->arcs[i].state == s; t++)
                sum += f[t][i] + (t == 0 ? counts[i] : 0);
        if (sum >= c->k)
            return true;
    }
    return false;
}

/* n episodes (whole NULL), or n of those in `whole`. */
static void move(const chain *c, uint64_t n, flows whole, bool by_step, stat_rng *rng, flows f)
{
    uint64_t mass[2] = {n, 0};
    memset(f, 0, sizeof(flows));
    for (uint64_t t = 0; t < c->horizon; t++) {
        uint64_t next[2] = {0, 0};
        if (by_step) {
            stat_hypergeometric_many(rng, whole[t], c->count, n, f[t]);
            continue;
        }
        for (uint32_t s = 0; s < 2; s++) {
            uint64_t sizes[ARCS] = {0};
            for (size_t i = 0; i < c->count && whole != NULL; i++)
                sizes[i] = c->arcs[i].state == s ? whole[t][i] : 0;
            if (whole != NULL)
                stat_hypergeometric_many(rng, sizes, c->count, mass[s], sizes);
            for (uint64_t k = 0; k < mass[s] && whole == NULL; k++) {
                double u = stat_rng_uniform(rng);
                size_t i = 0;
                while (c->arcs[i].state != s || c->arcs[i].action != 0 ||
                       (u -= c->arcs[i].probability) >= 0)
                    i++;
                sizes[i]++;
            }
            for (size_t i = 0; i < c->count; i++) {
                f[t][i] += sizes[i];
                next[c->arcs[i].target] += sizes[i];
            }
        }
        memcpy(mass, next, sizeof mass);
    }
}

static void add_all(const chain *c, flows f, uint64_t *counts)
{
    for (uint64_t t = 0; t < c->horizon; t++)
        for (size_t i = 0; i < c->count; i++)
            counts[i] += f[t][i];
}

/* One episode in order of time: the first k of a state count. */
static void add_one(const chain *c, flows f, uint64_t *counts)
{
    for (uint64_t t = 0; t < c->horizon; t++)
        for (size_t i = 0; i < c->count; i++) {
            uint64_t sum = 0;
            for (size_t j = 0; j < c->count; j++)
                sum += c->arcs[j].state == c->arcs[i].state ? counts[j] : 0;
            counts[i] += sum < c->k ? f[t][i] : 0;
        }
}

/* Batches of six, halved; state 0 is where episodes begin. */
static uint64_t flawed_advance(const chain *c, int flaw, uint64_t seed)
{
    stat_rng rng;
    flows f, part;
    uint64_t counts[ARCS] = {0}, episodes = 0, n = 6, key = 0;
    stat_rng_init(&rng, seed, 0);
    for (move(c, n, NULL, false, &rng, f); !crosses(c, f, counts);) {
        add_all(c, f, counts);
        episodes += n;
        move(c, n, NULL, false, &rng, f);
    }
    while (n > 1) {
        uint64_t n1 = n / 2;
        if (flaw == REDRAWS)
            move(c, n1, NULL, false, &rng, part);
        else
            move(c, n1, f, flaw == SPLITS_STEPS, &rng, part);
        if (crosses(c, part, counts)) {
            memcpy(f, part, sizeof f);
            n = n1;
            continue;
        }
        add_all(c, part, counts);
        episodes += n1;
        n -= n1;
        for (uint64_t t = 0; t < c->horizon && flaw != REDRAWS; t++)
            for (size_t i = 0; i < c->count; i++)
                f[t][i] -= part[t][i];
        while (flaw == REDRAWS && (move(c, n, NULL, false, &rng, f), !crosses(c, f, counts))) {
            add_all(c, f, counts);
            episodes += n;
        }
    }
    add_one(c, f, counts);
    for (size_t i = 0; i < c->count; i++)
        key |= counts[i] << 4 * i;
    return key | (episodes + 1) << 40;
}

static double try_flaw(int flaw)
{
    enum {
        RUNS = 20000
    };
    law l;
    uint64_t *keys = malloc(RUNS * sizeof *keys);
    assert_non_null(keys);
    compute_law(&l, &coins_chain);
    for (size_t i = 0; i < RUNS; i++)
        keys[i] = flawed_advance(&coins_chain, flaw, random_seed(5000 + i));
    double p_value = compare(&l, keys, RUNS);
    forget_law(&l);
    free(keys);
    return p_value;
}

static void mistakes_are_caught(void **state)
{
    (void)state;
    assert_true(try_flaw(RIGHT) > FIT_FALSE_ALARM);
    assert_true(try_flaw(REDRAWS) < FIT_FALSE_ALARM);
    assert_true(try_flaw(SPLITS_STEPS) < FIT_FALSE_ALARM);
}

/* ---- whole runs, sampler against sampler ---- */

enum {
    CELLS = 64,
    VIEWS = 4
};

/* The result of a run, as a cell of each of several views. */
static void run_whole(const sampling_scene *scene, int kind, uint64_t seed,
                      uint64_t cells[VIEWS][CELLS], sample_population_counts *counts)
{
    sampling_run r;
    opac_error error;
    bool done = false;
    assert_ok(sampling_begin(&r, scene, seed, &error), &error);
    while (!done && sample_statistics_exceeded(&r.run.stats) == NULL) {
        sampling_advance(&r, kind, counts);
        assert_ok(sampling_update(&r, &done, &error), &error);
    }
    assert_ok(
        omega_pac_optimistic_model_solve_canonical(omega_pac_optimistic_model_of(&r.run), &error),
        &error);
    uint64_t policy = sampling_policy(&r.run), seen = sampling_counts(&r.run);
    seen = sampling_mix(seen, r.run.stats.states.count << 32 | r.run.stats.most.branching);
    seen = sampling_mix(seen, sample_statistics_exceeded(&r.run.stats) != NULL);
    cells[0][r.run.episodes < CELLS ? r.run.episodes : CELLS - 1]++;
    cells[1][base_hash_word(policy) % CELLS]++;
    cells[2][base_hash_word(seen) % CELLS]++;
    cells[3][sampling_mix(sampling_mix(r.run.steps, r.run.policies), r.run.episodes) % CELLS]++;
    sampling_end(&r);
}

static void check_alike(const sampling_scene *scene, const sampling_scene *other, int kind,
                        size_t runs, sample_population_counts *counts)
{
    static uint64_t one[VIEWS][CELLS], two[VIEWS][CELLS];
    memset(one, 0, sizeof one);
    memset(two, 0, sizeof two);
    for (size_t i = 0; i < runs; i++) {
        run_whole(scene, PLAIN, random_seed(20000 + i), one, NULL);
        run_whole(other, kind, random_seed(1000000 + i), two, counts);
    }
    for (int view = 0; view < VIEWS; view++)
        assert_true(fit_two_samples(one[view], two[view], CELLS) > FIT_FALSE_ALARM);
}

static void check_both(const sampling_system *system, size_t runs)
{
    sampling_scene scene;
    sample_population_counts counts = {0};
    sampling_open(&scene, system, NULL);
    check_alike(&scene, &scene, STEP, runs, NULL);
    check_alike(&scene, &scene, POPULATION, runs, &counts);
    assert_true(counts.batches > runs);
    assert_true(counts.splits > runs);
    assert_true(counts.singles > runs);
    sampling_close(&scene);
}

/* State 2 is rarely visited, state 1 often; 3 and 4 cannot be left. */
static const arc uneven_arcs[] = {
    {0, 0, 0, 0.125}, {0, 0, 1, 0.8125}, {0, 0, 2, 0.0625}, {0, 1, 1, 0.5},  {0, 1, 3, 0.5},
    {1, 0, 1, 0.5},   {1, 0, 0, 0.5},    {1, 1, 0, 0.75},   {1, 1, 4, 0.25}, {2, 0, 0, 1},
    {2, 1, 2, 0.5},   {2, 1, 1, 0.5},    {3, 0, 3, 1},      {4, 0, 4, 1},
};
static const char *const uneven_labels[] = {"", "a", "b", "ab", ""};
static const sampling_system uneven = {.arcs = uneven_arcs,
                                       .arc_count = 14,
                                       .states = 5,
                                       .labels = uneven_labels,
                                       .initial = "10000",
                                       .formula = "G F a & G F b",
                                       .horizon = 5,
                                       .k = 4};

static void whole_runs_have_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    check_both(&system, SCALE * 600);
    system.count_pairs = true;
    check_both(&system, SCALE * 600);
}

static void runs_with_random_starts_have_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    system.initial = "10100";
    check_both(&system, SCALE * 600);
}

/* Nondeterministic, with epsilon moves, and with a universal state. */
static void runs_of_guessing_automata_have_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    system.kind = OPAC_KIND_LDBA;
    system.formula = "F G a | F b";
    check_both(&system, SCALE * 400);
    system.count_pairs = true;
    check_both(&system, SCALE * 400);
}

/* Runs end early: in the universal sink, or where the automaton has no move. */
static void runs_that_end_early_have_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    system.formula = "(!b) U (a & X a)";
    check_both(&system, SCALE * 600);
}

/* A declared bound is exceeded by counted episodes, not by discarded ones. */
static void bounds_are_exceeded_by_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    system.horizon = 3;
    system.k = 8;
    system.limits.states = 4;
    check_both(&system, SCALE * 600);
    system.limits = (sample_limits){.branching = 2};
    check_both(&system, SCALE * 600);
}

/* By `draw`, with states that are added as they are observed. */
static void callbacks_have_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    for (int i = 0; i < 2; i++) {
        sampling_robot robot = {.system = &system};
        sampling_scene scene;
        opac_environment *env;
        opac_error error;
        sample_population_counts counts = {0};
        system.initial = i == 0 ? "10000" : "10100";
        assert_ok(sampling_callbacks(&robot, true, &env, &error), &error);
        sampling_open(&scene, &system, env);
        check_alike(&scene, &scene, POPULATION, SCALE * 600, &counts);
        assert_true(counts.splits > SCALE * 600);
        assert_true(counts.singles > SCALE * 600);
        sampling_close(&scene);
    }
}

/* One system as a model and as callbacks: states have the same keys, so ties are the same. */
static void kinds_have_one_law(void **state)
{
    (void)state;
    sampling_system system = uneven;
    sampling_robot robot = {.system = &system};
    sampling_scene model, callbacks;
    opac_environment *env;
    opac_error error;
    system.count_pairs = SCALE > 1;
    assert_ok(sampling_callbacks(&robot, true, &env, &error), &error);
    sampling_open(&model, &system, NULL);
    sampling_open(&callbacks, &system, env);
    check_alike(&model, &callbacks, STEP, SCALE * 2500, NULL);
    if (SCALE > 1)
        check_alike(&model, &callbacks, POPULATION, SCALE * 600, NULL);
    sampling_close(&callbacks);
    sampling_close(&model);
}

static int run_laws(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_advance_has_its_exact_law),
        cmocka_unit_test(shared_counters_have_their_exact_law),
        cmocka_unit_test(random_starts_have_their_exact_law),
        cmocka_unit_test(mistakes_are_caught),
        cmocka_unit_test(whole_runs_have_one_law),
        cmocka_unit_test(runs_with_random_starts_have_one_law),
        cmocka_unit_test(runs_of_guessing_automata_have_one_law),
        cmocka_unit_test(runs_that_end_early_have_one_law),
        cmocka_unit_test(bounds_are_exceeded_by_one_law),
        cmocka_unit_test(callbacks_have_one_law),
        cmocka_unit_test(kinds_have_one_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
