/* SPDX-License-Identifier: MIT */
/*
 * A model that is run. The random numbers of an episode are the stream
 * stat_rng_init(&rng, seed of the episode, 0), and one rule says who draws:
 *
 *     a step          one number, whatever it leads to, also to one state for sure
 *     a random reset  one number
 *     another reset   none
 *
 * A number becomes a branch by the alias table of the row, so that env_walk,
 * which does the same, goes the same way.
 *
 * Rows for walks are shared by all forks, and are made by env_row alone. Steps
 * use rows of their own: forks may step while others walk, and a step never
 * moves a pool under a walk. Both are made when first needed.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "env/kind.h"
#include "env/walk.h"
#include "model/model.h"
#include "model/propositions.h"

static const uint64_t reset_name = UINT64_MAX; /* no choice has this number */

/* What forks share. */
typedef struct common {
    atomic_uint users;
    const opac_model *model;
    const opac_properties *properties; /* may be NULL */
    env_rows rows;                     /* of walks */
} common;

typedef struct letters {
    atomic_uint users;
    uint64_t *of; /* by state */
} letters;

typedef struct instance {
    common *shared;
    letters *letters; /* NULL: nobody asked for any */
    env_rows rows;    /* of steps */
    stat_rng rng;
    uint32_t state;
    uint32_t branch; /* the last one */
    uint32_t shown;  /* a state that is not the episode's */
    base_double_vec weights;
    env_split_vec splits;
    base_u64_vec counts; /* of a draw */
} instance;

/* ---- what is seen ---- */

static void observe(const instance *i, const uint32_t *state, opac_observation *observation)
{
    *observation = (opac_observation){.key = state,
                                      .length = sizeof *state,
                                      .letter = i->letters == NULL ? 0 : i->letters->of[*state],
                                      .actions = opac_model_choice_count(i->shared->model, *state)};
}

/* ---- laws ---- */

typedef struct law {
    uint64_t name;
    const double *weights; /* of a reset: equal ones, in the instance */
    const uint32_t *targets;
    uint32_t width;
} law;

static opac_status law_of_reset(instance *i, law *found, opac_error *error)
{
    const base_u32_vec *initial = &i->shared->model->initial;
    TRY(base_double_vec_reserve(&i->weights, initial->count, error));
    for (size_t j = 0; j < initial->count; j++)
        i->weights.items[j] = 1;
    *found = (law){reset_name, i->weights.items, initial->items, (uint32_t)initial->count};
    return OPAC_OK;
}

static law law_of_choice(const instance *i, uint32_t choice)
{
    const graph_process *process = &i->shared->model->process;
    uint32_t begin = process->edge_begin[choice];
    return (law){choice, &process->prob[begin], &process->target[begin],
                 process->edge_begin[choice + 1] - begin};
}

/* The law of an action in a state that somebody names by its key. */
static opac_status find_law(instance *i, const void *key, size_t length, uint32_t action,
                            law *found, opac_error *error)
{
    const opac_model *model = i->shared->model;
    uint32_t state;
    if (key == NULL)
        return law_of_reset(i, found, error);
    if (length != sizeof state)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the key of a model's state has %zu bytes, not %zu", sizeof state, length);
    memcpy(&state, key, sizeof state);
    if (state >= opac_model_states(model))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "state %u of a model that has %u",
                         (unsigned)state, (unsigned)opac_model_states(model));
    if (action >= opac_model_choice_count(model, state))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "action %u of state %u, which has %u",
                         (unsigned)action, (unsigned)state,
                         (unsigned)opac_model_choice_count(model, state));
    *found = law_of_choice(i, opac_model_choice_begin(model, state) + action);
    return OPAC_OK;
}

static opac_status make_row(env_rows *rows, const law *of, uint32_t *row, opac_error *error)
{
    if (env_rows_find(rows, of->name, row))
        return OPAC_OK;
    return env_rows_add(rows, of->name, of->weights, of->targets, of->width, row, error);
}

/* ---- one step ---- */

static opac_status take(instance *i, const law *of, opac_observation *observation,
                        opac_error *error)
{
    uint32_t row;
    TRY(make_row(&i->rows, of, &row, error));
    i->branch = stat_alias_draw(&i->rows.slots.items[row], of->width, &i->rng);
    i->state = of->targets[i->branch];
    observe(i, &i->state, observation);
    return OPAC_OK;
}

static opac_status reset(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error)
{
    instance *i = self;
    law initial = {0};
    stat_rng_init(&i->rng, seed, 0);
    if (i->shared->model->initial.count > 1) {
        TRY(law_of_reset(i, &initial, error));
        return take(i, &initial, observation, error);
    }
    i->branch = 0;
    i->state = i->shared->model->initial.items[0];
    observe(i, &i->state, observation);
    return OPAC_OK;
}

static opac_status step(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    instance *i = self;
    uint32_t first = opac_model_choice_begin(i->shared->model, i->state);
    law taken = law_of_choice(i, first + action);
    return take(i, &taken, observation, error);
}

/* ---- many successors ---- */

