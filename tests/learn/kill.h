/* SPDX-License-Identifier: MIT */
/*
 * Runs that are killed with SIGKILL at random times and resumed until they end: the result is the same,
 * to the last byte, as that of a run without interruptions.
 *
 *     parent:  fork ─► wait a random time ─► kill ─► fork ─► … ─► the child has ended: compare
 *     child:   opac_learn with a checkpoint, resumed if there is one ─► the result as a file
 */
#ifndef TESTS_LEARN_KILL_H
#define TESTS_LEARN_KILL_H

#include <inttypes.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <omegapac/learning.h>
#include <omegapac/number.h>

#include "random_walk.h"
#include "sample/learning.h"
#include "support/temporary.h"

enum {
    PATIENCE = 100,  /* seconds for a run, on the slowest machine */
    LONGEST_RUN = 40 /* kills that one run has to bear */
};

typedef struct kill_case {
    const char *name, *formula;
    bool callbacks, is_random, count_pairs, is_auto; /* is_auto: -T auto */
    opac_learn_sampler sampler;
    opac_automaton_kind kind;
    unsigned threads;
    uint64_t k, max_steps; /* 0: until it is done */
    double pmin;           /* 0: a run with T */
    bool has_graph, is_generative;
    double epsilon; /* 0: 0.05 */
    double target;
    bool knows_nothing;
    opac_k_rule rule; /* without k: OPAC_K_L1 for ω-PAC, OPAC_K_NONE for a bracket from T */
} kill_case;

typedef struct kill_scene {
    const kill_case *about;
    opac_model *model;
    opac_formula *formula;
    char folder[2048], checkpoint[2100], result[2100];
} kill_scene;

static inline void kill_begin(kill_scene *x, const kill_case *about)
{
    opac_error error;
    uint64_t random = 11;
    x->about = about;
    x->model = wander_model(&random, (wander_shape){.states = 12,
                                                    .actions = 3,
                                                    .branches = 3,
                                                    .has_deadlocks = about->is_random,
                                                    .is_random = about->is_random});
    assert_ok(opac_formula_parse(about->formula, NULL, &x->formula, &error), &error);
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* a kill spares what the kernel has: no disk is needed */
    assert_true(temporary_folder(x->folder, sizeof x->folder));
    snprintf(x->checkpoint, sizeof x->checkpoint, "%s/checkpoint", x->folder);
    snprintf(x->result, sizeof x->result, "%s/result", x->folder);
}

/* Temporary files of a killed writer have other names. */
static inline void kill_end(kill_scene *x)
{
    char command[2200];
    snprintf(command, sizeof command, "rm -rf '%s'", x->folder);
    assert_int_equal(system(command), 0);
    opac_model_free(x->model);
    opac_formula_free(x->formula);
}

/* ---- what came of a run ---- */

static inline void print_double(opac_output *out, const char *name, double value)
{
    char number[OPAC_NUMBER_SIZE];
    opac_output_print(out, "%s %s\n", name, opac_number_format(value, number));
}

/* All of the report but times. */
static inline void print_report(opac_output *out, const opac_learn_report *r)
{
    opac_output_print(out, "T %" PRIu64 " k %" PRIu64 " sampler %d end %d holds %d\n", r->horizon,
                      r->k, (int)r->sampler, (int)r->end, r->holds);
    opac_output_print(out, "reachable %" PRIu64 " check %d found %" PRIu64 "\n",
                      r->product_reachable, (int)r->horizon_check, r->horizon_found);
    opac_output_print(out, "episodes %" PRIu64 " steps %" PRIu64 " known %" PRIu64 "\n",
                      r->episodes, r->steps, r->known);
    opac_output_print(
        out, "policies %" PRIu64 " states %" PRIu64 " pairs %" PRIu64 " samples %" PRIu64 "\n",
        r->policies, r->states_seen, r->pairs_seen, r->samples);
    print_double(out, "value", r->value);
    print_double(out, "lower", r->lower);
    print_double(out, "upper", r->upper);
    print_double(out, "optimum_upper", r->optimum_upper);
    print_double(out, "accuracy", r->accuracy);
    print_double(out, "solver", r->solver);
    print_double(out, "risk", r->risk);
    print_double(out, "error", r->error);
    print_double(out, "gap", r->gap);
}

