/* SPDX-License-Identifier: MIT */
/*
 * Growing the tree: a node asks for the variable that leaves the fewest
 * commands on average over its values, as long as that is clearly fewer. The
 * tree is bounded: depth 6, and children and candidates in proportion to the
 * program; what is beyond stays one leaf.
 */
#include "prism/index.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "prism/conjuncts.h"

enum {
    MOST_DEPTH = 6,
    MOST_VALUES = 4096, /* of a variable whose parts get tables */
    FREE_NODES = 1 << 15,
    FREE_CANDIDATES = 1 << 18,
    NODES_A_COMMAND = 4, /* beyond the free ones */
    CANDIDATES_A_COMMAND = 8,
    MOST_PARTS = 64, /* of a guard that are looked at; one bit each */
    FEW = 1          /* commands for which a node is not worth it */
};

typedef struct guard {
    size_t begin, end;    /* in parts */
    size_t first_residue; /* in residues; a list */
} guard;

/*
 * A part of a guard. If the tree may decide it, there is a bit for each value
 * of its variable (is it true?), or, for x=3, just that value; so variables of
 * any range can be asked for, as in programs of a hundred thousand commands
 * that a tool wrote, with a number for each state.
 */
typedef struct part {
    prism_expression expression;
    uint32_t variable; /* PRISM_NO_VARIABLE: the tree may not */
    bool is_single;
    uint64_t single; /* from low on */
    size_t table;    /* where its bits begin */
} part;

/* What was left of a guard at some leaf: parts, and their code. */
typedef struct residue {
    uint64_t decided;
    uint32_t entry;
    size_t next;
} residue;

/* A command at a node: still possible, with these of its parts true. */
typedef struct possible {
    uint32_t command;
    uint64_t decided;
} possible;

BASE_VEC(part_vec, part);
BASE_VEC(residue_vec, residue);
BASE_VEC(expression_vec, prism_expression);
BASE_VEC(possible_vec, possible);

typedef struct grower {
    const prism_program *program;
    const prism_module *module;
    prism_code *code;
    int64_t *values;
    prism_index *index;
    guard *guards; /* a command */
    part_vec parts;
    base_u64_vec tables;
    residue_vec residues;
    uint64_t promised;          /* candidates, if all nodes still to grow become leaves */
    uint32_t *uses;             /* a variable: by how many commands of the node; 0 between nodes */
    prism_conjunct_vec scratch; /* of one guard */
    expression_vec left;        /* of one residue */
    opac_error *error;
} grower;

static uint64_t values_of(const grower *g, uint32_t variable)
{
    const prism_variable *of = &g->program->variables[variable];
    return (uint64_t)of->high - (uint64_t)of->low + 1;
}

static bool is_true_at(const grower *g, const part *p, uint64_t value)
{
    if (p->is_single)
        return value == p->single;
    return g->tables.items[p->table + value / 64] >> (value % 64) & 1;
}

/* Whether the command stays possible with the variable at low + value; parts true are noted. */
static bool stays(const grower *g, possible *at, uint32_t variable, uint64_t value)
{
    const guard *of = &g->guards[at->command];
    for (size_t i = of->begin; i < of->end; i++) {
        if (g->parts.items[i].variable != variable)
            continue;
        if (!is_true_at(g, &g->parts.items[i], value))
            return false;
        at->decided |= UINT64_C(1) << (i - of->begin);
    }
    return true;
}

/* The values that can leave the command possible: one, or all. */
static void range_of(const grower *g, const possible *at, uint32_t variable, uint64_t *begin,
                     uint64_t *end)
{
    const guard *of = &g->guards[at->command];
    *begin = 0;
    *end = values_of(g, variable);
    for (size_t i = of->begin; i < of->end; i++)
        if (g->parts.items[i].variable == variable && g->parts.items[i].is_single) {
            *begin = g->parts.items[i].single;
            *end = *begin + 1;
        }
}

/* ---- which variable ---- */

