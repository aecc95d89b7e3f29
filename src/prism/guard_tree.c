/* SPDX-License-Identifier: MIT */
/*
 * Builds guard trees. A node branches on the variable that leaves the fewest commands, on average over its
 * values, if that is at most 75 % of the commands of the node. The size of the tree is bounded: its depth by
 * 6, its numbers of nodes and of candidates by a multiple of the number of commands plus a constant. A node
 * that would exceed a bound becomes a leaf.
 */
#include "prism/guard_tree.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "prism/conjuncts.h"

enum {
    MAX_DEPTH = 6,
    MAX_VALUES = 4096, /* of a variable for which conjuncts are tabulated */
    FREE_NODES = 1 << 15,
    FREE_CANDIDATES = 1 << 18,
    NODES_A_COMMAND = 4, /* in addition to FREE_NODES */
    CANDIDATES_A_COMMAND = 8,
    MAX_CONJUNCTS = 64,   /* of a guard that the tree may decide; one bit each */
    MAX_LEAF_COMMANDS = 1 /* a node with so few commands is always a leaf */
};

typedef struct guard_conjuncts {
    size_t begin, end;     /* range of builder->conjuncts */
    size_t first_residual; /* head of a list in builder->residual_guards; SIZE_MAX if empty */
} guard_conjuncts;

/*
 * A conjunct of a guard. If the tree may decide it, its truth values are tabulated, one bit for each value of
 * its variable. For x=3 only the value is stored, so that the range of x may be large: generated programs
 * have a hundred thousand commands and one variable that numbers the states.
 */
typedef struct tree_conjunct {
    prism_expression expression;
    /* Its only variable; PRISM_NO_VARIABLE if the tree must not decide the conjunct. */
    uint32_t variable;
    bool is_single;  /* the conjunct is x=c */
    uint64_t single; /* c, as an offset from the lower bound of x */
    size_t table;    /* first word of the table, in builder->tables */
} tree_conjunct;

/* The conjunction of the undecided conjuncts of a guard; leaves with the same decided conjuncts share it. */
typedef struct residual_guard {
    uint64_t decided; /* bit i: conjunct i is true on the path to the leaf */
    uint32_t entry;   /* of the code; PRISM_NO_ENTRY if all conjuncts are decided */
    size_t next;      /* in the list of the guard */
} residual_guard;

/* A command that may be enabled at a node. */
typedef struct node_command {
    uint32_t command;
    uint64_t decided; /* bit i: conjunct i of its guard is true on the path to the node */
} node_command;

BASE_VEC(tree_conjunct_vec, tree_conjunct);
BASE_VEC(residual_guard_vec, residual_guard);
BASE_VEC(expression_vec, prism_expression);
BASE_VEC(node_command_vec, node_command);

typedef struct builder {
    const prism_program *program;
    const prism_module *module;
    prism_code *code;
    int64_t *values;
    prism_guard_tree *tree;
    guard_conjuncts *guards; /* of each command */
    tree_conjunct_vec conjuncts;
    base_u64_vec tables;
    residual_guard_vec residual_guards;
    uint64_t expected_candidates; /* in all, if all unfinished nodes become leaves */
    uint32_t *uses; /* for each variable: in how many conjuncts of the node; 0 between nodes */
    prism_conjunct_vec scratch; /* conjuncts of one guard */
    expression_vec residual;    /* conjuncts of one residual guard */
    opac_error *error;
} builder;

static uint64_t count_domain(const builder *g, uint32_t variable)
{
    const prism_variable *declared = &g->program->variables[variable];
    return (uint64_t)declared->high - (uint64_t)declared->low + 1;
}

static bool is_true_at(const builder *g, const tree_conjunct *p, uint64_t value)
{
    if (p->is_single)
        return value == p->single;
    return g->tables.items[p->table + value / 64] >> (value % 64) & 1;
}

/*
 * Whether the command may still be enabled if the variable has the value low + value. Adds the conjuncts
 * that are true then to at->decided.
 */
static bool stays_possible(const builder *g, node_command *at, uint32_t variable, uint64_t value)
{
    const guard_conjuncts *guard = &g->guards[at->command];
    for (size_t i = guard->begin; i < guard->end; i++) {
        if (g->conjuncts.items[i].variable != variable)
            continue;
        if (!is_true_at(g, &g->conjuncts.items[i], value))
            return false;
        at->decided |= UINT64_C(1) << (i - guard->begin);
    }
    return true;
}

