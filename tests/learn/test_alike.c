/* SPDX-License-Identifier: MIT */
/*
 * Rows alike: how outcomes are counted, the test of Lemma 27 by enumeration, declarations that are wrong, and runs that
 * are the same for any number of threads and lanes and after a resumption. Coverage of brackets with rows alike is in
 * bracket_coverage.h.
 */
#include <math.h>

#include "bracket/bracket.h"
#include "learn/runs.h"
#include "sample/class_sets.h"
#include "support/faults.h"
#include "support/temporary.h"

/* ---- a line of states ---- */

enum {
    LAST = 5, /* states 0 … LAST; 0 is a trap, LAST the goal */
    LANES = 4
};

typedef enum line_defect {
    NO_DEFECT,
    ROW_UNLIKE,     /* other probabilities in state 3 */
    TWO_CLASSES,    /* state 2 sometimes tells another class */
    TWO_SUCCESSORS, /* outcome "stay" sometimes moves */
    NO_CLASS        /* a step without a class */
} line_defect;

typedef struct walker {
    stat_rng rng;
    uint32_t at;
    char outcome[8];
} walker;

typedef struct line {
    walker walkers[1 + LANES];
    line_defect defect;
} line;

static void show(const walker *w, opac_observation *seen)
{
    *seen = (opac_observation){.key = &w->at,
                               .length = sizeof w->at,
                               .letter = w->at == LAST ? 1 : 0,
                               .actions = w->at == 0 || w->at == LAST ? 0 : 2};
}

static void walk_reset(walker *w, uint64_t seed, opac_observation *seen)
{
    stat_rng_init(&w->rng, seed, 9);
    w->at = 1;
    show(w, seen);
}

/* Action 0 goes left, 1 right: on with 3/4, stay and back with 1/8 each. */
static void walk_step(walker *w, line_defect defect, uint32_t action, opac_observation *seen)
{
    static const char *const classes[] = {"left", "right"};
    int direction = action == 1 ? 1 : -1;
    double u = stat_rng_uniform(&w->rng), on = defect == ROW_UNLIKE && w->at == 3 ? 0.5 : 0.75;
    uint32_t from = w->at;
    const char *outcome = u < on ? "on" : u < 0.875 ? "stay" : "back";
    if (u < on)
        w->at += (uint32_t)direction;
    else if (u >= 0.875)
        w->at -= (uint32_t)direction;
    else if (defect == TWO_SUCCESSORS && u < 0.76)
        w->at += (uint32_t)direction;
    snprintf(w->outcome, sizeof w->outcome, "%s", outcome);
    show(w, seen);
    seen->row_class = defect == TWO_CLASSES && from == 2 && u < 0.02 ? "odd" : classes[action];
    seen->row_class_length = defect == NO_CLASS ? 0 : strlen(seen->row_class);
    seen->outcome = w->outcome;
    seen->outcome_length = strlen(w->outcome);
}

static opac_status line_reset(void *context, uint64_t seed, opac_observation *seen,
                              opac_error *error)
{
    (void)error;
    walk_reset(&((line *)context)->walkers[LANES], seed, seen);
    return OPAC_OK;
}

static opac_status line_step(void *context, uint32_t action, opac_observation *seen,
                             opac_error *error)
{
    line *l = context;
    (void)error;
    walk_step(&l->walkers[LANES], l->defect, action, seen);
    return OPAC_OK;
}

static opac_status line_many(void *context, const opac_lane_request *requests,
                             opac_observation *seen, opac_error *error)
{
    line *l = context;
    (void)error;
    for (uint32_t i = 0; i < LANES; i++)
        if (requests[i].is_reset)
            walk_reset(&l->walkers[i], requests[i].seed, &seen[i]);
        else
            walk_step(&l->walkers[i], l->defect, requests[i].action, &seen[i]);
    return OPAC_OK;
}

static opac_status line_fork(void *context, void **other, opac_error *error)
{
    line *made = malloc(sizeof *made);
    (void)error;
    *made = *(const line *)context;
    *other = made;
    return OPAC_OK;
}

