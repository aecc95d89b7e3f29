/* SPDX-License-Identifier: MIT */
/*
 * Environments that are models. The random numbers of an episode are the stream
 * stat_rng_init(&rng, seed of the episode, 0), used as follows:
 *
 *     a step          one number, even if there is only one successor
 *     a random reset  one number
 *     another reset   none
 *
 * The alias table of the row converts a number to a branch. env_walk does the same, so it samples the same
 * episodes.
 *
 * With outcomes (opac_environment_of_commands), the number of a step is converted by the alias table of its class to
 * an outcome, and the row gives its successor. Such an environment has no tables for walks and cannot draw, since
 * outcomes would be lost.
 *
 * The rows for walks are shared by all forks, and only env_row adds to them. The rows for steps belong to one
 * fork: it may step while others walk, and a step never moves the pools that a walk reads. Both are built on
 * first use.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digits.h"
#include "base/hash.h"
#include "env/kind.h"
#include "env/walk.h"
#include "model/model.h"
#include "model/propositions.h"

static const uint64_t reset_key = UINT64_MAX; /* key of the reset; larger than any choice */

/* Shared by all forks. */
typedef struct shared_model {
    atomic_uint users;
    const opac_model *model;
    const opac_properties *properties; /* may be NULL */
    env_rows rows;                     /* for walks */
    bool tells_outcomes;
} shared_model;

typedef struct letters {
    atomic_uint users;
    uint64_t *of; /* by state */
} letters;

typedef struct instance {
    shared_model *shared;
    letters *letters; /* NULL before the first bind */
    env_rows rows;    /* for steps */
    stat_rng rng;
    uint32_t state;
    uint32_t branch; /* taken by the last reset or step */
    uint32_t shown;  /* key of the last observation that is not of the episode */
    base_double_vec weights;
    env_split_vec splits;
    base_u64_vec counts;           /* by branch */
    char outcome[BASE_MAX_DIGITS]; /* of the last step */
} instance;

/* ---- observations ---- */

static void observe(const instance *i, const uint32_t *state, opac_observation *observation)
{
    *observation = (opac_observation){.key = state,
                                      .length = sizeof *state,
                                      .letter = i->letters == NULL ? 0 : i->letters->of[*state],
                                      .actions = opac_model_choice_count(i->shared->model, *state)};
}

/* ---- distributions ---- */

typedef struct distribution {
    uint64_t key;
    const double *weights; /* of a reset: equal weights, owned by the instance */
    const uint32_t *targets;
    uint32_t width;
} distribution;

static opac_status reset_distribution(instance *i, distribution *found, opac_error *error)
{
    const base_u32_vec *initial = &i->shared->model->initial;
    TRY(base_double_vec_reserve(&i->weights, initial->count, error));
    for (size_t j = 0; j < initial->count; j++)
        i->weights.items[j] = 1;
    *found = (distribution){reset_key, i->weights.items, initial->items, (uint32_t)initial->count};
    return OPAC_OK;
}

static distribution choice_distribution(const instance *i, uint32_t choice)
{
    const graph_process *process = &i->shared->model->process;
    uint32_t begin = process->edge_begin[choice];
    return (distribution){choice, &process->prob[begin], &process->target[begin],
                          process->edge_begin[choice + 1] - begin};
}

/* The distribution of a state-action pair, or of the reset if key is NULL. */
static opac_status find_distribution(instance *i, const void *key, size_t length, uint32_t action,
                                     distribution *found, opac_error *error)
{
    const opac_model *model = i->shared->model;
    uint32_t state;
    if (key == NULL)
        return reset_distribution(i, found, error);
    if (length != sizeof state)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the key of a state of a model must have %zu bytes, not %zu", sizeof state,
                         length);
    memcpy(&state, key, sizeof state);
    if (state >= opac_model_states(model))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "no state %u: the model has %u",
                         (unsigned)state, (unsigned)opac_model_states(model));
    if (action >= opac_model_choice_count(model, state))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "no action %u in state %u, which has %u",
                         (unsigned)action, (unsigned)state,
                         (unsigned)opac_model_choice_count(model, state));
    *found = choice_distribution(i, opac_model_choice_begin(model, state) + action);
    return OPAC_OK;
}

static opac_status get_row(env_rows *rows, const distribution *of, uint32_t *row, opac_error *error)
{
    if (env_rows_find(rows, of->key, row))
        return OPAC_OK;
    return env_rows_add(rows, of->key, of->weights, of->targets, of->width, row, error);
}

/* ---- one step ---- */

static opac_status sample_step(instance *i, const distribution *of, opac_observation *observation,
                               opac_error *error)
{
    uint32_t row;
    TRY(get_row(&i->rows, of, &row, error));
    i->branch = stat_alias_draw(&i->rows.slots.items[row], of->width, &i->rng);
    i->state = of->targets[i->branch];
    observe(i, &i->state, observation);
    return OPAC_OK;
}

static opac_status reset(void *self, uint64_t seed, opac_observation *observation,
                         opac_error *error)
{
    instance *i = self;
    distribution initial = {0};
    stat_rng_init(&i->rng, seed, 0);
    if (i->shared->model->initial.count > 1) {
        TRY(reset_distribution(i, &initial, error));
        return sample_step(i, &initial, observation, error);
    }
    i->branch = 0;
    i->state = i->shared->model->initial.items[0];
    observe(i, &i->state, observation);
    return OPAC_OK;
}