/* The range of values with which the command may be enabled: a single value for x=c, else all values. */
static void find_possible_range(const builder *g, const node_command *at, uint32_t variable,
                                uint64_t *begin, uint64_t *end)
{
    const guard_conjuncts *guard = &g->guards[at->command];
    *begin = 0;
    *end = count_domain(g, variable);
    for (size_t i = guard->begin; i < guard->end; i++)
        if (g->conjuncts.items[i].variable == variable && g->conjuncts.items[i].is_single) {
            *begin = g->conjuncts.items[i].single;
            *end = *begin + 1;
        }
}

/* ---- choice of the variable ---- */

/* One word of the conjunction of all tables of the command for the variable. */
static uint64_t table_conjunction(const builder *g, const node_command *at, uint32_t variable,
                                  uint64_t word)
{
    const guard_conjuncts *guard = &g->guards[at->command];
    uint64_t bits = UINT64_MAX;
    for (size_t i = guard->begin; i < guard->end; i++)
        if (g->conjuncts.items[i].variable == variable)
            bits &= g->tables.items[g->conjuncts.items[i].table + word];
    return bits;
}

static bool mentions(const builder *g, const node_command *at, uint32_t variable)
{
    const guard_conjuncts *guard = &g->guards[at->command];
    for (size_t i = guard->begin; i < guard->end; i++)
        if (g->conjuncts.items[i].variable == variable)
            return true;
    return false;
}

/* The number of values of the variable with which the command may be enabled. */
static uint64_t count_values(const builder *g, const node_command *at, uint32_t variable)
{
    uint64_t begin, end, count = 0;
    node_command copy = *at;
    find_possible_range(g, at, variable, &begin, &end);
    if (!mentions(g, at, variable))
        return end;
    if (end - begin == 1)
        return stays_possible(g, &copy, variable, begin);
    for (uint64_t word = 0; word * 64 < end; word++) /* bits beyond the last value are 0 */
        count += base_popcount(table_conjunction(g, at, variable, word));
    return count;
}

/* The total number of commands of the children if the node branches on the variable. */
static uint64_t count_children_commands(const builder *g, const node_command *list, size_t count,
                                        uint32_t variable)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += count_values(g, &list[i], variable);
    return total;
}

/* Whether the average share of commands is smaller than *best, which is updated, and the tree stays small. */
static bool is_better(const builder *g, size_t count, uint64_t values, uint64_t total, double *best)
{
    size_t commands = g->module->command_count;
    double average_share = (double)total / ((double)count * (double)values);
    if (average_share >= *best ||
        g->tree->nodes.count + values > FREE_NODES + NODES_A_COMMAND * commands ||
        g->expected_candidates - count + total > FREE_CANDIDATES + CANDIDATES_A_COMMAND * commands)
        return false;
    *best = average_share;
    return true;
}

/* The variable of conjunct i if it is undecided; else PRISM_NO_VARIABLE. */
static uint32_t undecided_variable(const builder *g, const node_command *at, size_t i)
{
    bool decided = i - g->guards[at->command].begin < MAX_CONJUNCTS &&
                   (at->decided >> (i - g->guards[at->command].begin) & 1) != 0;
    return decided ? PRISM_NO_VARIABLE : g->conjuncts.items[i].variable;
}

static void count_uses(builder *g, const node_command *list, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = g->guards[list[k].command].begin; i < g->guards[list[k].command].end; i++) {
            uint32_t variable = undecided_variable(g, &list[k], i);
            if (variable != PRISM_NO_VARIABLE)
                g->uses[variable]++;
        }
}

/*
 * The variable to branch on; PRISM_NO_VARIABLE if none reduces the commands enough. A variable that less
 * than a quarter of the commands use cannot reduce them to 75 %. It is not tried, which limits the cost.
 */
static uint32_t choose_variable(builder *g, const node_command *list, size_t count)
{
    uint32_t best = PRISM_NO_VARIABLE;
    uint64_t best_count = count;
    double best_average = 0.75;
    count_uses(g, list, count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = g->guards[list[k].command].begin; i < g->guards[list[k].command].end; i++) {
            uint32_t variable = undecided_variable(g, &list[k], i);
            if (variable == PRISM_NO_VARIABLE || g->uses[variable] == 0)
                continue;
            if (g->uses[variable] >= count / 4) {
                uint64_t total = count_children_commands(g, list, count, variable);
                if (is_better(g, count, count_domain(g, variable), total, &best_average)) {
                    best = variable;
                    best_count = total;
                }
            }
            g->uses[variable] = 0; /* each variable is tried once */
        }
    g->expected_candidates += best_count - count;
    return best;
}

