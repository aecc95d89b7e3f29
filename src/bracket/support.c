/* SPDX-License-Identifier: MIT */
/*
 * Which rows are complete: see support.h. Each refresh examines all incomplete rows, which costs little
 * compared with the solving that follows. n_i is a function of i and the row's p_min, and is computed once.
 */
#include "bracket/support.h"

#include <math.h>
#include <string.h>

#include "aut/automaton.h"
#include "bracket/support_form.h"
#include "graph/process.h"
#include "stat/sequence.h"

/* ---- construction ---- */

static opac_status check(const sample_statistics *stats, const bracket_support_options *options,
                         opac_error *error)
{
    if (options->pmin != 0 && !(options->pmin > 0 && options->pmin <= 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "p_min must lie in (0, 1]");
    if (options->pmin_start != 0 && !(options->pmin_start > 0 && options->pmin_start <= 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the start's p_min must lie in (0, 1]");
    if (options->pmin == 0 && options->pmin_of == NULL && options->graph == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "neither p_min nor the graph is known");
    if (!(options->delta > 0 && options->delta < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "delta must lie between 0 and 1");
    if (stats->count_pairs)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "supports need counters by row");
    if (options->graph != NULL && !env_get_traits(options->graph).knows_graph)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the environment does not know its graph");
    return OPAC_OK;
}

static opac_status prepare(bracket_support *s, opac_error *error)
{
    const bracket_support_options *o = &s->options;
    bool is_alike = s->stats->classes != NULL;
    s->budget = sample_budget_of(o->delta, o->graph != NULL && !is_alike, o->has_trials, o->rows);
    s->found = (sample_refutation){.row = SAMPLE_NONE, .state = SAMPLE_NONE};
    const sample_class_sets_options classes = {.budget = s->budget, .pmin = o->pmin_outcome};
    return is_alike ? sample_class_sets_new(s->stats, &classes, &s->classes, error) : OPAC_OK;
}

opac_status bracket_support_new(sample_statistics *stats, const bracket_support_options *options,
                                bracket_support **support, opac_error *error)
{
    const opac_automaton *a = stats->automaton;
    TRY(check(stats, options, error));
    if (options->graph != NULL && options->graph != stats->env)
        TRY(env_bind(options->graph, (const char *const *)a->propositions, a->proposition_count,
                     error));
    bracket_support *s = base_alloc_zeroed(1, sizeof *s);
    if (s == NULL)
        return base_fail_memory(error);
    s->stats = stats;
    s->options = *options;
    opac_status status = prepare(s, error);
    if (status != OPAC_OK) {
        bracket_support_free(s);
        return status;
    }
    stats->known_when_complete = true;
    stats->rows_are_open = stats->rows_become_complete = options->graph == NULL;
    stats->has_batches = stats->rows_are_open && options->has_batches;
    *support = s;
    return OPAC_OK;
}

void bracket_support_free(bracket_support *s)
{
    if (s == NULL)
        return;
    bracket_support_row_vec_fini(&s->rows);
    bracket_interval_vec_fini(&s->intervals);
    base_u32_vec_fini(&s->branches);
    bracket_mark_vec_fini(&s->marks);
    sample_class_sets_free(s->classes);
    sample_found_vec_fini(&s->discoveries);
    base_free(s);
}

/* ---- shares ---- */

uint64_t bracket_support_index(const bracket_support *s, uint32_t row)
{
    (void)s;
    return (uint64_t)row + 1; /* rows are numbered in the order of discovery */
}

double bracket_support_most_by(double pmin)
{
    return pmin > 0 ? floor((1 + BRACKET_ROUNDING) / pmin) : INFINITY;
}

double bracket_support_most_by_pmin(const bracket_support *s, uint32_t row)
{
    return bracket_support_most_by(bracket_support_pmin(s, row));
}

double bracket_support_most_successors(const bracket_support *s, uint32_t row)
{
    double most = bracket_support_most_by_pmin(s, row), declared = (double)s->options.branching;
    return declared > 0 && declared < most ? declared : most;
}

uint64_t bracket_support_visits(const bracket_support *s, uint32_t row)
{
    if (s->options.graph != NULL)
        return 0;
    if (bracket_support_is_start(s, row))
        return UINT64_MAX;
    if (bracket_support_is_alike(s, row))
        return 1; /* a few visits complete it: the actions of a state take turns at each visit */
    double log_alpha = sample_budget_log_support(&s->budget, bracket_support_index(s, row));
    uint64_t visits =
        stat_support_visits(bracket_support_pmin(s, row), bracket_support_most_successors(s, row),
                            log_alpha - BRACKET_ROUNDING * (1 + fabs(log_alpha)));
    return s->options.visits_divisor > 0
               ? (uint64_t)ceil((double)visits / s->options.visits_divisor)
               : visits;
}

/*
 * n_i of the rows from `first` to `last`, which have the same p_min. Then n_i never decreases with i, and it
 * rises slowly for large i. So rows between two rows with equal n_i need no computation.
 */
static void fill_visits(bracket_support *s, size_t first, size_t last)
{
    bracket_support_row *rows = s->rows.items;
    size_t stride = 1;
    rows[first].visits = bracket_support_visits(s, (uint32_t)first);
    while (first < last) {
        size_t end = last - first < stride ? last : first + stride;
        uint64_t visits = bracket_support_visits(s, (uint32_t)end);
        bool is_same = visits == rows[first].visits;
        if (!is_same && end > first + 1) {
            stride = (end - first) / 2;
            continue;
        }
        for (size_t i = first + 1; i <= end; i++)
            rows[i].visits = visits;
        first = end;
        stride = is_same ? 2 * stride : 1;
    }
}

/* n_i is then the same function of i. */
static bool have_same_pmin(const bracket_support *s, size_t row, size_t other)
{
    return bracket_support_pmin(s, (uint32_t)row) == bracket_support_pmin(s, (uint32_t)other);
}

opac_status bracket_support_grow_to(bracket_support *s, size_t count, const uint64_t *pmin,
                                    opac_error *error)
{
    size_t first = s->rows.count;
    TRY(bracket_support_row_vec_reserve(&s->rows, count, error));
    for (size_t i = first; i < count; i++) {
        bracket_support_row *row = &s->rows.items[i];
        *row = (bracket_support_row){
            .checked_count = UINT64_MAX, .interval_count = UINT64_MAX, .refuting = SAMPLE_NONE};
        if (pmin != NULL)
            memcpy(&row->pmin, &pmin[i], sizeof row->pmin);
        else if (s->options.pmin_of != NULL && i != s->stats->reset_row)
            TRY(bracket_support_ask(s, s->stats, (uint32_t)i, &row->pmin, error));
    }
    for (size_t end; first < count; first = end) {
        for (end = first + 1; end < count && have_same_pmin(s, first, end);)
            end++;
        fill_visits(s, first, end - 1);
    }
    s->rows.count = count > s->rows.count ? count : s->rows.count;
    return OPAC_OK;
}

opac_status bracket_support_grow(bracket_support *s, opac_error *error)
{
    return bracket_support_grow_to(s, s->stats->rows.count, NULL, error);
}

/* ---- becoming complete ---- */

/* A row that grows moves to the end, with twice the places. */
opac_status bracket_support_reserve_intervals(bracket_support *s, uint32_t row, uint32_t width,
                                              opac_error *error)
{
    bracket_support_row *r = &s->rows.items[row];
    size_t begin = s->intervals.count, places = r->capacity > 0 ? 2 * (size_t)width : width;
    if (width <= r->capacity)
        return OPAC_OK;
    if (begin + places > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions seen",
                         (unsigned)GRAPH_LARGEST);
    TRY(bracket_interval_vec_reserve(&s->intervals, begin + places, error));
    s->intervals.count += places;
    r->begin = (uint32_t)begin;
    r->capacity = (uint32_t)places;
    return OPAC_OK;
}

opac_status bracket_support_complete_row(bracket_support *s, uint32_t row,
                                         const base_u32_vec *branches, opac_error *error)
{
    TRY(sample_statistics_complete(s->stats, row, branches->items, (uint32_t)branches->count,
                                   error));
    s->rows.items[row].interval_count = UINT64_MAX;
    return bracket_support_reserve_intervals(s, row, (uint32_t)branches->count, error);
}

/* The branches with observations, in s->branches. */
static opac_status find_branches(bracket_support *s, uint32_t row, opac_error *error)
{
    uint32_t width = s->stats->rows.items[row].width;
    s->branches.count = 0;
    for (uint32_t b = 0; b < width; b++)
        if (sample_statistics_observed(s->stats, row, b) > 0)
            TRY(base_u32_vec_push(&s->branches, b, error));
    return OPAC_OK;
}

/*
 * Whether a row has become complete. Branches without counted observations are ignored: which ones exist
 * depends on where episodes were interrupted.
 */
static bool has_become_complete(const bracket_support *s, uint32_t row)
{
    const sample_counter *counter = &s->stats->counters.items[row];
    if (counter->complete || counter->count == 0 || s->options.graph != NULL ||
        bracket_support_is_start(s, row))
        return false;
    uint32_t seen = 0, width = s->stats->rows.items[row].width;
    bool has_count =
        counter->count >= s->rows.items[row].visits || bracket_support_has_no_mass(s, row);
    if (has_count && !bracket_support_is_alike(s, row))
        return true;
    double branching = bracket_support_most_successors(s, row);
    if ((double)width < branching)
        return false;
    for (uint32_t b = 0; b < width; b++)
        seen += sample_statistics_observed(s->stats, row, b) > 0;
    return (double)seen >= branching;
}

bool bracket_support_is_plain(const bracket_support *s, uint32_t row)
{
    const sample_counter *counter = &s->stats->counters.items[row];
    if (s->options.graph != NULL)
        return true;
    if (bracket_support_is_alike(s, row))
        return true;
    return counter->complete &&
           (counter->count >= s->rows.items[row].visits ||
            (double)counter->ordered >= bracket_support_most_successors(s, row));
}

static opac_status complete_rows(bracket_support *s, uint64_t *changed, opac_error *error)
{
    for (uint32_t row = 0; row < s->rows.count; row++) {
        bool is_complete = has_become_complete(s, row);
        if (!is_complete && bracket_support_is_alike(s, row) &&
            !bracket_support_is_complete(s, row))
            TRY(bracket_alike_is_complete(s, row, &is_complete, error));
        if (!is_complete)
            continue;
        TRY(find_branches(s, row, error));
        TRY(bracket_support_complete_row(s, row, &s->branches, error));
        ++*changed;
    }
    return OPAC_OK;
}

void bracket_support_set_cancel(bracket_support *s, const opac_cancel *cancel)
{
    s->cancel = cancel;
}

opac_status bracket_support_refresh(bracket_support *s, uint64_t *changed, opac_error *error)
{
    *changed = 0;
    TRY(bracket_support_grow(s, error));
    if (s->options.graph == NULL)
        TRY(complete_rows(s, changed, error));
    else if (!s->explored && s->stats->start != SAMPLE_NONE)
        TRY(bracket_support_explore(s, changed, error));
    return sample_statistics_refresh(s->stats, NULL, error);
}