/* The values of one word for which all tables of the command's parts are true. */
static uint64_t table_word(const grower *g, const possible *at, uint32_t variable, uint64_t word)
{
    const guard *of = &g->guards[at->command];
    uint64_t bits = UINT64_MAX;
    for (size_t i = of->begin; i < of->end; i++)
        if (g->parts.items[i].variable == variable)
            bits &= g->tables.items[g->parts.items[i].table + word];
    return bits;
}

static bool has_part(const grower *g, const possible *at, uint32_t variable)
{
    const guard *of = &g->guards[at->command];
    for (size_t i = of->begin; i < of->end; i++)
        if (g->parts.items[i].variable == variable)
            return true;
    return false;
}

/* For how many values of the variable the command stays possible. */
static uint64_t count_values(const grower *g, const possible *at, uint32_t variable)
{
    uint64_t begin, end, count = 0;
    possible copy = *at;
    range_of(g, at, variable, &begin, &end);
    if (!has_part(g, at, variable))
        return end;
    if (end - begin == 1)
        return stays(g, &copy, variable, begin);
    for (uint64_t word = 0; word * 64 < end; word++) /* bits beyond the values are 0 */
        count += base_popcount(table_word(g, at, variable, word));
    return count;
}

/* How many commands the children have in all if the variable is asked for. */
static uint64_t left_by(const grower *g, const possible *list, size_t count, uint32_t variable)
{
    uint64_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += count_values(g, &list[i], variable);
    return left;
}

/* Better than `best`, and so that all leaves together stay small. */
static bool is_worth(const grower *g, size_t count, uint64_t values, uint64_t left, double *best)
{
    size_t commands = g->module->command_count;
    double share =
        (double)left / ((double)count * (double)values); /* of the commands, on average */
    if (share >= *best ||
        g->index->nodes.count + values > FREE_NODES + NODES_A_COMMAND * commands ||
        g->promised - count + left > FREE_CANDIDATES + CANDIDATES_A_COMMAND * commands)
        return false;
    *best = share;
    return true;
}

/* The variable of an undecided part; else PRISM_NO_VARIABLE. */
static uint32_t question(const grower *g, const possible *at, size_t i)
{
    bool decided = i - g->guards[at->command].begin < MOST_PARTS &&
                   (at->decided >> (i - g->guards[at->command].begin) & 1) != 0;
    return decided ? PRISM_NO_VARIABLE : g->parts.items[i].variable;
}

static void count_uses(grower *g, const possible *list, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = g->guards[list[k].command].begin; i < g->guards[list[k].command].end; i++) {
            uint32_t variable = question(g, &list[k], i);
            if (variable != PRISM_NO_VARIABLE)
                g->uses[variable]++;
        }
}

/*
 * The variable to ask for; PRISM_NO_VARIABLE: none is worth it. One that few
 * commands mention cannot be, which keeps the number of those tried small.
 */
static uint32_t choose(grower *g, const possible *list, size_t count)
{
    uint32_t best = PRISM_NO_VARIABLE;
    uint64_t best_left = count;
    double best_share = 0.75;
    count_uses(g, list, count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = g->guards[list[k].command].begin; i < g->guards[list[k].command].end; i++) {
            uint32_t variable = question(g, &list[k], i);
            if (variable == PRISM_NO_VARIABLE || g->uses[variable] == 0)
                continue;
            if (g->uses[variable] >= count / 4) {
                uint64_t left = left_by(g, list, count, variable);
                if (is_worth(g, count, values_of(g, variable), left, &best_share)) {
                    best = variable;
                    best_left = left;
                }
            }
            g->uses[variable] = 0; /* not again */
        }
    g->promised += best_left - count;
    return best;
}

/* ---- leaves ---- */

static opac_status residue_of(grower *g, const possible *at, uint32_t *entry)
{
    guard *of = &g->guards[at->command];
    for (size_t i = of->first_residue; i != SIZE_MAX; i = g->residues.items[i].next)
        if (g->residues.items[i].decided == at->decided) {
            *entry = g->residues.items[i].entry;
            return OPAC_OK;
        }
    g->left.count = 0;
    for (size_t i = of->begin; i < of->end; i++)
        if (i - of->begin >= MOST_PARTS || (at->decided >> (i - of->begin) & 1) == 0)
            TRY(expression_vec_push(&g->left, g->parts.items[i].expression, g->error));
    *entry = PRISM_NO_ENTRY;
    if (g->left.count > 0)
        TRY(prism_code_add_all(g->code, g->left.items, (uint32_t)g->left.count, entry, g->error));
    residue made = {.decided = at->decided, .entry = *entry, .next = of->first_residue};
    TRY(residue_vec_push(&g->residues, made, g->error));
    of->first_residue = g->residues.count - 1;
    return OPAC_OK;
}