/* ---- leaves ---- */

static opac_status find_or_add_residual(builder *g, const node_command *at, uint32_t *entry)
{
    guard_conjuncts *guard = &g->guards[at->command];
    for (size_t i = guard->first_residual; i != SIZE_MAX; i = g->residual_guards.items[i].next)
        if (g->residual_guards.items[i].decided == at->decided) {
            *entry = g->residual_guards.items[i].entry;
            return OPAC_OK;
        }
    g->residual.count = 0;
    for (size_t i = guard->begin; i < guard->end; i++)
        if (i - guard->begin >= MAX_CONJUNCTS || (at->decided >> (i - guard->begin) & 1) == 0)
            TRY(expression_vec_push(&g->residual, g->conjuncts.items[i].expression, g->error));
    *entry = PRISM_NO_ENTRY;
    if (g->residual.count > 0)
        TRY(prism_code_add_all(g->code, g->residual.items, (uint32_t)g->residual.count, entry,
                               g->error));
    residual_guard made = {.decided = at->decided, .entry = *entry, .next = guard->first_residual};
    TRY(residual_guard_vec_push(&g->residual_guards, made, g->error));
    guard->first_residual = g->residual_guards.count - 1;
    return OPAC_OK;
}

static opac_status build_leaf(builder *g, const node_command *list, size_t count, size_t node)
{
    prism_guard_tree_node leaf = {.variable = PRISM_NO_ENTRY,
                                  .begin = (uint32_t)g->tree->candidates.count,
                                  .count = (uint32_t)count};
    for (size_t i = 0; i < count; i++) {
        prism_candidate candidate = {.command = list[i].command};
        TRY(find_or_add_residual(g, &list[i], &candidate.guard));
        TRY(prism_candidate_vec_push(&g->tree->candidates, candidate, g->error));
    }
    g->tree->nodes.items[node] = leaf;
    return OPAC_OK;
}

/* ---- the tree ---- */

static opac_status build_node(builder *g, const node_command *list, size_t count, size_t node,
                              unsigned depth);

/*
 * Stores the commands of each child, child by child: those of child i are lists[begin[i]] …
 * lists[begin[i + 1] - 1]. The first pass counts them, the second one stores them.
 */