static opac_environment *line_environment(line_defect defect, bool has_lanes)
{
    static const char *const names[] = {"goal"};
    opac_error error = {0};
    opac_environment *env;
    line *l = calloc(1, sizeof *l);
    l->defect = defect;
    const opac_environment_callbacks callbacks = {.reset = line_reset,
                                                  .step = line_step,
                                                  .step_many = has_lanes ? line_many : NULL,
                                                  .lanes = has_lanes ? LANES : 0,
                                                  .fork = line_fork,
                                                  .release = free,
                                                  .propositions = names,
                                                  .proposition_count = 1,
                                                  .tells_outcomes = true};
    assert_ok(opac_environment_new(&callbacks, l, &env, &error), &error);
    return env;
}

/* From a state next to an end, "stay" alone has 1/8: p_min. */
static opac_learn_options alike_options(void)
{
    opac_learn_options options = bracket_options(0.125, 0.02);
    options.alike = true;
    options.max_steps = 2000000;
    return options;
}

/* The optimum: q(s) = 1/8 q(s-1) + 1/8 q(s) + 3/4 q(s+1) with q(0) = 0, q(LAST) = 1. */
static double optimum(void)
{
    double ratio = 1.0 / 6, sum = 0;
    for (int i = 0; i < LAST; i++)
        sum += pow(ratio, i);
    return 1 / sum;
}

/* ---- runs ---- */

static void test_bracket(void **unused)
{
    opac_environment *env = line_environment(NO_DEFECT, false);
    opac_learn_options options = alike_options();
    (void)unused;
    opac_learning *with = learning_of(env, "F goal", &options);
    options.alike = false;
    opac_learning *without = learning_of(env, "F goal", &options);
    const opac_learn_report *r = opac_learning_report(with);
    assert_int_equal(r->end, OPAC_END_DONE);
    assert_true(r->lower <= optimum());
    assert_true(r->optimum_upper >= optimum());
    assert_true(r->gap <= 0.02);
    assert_true(r->steps < opac_learning_report(without)->steps);
    opac_learning_free(with);
    opac_learning_free(without);
    opac_environment_free(env);
}

static void check_refuted(line_defect defect, opac_refutation kind, const char *words)
{
    opac_environment *env = line_environment(defect, false);
    opac_learn_options options = alike_options();
    options.epsilon = 0.001;
    opac_learning *l = learning_of(env, "F goal", &options);
    const opac_learn_report *r = opac_learning_report(l);
    assert_int_equal(r->end, OPAC_END_REFUTED);
    assert_int_equal(r->refutation, kind);
    assert_false(r->holds);
    assert_true(isnan(r->lower));
    assert_non_null(strstr(opac_learning_statement(l), words));
    opac_learning_free(l);
    opac_environment_free(env);
}

static void test_refuted(void **unused)
{
    (void)unused;
    check_refuted(ROW_UNLIKE, OPAC_REFUTED_ALIKE, "are not alike");
    check_refuted(TWO_CLASSES, OPAC_REFUTED_CLASS, "two classes");
    check_refuted(TWO_SUCCESSORS, OPAC_REFUTED_OUTCOME, "different successors");
}

/* Outcomes have 1/8; that they have 1/2 is refuted by a third one. */
static void test_wrong_pmin_outcome(void **unused)
{
    opac_environment *env = line_environment(NO_DEFECT, false);
    opac_learn_options options = alike_options();
    (void)unused;
    options.pmin_outcome = 0.5;
    opac_learning *l = learning_of(env, "F goal", &options);
    assert_int_equal(opac_learning_report(l)->refutation, OPAC_REFUTED_NEW_OUTCOME);
    opac_learning_free(l);
    opac_environment_free(env);
}

static void check_options(opac_environment *env, const opac_learn_options *options,
                          const char *message)
{
    opac_formula *formula = learning_formula("F goal");
    const opac_objective objective = {.formula = formula};
    opac_learning *learning;
    opac_error error;
    assert_true(opac_learn(env, &objective, options, &learning, &error) != OPAC_OK);
    assert_string_equal(error.message, message);
    opac_formula_free(formula);
}

