/* SPDX-License-Identifier: MIT */
/* What is computed of the gridworld and learned in it; each function is that of a body in a
 * loop. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "experiment/gridworld.h"

extern const char experiment_policy_gridworld_fast[];

/* ---- the worlds ---- */

opac_status experiment_grid_open(grid_worlds *worlds, opac_error *error)
{
    static const char *const names[GRID_WORLDS] = {"gridworld", "gridworld-w2"};
    const char *policy = experiment_policy_gridworld_fast;
    *worlds = (grid_worlds){.formula = NULL};
    opac_status status = opac_formula_parse("(G F s) & (G F g)", NULL, &worlds->formula, error);
    for (unsigned i = 0; i < GRID_WORLDS && status == OPAC_OK; i++) {
        const char *text = experiment_model_text(names[i]);
        status = opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL,
                                      &worlds->models[i], error);
        if (status == OPAC_OK)
            status = opac_policy_parse(policy, strlen(policy), worlds->models[i], &worlds->fast[i],
                                       error);
    }
    worlds->objective = (opac_objective){.formula = worlds->formula};
    return status;
}

void experiment_grid_close(grid_worlds *worlds)
{
    for (unsigned i = 0; i < GRID_WORLDS; i++) {
        opac_policy_free(worlds->fast[i]);
        opac_model_free(worlds->models[i]);
    }
    opac_formula_free(worlds->formula);
}

/* ---- times ---- */

opac_status experiment_grid_cover(const grid_worlds *worlds, grid_cover *cover,
                                  const opac_cancel *cancel, opac_error *error)
{
    const opac_model *model = worlds->models[cover->world];
    opac_recurrence_options options = {.epsilon = cover->epsilon, .threads = 1, .cancel = cancel};
    opac_recurrence all, fast;
    opac_status status = opac_recurrence_time(model, &worlds->objective, &options, &all, error);
    options.policy = worlds->fast[cover->world];
    if (status == OPAC_OK)
        status = opac_recurrence_time(model, &worlds->objective, &options, &fast, error);
    if (status != OPAC_OK)
        return status;
    if (all.kind != OPAC_RECURRENCE_EXACT || fast.kind != OPAC_RECURRENCE_EXACT)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "the recurrence time of the gridworld was not found exactly");
    cover->slowest = all.steps.value;
    cover->slowest_before = all.before;
    cover->slowest_reached = all.reached;
    cover->fast = fast.steps.value;
    cover->fast_reached = fast.reached;
    return OPAC_OK;
}

enum {
    MOST_SWEEPS = 100000
};

/* E(state, left) = 1 + Σ p E(successor, left - 1 if the leg ends there), for all at once. */
static double sweep(const opac_model *chain, const uint64_t *at_s, const uint64_t *at_g,
                    unsigned legs, double *expected)
{
    uint32_t states = opac_model_states(chain);
    double change = 0;
    for (unsigned left = 1; left <= legs; left++)
        for (uint32_t state = 0; state < states; state++) {
            uint32_t choice = opac_model_choice_begin(chain, state);
            uint32_t begin = opac_model_branch_begin(chain, choice);
            const uint64_t *ends = (legs - left) % 2 == 0 ? at_g : at_s; /* the leg that is on */
            double sum = 1;
            for (uint32_t i = begin; i < begin + opac_model_branch_count(chain, choice); i++) {
                uint32_t next = opac_model_branch_target(chain, i);
                bool is_end = (ends[next / 64] >> (next % 64) & 1) != 0;
                sum += opac_model_branch_probability(chain, i) *
                       expected[(size_t)(left - (is_end ? 1 : 0)) * states + next];
            }
            double *place = &expected[(size_t)left * states + state];
            change = fmax(change, fabs(sum - *place));
            *place = sum;
        }
    return change;
}

static opac_status iterate(const opac_model *chain, unsigned legs, uint64_t *bits, double *expected,
                           double *result, opac_error *error)
{
    uint32_t states = opac_model_states(chain);
    size_t words = ((size_t)states + 63) / 64;
    opac_status status = opac_model_evaluate(chain, "s", bits, error);
    if (status == OPAC_OK)
        status = opac_model_evaluate(chain, "g", bits + words, error);
    if (status != OPAC_OK)
        return status;
    for (unsigned i = 0; i < MOST_SWEEPS; i++)
        if (sweep(chain, bits, bits + words, legs, expected) < 1e-13) {
            *result = expected[(size_t)legs * states + opac_model_initial(chain, 0)];
            return OPAC_OK;
        }
    return base_fail(error, OPAC_ERROR_LIMIT, "the policy takes for ever to go its rounds");
}