static opac_status draw_counts(instance *i, const law *of, uint64_t n, uint64_t seed,
                               opac_error *error)
{
    stat_rng rng;
    TRY(env_split_vec_reserve(&i->splits, of->width, error));
    TRY(base_u64_vec_reserve(&i->counts, of->width, error));
    TRY(stat_multinomial_prepare(of->weights, of->width, i->splits.items, error));
    stat_rng_init(&rng, seed, 0);
    stat_multinomial(&rng, n, i->splits.items, of->width, i->counts.items);
    return OPAC_OK;
}

static opac_status draw(void *self, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    instance *i = self;
    opac_observation seen;
    law drawn = {0};
    TRY(find_law(i, key, length, action, &drawn, error));
    TRY(draw_counts(i, &drawn, n, seed, error));
    for (uint32_t j = 0; j < drawn.width; j++) {
        i->shown = drawn.targets[j];
        observe(i, &i->shown, &seen);
        TRY(opac_draws_add(draws, &seen, i->counts.items[j], error));
    }
    return OPAC_OK;
}

/* The graph is that of the model: every branch has a positive probability. */
static opac_status successors(void *self, const void *key, size_t length, uint32_t action,
                              opac_draws *told, opac_error *error)
{
    instance *i = self;
    opac_observation seen;
    law found = {0};
    TRY(find_law(i, key, length, action, &found, error));
    for (uint32_t j = 0; j < found.width; j++) {
        i->shown = found.targets[j];
        observe(i, &i->shown, &seen);
        TRY(opac_draws_add(told, &seen, 1, error));
    }
    return OPAC_OK;
}

/* ---- tables ---- */

/* A reset that is not random takes no number, as free nodes of a walk take none. */
static opac_status row_of(void *self, const void *key, size_t length, uint32_t action,
                          uint32_t *row, uint32_t *width, opac_error *error)
{
    instance *i = self;
    law found = {0};
    if (key == NULL && i->shared->model->initial.count == 1) {
        *row = ENV_NO_STEP;
        *width = 1;
        return OPAC_OK;
    }
    TRY(find_law(i, key, length, action, &found, error));
    *width = found.width;
    return make_row(&i->shared->rows, &found, row, error);
}

static opac_status branch_of(void *self, uint32_t row, uint32_t branch,
                             opac_observation *observation, opac_error *error)
{
    instance *i = self;
    const base_u32_vec *targets =
        row == ENV_NO_STEP ? &i->shared->model->initial : &i->shared->rows.targets;
    uint64_t place = row == ENV_NO_STEP ? branch : (uint64_t)row + branch;
    if (place >= targets->count)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "no row has a branch at %llu",
                         (unsigned long long)place);
    i->shown = targets->items[place];
    observe(i, &i->shown, observation);
    return OPAC_OK;
}

static uint32_t last_branch(const void *self)
{
    const instance *i = self;
    return i->branch;
}

static const env_rows *rows_of(const void *self)
{
    const instance *i = self;
    return &i->shared->rows;
}

static stat_rng *rng_of(void *self)
{
    instance *i = self;
    return &i->rng;
}

static void land(void *self, uint32_t row, uint32_t branch, opac_observation *observation)
{
    instance *i = self;
    i->branch = branch;
    i->state = i->shared->rows.targets.items[(size_t)row + branch];
    observe(i, &i->state, observation);
}

/* ---- names ---- */

static const char *proposition(const void *self, size_t index)
{
    const instance *i = self;
    const opac_model *model = i->shared->model;
    return index < opac_model_label_count(model) ? opac_model_label(model, (uint32_t)index) : NULL;
}

static void release_letters(letters *shared)
{
    if (shared == NULL || atomic_fetch_sub(&shared->users, 1) != 1)
        return;
    base_free(shared->of);
    base_free(shared);
}

static opac_status evaluate(const void *context, const char *proposition, uint64_t *bits,
                            opac_error *error)
{
    const common *from = context;
    opac_error found;
    opac_status status = from->properties != NULL
                             ? opac_properties_evaluate(from->properties, proposition, bits, &found)
                             : opac_model_evaluate(from->model, proposition, bits, &found);
    if (status == OPAC_OK)
        return OPAC_OK;
    return model_fail_proposition(proposition, "", status, &found, error);
}

static opac_status bind(void *self, const char *const *names, size_t count, opac_error *error)
{
    instance *i = self;
    uint32_t states = opac_model_states(i->shared->model);
    letters *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    atomic_init(&made->users, 1);
    made->of = base_alloc(states, sizeof *made->of);
    opac_status status = made->of == NULL ? base_fail_memory(error)
                                          : model_make_letters(states, names, count, evaluate,
                                                               i->shared, made->of, error);
    if (status != OPAC_OK) {
        release_letters(made);
        return status;
    }
    release_letters(i->letters);
    i->letters = made;
    return OPAC_OK;
}

/* ---- birth and death ---- */

static void release_common(common *shared)
{
    if (atomic_fetch_sub(&shared->users, 1) != 1)
        return;
    env_rows_fini(&shared->rows);
    base_free(shared);
}