static opac_status make_leaf(grower *g, const possible *list, size_t count, size_t node)
{
    prism_index_node leaf = {.variable = PRISM_NO_ENTRY,
                             .begin = (uint32_t)g->index->candidates.count,
                             .count = (uint32_t)count};
    for (size_t i = 0; i < count; i++) {
        prism_candidate candidate = {.command = list[i].command};
        TRY(residue_of(g, &list[i], &candidate.guard));
        TRY(prism_candidate_vec_push(&g->index->candidates, candidate, g->error));
    }
    g->index->nodes.items[node] = leaf;
    return OPAC_OK;
}

/* ---- the tree ---- */

static opac_status grow(grower *g, const possible *list, size_t count, size_t node, unsigned depth);

/* The commands of each child, one list behind the other: child i has begin[i] … begin[i+1] - 1. */
static void distribute(const grower *g, const possible *list, size_t count, uint32_t variable,
                       size_t *begin, possible *lists)
{
    uint64_t values = values_of(g, variable);
    for (int filling = 0; filling < 2; filling++) {
        for (size_t i = 0; i < count; i++) {
            uint64_t first, end;
            range_of(g, &list[i], variable, &first, &end);
            for (uint64_t value = first; value < end; value++) {
                possible at = list[i];
                if (!stays(g, &at, variable, value))
                    continue;
                if (filling)
                    lists[begin[value + 1]] = at;
                begin[filling ? value + 1 : value + 2]++;
            }
        }
        for (uint64_t value = 0; value < values && !filling; value++)
            begin[value + 2] += begin[value + 1];
    }
}

static opac_status grow_each(grower *g, const possible *lists, const size_t *begin, size_t node,
                             uint32_t variable, unsigned depth)
{
    prism_index_node inner = {.variable = variable,
                              .begin = (uint32_t)g->index->nodes.count,
                              .count = (uint32_t)values_of(g, variable),
                              .low = g->program->variables[variable].low};
    for (uint32_t i = 0; i < inner.count; i++)
        TRY(prism_index_node_vec_push(&g->index->nodes, (prism_index_node){0}, g->error));
    for (uint32_t i = 0; i < inner.count; i++)
        TRY(grow(g, lists + begin[i], begin[i + 1] - begin[i], (size_t)inner.begin + i, depth + 1));
    g->index->nodes.items[node] = inner;
    return OPAC_OK;
}

static opac_status grow_children(grower *g, const possible *list, size_t count, size_t node,
                                 uint32_t variable, unsigned depth)
{
    size_t *begin = base_alloc_zeroed((size_t)values_of(g, variable) + 2, sizeof *begin);
    possible *lists = base_alloc((size_t)left_by(g, list, count, variable), sizeof *lists);
    opac_status status = OPAC_OK;
    if (begin == NULL || lists == NULL) {
        status = base_fail_memory(g->error);
    } else {
        distribute(g, list, count, variable, begin, lists);
        status = grow_each(g, lists, begin, node, variable, depth);
    }
    base_free(begin);
    base_free(lists);
    return status;
}

/* Recursion to MOST_DEPTH. */
static opac_status grow(grower *g, const possible *list, size_t count, size_t node, unsigned depth)
{
    uint32_t variable = PRISM_NO_VARIABLE;
    if (count > FEW && depth < MOST_DEPTH)
        variable = choose(g, list, count);
    if (variable == PRISM_NO_VARIABLE)
        return make_leaf(g, list, count, node);
    return grow_children(g, list, count, node, variable, depth);
}

/* ---- guards ---- */

