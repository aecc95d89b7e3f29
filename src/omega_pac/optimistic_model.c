/* SPDX-License-Identifier: MIT */
/*
 * Updates of the optimistic model:
 *
 *     update ─► repair ──(it did not succeed, or the model is small)──► build the model ─► solver ─► entries
 *
 * Each product state has an entry, kept from one update to the next: its choice, an upper bound on its
 * value, and the direction to an unknown choice. An update by repair costs time linear in the product
 * states concerned. One that needs the solver is linear in the optimistic model, plus the solver's work.
 */
#include "omega_pac/optimistic_model.h"

#include "base/work.h"
#include "omega_pac/optimistic_model_form.h"

#define DEFAULT_PRECISION 1e-9

/*
 * A counter takes k samples to become known, and solving takes as long as some hundred samples for each
 * node. So models with less than k / SAMPLES_A_NODE nodes are small, and those that are solved in
 * negligible time. Since the population sampler's cost does not depend on k, there is an upper limit.
 */
enum {
    SAMPLES_A_NODE = 256,
    ALWAYS_SMALL = 64,
    NEVER_SMALL = 4096,
    MANY_CHOICES = 65536 /* models with more are not small, however few nodes they have */
};

/* ---- construction ---- */

/*
 * Gives the sink's loop a mark that the condition does not name, with a Rabin pair of its own. If all 64
 * marks are named, the loop has the marks by which the first pair accepts. (If no pair can accept, no mark
 * is named.)
 */
static opac_status mark_sink(omega_pac_optimistic_model *o, opac_error *error)
{
    uint64_t named = 0;
    for (size_t i = 0; i < o->pairs.count; i++)
        named |= o->pairs.items[i].fin | o->pairs.items[i].inf;
    o->named = named;
    if (named == UINT64_MAX) {
        o->sink_marks = o->pairs.items[0].inf & ~o->pairs.items[0].fin;
        return OPAC_OK;
    }
    o->sink_marks = ~named & (named + 1); /* the lowest that is not named */
    return omega_pac_solve_pair_vec_push(&o->pairs, (solve_rabin_pair){.inf = o->sink_marks},
                                         error);
}

/* Copies the Rabin pairs of the condition that can accept. */
static opac_status copy_pairs(omega_pac_optimistic_model *o,
                              const omega_pac_optimistic_model_options *options, opac_error *error)
{
    for (uint32_t i = 0; i < options->pair_count; i++)
        if ((options->pairs[i].inf & ~options->pairs[i].fin) != 0)
            TRY(omega_pac_solve_pair_vec_push(&o->pairs, options->pairs[i], error));
    return OPAC_OK;
}

opac_status omega_pac_optimistic_model_new(sample_statistics *stats,
                                           const omega_pac_optimistic_model_options *options,
                                           omega_pac_optimistic_model **model, opac_error *error)
{
    omega_pac_optimistic_model *o = base_alloc_zeroed(1, sizeof *o);
    if (o == NULL)
        return base_fail_memory(error);
    o->stats = stats;
    o->options = *options;
    o->options.pairs = NULL;
    if (!(o->options.precision > 0))
        o->options.precision = DEFAULT_PRECISION;
    o->value = (omega_pac_value){1, 1};
    opac_status status;
    TRY_OR(done, copy_pairs(o, options, error));
    TRY_OR(done, mark_sink(o, error));
    status = solve_solver_new(&o->solver, error);
done:
    if (status == OPAC_OK)
        *model = o;
    else
        omega_pac_optimistic_model_free(o);
    return status;
}

void omega_pac_optimistic_model_free(omega_pac_optimistic_model *o)
{
    if (o == NULL)
        return;
    omega_pac_solve_pair_vec_fini(&o->pairs);
    solve_solver_free(o->solver);
    graph_workspace_fini(&o->workspace);
    omega_pac_entry_vec_fini(&o->entries);
    sample_process_fini(&o->process);
    base_u32_vec_fini(&o->changes);
    omega_pac_decision_vec_fini(&o->pending);
    base_u32_vec_fini(&o->path);
    base_u32_vec_fini(&o->queue);
    base_u32_vec_fini(&o->parent);
    base_free(o);
}

/* ---- entries ---- */

static omega_pac_entry new_entry(void)
{
    return (omega_pac_entry){.upper = 1, .choice = SAMPLE_NONE, .toward = SAMPLE_NONE};
}

