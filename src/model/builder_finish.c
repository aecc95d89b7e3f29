/* SPDX-License-Identifier: MIT */
/*
 * Turns a builder into a model. Everything that can fail is done before the contents of the builder change,
 * so a failure leaves the builder as it was.
 *
 *     check        does not change anything
 *     prepare      reserves memory for fractions and for the choices of deadlocks, and makes the new model
 *                  with its labels
 *     normalize    merges branches with the same target, in the order of the first ones; drops those of
 *                  probability 0, which readers of files add; divides probabilities by their sum; adds
 *                  self-loops to deadlocks
 *     move arrays  moves the arrays to the model
 *
 * Takes linear time in the size of the model.
 */
#include <string.h>

#include "base/sum.h"
#include "model/builder.h"
#include "model/row.h"

/* ---- branches with the same target ---- */

enum {
    FEW = 16 /* choices with at most this many branches are searched pairwise */
};

/* The sum of two branches as a fraction; MODEL_RATIO_OVERFLOW if it does not fit. */
static base_ratio join_ratios(const opac_builder *builder, size_t into, size_t from)
{
    base_ratio sum =
        base_ratio_add(model_builder_ratio(builder, into), model_builder_ratio(builder, from));
    return base_ratio_is_known(sum) ? sum : MODEL_RATIO_OVERFLOW;
}

/*
 * Extends `exact` to all branches. It must be complete before branches are merged, since afterwards the
 * double is a rounded sum and not the given number.
 */
static opac_status prepare_ratios(opac_builder *builder, opac_error *error)
{
    model_ratio_vec *exact = &builder->exact;
    TRY(model_ratio_vec_reserve(exact, builder->graph.target.count + 1, error));
    while (exact->count < builder->graph.target.count)
        exact->items[exact->count++] = MODEL_RATIO_NONE;
    return OPAC_OK;
}

/* Adds one branch to another, and the rounding error to *rest (base/sum.h). */
static void join(opac_builder *builder, size_t into, size_t from, double *rest)
{
    double *prob = builder->graph.prob.items;
    if (builder->exact.count > 0)
        builder->exact.items[into] = join_ratios(builder, into, from);
    prob[into] = base_sum_add(prob[into], prob[from], rest);
}

static void move(opac_builder *builder, size_t to, size_t from)
{
    builder->graph.target.items[to] = builder->graph.target.items[from];
    builder->graph.prob.items[to] = builder->graph.prob.items[from];
    if (builder->exact.count > 0)
        builder->exact.items[to] = builder->exact.items[from];
}

/*
 * The index of the kept branch of the same choice, first … kept-1, that has the target of branch e; `kept` if
 * there is none. seen[t] is 1 + the index of the last kept branch with the target t; if it belongs to an
 * earlier choice, it is at most `first`.
 */
static size_t find_target(const opac_builder *builder, const uint32_t *seen, bool few, size_t first,
                          size_t kept, size_t e)
{
    const uint32_t *target = builder->graph.target.items;
    if (few) {
        for (size_t i = first; i < kept; i++)
            if (target[i] == target[e])
                return i;
        return kept;
    }
    size_t last = seen[target[e]];
    return last > first ? last - 1 : kept;
}

/* Memory for merging, allocated before anything changes. */
typedef struct merge_plan {
    bool wanted;
    uint32_t *seen; /* NULL if all choices have few branches */
    double *
        rest; /* by state: rounding error of merging branches to it; 0 outside the current choice */
} merge_plan;

/* Adds the rounding errors of merging to the branches of a choice. */
static void add_rests(opac_builder *builder, size_t first, size_t kept, double *rest)
{
    for (size_t e = first; e < kept; e++) {
        double *own = &rest[builder->graph.target.items[e]];
        builder->graph.prob.items[e] += *own;
        *own = 0;
    }
}

