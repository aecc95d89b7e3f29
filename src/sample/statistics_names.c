/* SPDX-License-Identifier: MIT */
/*
 * The names of actions. A simulator program names the actions of a state when it reports the state, so each copy
 * of it knows only the states that it has reported, and a resumed one fewer still. The statistics keep what any
 * copy knew, so that policies do not depend on threads and interruptions.
 */
#include <string.h>

#include "sample/statistics_form.h"

static const char *ask(opac_environment *const *envs, unsigned count, const void *key,
                       size_t length, uint32_t action)
{
    const char *name = "";
    for (unsigned i = 0; i < count && *name == '\0'; i++)
        name = env_action_name(envs[i], key, length, action);
    return name;
}

opac_status sample_statistics_set_name(sample_statistics *stats, uint32_t row, const char *name,
                                       opac_error *error)
{
    uint32_t id;
    TRY(base_u32_vec_reserve(&stats->row_names, stats->rows.count, error));
    while (stats->row_names.count < stats->rows.count)
        stats->row_names.items[stats->row_names.count++] = SAMPLE_NONE;
    TRY(base_intern_add(&stats->names, name, strlen(name) + 1, &id, NULL, error));
    stats->row_names.items[row] = id;
    return OPAC_OK;
}

opac_status sample_statistics_take_names(sample_statistics *stats, opac_environment *const *envs,
                                         unsigned count, opac_error *error)
{
    if (stats->is_tabulated)
        return OPAC_OK;
    for (; stats->named < stats->states.count; stats->named++) {
        const sample_state *state = &stats->states.items[stats->named];
        size_t length;
        const void *key = base_intern_key(&stats->keys, stats->named, &length);
        for (uint32_t a = 0; a < state->actions; a++) {
            const char *name = ask(envs, count, key, length, a);
            if (*name != '\0')
                TRY(sample_statistics_set_name(stats, state->row + a, name, error));
        }
    }
    return OPAC_OK;
}

const char *sample_statistics_action_name(const sample_statistics *stats, uint32_t row)
{
    size_t length;
    const sample_row *r = &stats->rows.items[row];
    if (row < stats->row_names.count && stats->row_names.items[row] != SAMPLE_NONE)
        return (const char *)base_intern_key(&stats->names, stats->row_names.items[row], &length);
    const void *key = base_intern_key(&stats->keys, r->state, &length);
    return env_action_name(stats->env, key, length, r->action);
}