opac_status experiment_grid_rounds(const opac_policy *policy, unsigned rounds, double *expected,
                                   opac_error *error)
{
    opac_model *chain = NULL;
    opac_status status = opac_policy_induce(policy, NULL, &chain, error);
    if (status != OPAC_OK)
        return status;
    size_t states = opac_model_states(chain);
    uint64_t *bits = base_alloc_zeroed(2 * ((states + 63) / 64), sizeof *bits);
    double *table = base_alloc_zeroed((2 * (size_t)rounds + 1) * states, sizeof *table);
    status = bits != NULL && table != NULL
                 ? iterate(chain, 2 * rounds, bits, table, expected, error)
                 : base_fail_memory(error);
    base_free(bits);
    base_free(table);
    opac_model_free(chain);
    return status;
}

/* ---- learning ---- */

static opac_status evaluate(const opac_policy *policy, const opac_objective *objective,
                            double *probability, opac_error *error)
{
    opac_evaluation *evaluation = NULL;
    opac_status status = opac_evaluate(policy, objective, NULL, &evaluation, error);
    if (status == OPAC_OK)
        *probability = opac_evaluation_interval(evaluation, 0).value;
    opac_evaluation_free(evaluation);
    return status;
}

typedef struct listening {
    const grid_worlds *worlds;
    const opac_model *model;
    grid_run *run;
    opac_status status; /* of the evaluations */
    opac_error error;
} listening;

/* What the policies on the way are worth. */
static void listen(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    listening *l = context;
    opac_policy *policy = NULL;
    if (l->run->trace == NULL || l->status != OPAC_OK || learning == NULL)
        return;
    l->status = opac_learning_policy(learning, l->model, &policy, &l->error);
    if (l->status == OPAC_OK)
        l->status = evaluate(policy, &l->worlds->objective, &entry->truth, &l->error);
    if (l->run->trace_count < GRID_MOST_TRACE)
        l->run->trace[l->run->trace_count++] = *entry;
    opac_policy_free(policy);
}

static void keep_report(const opac_learn_report *report, grid_run *run)
{
    run->k = report->k;
    run->samples = report->samples;
    run->steps = report->steps;
    run->episodes = report->episodes;
    run->known = report->known;
    run->found = report->horizon_found;
    run->check = report->horizon_check;
    run->holds = report->holds;
    run->seconds = report->seconds;
}

static opac_status judge(const grid_worlds *worlds, const opac_model *model,
                         const opac_learning *learning, grid_run *run, opac_error *error)
{
    opac_policy *policy = NULL;
    opac_recurrence time = {.steps = {.value = 0}};
    opac_status status = opac_learning_policy(learning, model, &policy, error);
    if (status == OPAC_OK)
        status = evaluate(policy, &worlds->objective, &run->truth, error);
    opac_recurrence_options options = {.epsilon = GRID_EPSILON, .policy = policy, .threads = 1};
    if (status == OPAC_OK)
        status = opac_recurrence_time(model, &worlds->objective, &options, &time, error);
    run->policy_time = time.steps.value;
    opac_policy_free(policy);
    return status;
}

opac_status experiment_grid_learn(const grid_worlds *worlds, const grid_setting *setting,
                                  uint64_t seed, const opac_cancel *cancel, grid_run *run,
                                  opac_error *error)
{
    const opac_model *model = worlds->models[setting->world];
    listening l = {.worlds = worlds, .model = model, .run = run};
    opac_environment *environment = NULL;
    opac_learning *learning = NULL;
    opac_learn_options options = opac_learn_defaults();
    options.horizon = setting->horizon;
    options.pmin = setting->pmin;
    options.epsilon = GRID_EPSILON;
    options.delta = GRID_DELTA;
    options.k_rule = setting->rule;
    options.count_pairs = setting->count_pairs;
    options.seed = seed;
    options.threads = 1;
    options.cancel = cancel;
    options.trace = listen;
    options.trace_context = &l;
    opac_status status = opac_environment_of_model(model, NULL, &environment, error);
    if (status == OPAC_OK)
        status = opac_learn(environment, &worlds->objective, &options, &learning, error);
    if (status == OPAC_OK && l.status != OPAC_OK)
        status = base_fail(error, l.status, "%s", l.error.message);
    if (status == OPAC_OK) {
        keep_report(opac_learning_report(learning), run);
        status = judge(worlds, model, learning, run, error);
    }
    opac_learning_free(learning);
    opac_environment_free(environment);
    return status;
}