/* Merges branches with the same target and compacts the arrays. All targets must exist. */
static void merge_branches(opac_builder *builder, const merge_plan *plan)
{
    uint32_t *seen = plan->seen;
    base_u32_vec *edge_begin = &builder->graph.edge_begin;
    size_t kept = 0;
    for (size_t c = 0; c < edge_begin->count; c++) {
        size_t begin, end, first = kept;
        model_builder_branches(builder, c, &begin, &end);
        edge_begin->items[c] = (uint32_t)first;
        bool few = seen == NULL || end - begin <= FEW;
        for (size_t e = begin; e < end; e++) {
            if (builder->graph.prob.items[e] == 0)
                continue;
            size_t at = find_target(builder, seen, few, first, kept, e);
            if (at < kept) {
                join(builder, at, e, &plan->rest[builder->graph.target.items[e]]);
                continue;
            }
            if (kept < e)
                move(builder, kept, e);
            kept++;
            if (!few)
                seen[builder->graph.target.items[at]] = (uint32_t)kept;
        }
        add_rests(builder, first, kept, plan->rest);
    }
    builder->graph.target.count = builder->graph.prob.count = kept;
    if (builder->exact.count > 0)
        builder->exact.count = kept;
}

/* Whether a choice of at most FEW branches needs merging. *many is set if there are larger choices. */
static bool needs_merge(const opac_builder *builder, bool *many)
{
    const uint32_t *target = builder->graph.target.items;
    bool twice = false;
    *many = false;
    for (size_t c = 0; c < builder->graph.edge_begin.count; c++) {
        size_t begin, end;
        model_builder_branches(builder, c, &begin, &end);
        *many = *many || end - begin > FEW;
        for (size_t e = begin; !twice && end - begin <= FEW && e < end; e++) {
            twice = builder->graph.prob.items[e] == 0;
            for (size_t i = begin; i < e; i++)
                twice = twice || target[i] == target[e];
        }
    }
    return twice;
}

static opac_status plan_merge(const opac_builder *builder, merge_plan *plan, opac_error *error)
{
    bool many;
    size_t states = model_builder_states(builder);
    plan->wanted = needs_merge(builder, &many) || many;
    if (!plan->wanted)
        return OPAC_OK;
    plan->rest = base_alloc_zeroed(states, sizeof *plan->rest);
    if (many)
        plan->seen = base_alloc_zeroed(states, sizeof *plan->seen);
    if (plan->rest == NULL || (many && plan->seen == NULL))
        return base_fail_memory(error);
    return OPAC_OK;
}

/* ---- deadlocks ---- */

static size_t count_deadlocks(const opac_builder *builder, size_t *first)
{
    size_t count = 0;
    for (size_t s = model_builder_states(builder); s > 0; s--) {
        size_t begin, end;
        model_builder_choices(builder, s - 1, &begin, &end);
        if (begin == end) {
            *first = s - 1;
            count++;
        }
    }
    return count;
}

static opac_status reserve_loops(opac_builder *builder, size_t count, opac_error *error)
{
    graph_builder *graph = &builder->graph;
    size_t choices = graph->edge_begin.count + count, branches = graph->target.count + count;
    TRY(graph_builder_reserve(graph, graph->choice_begin.count, choices, branches, error));
    if (builder->action.count > 0)
        TRY(base_u32_vec_reserve(&builder->action, choices, error));
    if (builder->exact.items != NULL)
        TRY(model_ratio_vec_reserve(&builder->exact, branches, error));
    return OPAC_OK;
}

/* Moves a choice to index `to`, and its branches to the indices before `new_end`; returns their begin. */
static size_t move_choice(opac_builder *builder, size_t to, size_t from, size_t begin, size_t end,
                          size_t new_end)
{
    size_t to_begin = new_end - (end - begin);
    for (size_t e = end; e > begin; e--)
        move(builder, to_begin + (e - 1 - begin), e - 1);
    if (builder->action.count > 0)
        builder->action.items[to] = builder->action.items[from];
    return to_begin;
}

