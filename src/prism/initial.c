/* SPDX-License-Identifier: MIT */
/*
 * Backtracking search over the variables in their order. A conjunct of the condition is evaluated as soon as
 * all its variables have values, and x=3 restricts x to one value; so a few solutions are found without
 * enumerating all valuations. A conjunct that can fail is evaluated only after all those to its left.
 */
#include "prism/initial.h"

#include "base/alloc.h"
#include "base/work.h"
#include "prism/code.h"
#include "prism/conjuncts.h"
#include "prism/format_state.h"

enum {
    FREE_CANDIDATES = 1 << 25, /* values that may be tried in any case */
    CANDIDATES_A_STATE = 64,   /* in addition, for each state that was found */
    POLL_EVERY = 1 << 14
};

typedef struct check {
    uint32_t entry;
    uint32_t level; /* index of the variable after which it can be evaluated */
    prism_place place;
} check;

BASE_VEC(check_vec, check);

typedef struct search {
    const prism_program *program;
    const model_layout *layout;
    const opac_cancel *cancel;
    uint64_t max_memory;
    prism_states *states;
    prism_code *code;
    check_vec checks;      /* by level, in order */
    uint32_t *check_begin; /* of each level, and the end of the last one */
    int64_t *values;
    int64_t *low, *high; /* the restricted ranges */
    uint64_t *row;
    uint64_t tried;
    uint64_t states_per_solution; /* at least: see count_states_per_solution */
} search;

/* ---- preparing ---- */

/* Restricts the range of the variable of x=3, 3=x, b or !b to one value. */
static void narrow_range(search *s, const prism_expression *conjunct)
{
    const prism_node *nodes = conjunct->nodes, *variable = NULL;
    int64_t value = 1;
    if (conjunct->count == 1 && nodes[0].op == PRISM_OP_VARIABLE) {
        variable = &nodes[0];
    } else if (conjunct->count == 2 && nodes[1].op == PRISM_OP_NOT) {
        variable = &nodes[0];
        value = 0;
    } else if (conjunct->count == 3 &&
               (nodes[2].op == PRISM_OP_EQUAL || nodes[2].op == PRISM_OP_IFF)) {
        const prism_node *literal = nodes[0].op == PRISM_OP_VARIABLE ? &nodes[1] : &nodes[0];
        variable = nodes[0].op == PRISM_OP_VARIABLE ? &nodes[0] : &nodes[1];
        value = literal->value.integer;
        if (literal->op != PRISM_OP_INT && literal->op != PRISM_OP_BOOL)
            return;
    }
    if (variable == NULL || variable->op != PRISM_OP_VARIABLE)
        return;
    uint32_t v = variable->value.index;
    s->low[v] = value > s->low[v] ? value : s->low[v];
    s->high[v] = value < s->high[v] ? value : s->high[v];
}

static opac_status add_check(search *s, const prism_conjunct *conjunct, uint32_t *latest,
                             opac_error *error)
{
    check made = {
        .level = conjunct->largest_variable == PRISM_NO_VARIABLE ? 0 : conjunct->largest_variable,
        .place = prism_root(&conjunct->expression)->place};
    if (conjunct->can_fail && made.level < *latest)
        made.level = *latest;
    *latest = made.level > *latest ? made.level : *latest;
    if (!conjunct->can_fail)
        narrow_range(s, &conjunct->expression);
    TRY(prism_code_add(s->code, &conjunct->expression, &made.entry, error));
    return check_vec_push(&s->checks, made, error);
}

/*
 * Stable counting sort by level. There is one more level than variables, so that there is always a level 0.
 */