static void release(void *self)
{
    instance *i = self;
    env_rows_fini(&i->rows);
    base_double_vec_fini(&i->weights);
    env_split_vec_fini(&i->splits);
    base_u64_vec_fini(&i->counts);
    release_letters(i->letters);
    release_common(i->shared);
    base_free(i);
}

static opac_status fork_instance(void *self, void **other, opac_error *error)
{
    instance *i = self, *made = base_alloc_zeroed(1, sizeof *made);
    *other = made;
    if (made == NULL)
        return base_fail_memory(error);
    made->shared = i->shared;
    made->letters = i->letters;
    atomic_fetch_add(&made->shared->users, 1);
    if (made->letters != NULL)
        atomic_fetch_add(&made->letters->users, 1);
    return OPAC_OK;
}

/* ---- for messages ---- */

/* False: no key of this model, as a graph that knows more states has them. */
static bool find_number(const instance *i, const void *key, size_t length, uint32_t *state)
{
    if (length != sizeof *state)
        return false;
    memcpy(state, key, sizeof *state);
    return *state < opac_model_states(i->shared->model);
}

bool env_show_state(const opac_model *model, uint32_t state, char *buffer, size_t size)
{
    opac_output *out;
    size_t count;
    if (opac_output_open_memory(&out, NULL) != OPAC_OK)
        return false;
    opac_model_write_state(model, state, out);
    const char *bytes = opac_output_bytes(out, &count);
    if (bytes != NULL)
        snprintf(buffer, size, "%.*s", (int)count, bytes);
    opac_output_free(out);
    return bytes != NULL;
}

static bool show(const void *self, const void *key, size_t length, char *buffer, size_t size)
{
    const instance *i = self;
    uint32_t state;
    return find_number(i, key, length, &state) &&
           env_show_state(i->shared->model, state, buffer, size);
}

static const char *action_of(const void *self, const void *key, size_t length, uint32_t action)
{
    const instance *i = self;
    const opac_model *model = i->shared->model;
    uint32_t state;
    if (!find_number(i, key, length, &state) || action >= opac_model_choice_count(model, state))
        return NULL;
    return opac_model_choice_action(model, opac_model_choice_begin(model, state) + action);
}

uint64_t env_fingerprint_model(const opac_model *model, bool is_graph)
{
    const graph_process *p = &model->process;
    const base_u32_vec *initial = &model->initial;
    uint64_t hash = BASE_FNV_BEGIN;
    hash = base_hash_fnv(hash, p->choice_begin, (p->state_count + (size_t)1) * sizeof(uint32_t));
    hash = base_hash_fnv(hash, p->edge_begin, (p->choice_count + (size_t)1) * sizeof(uint32_t));
    hash = base_hash_fnv(hash, p->target, p->edge_count * sizeof(uint32_t));
    if (!is_graph)
        hash = base_hash_fnv(hash, p->prob, p->edge_count * sizeof(double));
    hash = base_hash_fnv(hash, initial->items, initial->count * sizeof(uint32_t));
    return hash != 0 ? hash : 1;
}

static uint64_t fingerprint(const void *self)
{
    const instance *i = self;
    return env_fingerprint_model(i->shared->model, false);
}

static const env_kind model_kind = {.proposition = proposition,
                                    .bind = bind,
                                    .reset = reset,
                                    .step = step,
                                    .draw = draw,
                                    .successors = successors,
                                    .fork = fork_instance,
                                    .show = show,
                                    .action = action_of,
                                    .fingerprint = fingerprint,
                                    .release = release,
                                    .row = row_of,
                                    .branch = branch_of,
                                    .last_branch = last_branch,
                                    .rows = rows_of,
                                    .rng = rng_of,
                                    .land = land};

/* The reset's branches count, too: where it is random it is one more thing to learn. */
static env_traits describe(const opac_model *model)
{
    const graph_process *process = &model->process;
    env_traits traits = {.random_start = model->initial.count > 1,
                         .can_draw = true,
                         .can_fork = true,
                         .knows_graph = true,
                         .is_tabulated = true,
                         .lanes = 1,
                         .states = process->state_count,
                         .branching = model->initial.count};
    for (uint32_t s = 0; s < process->state_count; s++) {
        uint32_t actions = process->choice_begin[s + 1] - process->choice_begin[s];
        traits.actions = actions > traits.actions ? actions : traits.actions;
    }
    for (uint32_t c = 0; c < process->choice_count; c++) {
        uint32_t width = process->edge_begin[c + 1] - process->edge_begin[c];
        traits.branching = width > traits.branching ? width : traits.branching;
    }
    return traits;
}

opac_status opac_environment_of_model(const opac_model *model, const opac_properties *properties,
                                      opac_environment **environment, opac_error *error)
{
    common *shared = base_alloc_zeroed(1, sizeof *shared);
    instance *made = base_alloc_zeroed(1, sizeof *made);
    env_traits traits = describe(model);
    *environment = NULL;
    if (shared == NULL || made == NULL) {
        base_free(shared);
        base_free(made);
        return base_fail_memory(error);
    }
    atomic_init(&shared->users, 1);
    shared->model = model;
    shared->properties = properties;
    shared->rows.has_splits = true;
    made->shared = shared;
    return env_new(&model_kind, made, &traits, environment, error);
}