static inline void print_counts(opac_output *out, const sample_statistics *stats)
{
    for (uint32_t c = 0; c < stats->counters.count; c++) {
        const sample_counter *counter = &stats->counters.items[c];
        opac_output_print(out, "counter %u %d:", (unsigned)c, counter->known);
        for (uint32_t b = 0; b < stats->rows.items[counter->row].width; b++)
            if (sample_statistics_observed(stats, c, b) > 0)
                opac_output_print(out, " %u*%" PRIu64, (unsigned)b,
                                  sample_statistics_observed(stats, c, b));
        opac_output_print(out, "\n");
    }
}

static inline void print_policy(opac_output *out, const opac_learning *l)
{
    const sample_run *run = &l->run;
    for (uint32_t p = 0; p < run->stats.product_states.count; p++)
        opac_output_print(out, "pair %u,%u: %u\n",
                          (unsigned)run->stats.product_states.items[p].state,
                          (unsigned)run->stats.product_states.items[p].memory,
                          (unsigned)sample_run_choice(run, p));
}

static inline void print_trace(opac_output *out, const opac_learning *l)
{
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(l, &count);
    for (size_t i = 0; i < count; i++) {
        opac_output_print(out, "policy %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " ",
                          entries[i].episode, entries[i].step, entries[i].known,
                          entries[i].horizon);
        print_double(out, "value", entries[i].value);
        print_double(out, "lower", entries[i].lower);
        print_double(out, "upper", entries[i].upper);
    }
}

static inline void print_result(opac_output *out, const opac_learning *l)
{
    print_report(out, opac_learning_report(l));
    opac_output_print(out, "%s\n", opac_learning_statement(l));
    print_counts(out, &l->run.stats);
    print_policy(out, l);
    print_trace(out, l);
}

/* ---- a run ---- */

/* checkpoint NULL: a run without interruptions. The result goes to `out`. */
static inline opac_status kill_learn(const kill_scene *x, const char *checkpoint, bool resume,
                                     opac_output *out, opac_error *error)
{
    const kill_case *about = x->about;
    opac_environment *env = wander_environment(x->model, about->callbacks);
    opac_objective objective = {.formula = x->formula, .direction = OPAC_DIRECTION_MAX};
    opac_learn_options options = opac_learn_defaults();
    opac_learning *learning;
    options.nothing_known = about->knows_nothing;
    options.horizon = about->is_auto || about->knows_nothing ? 0 : 25;
    options.epsilon = about->epsilon > 0 ? about->epsilon : 0.05;
    options.pmin = about->pmin;
    options.graph = about->has_graph ? env : NULL;
    options.explore = about->is_generative ? OPAC_EXPLORE_GENERATIVE : OPAC_EXPLORE_EPISODES;
    options.delta = 0.1;
    options.k = about->k;
    options.k_rule = about->rule;
    options.target = about->target;
    options.sampler = about->sampler;
    options.count_pairs = about->count_pairs;
    options.kind = about->kind;
    options.seed = 5;
    options.threads = about->threads;
    options.max_steps = about->max_steps;
    options.checkpoint = checkpoint;
    options.checkpoint_seconds = 1e-4;
    options.resume = resume;
    options.recurrence_work = 100000;
    opac_status status = opac_learn(env, &objective, &options, &learning, error);
    if (status == OPAC_OK) {
        print_result(out, learning);
        opac_learning_free(learning);
    }
    opac_environment_free(env);
    return status;
}

/* In the child, which ends here. */
static inline void kill_child(const kill_scene *x)
{
    opac_error error;
    opac_output *out;
    bool resume = access(x->checkpoint, F_OK) == 0;
    if (opac_output_open_file(x->result, &out, &error) != OPAC_OK ||
        kill_learn(x, x->checkpoint, resume, out, &error) != OPAC_OK ||
        opac_output_commit(out, &error) != OPAC_OK) {
        fprintf(stderr, "%s\n", error.message);
        _exit(1);
    }
    _exit(0);
}