static opac_status sort_checks(search *s, opac_error *error)
{
    uint32_t levels = s->program->variable_count + 1;
    check *sorted = base_alloc(s->checks.count, sizeof *sorted);
    if (sorted == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < s->checks.count; i++)
        s->check_begin[s->checks.items[i].level + 1]++;
    for (uint32_t level = 0; level < levels; level++)
        s->check_begin[level + 1] += s->check_begin[level];
    for (size_t i = s->checks.count; i-- > 0;)
        sorted[--s->check_begin[s->checks.items[i].level + 1]] = s->checks.items[i];
    /* check_begin[level + 1] is now the begin of the level. */
    for (uint32_t level = 0; level < levels; level++)
        s->check_begin[level] = s->check_begin[level + 1];
    s->check_begin[levels] = (uint32_t)s->checks.count;
    base_free(s->checks.items);
    s->checks.items = sorted;
    s->checks.capacity = s->checks.count;
    return OPAC_OK;
}

/*
 * Computes a lower bound on the number of initial states if there is a solution: the number of valuations of
 * the variables that the condition does not use. Stops above the largest possible limit on states.
 */
static opac_status count_states_per_solution(search *s, opac_error *error)
{
    const prism_program *program = s->program;
    bool *named = base_alloc_zeroed(program->variable_count, sizeof *named);
    if (named == NULL)
        return base_fail_memory(error);
    s->states_per_solution = 1;
    for (uint32_t i = 0; i < program->initial.count; i++)
        if (program->initial.nodes[i].op == PRISM_OP_VARIABLE)
            named[program->initial.nodes[i].value.index] = true;
    for (uint32_t v = 0; v < program->variable_count && s->states_per_solution <= UINT32_MAX; v++)
        if (!named[v])
            s->states_per_solution *= (uint64_t)(s->high[v] - s->low[v]) + 1;
    base_free(named);
    return OPAC_OK;
}

static opac_status prepare(search *s, opac_error *error)
{
    prism_conjunct_vec conjuncts = {0};
    uint32_t latest = 0;
    for (uint32_t v = 0; v < s->program->variable_count; v++) {
        s->low[v] = s->program->variables[v].low;
        s->high[v] = s->program->variables[v].high;
    }
    opac_status status;
    TRY_OR(done, prism_conjuncts_find(s->program, &s->program->initial, &conjuncts, error));
    for (size_t i = 0; i < conjuncts.count; i++)
        TRY_OR(done, add_check(s, &conjuncts.items[i], &latest, error));
    TRY_OR(done, count_states_per_solution(s, error));
    status = sort_checks(s, error);
done:
    prism_conjunct_vec_fini(&conjuncts);
    return status;
}

/* ---- searching ---- */

static opac_status evaluate_checks(const search *s, uint32_t level, bool *result, opac_error *error)
{
    *result = true;
    for (uint32_t i = s->check_begin[level]; i < s->check_begin[level + 1] && *result; i++) {
        int64_t holds;
        TRY(prism_code_integer(s->code, s->checks.items[i].entry, s->values, &holds, error));
        *result = holds != 0;
    }
    return OPAC_OK;
}

static opac_status add_solution(search *s, opac_error *error)
{
    uint32_t number;
    if (s->states_per_solution > s->states->limit) { /* fail before millions of states are stored */
        base_fail_at(error, OPAC_ERROR_LIMIT, s->program->initial_place.line,
                     s->program->initial_place.column,
                     "more than %u states satisfy init ... endinit", (unsigned)s->states->limit);
        base_set_parameter(error, "max_states", s->states->limit);
        return OPAC_ERROR_LIMIT;
    }
    for (uint32_t w = 0; w < s->layout->words; w++)
        s->row[w] = 0;
    for (uint32_t v = 0; v < s->layout->count; v++)
        model_value_set(&s->layout->variables[v], s->row, s->values[v]);
    return prism_states_intern_all(s->states, s->row, 1, &number, error);
}

/* Checks for cancellation and the memory limit, which the initial states alone may exceed. */
static opac_status poll(const search *s, opac_error *error)
{
    uint64_t used =
        base_slots_memory(&s->states->slots) + s->states->rows.capacity * sizeof(uint64_t);
    if (opac_cancel_requested(s->cancel))
        return base_fail_stopped(error, s->cancel, "exploring the model");
    if (used > s->max_memory)
        return base_fail_limit(error, "max_memory", s->max_memory,
                               "%u initial states need more memory than the limit of %llu MiB",
                               (unsigned)s->states->count,
                               (unsigned long long)(s->max_memory >> 20));
    return OPAC_OK;
}

