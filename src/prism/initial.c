/* SPDX-License-Identifier: MIT */
/*
 * Backtracking over the variables. A part of the condition is looked at as
 * soon as its variables have values, and x=3 leaves x one value; so what is
 * sparse is found without trying all. A part that can fail waits until all
 * parts before it were true.
 */
#include "prism/initial.h"

#include "base/alloc.h"
#include "base/work.h"
#include "prism/code.h"
#include "prism/conjuncts.h"
#include "prism/state_words.h"

enum {
    FREE_TRIES = 1 << 25, /* values tried, whatever comes of it */
    TRIES_A_STATE = 64,   /* and for each state that was found */
    POLL_EVERY = 1 << 14
};

typedef struct check {
    uint32_t entry;
    uint32_t level; /* of the variable with which it can be evaluated */
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
    uint32_t *check_begin; /* of a level; one more at the end */
    int64_t *values;
    int64_t *low, *high; /* what is left of the ranges */
    uint64_t *row;
    uint64_t tries;
    uint64_t
        copies; /* of each solution: the values of variables that the condition does not name */
} search;

/* ---- preparing ---- */

/* x=3 or 3=x, b or !b: leaves one value. */
static void narrow(search *s, const prism_expression *part)
{
    const prism_node *nodes = part->nodes, *variable = NULL;
    int64_t value = 1;
    if (part->count == 1 && nodes[0].op == PRISM_OP_VARIABLE) {
        variable = &nodes[0];
    } else if (part->count == 2 && nodes[1].op == PRISM_OP_NOT) {
        variable = &nodes[0];
        value = 0;
    } else if (part->count == 3 && (nodes[2].op == PRISM_OP_EQUAL || nodes[2].op == PRISM_OP_IFF)) {
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

static opac_status add_check(search *s, const prism_conjunct *part, uint32_t *latest,
                             opac_error *error)
{
    check made = {.level = part->largest == PRISM_NO_VARIABLE ? 0 : part->largest,
                  .place = prism_root(&part->expression)->place};
    if (part->can_fail && made.level < *latest)
        made.level = *latest;
    *latest = made.level > *latest ? made.level : *latest;
    if (!part->can_fail)
        narrow(s, &part->expression);
    TRY(prism_code_add(s->code, &part->expression, &made.entry, error));
    return check_vec_push(&s->checks, made, error);
}

/* Stable, by counting; one level more than variables, so that there is one without any. */
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
    /* Each begin has moved to where the level begins, one place to the right. */
    for (uint32_t level = 0; level < levels; level++)
        s->check_begin[level] = s->check_begin[level + 1];
    s->check_begin[levels] = (uint32_t)s->checks.count;
    base_free(s->checks.items);
    s->checks.items = sorted;
    s->checks.capacity = s->checks.count;
    return OPAC_OK;
}

/* How many states each solution stands for at least, up to what a limit can be. */
static opac_status count_copies(search *s, opac_error *error)
{
    const prism_program *program = s->program;
    bool *named = base_alloc_zeroed(program->variable_count, sizeof *named);
    if (named == NULL)
        return base_fail_memory(error);
    s->copies = 1;
    for (uint32_t i = 0; i < program->initial.count; i++)
        if (program->initial.nodes[i].op == PRISM_OP_VARIABLE)
            named[program->initial.nodes[i].value.index] = true;
    for (uint32_t v = 0; v < program->variable_count && s->copies <= UINT32_MAX; v++)
        if (!named[v])
            s->copies *= (uint64_t)(s->high[v] - s->low[v]) + 1;
    base_free(named);
    return OPAC_OK;
}

static opac_status prepare(search *s, opac_error *error)
{
    prism_conjunct_vec parts = {0};
    uint32_t latest = 0;
    for (uint32_t v = 0; v < s->program->variable_count; v++) {
        s->low[v] = s->program->variables[v].low;
        s->high[v] = s->program->variables[v].high;
    }
    opac_status status;
    TRY_OR(done, prism_conjuncts_find(s->program, &s->program->initial, &parts, error));
    for (size_t i = 0; i < parts.count; i++)
        TRY_OR(done, add_check(s, &parts.items[i], &latest, error));
    TRY_OR(done, count_copies(s, error));
    status = sort_checks(s, error);
done:
    prism_conjunct_vec_fini(&parts);
    return status;
}

/* ---- searching ---- */

static opac_status passes(const search *s, uint32_t level, bool *result, opac_error *error)
{
    *result = true;
    for (uint32_t i = s->check_begin[level]; i < s->check_begin[level + 1] && *result; i++) {
        int64_t holds;
        TRY(prism_code_integer(s->code, s->checks.items[i].entry, s->values, &holds, error));
        *result = holds != 0;
    }
    return OPAC_OK;
}

static opac_status found(search *s, opac_error *error)
{
    uint32_t number;
    if (s->copies > s->states->limit) { /* said at once, not after millions of states */
        base_fail_at(error, OPAC_ERROR_LIMIT, s->program->initial_place.line,
                     s->program->initial_place.column,
                     "init ... endinit leaves more than %u states", (unsigned)s->states->limit);
        base_set_parameter(error, "max_states", s->states->limit);
        return OPAC_ERROR_LIMIT;
    }
    for (uint32_t w = 0; w < s->layout->words; w++)
        s->row[w] = 0;
    for (uint32_t v = 0; v < s->layout->count; v++)
        model_value_set(&s->layout->variables[v], s->row, s->values[v]);
    return prism_states_intern_all(s->states, s->row, 1, &number, error);
}

/* Initial states may be so many that they alone take all memory. */
static opac_status poll(const search *s, opac_error *error)
{
    uint64_t used =
        base_slots_memory(&s->states->slots) + s->states->rows.capacity * sizeof(uint64_t);
    if (opac_cancel_requested(s->cancel))
        return base_fail_stopped(error, s->cancel, "exploring the model");
    if (used > s->max_memory)
        return base_fail_limit(
            error, "max_memory", s->max_memory,
            "%u initial states take more than the %llu MiB of memory that are allowed",
            (unsigned)s->states->count, (unsigned long long)(s->max_memory >> 20));
    return OPAC_OK;
}

static opac_status count_try(search *s, opac_error *error)
{
    s->tries++;
    if (s->tries > FREE_TRIES + (uint64_t)TRIES_A_STATE * s->states->count)
        return base_fail_at(error, OPAC_ERROR_LIMIT, s->program->initial_place.line,
                            s->program->initial_place.column,
                            "the states of init ... endinit are too hard to find: %llu values "
                            "tried, %u states found",
                            (unsigned long long)s->tries, (unsigned)s->states->count);
    return s->tries % POLL_EVERY == 0 ? poll(s, error) : OPAC_OK;
}

/* The next value of the deepest variable that has one; false when there is none. */
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
        TRY(count_try(s, error));
        TRY(passes(s, level, &pass, error));
        if (pass && level == last)
            TRY(found(s, error));
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
    TRY(passes(s, 0, &pass, error));
    return pass ? found(s, error) : OPAC_OK;
}

/* ---- all of it ---- */

static opac_status search_or_take(search *s, opac_error *error)
{
    if (s->program->initial.count > 0)
        return search_all(s, error);
    for (uint32_t v = 0; v < s->program->variable_count; v++)
        s->values[v] = s->program->variables[v].initial;
    return found(s, error);
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
    TRY_OR(done, search_or_take(&s, error));
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