static void test_options(void **unused)
{
    opac_environment *env = line_environment(NO_CLASS, false);
    opac_learn_options options = alike_options();
    (void)unused;
    check_options(env, &options, "the environment did not report the class of a step");
    options.explore = OPAC_EXPLORE_GENERATIVE;
    check_options(env, &options,
                  "rows alike need episodes: draws from a given state do not tell outcomes");
    options = alike_options();
    options.alike = false;
    options.pmin_outcome = 0.1;
    check_options(env, &options, "pmin_outcome needs rows alike");
    options = alike_options();
    options.pmin = 0;
    options.horizon = 10;
    check_options(env, &options, "rows alike need pmin or a graph");
    opac_environment_free(env);
}

static uint64_t hash_of(bool has_lanes, unsigned threads)
{
    opac_environment *env = line_environment(NO_DEFECT, has_lanes);
    opac_learn_options options = alike_options();
    base_u64_vec words = {0};
    options.threads = threads;
    opac_learning *l = learning_of(env, "F goal", &options);
    uint64_t hash = learning_hash(l);
    assert_ok(sample_classes_save(l->run.stats.classes, &words, NULL), &(opac_error){0});
    hash = base_hash_fnv(hash, words.items, words.count * sizeof *words.items);
    base_u64_vec_fini(&words);
    opac_learning_free(l);
    opac_environment_free(env);
    return hash;
}

static void test_threads(void **unused)
{
    (void)unused;
    uint64_t hash = hash_of(false, 1);
    assert_int_equal(hash, hash_of(false, 3));
    assert_int_equal(hash, hash_of(true, 1));
    assert_int_equal(hash, hash_of(true, 2));
}

static void read_file(const char *path, base_text *text)
{
    opac_error error = {0};
    base_text_clear(text);
    assert_ok(base_text_read_file(text, path, NULL, &error), &error);
}

/* A run that is stopped and resumed ends with the same checkpoint as one that is not. */
static void test_resume(void **unused)
{
    char folder[256], whole[300], parts[300];
    base_text one = {0}, other = {0};
    opac_environment *env = line_environment(NO_DEFECT, false);
    opac_learn_options options = alike_options();
    (void)unused;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(whole, sizeof whole, "%s/whole", folder);
    snprintf(parts, sizeof parts, "%s/parts", folder);
    options.checkpoint = whole;
    opac_learning_free(learning_of(env, "F goal", &options));
    options.checkpoint = parts;
    for (uint64_t steps = 100; steps <= 1000000; steps *= 10) {
        options.max_steps = steps;
        options.resume = steps > 100;
        opac_learning_free(learning_of(env, "F goal", &options));
    }
    read_file(whole, &one);
    read_file(parts, &other);
    assert_int_equal(one.length, other.length);
    assert_memory_equal(one.bytes, other.bytes, one.length);
    base_text_fini(&one);
    base_text_fini(&other);
    remove(whole);
    remove(parts);
    remove(folder);
    opac_environment_free(env);
}

/* ---- lack of memory ---- */

typedef struct sweep {
    const opac_model *model;
    opac_objective objective;
    opac_learn_options options;
} sweep;

/* Every allocation of a run with a certificate fails once. */
static opac_status run_small(void *context, opac_error *error)
{
    sweep *x = context;
    opac_environment *env = NULL;
    opac_learning *l = NULL;
    opac_output *out = NULL;
    opac_status status = opac_environment_of_commands(x->model, NULL, &env, error);
    x->options.graph = x->options.pmin > 0 ? NULL : env;
    if (status == OPAC_OK)
        status = opac_learn(env, &x->objective, &x->options, &l, error);
    if (status == OPAC_OK)
        status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK)
        status = opac_learning_write_certificate(l, NULL, out, error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, error);
    opac_output_free(out);
    opac_learning_free(l);
    opac_environment_free(env);
    return status;
}

static void test_want_of_memory(void **unused)
{
    static const char text[] = "mdp module m s:[0..3]; [a] s<2 -> .5:(s'=s+1)+.25:true+.25:(s'=3);"
                               "[b] s<2 -> .5:(s'=2)+.5:(s'=3); [] s>1 -> true;"
                               "endmodule label \"a\" = s=2;";
    const opac_model_options commands = {.commands = true};
    opac_error error = {0};
    opac_model *model;
    opac_formula *formula = learning_formula("F a");
    sweep x = {.objective = {.formula = formula}, .options = bracket_options(0.25, 0.4)};
    (void)unused;
    assert_ok(
        opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &commands, &model, &error),
        &error);
    x.model = model;
    x.options.alike = true;
    x.options.pmin_outcome = 0.25;
    assert_true(faults_sweep(run_small, &x) > 50);
    x.options.pmin = 0;
    assert_true(faults_sweep(run_small, &x) > 50);
    opac_formula_free(formula);
    opac_model_free(model);
}