/* Evaluates the part for each value of its variable. */
static opac_status make_table(grower *g, part *p, uint32_t variable)
{
    uint32_t entry, values = (uint32_t)values_of(g, variable);
    TRY(prism_code_add(g->code, &p->expression, &entry, g->error));
    p->table = g->tables.count;
    for (uint32_t value = 0; value < values; value++) {
        int64_t holds = 0;
        g->values[variable] = g->program->variables[variable].low + value;
        TRY(prism_code_integer(g->code, entry, g->values, &holds, g->error));
        if (value % 64 == 0)
            TRY(base_u64_vec_push(&g->tables, 0, g->error));
        if (holds != 0)
            g->tables.items[g->tables.count - 1] |= UINT64_C(1) << (value % 64);
    }
    p->variable = variable;
    return OPAC_OK;
}

/* x=3 or 3=x, within the range of x. */
static bool is_single(const grower *g, part *p, uint32_t variable)
{
    const prism_node *nodes = p->expression.nodes;
    const prism_variable *of = &g->program->variables[variable];
    if (p->expression.count != 3 || nodes[2].op != PRISM_OP_EQUAL)
        return false;
    const prism_node *literal = nodes[0].op == PRISM_OP_VARIABLE ? &nodes[1] : &nodes[0];
    if (literal->op != PRISM_OP_INT || literal->value.integer < of->low ||
        literal->value.integer > of->high)
        return false;
    p->variable = variable;
    p->is_single = true;
    p->single = (uint64_t)literal->value.integer - (uint64_t)of->low;
    return true;
}

/* The parts of a command's guard. */
static opac_status read_guard(grower *g, uint32_t command)
{
    guard *of = &g->guards[command];
    bool safe = true;
    g->scratch.count = 0;
    TRY(prism_conjuncts_find(g->program, &g->module->commands[command].guard, &g->scratch,
                             g->error));
    *of = (guard){.begin = g->parts.count, .first_residue = SIZE_MAX};
    for (size_t i = 0; i < g->scratch.count; i++) {
        const prism_conjunct *at = &g->scratch.items[i];
        part made = {.expression = at->expression, .variable = PRISM_NO_VARIABLE};
        safe = safe && !at->can_fail;
        if (safe && i < MOST_PARTS && at->only != PRISM_NO_VARIABLE &&
            !is_single(g, &made, at->only) && values_of(g, at->only) <= MOST_VALUES)
            TRY(make_table(g, &made, at->only));
        TRY(part_vec_push(&g->parts, made, g->error));
    }
    of->end = g->parts.count;
    return OPAC_OK;
}

static opac_status grow_all(grower *g, const bool *wanted)
{
    possible_vec all = {0};
    opac_status status;
    TRY_OR(done, prism_index_node_vec_push(&g->index->nodes, (prism_index_node){0}, g->error));
    for (uint32_t i = 0; i < g->module->command_count; i++) {
        TRY_OR(done, read_guard(g, i));
        if (wanted[i])
            TRY_OR(done, possible_vec_push(&all, (possible){.command = i}, g->error));
    }
    g->promised = all.count;
    status = grow(g, all.items, all.count, 0, 0);
done:
    possible_vec_fini(&all);
    return status;
}

opac_status prism_index_make(const prism_program *program, uint32_t module, const bool *wanted,
                             prism_code *code, int64_t *values, uint32_t *uses, prism_index *index,
                             opac_error *error)
{
    grower g = {.program = program,
                .module = &program->modules[module],
                .code = code,
                .values = values,
                .uses = uses,
                .index = index,
                .error = error};
    g.guards = base_alloc_zeroed(g.module->command_count, sizeof *g.guards);
    opac_status status = g.guards != NULL ? grow_all(&g, wanted) : base_fail_memory(error);
    base_free(g.guards);
    part_vec_fini(&g.parts);
    base_u64_vec_fini(&g.tables);
    prism_conjunct_vec_fini(&g.scratch);
    residue_vec_fini(&g.residues);
    expression_vec_fini(&g.left);
    return status;
}

void prism_index_fini(prism_index *index)
{
    prism_index_node_vec_fini(&index->nodes);
    prism_candidate_vec_fini(&index->candidates);
}