static opac_status count_candidate(search *s, opac_error *error)
{
    s->tried++;
    if (s->tried > FREE_CANDIDATES + (uint64_t)CANDIDATES_A_STATE * s->states->count)
        return base_fail_at(
            error, OPAC_ERROR_LIMIT, s->program->initial_place.line,
            s->program->initial_place.column,
            "the search for the states of init ... endinit takes too long: %u states "
            "found after %llu values",
            (unsigned)s->states->count, (unsigned long long)s->tried);
    return s->tried % POLL_EVERY == 0 ? poll(s, error) : OPAC_OK;
}

/* Moves on to the next value of the last variable that has one; false if there is none. */
static bool advance(search *s, uint32_t *level)
{
    while (s->values[*level] >= s->high[*level]) {
        if (*level == 0)
            return false;
        --*level;
    }
    s->values[*level]++;
    return true;
}

static opac_status enumerate(search *s, opac_error *error)
{
    uint32_t level = 0, last = s->program->variable_count - 1;
    for (uint32_t v = 0; v <= last; v++)
        if (s->low[v] > s->high[v])
            return OPAC_OK;
    s->values[0] = s->low[0];
    for (;;) {
        bool pass;
        TRY(count_candidate(s, error));
        TRY(evaluate_checks(s, level, &pass, error));
        if (pass && level == last)
            TRY(add_solution(s, error));
        if (pass && level < last) {
            level++;
            s->values[level] = s->low[level];
        } else if (!advance(s, &level)) {
            return OPAC_OK;
        }
    }
}

static opac_status search_all(search *s, opac_error *error)
{
    bool pass;
    TRY(prepare(s, error));
    if (s->program->variable_count > 0)
        return enumerate(s, error);
    TRY(evaluate_checks(s, 0, &pass, error));
    return pass ? add_solution(s, error) : OPAC_OK;
}

/* ---- the initial states ---- */

static opac_status find_initial(search *s, opac_error *error)
{
    if (s->program->initial.count > 0)
        return search_all(s, error);
    for (uint32_t v = 0; v < s->program->variable_count; v++)
        s->values[v] = s->program->variables[v].initial;
    return add_solution(s, error);
}

opac_status prism_initial_states(const prism_program *program, const model_layout *layout,
                                 const opac_cancel *cancel, uint64_t max_memory,
                                 prism_states *states, opac_error *error)
{
    search s = {.program = program,
                .layout = layout,
                .cancel = cancel,
                .max_memory = max_memory,
                .states = states};
    uint32_t count = program->variable_count;
    s.values = base_alloc_zeroed(count, sizeof *s.values);
    s.low = base_alloc_zeroed(count, sizeof *s.low);
    s.high = base_alloc_zeroed(count, sizeof *s.high);
    s.row = base_alloc_zeroed(layout->words, sizeof *s.row);
    s.check_begin = base_alloc_zeroed((size_t)count + 2, sizeof *s.check_begin);
    bool is_ready = s.values != NULL && s.low != NULL && s.high != NULL && s.row != NULL &&
                    s.check_begin != NULL;
    opac_status status;
    TRY_OR(done, is_ready ? prism_code_new(&s.code, error) : base_fail_memory(error));
    TRY_OR(done, find_initial(&s, error));
    if (states->count == 0)
        status = base_fail_at(error, OPAC_ERROR_ARGUMENT, program->initial_place.line,
                              program->initial_place.column, "no state satisfies init ... endinit");
done:
    prism_code_free(s.code);
    check_vec_fini(&s.checks);
    base_free(s.values);
    base_free(s.low);
    base_free(s.high);
    base_free(s.row);
    base_free(s.check_begin);
    return status;
}