static void put_loop(opac_builder *builder, size_t choice, size_t branch, size_t state)
{
    builder->graph.target.items[branch] = (uint32_t)state;
    builder->graph.prob.items[branch] = 1;
    if (builder->exact.items != NULL)
        builder->exact.items[branch] = base_ratio_of_integer(1);
    if (builder->action.count > 0)
        builder->action.items[choice] = 0;
}

/*
 * Inserts a loop at each deadlock. Goes from the last state to the first, so items move up into free
 * space.
 */
static void insert_loops(opac_builder *builder, size_t count)
{
    graph_builder *graph = &builder->graph;
    size_t old_choice = graph->edge_begin.count, old_branch = graph->target.count;
    size_t choice = old_choice + count, branch = old_branch + count;
    size_t choices = choice, branches = branch;
    for (size_t s = graph->choice_begin.count; choice > old_choice; s--) {
        size_t begin = graph->choice_begin.items[s - 1];
        if (begin == old_choice)
            put_loop(builder, --choice, --branch, s - 1);
        if (begin == old_choice)
            graph->edge_begin.items[choice] = (uint32_t)branch;
        for (size_t c = old_choice; c > begin; c--) {
            size_t first = graph->edge_begin.items[c - 1];
            branch = move_choice(builder, --choice, c - 1, first, old_branch, branch);
            graph->edge_begin.items[choice] = (uint32_t)branch;
            old_branch = first;
        }
        old_choice = begin;
        graph->choice_begin.items[s - 1] = (uint32_t)choice;
    }
    graph->edge_begin.count = choices;
    graph->target.count = graph->prob.count = branches;
    if (builder->action.count > 0)
        builder->action.count = choices;
    if (builder->exact.items != NULL)
        builder->exact.count = branches;
}

/* ---- labels ---- */

static opac_status add_labels(const opac_builder *builder, opac_model *model, opac_error *error)
{
    TRY(model_label_add(model, "init", 4, error));
    TRY(model_label_add(model, "deadlock", 8, error));
    for (uint32_t i = 0; i < builder->label_names.count; i++) {
        size_t length;
        const unsigned char *name = base_intern_key(&builder->label_names, i, &length);
        TRY(model_label_add(model, (const char *)name, length, error));
    }
    for (size_t i = 0; i < builder->label_entries.count; i++)
        base_bitset_add(&model->labels.items[builder->label_entries.items[i].label].states,
                        builder->label_entries.items[i].state);
    for (size_t s = 0; s < model_builder_states(builder); s++) {
        size_t begin, end;
        model_builder_choices(builder, s, &begin, &end);
        if (begin == end)
            base_bitset_add(&model->labels.items[MODEL_LABEL_DEADLOCK].states, s);
    }
    return model_set_initial(model, error);
}

/* ---- completion ---- */

/* Divides the fractions of a choice by their sum; model_builder_check has checked that the results fit. */
static void normalize_ratios(opac_builder *builder, size_t begin, size_t end)
{
    base_ratio *ratio = builder->exact.items, sum = model_builder_ratio_sum(builder, begin, end);
    for (size_t e = begin; e < end; e++) {
        if (sum.numerator != sum.denominator)
            ratio[e] = base_ratio_divide(ratio[e], sum);
        builder->graph.prob.items[e] = base_ratio_to_double(ratio[e]);
    }
}

/* Divides probabilities by their sum where it is not 1. With fractions they become the nearest doubles. */
static void normalize_probabilities(opac_builder *builder, bool exact)
{
    double *prob = builder->graph.prob.items;
    for (size_t c = 0; c < builder->graph.edge_begin.count; c++) {
        size_t begin, end;
        model_builder_branches(builder, c, &begin, &end);
        if (exact)
            normalize_ratios(builder, begin, end);
        else
            model_row_divide(prob + begin, end - begin);
    }
}