static inline double kill_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether the child ends by itself within that time. */
static inline bool kill_wait(pid_t child, double seconds, int *how)
{
    double end = kill_seconds() + seconds, left;
    while ((left = end - kill_seconds()) > 0) {
        struct timespec pause = {.tv_nsec = left < 1e-4 ? (long)(1e9 * left) : 100000};
        nanosleep(&pause, NULL);
        if (waitpid(child, how, WNOHANG) == child)
            return true;
    }
    return false;
}

/* Starts a child and kills it after so long. Whether it had ended before that. */
static inline bool kill_once(const kill_scene *x, double seconds)
{
    int how;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        kill_child(x);
    if (!kill_wait(child, seconds, &how)) {
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &how, 0), child);
    }
    if (WIFSIGNALED(how)) {
        assert_int_equal(WTERMSIG(how), SIGKILL);
        return false;
    }
    assert_int_equal(WEXITSTATUS(how), 0);
    return true;
}

static inline char *kill_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 22);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 22) - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static inline void kill_compare(const kill_scene *x, const char *expected, uint32_t kills)
{
    char *got = kill_read(x->result);
    size_t at = 0;
    while (got[at] == expected[at] && got[at] != '\0')
        at++;
    if (got[at] != expected[at]) {
        size_t begin = at;
        while (begin > 0 && got[begin - 1] != '\n')
            begin--;
        fail_msg("%s, after %u kills: \"%.60s\" instead of \"%.60s\"", x->about->name,
                 (unsigned)kills, got + begin, expected + begin);
    }
    free(got);
}

/*
 * Kills runs until so many kills left a checkpoint (after others the run begins again). A run may be
 * killed several times. Returns the number of all kills.
 */
static inline uint32_t kill_many(const kill_scene *x, const char *expected, double whole,
                                 uint64_t *random, uint32_t wanted)
{
    uint32_t kills = 0, of_run = 0, all = 0;
    while (kills < wanted || of_run > 0) {
        bool is_last = kills >= wanted || of_run >= LONGEST_RUN;
        double share = (double)random_below(random, 1000) / 1000;
        if (random_below(random, 2) == 0)
            share *= share;
        if (!kill_once(x, is_last ? PATIENCE : whole * share)) {
            assert_false(is_last);
            kills += access(x->checkpoint, F_OK) == 0;
            all++;
            of_run++;
            continue;
        }
        kill_compare(x, expected, of_run);
        unlink(x->checkpoint);
        of_run = 0;
    }
    return all;
}

static inline void check_kills(const kill_case *about, uint64_t *random, uint32_t wanted)
{
    kill_scene x;
    opac_error error;
    opac_output *out;
    size_t length;
    kill_begin(&x, about);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(kill_learn(&x, NULL, false, out, &error), &error);
    const char *expected = opac_output_bytes(out, &length);
    double before = kill_seconds();
    assert_true(kill_once(&x, PATIENCE)); /* to the end, with checkpoints */
    double whole = kill_seconds() - before;
    kill_compare(&x, expected, 0);
    assert_true(kill_once(&x, PATIENCE)); /* again, from its last checkpoint */
    kill_compare(&x, expected, 0);
    unlink(x.checkpoint);
    uint32_t kills = kill_many(&x, expected, whole, random, wanted);
    printf("%s: %u kills, %u of them resumed, %.0f ms a run\n", about->name, (unsigned)kills,
           (unsigned)wanted, 1000 * whole);
    opac_output_free(out);
    kill_end(&x);
}