static void distribute(const builder *g, const node_command *list, size_t count, uint32_t variable,
                       size_t *begin, node_command *lists)
{
    uint64_t values = count_domain(g, variable);
    for (int filling = 0; filling < 2; filling++) {
        for (size_t i = 0; i < count; i++) {
            uint64_t first, end;
            find_possible_range(g, &list[i], variable, &first, &end);
            for (uint64_t value = first; value < end; value++) {
                node_command at = list[i];
                if (!stays_possible(g, &at, variable, value))
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

static opac_status build_each_child(builder *g, const node_command *lists, const size_t *begin,
                                    size_t node, uint32_t variable, unsigned depth)
{
    prism_guard_tree_node inner = {.variable = variable,
                                   .begin = (uint32_t)g->tree->nodes.count,
                                   .count = (uint32_t)count_domain(g, variable),
                                   .low = g->program->variables[variable].low};
    for (uint32_t i = 0; i < inner.count; i++)
        TRY(prism_guard_tree_node_vec_push(&g->tree->nodes, (prism_guard_tree_node){0}, g->error));
    for (uint32_t i = 0; i < inner.count; i++)
        TRY(build_node(g, lists + begin[i], begin[i + 1] - begin[i], (size_t)inner.begin + i,
                       depth + 1));
    g->tree->nodes.items[node] = inner;
    return OPAC_OK;
}

static opac_status build_children(builder *g, const node_command *list, size_t count, size_t node,
                                  uint32_t variable, unsigned depth)
{
    size_t *begin = base_alloc_zeroed((size_t)count_domain(g, variable) + 2, sizeof *begin);
    node_command *lists =
        base_alloc((size_t)count_children_commands(g, list, count, variable), sizeof *lists);
    opac_status status = OPAC_OK;
    if (begin == NULL || lists == NULL) {
        status = base_fail_memory(g->error);
    } else {
        distribute(g, list, count, variable, begin, lists);
        status = build_each_child(g, lists, begin, node, variable, depth);
    }
    base_free(begin);
    base_free(lists);
    return status;
}

/* Recursive; the depth is at most MAX_DEPTH. */
static opac_status build_node(builder *g, const node_command *list, size_t count, size_t node,
                              unsigned depth)
{
    uint32_t variable = PRISM_NO_VARIABLE;
    if (count > MAX_LEAF_COMMANDS && depth < MAX_DEPTH)
        variable = choose_variable(g, list, count);
    if (variable == PRISM_NO_VARIABLE)
        return build_leaf(g, list, count, node);
    return build_children(g, list, count, node, variable, depth);
}

/* ---- guards ---- */

/* Evaluates the conjunct for each value of its variable. */
static opac_status build_table(builder *g, tree_conjunct *p, uint32_t variable)
{
    uint32_t entry, values = (uint32_t)count_domain(g, variable);
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

/* Recognises x=3 and 3=x, if 3 is in the range of x. */
static bool set_single_value(const builder *g, tree_conjunct *p, uint32_t variable)
{
    const prism_node *nodes = p->expression.nodes;
    const prism_variable *declared = &g->program->variables[variable];
    if (p->expression.count != 3 || nodes[2].op != PRISM_OP_EQUAL)
        return false;
    const prism_node *literal = nodes[0].op == PRISM_OP_VARIABLE ? &nodes[1] : &nodes[0];
    if (literal->op != PRISM_OP_INT || literal->value.integer < declared->low ||
        literal->value.integer > declared->high)
        return false;
    p->variable = variable;
    p->is_single = true;
    p->single = (uint64_t)literal->value.integer - (uint64_t)declared->low;
    return true;
}

/* Finds the conjuncts of a command's guard and tabulates those that the tree may decide. */
static opac_status read_guard(builder *g, uint32_t command)
{
    guard_conjuncts *guard = &g->guards[command];
    bool cannot_fail_before = true;
    g->scratch.count = 0;
    TRY(prism_conjuncts_find(g->program, &g->module->commands[command].guard, &g->scratch,
                             g->error));
    *guard = (guard_conjuncts){.begin = g->conjuncts.count, .first_residual = SIZE_MAX};
    for (size_t i = 0; i < g->scratch.count; i++) {
        const prism_conjunct *at = &g->scratch.items[i];
        tree_conjunct made = {.expression = at->expression, .variable = PRISM_NO_VARIABLE};
        cannot_fail_before = cannot_fail_before && !at->can_fail;
        if (cannot_fail_before && i < MAX_CONJUNCTS && at->single_variable != PRISM_NO_VARIABLE &&
            !set_single_value(g, &made, at->single_variable) &&
            count_domain(g, at->single_variable) <= MAX_VALUES)
            TRY(build_table(g, &made, at->single_variable));
        TRY(tree_conjunct_vec_push(&g->conjuncts, made, g->error));
    }
    guard->end = g->conjuncts.count;
    return OPAC_OK;
}

static opac_status build_all(builder *g, const bool *is_used)
{
    node_command_vec all = {0};
    opac_status status;
    TRY_OR(done,
           prism_guard_tree_node_vec_push(&g->tree->nodes, (prism_guard_tree_node){0}, g->error));
    for (uint32_t i = 0; i < g->module->command_count; i++) {
        TRY_OR(done, read_guard(g, i));
        if (is_used[i])
            TRY_OR(done, node_command_vec_push(&all, (node_command){.command = i}, g->error));
    }
    g->expected_candidates = all.count;
    status = build_node(g, all.items, all.count, 0, 0);
done:
    node_command_vec_fini(&all);
    return status;
}

opac_status prism_guard_tree_build(const prism_program *program, uint32_t module,
                                   const bool *is_used, prism_code *code, int64_t *values,
                                   uint32_t *uses, prism_guard_tree *tree, opac_error *error)
{
    builder g = {.program = program,
                 .module = &program->modules[module],
                 .code = code,
                 .values = values,
                 .uses = uses,
                 .tree = tree,
                 .error = error};
    g.guards = base_alloc_zeroed(g.module->command_count, sizeof *g.guards);
    opac_status status = g.guards != NULL ? build_all(&g, is_used) : base_fail_memory(error);
    base_free(g.guards);
    tree_conjunct_vec_fini(&g.conjuncts);
    base_u64_vec_fini(&g.tables);
    prism_conjunct_vec_fini(&g.scratch);
    residual_guard_vec_fini(&g.residual_guards);
    expression_vec_fini(&g.residual);
    return status;
}

void prism_guard_tree_fini(prism_guard_tree *tree)
{
    prism_guard_tree_node_vec_fini(&tree->nodes);
    prism_candidate_vec_fini(&tree->candidates);
}