opac_status omega_pac_optimistic_model_grow(omega_pac_optimistic_model *o, opac_error *error)
{
    size_t needed = o->stats->product_states.count;
    TRY(omega_pac_entry_vec_reserve(&o->entries, needed, error));
    while (o->entries.count < needed)
        o->entries.items[o->entries.count++] = new_entry();
    return OPAC_OK;
}

static void reset_entries(omega_pac_optimistic_model *o)
{
    omega_pac_optimistic_model_drop_path(o);
    for (size_t i = 0; i < o->entries.count; i++)
        o->entries.items[i] = new_entry();
    o->stamp = 0;
}

uint32_t omega_pac_optimistic_model_unknown(const sample_statistics *stats, uint32_t product_state,
                                            uint32_t from)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    for (uint32_t c = p->choice + from; c < p->choice + p->choices; c++)
        if (!sample_statistics_is_known(stats, c))
            return c;
    return SAMPLE_NONE;
}

uint32_t omega_pac_optimistic_model_choice(const omega_pac_optimistic_model *o,
                                           uint32_t product_state)
{
    if (product_state < o->entries.count && o->entries.items[product_state].choice != SAMPLE_NONE)
        return o->entries.items[product_state].choice;
    uint32_t unknown = omega_pac_optimistic_model_unknown(o->stats, product_state, 0);
    return unknown != SAMPLE_NONE ? unknown : o->stats->product_states.items[product_state].choice;
}

/* ---- updates ---- */

opac_status omega_pac_optimistic_model_note_change(omega_pac_optimistic_model *o,
                                                   uint32_t product_state, opac_error *error)
{
    return base_u32_vec_push(&o->changes, product_state, error);
}

static opac_status check_cancel(const omega_pac_optimistic_model *o, opac_error *error)
{
    if (opac_cancel_requested(o->options.cancel))
        return base_fail_stopped(error, o->options.cancel, "updating the policy");
    return OPAC_OK;
}

static opac_status begin(omega_pac_optimistic_model *o, opac_error *error)
{
    o->changes.count = 0;
    o->all_changed = false;
    TRY(check_cancel(o, error));
    return omega_pac_optimistic_model_grow(o, error);
}

opac_status omega_pac_optimistic_model_solve_canonical(omega_pac_optimistic_model *o,
                                                       opac_error *error)
{
    TRY(begin(o, error));
    if (o->stats->start == SAMPLE_NONE)
        return OPAC_OK;
    reset_entries(o);
    o->all_changed = true;
    return omega_pac_optimistic_model_solve(o, true, error);
}

static bool is_small(const omega_pac_optimistic_model *o)
{
    uint64_t limit = o->stats->k / SAMPLES_A_NODE;
    if (limit < ALWAYS_SMALL)
        limit = ALWAYS_SMALL;
    return o->nodes <= limit && o->nodes < NEVER_SMALL && o->stats->choices.count <= MANY_CHOICES;
}

bool omega_pac_optimistic_model_must_solve(const omega_pac_optimistic_model *o)
{
    return o->solves == 0 || o->options.never_repair || (o->options.solve_small && is_small(o));
}

opac_status omega_pac_optimistic_model_update(omega_pac_optimistic_model *o,
                                              const base_u32_vec *changed, opac_error *error)
{
    bool done = false;
    if (changed == NULL)
        return omega_pac_optimistic_model_solve_canonical(o, error);
    TRY(begin(o, error));
    if (o->stats->start == SAMPLE_NONE)
        return OPAC_OK;
    TRY(omega_pac_optimistic_model_repair(o, changed, &done, error));
    if (!done || omega_pac_optimistic_model_must_solve(o))
        TRY(omega_pac_optimistic_model_solve(o, false, error));
    return OPAC_OK;
}

bool omega_pac_optimistic_model_changes(const omega_pac_optimistic_model *o,
                                        const uint32_t **product_states, size_t *count)
{
    *product_states = o->changes.items;
    *count = o->changes.count;
    return !o->all_changed;
}

omega_pac_value omega_pac_optimistic_model_value(const omega_pac_optimistic_model *o)
{
    return o->value;
}

uint64_t omega_pac_optimistic_model_solves(const omega_pac_optimistic_model *o)
{
    return o->solves;
}