/* Runs that differ in how episodes are sampled, counted and begun. */
static const kill_case kill_cases[] = {
    {.name = "step",
     .formula = "G F a & G F b",
     .sampler = OPAC_SAMPLER_STEP,
     .threads = 1,
     .k = 1000},
    {.name = "population",
     .formula = "G F a & F G b",
     .sampler = OPAC_SAMPLER_POPULATION,
     .threads = 1,
     .k = 1000000},
    {.name = "step, two threads",
     .formula = "G F a & G F b",
     .sampler = OPAC_SAMPLER_STEP,
     .threads = 2,
     .k = 1000,
     .count_pairs = true},
    {.name = "callbacks",
     .formula = "(a U b) & G F c",
     .callbacks = true,
     .sampler = OPAC_SAMPLER_STEP,
     .threads = 1,
     .k = 40,
     .is_random = true},
    {.name = "random start, ldba",
     .formula = "F G a | G F (b & c)",
     .kind = OPAC_KIND_LDBA,
     .sampler = OPAC_SAMPLER_STEP,
     .threads = 2,
     .k = 500,
     .is_random = true},
    {.name = "population, two threads",
     .formula = "G F a & G F b & G F !c",
     .sampler = OPAC_SAMPLER_POPULATION,
     .threads = 2,
     .k = 1000,
     .count_pairs = true,
     .is_random = true},
    {.name = "a budget",
     .formula = "G F a & G F b",
     .sampler = OPAC_SAMPLER_STEP,
     .threads = 2,
     .k = 1000000,
     .max_steps = 300000},
    {.name = "T auto",
     .formula = "G F a & G F b",
     .sampler = OPAC_SAMPLER_POPULATION,
     .threads = 1,
     .is_auto = true,
     .rule = OPAC_K_L1},
    {.name = "bracket from T", .formula = "G F a & G F b", .threads = 1, .rule = OPAC_K_NONE},
    {.name = "bracket from T, callbacks",
     .formula = "(a U b) & G F c",
     .callbacks = true,
     .is_random = true,
     .threads = 1,
     .rule = OPAC_K_NONE,
     .max_steps = 40000},
    {.name = "bracket from T, ldba",
     .formula = "F G a | G F (b & c)",
     .kind = OPAC_KIND_LDBA,
     .callbacks = true,
     .is_random = true,
     .threads = 2,
     .rule = OPAC_K_NONE,
     .target = 0.11,
     .max_steps = 40000},
    {.name = "nothing known",
     .formula = "F (a & F b)",
     .callbacks = true,
     .is_random = true,
     .threads = 2,
     .knows_nothing = true,
     .rule = OPAC_K_NONE,
     .max_steps = 40000},
    {.name = "bracket, T auto",
     .formula = "G F a & G F b",
     .threads = 1,
     .is_auto = true,
     .rule = OPAC_K_NONE},
    {.name = "bracket from T, a budget",
     .formula = "(!a U b) & F G c",
     .is_random = true,
     .threads = 2,
     .rule = OPAC_K_NONE,
     .target = 0.101,
     .max_steps = 100000},
    {.name = "bracket", .formula = "(!a U b) & G F c", .threads = 2, .pmin = 0.3, .epsilon = 0.002},
    {.name = "bracket, callbacks",
     .formula = "(!a U b) & F G c",
     .callbacks = true,
     .is_random = true,
     .threads = 1,
     .pmin = 0.1,
     .epsilon = 0.02},
    {.name = "bracket, ldba, graph",
     .formula = "F G a | G F (b & c)",
     .kind = OPAC_KIND_LDBA,
     .is_random = true,
     .has_graph = true,
     .threads = 2,
     .epsilon = 0.02},
    {.name = "bracket, generative",
     .formula = "(!a U b) & F G c",
     .is_random = true,
     .is_generative = true,
     .threads = 1,
     .pmin = 0.1,
     .epsilon = 0.001},
    {.name = "bracket, a budget",
     .formula = "(!a U b) & F G c",
     .is_random = true,
     .threads = 2,
     .pmin = 0.1,
     .epsilon = 1e-4,
     .max_steps = 100000},
};

enum {
    KILL_CASES = sizeof kill_cases / sizeof *kill_cases
};

static void test_kills(void **state)
{
    const unsigned *kills = *state;
    uint64_t random = random_seed(63);
    for (size_t i = 0; i < KILL_CASES; i++)
        check_kills(&kill_cases[i], &random, *kills);
}

/* So many kills of each kind of run. */
static inline int run_kills(unsigned kills)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_kills, &kills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