static void fill_ratios(opac_builder *builder)
{
    for (size_t e = 0; e < builder->exact.count; e++)
        builder->exact.items[e] = model_builder_ratio(builder, e);
}

/* Does everything that can fail: makes the other parts of the model, and reserves memory in the arrays. */
static opac_status prepare(opac_builder *builder, bool exact, size_t deadlocks, merge_plan *plan,
                           opac_model *made, opac_error *error)
{
    uint32_t none;
    made->process.state_count = (uint32_t)model_builder_states(builder); /* for the labels */
    TRY(plan_merge(builder, plan, error));
    if (exact)
        TRY(prepare_ratios(builder, error));
    TRY(reserve_loops(builder, deadlocks, error));
    if (builder->actions.count == 0)
        TRY(model_action_add(&builder->actions, "", 0, &none, error));
    return add_labels(builder, made, error);
}

/* Gives the arrays the form that the model needs. Memory is reserved. */
static void normalize(opac_builder *builder, bool exact, size_t deadlocks, const merge_plan *plan)
{
    if (plan->wanted)
        merge_branches(builder, plan);
    if (exact)
        fill_ratios(builder);
    normalize_probabilities(builder, exact);
    if (deadlocks > 0)
        insert_loops(builder, deadlocks);
}

/* Moves the arrays to the model and leaves the builder empty. Memory for the final offsets is reserved. */
static opac_status move_arrays(opac_builder *builder, bool exact, opac_model *made,
                               opac_error *error)
{
    TRY(graph_builder_finish(&builder->graph, &made->process, error));
    made->type = builder->type;
    made->exact = exact ? builder->exact.items : NULL;
    if (exact)
        builder->exact = (model_ratio_vec){0};
    made->action = builder->action.items;
    made->actions = builder->actions;
    made->layout = builder->layout;
    made->rows = builder->rows.items;
    builder->action = (base_u32_vec){0};
    builder->layout = (model_layout){0};
    builder->rows = (base_u64_vec){0};
    base_intern_init(&builder->actions);
    base_intern_fini(&builder->label_names);
    base_intern_init(&builder->label_names);
    model_label_entry_vec_fini(&builder->label_entries);
    model_ratio_vec_fini(&builder->exact);
    return OPAC_OK;
}

static void warn_deadlocks(size_t count, size_t first, model_report *report)
{
    if (count == 1)
        model_report_warning(report, 0, 0,
                             "state %zu has no choices (a deadlock); a self-loop is added", first);
    else if (count > 1)
        model_report_warning(report, 0, 0,
                             "%zu states have no choices (deadlocks), the first is state %zu; a "
                             "self-loop is added to each",
                             count, first);
}

opac_status model_builder_finish(opac_builder *builder, bool exact, const model_branch_lines *lines,
                                 model_report *report, opac_model **model, opac_error *error)
{
    size_t first = 0, deadlocks = count_deadlocks(builder, &first);
    TRY(model_builder_check(builder, exact, lines, report, error));
    opac_model *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    merge_plan plan = {0};
    opac_status status;
    TRY_OR(done, prepare(builder, exact, deadlocks, &plan, made, error));
    normalize(builder, exact, deadlocks, &plan);
    TRY_OR(done, move_arrays(builder, exact, made, error));
    warn_deadlocks(deadlocks, first, report);
    *model = made;
    made = NULL;
done:
    base_free(plan.seen);
    base_free(plan.rest);
    opac_model_free(made);
    return status;
}

opac_status opac_builder_finish(opac_builder *builder, const opac_model_options *options,
                                opac_model **model, opac_error *error)
{
    static const opac_model_options none = {0};
    model_report report;
    options = options != NULL ? options : &none;
    model_report_init(&report, options->listener, options->listener_context, NULL, NULL, 0);
    opac_status status = model_builder_finish(builder, options->exact, NULL, &report, model, error);
    model_report_fini(&report);
    return status;
}