/* ---- counting ---- */

static uint32_t outcome_of(sample_classes *c, const char *class, const char *outcome)
{
    const opac_observation seen = {.row_class = class,
                                   .row_class_length = strlen(class),
                                   .outcome = outcome,
                                   .outcome_length = strlen(outcome)};
    uint32_t number, again;
    assert_ok(sample_classes_add(c, &seen, &number, NULL), &(opac_error){0});
    assert_true(sample_classes_find(c, &seen, &again));
    assert_int_equal(number, again);
    return number;
}

static void test_counts(void **unused)
{
    sample_classes *c;
    (void)unused;
    assert_ok(sample_classes_new(&c, NULL), &(opac_error){0});
    uint32_t lost = outcome_of(c, "x", "of a dropped episode");
    uint32_t a = outcome_of(c, "y", "a"), b = outcome_of(c, "y", "b"), x = outcome_of(c, "x", "a");
    assert_true(a != x);
    const struct {
        uint32_t row, outcome, branch;
    } draws[] = {{4, b, 0}, {4, b, 0}, {7, a, 1}, {2, x, 0}, {4, a, 0}};
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
        assert_ok(sample_classes_observe(c, draws[i].row, draws[i].outcome, draws[i].branch, NULL),
                  &(opac_error){0});
    assert_int_equal(c->outcomes.items[lost].count, 0);
    assert_int_equal(c->classes.items[c->outcomes.items[a].class].index, 1);
    assert_int_equal(c->classes.items[c->outcomes.items[x].class].index, 2);
    assert_int_equal(c->classes.items[c->outcomes.items[a].class].draws, 4);
    assert_int_equal(c->outcomes.items[a].from, 3);
    assert_int_equal(c->outcomes.items[a].count, 2);
    assert_int_equal(c->outcomes.items[b].from, 1);
    assert_true(sample_classes_has_shown_all(c, 4));
    assert_false(sample_classes_has_shown_all(c, 7));
    assert_false(sample_classes_has_shown_all(c, 0));
    assert_int_equal(c->refutation, OPAC_REFUTED_NONE);
    assert_ok(sample_classes_observe(c, 4, a, 1, NULL), &(opac_error){0});
    assert_int_equal(c->refutation, OPAC_REFUTED_OUTCOME);
    assert_ok(sample_classes_observe(c, 4, x, 1, NULL), &(opac_error){0});
    assert_int_equal(c->refutation, OPAC_REFUTED_OUTCOME); /* the first is kept */
    sample_classes_free(c);
}

/* Replaces the classes of a run by those of the words. */
static opac_status restore(opac_learning *l, const base_u64_vec *words)
{
    sample_statistics *stats = &l->run.stats;
    size_t used = 0;
    sample_classes_free(stats->classes);
    assert_ok(sample_classes_new(&stats->classes, NULL), &(opac_error){0});
    opac_status status =
        sample_classes_restore(stats, words->items, words->count, &used, &(opac_error){0});
    assert_true(used <= words->count);
    return status;
}

static void save(const opac_learning *l, base_u64_vec *words)
{
    words->count = 0;
    assert_ok(sample_classes_save(l->run.stats.classes, words, NULL), &(opac_error){0});
}