/* Draws an outcome of the choice's class. Rows of the instance are those of classes then. */
static opac_status sample_outcome(instance *i, uint32_t choice, opac_observation *observation,
                                  opac_error *error)
{
    const model_commands *commands = i->shared->model->commands;
    uint32_t class = commands->class_of.items[choice], row, outcome;
    uint32_t first = commands->first.items[class], width = model_commands_width(commands, class);
    const uint32_t *targets = commands->targets.items + commands->first_target.items[choice];
    if (!env_rows_find(&i->rows, class, &row))
        TRY(env_rows_add(&i->rows, class, commands->prob.items + first, targets, width, &row,
                         error));
    outcome = stat_alias_draw(&i->rows.slots.items[row], width, &i->rng);
    i->state = targets[outcome];
    observe(i, &i->state, observation);
    char *end = i->outcome + sizeof i->outcome, *begin = base_digits(outcome, end);
    observation->row_class =
        base_intern_key(&commands->names, class, &observation->row_class_length);
    observation->outcome = begin;
    observation->outcome_length = (size_t)(end - begin);
    return OPAC_OK;
}

static opac_status step(void *self, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    instance *i = self;
    uint32_t first = opac_model_choice_begin(i->shared->model, i->state);
    if (i->shared->tells_outcomes)
        return sample_outcome(i, first + action, observation, error);
    distribution taken = choice_distribution(i, first + action);
    return sample_step(i, &taken, observation, error);
}

/* ---- many successors ---- */

static opac_status draw_counts(instance *i, const distribution *of, uint64_t n, uint64_t seed,
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
    distribution source = {0};
    TRY(find_distribution(i, key, length, action, &source, error));
    TRY(draw_counts(i, &source, n, seed, error));
    for (uint32_t j = 0; j < source.width; j++) {
        i->shown = source.targets[j];
        observe(i, &i->shown, &seen);
        TRY(opac_draws_add(draws, &seen, i->counts.items[j], error));
    }
    return OPAC_OK;
}

/* Every branch of a model has a positive probability, so the branches are the successors. */
static opac_status successors(void *self, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    instance *i = self;
    opac_observation seen;
    distribution found = {0};
    TRY(find_distribution(i, key, length, action, &found, error));
    for (uint32_t j = 0; j < found.width; j++) {
        i->shown = found.targets[j];
        observe(i, &i->shown, &seen);
        TRY(opac_draws_add(draws, &seen, 1, error));
    }
    return OPAC_OK;
}

/* ---- tables ---- */

/* A reset that is not random uses no random number, as ENV_NO_STEP in a walk. */
static opac_status walk_row(void *self, const void *key, size_t length, uint32_t action,
                            uint32_t *row, uint32_t *width, opac_error *error)
{
    instance *i = self;
    distribution found = {0};
    if (key == NULL && i->shared->model->initial.count == 1) {
        *row = ENV_NO_STEP;
        *width = 1;
        return OPAC_OK;
    }
    TRY(find_distribution(i, key, length, action, &found, error));
    *width = found.width;
    return get_row(&i->shared->rows, &found, row, error);
}

static opac_status walk_branch(void *self, uint32_t row, uint32_t branch,
                               opac_observation *observation, opac_error *error)
{
    instance *i = self;
    const base_u32_vec *targets =
        row == ENV_NO_STEP ? &i->shared->model->initial : &i->shared->rows.targets;
    uint64_t position = row == ENV_NO_STEP ? branch : (uint64_t)row + branch;
    if (position >= targets->count)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "no row has a branch at %llu",
                         (unsigned long long)position);
    i->shown = targets->items[position];
    observe(i, &i->shown, observation);
    return OPAC_OK;
}

static uint32_t last_branch(const void *self)
{
    const instance *i = self;
    return i->branch;
}

static const env_rows *walk_rows(const void *self)
{
    const instance *i = self;
    return &i->shared->rows;
}

static stat_rng *episode_rng(void *self)
{
    instance *i = self;
    return &i->rng;
}

static void move_to(void *self, uint32_t row, uint32_t branch, opac_observation *observation)
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
    const shared_model *from = context;
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

/* ---- creation and release ---- */

static void release_common(shared_model *shared)
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

/* False if this is not the key of a state of the model; a graph with more states has other keys. */
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

static const char *action_name(const void *self, const void *key, size_t length, uint32_t action)
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
                                    .action_name = action_name,
                                    .fingerprint = fingerprint,
                                    .release = release,
                                    .row = walk_row,
                                    .branch = walk_branch,
                                    .last_branch = last_branch,
                                    .rows = walk_rows,
                                    .rng = episode_rng,
                                    .move_to = move_to};

/* The bounds include the branches of the reset, since its distribution has to be learned, too. */
static env_traits describe(const opac_model *model)
{
    const graph_process *process = &model->process;
    env_traits traits = {.random_start = model->initial.count > 1,
                         .can_draw = true,
                         .can_fork = true,
                         .knows_graph = true,
                         .is_model = true,
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

static opac_status create(const opac_model *model, const opac_properties *properties,
                          const env_traits *traits, opac_environment **environment,
                          opac_error *error)
{
    shared_model *shared = base_alloc_zeroed(1, sizeof *shared);
    instance *made = base_alloc_zeroed(1, sizeof *made);
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
    shared->tells_outcomes = traits->tells_outcomes;
    made->shared = shared;
    return env_new(&model_kind, made, traits, environment, error);
}

opac_status opac_environment_of_model(const opac_model *model, const opac_properties *properties,
                                      opac_environment **environment, opac_error *error)
{
    env_traits traits = describe(model);
    return create(model, properties, &traits, environment, error);
}

opac_status opac_environment_of_commands(const opac_model *model, const opac_properties *properties,
                                         opac_environment **environment, opac_error *error)
{
    env_traits traits = describe(model);
    *environment = NULL;
    if (model->commands == NULL)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "only a program in the PRISM language has commands");
    traits.can_draw = traits.is_tabulated = false;
    traits.tells_outcomes = true;
    return create(model, properties, &traits, environment, error);
}
