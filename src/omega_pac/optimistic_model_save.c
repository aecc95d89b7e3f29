/* SPDX-License-Identifier: MIT */
/*
 * The optimistic model as words of a checkpoint: everything that later updates depend on.
 *
 *     number of product states, solves, nodes, lower, upper of the start      doubles by their bits
 *     by product state:   choice, toward                                      high and low half of a word
 *                         upper
 *                         flags
 *
 * Paths and processes are recomputed.
 */
#include "base/bits.h"
#include "omega_pac/optimistic_model_form.h"

enum {
    HEAD = 5,
    EACH = 3
};

opac_status omega_pac_optimistic_model_save(const omega_pac_optimistic_model *o,
                                            base_u64_vec *words, opac_error *error)
{
    const omega_pac_entry_vec *entries = &o->entries;
    TRY(base_u64_vec_reserve(words, words->count + HEAD + EACH * entries->count, error));
    uint64_t *at = words->items + words->count;
    *at++ = entries->count;
    *at++ = o->solves;
    *at++ = o->nodes;
    *at++ = base_double_to_bits(o->value.lower);
    *at++ = base_double_to_bits(o->value.upper);
    for (size_t i = 0; i < entries->count; i++) {
        const omega_pac_entry *entry = &entries->items[i];
        *at++ = (uint64_t)entry->choice << 32 | entry->toward;
        *at++ = base_double_to_bits(entry->upper);
        *at++ = entry->flags;
    }
    words->count += HEAD + EACH * entries->count;
    return OPAC_OK;
}

/* ---- restoring ---- */

static bool is_probability(double value)
{
    return value >= 0 && value <= 1;
}

static bool is_possible(const sample_statistics *stats, uint32_t product_state,
                        const omega_pac_entry *entry, uint64_t flags)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    bool has_choice = entry->choice == SAMPLE_NONE ||
                      (entry->choice >= p->choice && entry->choice - p->choice < p->choices);
    bool has_toward = entry->toward == SAMPLE_NONE || entry->toward < stats->product_states.count;
    return has_choice && has_toward && is_probability(entry->upper) &&
           flags <= (OMEGA_PAC_SURE | OMEGA_PAC_CLOSED) &&
           (flags == 0 || entry->choice != SAMPLE_NONE); /* if it is sure it has a choice */
}

static opac_status fail_misfit(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the policy does not match the observations");
}

opac_status omega_pac_optimistic_model_restore(omega_pac_optimistic_model *o, const uint64_t *words,
                                               size_t count, opac_error *error)
{
    if (count < HEAD || words[0] > o->stats->product_states.count ||
        count != HEAD + EACH * words[0])
        return fail_misfit(error);
    omega_pac_value value = {base_bits_to_double(words[3]), base_bits_to_double(words[4])};
    if (!is_probability(value.lower) || !is_probability(value.upper) || value.lower > value.upper)
        return fail_misfit(error);
    omega_pac_optimistic_model_drop_path(o);
    o->entries.count = 0;
    o->changes.count = 0;
    o->all_changed = true;
    TRY(omega_pac_optimistic_model_grow(o, error));
    for (uint32_t product_state = 0; product_state < words[0]; product_state++) {
        const uint64_t *at = words + HEAD + EACH * (size_t)product_state;
        omega_pac_entry *entry = &o->entries.items[product_state];
        entry->choice = (uint32_t)(at[0] >> 32);
        entry->toward = (uint32_t)at[0];
        entry->upper = base_bits_to_double(at[1]);
        if (!is_possible(o->stats, product_state, entry, at[2]))
            return fail_misfit(error);
        entry->flags = (uint32_t)at[2];
    }
    o->entries.count = (size_t)words[0]; /* as saved; the next update adds the others */
    o->solves = words[1];
    o->nodes = words[2];
    o->value = value;
    return OPAC_OK;
}