/* Saved classes are restored; words that were changed are refused or restored to what they say. */
static void test_restore(void **unused)
{
    opac_environment *env = line_environment(NO_DEFECT, false);
    opac_learn_options options = alike_options();
    base_u64_vec words = {0}, again = {0};
    stat_rng rng;
    unsigned refused = 0;
    (void)unused;
    stat_rng_init(&rng, 1, 1);
    options.max_steps = 200;
    opac_learning *l = learning_of(env, "F goal", &options);
    save(l, &words);
    assert_status(restore(l, &words), OPAC_OK);
    save(l, &again);
    assert_int_equal(words.count, again.count);
    assert_memory_equal(words.items, again.items, words.count * sizeof *words.items);
    for (unsigned i = 0; i < 4000; i++) {
        uint64_t *word = &words.items[stat_rng_below(&rng, words.count)], before = *word;
        size_t count = words.count;
        *word = i % 4 == 0 ? stat_rng_next(&rng) : before + stat_rng_below(&rng, 5) - 2;
        words.count -= i % 16 == 0 ? (size_t)stat_rng_below(&rng, words.count) : 0;
        opac_status status = restore(l, &words);
        assert_true(status == OPAC_OK || status == OPAC_ERROR_ARGUMENT);
        refused += status != OPAC_OK;
        if (status == OPAC_OK)
            save(l, &again);
        words.count = count;
        *word = before;
    }
    assert_true(refused > 1000);
    assert_status(restore(l, &words), OPAC_OK);
    base_u64_vec_fini(&words);
    base_u64_vec_fini(&again);
    opac_learning_free(l);
    opac_environment_free(env);
}

/* ---- the test of Lemma 27 ---- */

enum {
    DRAWS = 8
};

/* The statistic after draws of rows i mod `rows`, with outcome bit i of `bits`. */
static double ratio_of(unsigned bits, unsigned draws, uint32_t rows)
{
    sample_classes *c;
    assert_ok(sample_classes_new(&c, NULL), &(opac_error){0});
    uint32_t outcomes[] = {outcome_of(c, "c", "0"), outcome_of(c, "c", "1")};
    for (unsigned i = 0; i < draws; i++)
        assert_ok(sample_classes_observe(c, i % rows, outcomes[bits >> i & 1], 0, NULL),
                  &(opac_error){0});
    double log_ratio = sample_classes_log_ratio(c, 0);
    sample_classes_free(c);
    return exp(log_ratio);
}

/* The expectation is at most 1, for every probability, by enumeration of all sequences. */
static void test_expectation(void **unused)
{
    (void)unused;
    for (uint32_t rows = 1; rows <= 4; rows++)
        for (unsigned draws = 1; draws <= DRAWS; draws++)
            for (double p = 0.05; p < 1; p += 0.15) {
                double sum = 0;
                for (unsigned bits = 0; bits < 1u << draws; bits++) {
                    unsigned ones = 0;
                    for (unsigned i = 0; i < draws; i++)
                        ones += bits >> i & 1;
                    sum += pow(p, ones) * pow(1 - p, draws - ones) * ratio_of(bits, draws, rows);
                }
                assert_true(sum <= 1 + 1e-12);
            }
}

/* If the rows' mixtures are divided by the class's mixture, not by its maximum likelihood, the expectation of two rows
 * with one fair draw each is 4/3: such a statistic would refute too often. */
static void test_mixture_is_no_test(void **unused)
{
    const double equal = 3.0 / 8, different = 1.0 / 8; /* Jeffreys' mixture of two draws */
    (void)unused;
    double sum = 2 * 0.25 * (0.25 / equal) + 2 * 0.25 * (0.25 / different);
    assert_true(fabs(sum - 4.0 / 3) < 1e-12);
    assert_true(ratio_of(1, 2, 2) <= 1);
    assert_true(ratio_of(0, 2, 2) <= 1);
}

/* Two rows that are not alike are refuted within some hundred draws. */
static void test_power(void **unused)
{
    sample_classes *c;
    stat_rng rng;
    (void)unused;
    stat_rng_init(&rng, 5, 5);
    assert_ok(sample_classes_new(&c, NULL), &(opac_error){0});
    uint32_t outcomes[] = {outcome_of(c, "c", "0"), outcome_of(c, "c", "1")};
    for (unsigned i = 0; i < 1000; i++) {
        bool bit = stat_rng_uniform(&rng) < (i % 2 == 0 ? 0.25 : 0.5);
        assert_ok(sample_classes_observe(c, i % 2, outcomes[bit], 0, NULL), &(opac_error){0});
    }
    assert_true(sample_classes_log_ratio(c, 0) > -log(SAMPLE_ALIKE_LEVEL / 2));
    sample_classes_free(c);
}

SUITE(alike)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bracket),
        cmocka_unit_test(test_refuted),
        cmocka_unit_test(test_wrong_pmin_outcome),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_want_of_memory),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_expectation),
        cmocka_unit_test(test_mixture_is_no_test),
        cmocka_unit_test(test_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
