/* SPDX-License-Identifier: MIT */
/*
 * The composition, flattened. Each operand of system … endsystem becomes a list
 * of steps, with the modules that take part in each, and an alphabet; operators
 * pair the steps of their operands, and hiding and renaming change the action
 * that a step carries outside.
 *
 *     (A ||| B) |[a]| C           A and C on a;  B and C on a;  all else alone
 *
 * Nothing bounds the pairs that a text of some size asks for but LIMIT; so both
 * the steps and the work are counted.
 */
#include <stdlib.h>
#include <string.h>

#include "prism/resolve.h"

#define MOST_WORK UINT64_C(4000000) /* steps looked at, and parts copied */
#define NONE      UINT32_MAX

BASE_VEC(step_vec, prism_synchronisation);

/* An operand, evaluated. */
typedef struct part_system {
    step_vec steps;
    base_u32_vec alphabet; /* ascending */
} part_system;

BASE_VEC(part_system_vec, part_system);

typedef struct composer {
    prism_resolver *resolver;
    part_system_vec stack;
    bool *is_in;       /* an action: in the set at hand */
    uint32_t *first;   /* an action: its first step on the right; NONE */
    uint32_t *becomes; /* an action: what it is renamed to */
    bool *is_seen;     /* a module: it has occurred */
    uint32_t room;     /* for actions, in the first three */
    prism_place place; /* of the operator at hand */
    uint64_t work;
} composer;

static void fini_system(part_system *system)
{
    step_vec_fini(&system->steps);
    base_u32_vec_fini(&system->alphabet);
}

static opac_status spend(composer *at, uint64_t work, opac_error *error)
{
    at->work += work;
    if (at->work <= MOST_WORK)
        return OPAC_OK;
    return base_fail_at(error, OPAC_ERROR_LIMIT, at->place.line, at->place.column,
                        "the composition is too large: modules synchronise in too many ways");
}

/* ---- steps ---- */

static prism_part *new_parts(composer *at, uint32_t count, opac_error *error)
{
    prism_part *parts = base_arena_alloc(&at->resolver->program->arena, count, sizeof *parts);
    if (parts == NULL)
        base_fail_memory(error);
    return parts;
}

static opac_status add_single(composer *at, step_vec *steps, uint32_t module, uint32_t action,
                              opac_error *error)
{
    prism_part *part = new_parts(at, 1, error);
    if (part == NULL)
        return OPAC_ERROR_MEMORY;
    *part = (prism_part){.module = module, .action = action};
    return step_vec_push(
        steps, (prism_synchronisation){.action = action, .parts = part, .part_count = 1}, error);
}

/* Two steps as one. No module is on both sides, since each occurs once. */
static opac_status add_pair(composer *at, step_vec *steps, const prism_synchronisation *left,
                            const prism_synchronisation *right, opac_error *error)
{
    uint32_t count = left->part_count + right->part_count, l = 0, r = 0;
    TRY(spend(at, count, error));
    prism_part *parts = new_parts(at, count, error);
    if (parts == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        bool is_left = r == right->part_count ||
                       (l < left->part_count && left->parts[l].module < right->parts[r].module);
        parts[i] = is_left ? left->parts[l++] : right->parts[r++];
    }
    return step_vec_push(
        steps, (prism_synchronisation){.action = left->action, .parts = parts, .part_count = count},
        error);
}

static bool has_unlabelled(const prism_module *module)
{
    for (uint32_t i = 0; i < module->command_count; i++)
        if (module->commands[i].action == 0)
            return true;
    return false;
}

/* ---- sets of actions ---- */

static int ascending(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void normalise(base_u32_vec *set)
{
    size_t kept = 0;
    if (set->count == 0)
        return;
    qsort(set->items, set->count, sizeof *set->items, ascending);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || set->items[kept - 1] != set->items[i])
            set->items[kept++] = set->items[i];
    set->count = kept;
}

static opac_status join(const base_u32_vec *left, const base_u32_vec *right, base_u32_vec *all,
                        opac_error *error)
{
    TRY(base_u32_vec_reserve(all, left->count + right->count, error));
    for (size_t i = 0; i < left->count; i++)
        all->items[all->count++] = left->items[i];
    for (size_t i = 0; i < right->count; i++)
        all->items[all->count++] = right->items[i];
    normalise(all);
    return OPAC_OK;
}

static void mark_common(const composer *at, const base_u32_vec *left, const base_u32_vec *right)
{
    size_t r = 0;
    for (size_t l = 0; l < left->count; l++) {
        while (r < right->count && right->items[r] < left->items[l])
            r++;
        at->is_in[left->items[l]] = r < right->count && right->items[r] == left->items[l];
    }
}

/* An action of a list must occur somewhere in the model; *action is 0 where it does not. */
static opac_status find_action(const composer *at, const prism_name *name, uint32_t *action,
                               opac_error *error)
{
    const prism_resolver *resolver = at->resolver;
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE];
    *action = resolver->action_of[name->id];
    if (*action != 0)
        return OPAC_OK;
    TRY(prism_hint_among(resolver, resolver->actions.items, resolver->actions.count, name->id, hint,
                         error));
    model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line, name->place.column,
                       "no command has the action '%s'%s",
                       prism_name_show(&resolver->file->names, name->id, shown), hint);
    return OPAC_OK;
}

static opac_status mark_listed(const composer *at, const prism_system_node *node, opac_error *error)
{
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t action;
        TRY(find_action(at, &node->actions[i], &action, error));
        at->is_in[action] = true;
    }
    at->is_in[0] = false;
    return OPAC_OK;
}

/* ---- operators ---- */

static opac_status push(composer *at, part_system *system, opac_error *error)
{
    opac_status status = part_system_vec_push(&at->stack, *system, error);
    if (status != OPAC_OK)
        fini_system(system);
    return status;
}

static opac_status fill_module(composer *at, uint32_t index, part_system *system, opac_error *error)
{
    const prism_module *module = &at->resolver->program->modules[index];
    const base_u32_vec *alphabet = &module->alphabet, none = {0};
    TRY(join(alphabet, &none, &system->alphabet, error));
    if (has_unlabelled(module))
        TRY(add_single(at, &system->steps, index, 0, error));
    for (size_t i = 0; i < alphabet->count; i++)
        TRY(add_single(at, &system->steps, index, alphabet->items[i], error));
    return OPAC_OK;
}

static opac_status push_module(composer *at, const prism_name *name, opac_error *error)
{
    prism_resolver *resolver = at->resolver;
    uint32_t index = resolver->module_of[name->id];
    part_system system = {0};
    char shown[OPAC_SHOWN_SIZE];
    opac_status status;
    if (index == NONE) {
        TRY(prism_report_module(at->resolver, name, error));
    } else if (at->is_seen[index]) {
        model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "module '%s' occurs twice in system ... endsystem",
                           prism_name_show(&resolver->file->names, name->id, shown));
    } else {
        at->is_seen[index] = true;
        TRY_OR(done, fill_module(at, index, &system, error));
    }
    return push(at, &system, error);
done:
    fini_system(&system);
    return status;
}

/* Right steps of an action, in a list through `next`, in their order. */
static void chain_steps(const composer *at, const step_vec *steps, uint32_t *next)
{
    for (size_t i = steps->count; i > 0; i--) {
        uint32_t action = steps->items[i - 1].action;
        next[i - 1] = at->first[action];
        at->first[action] = (uint32_t)(i - 1);
    }
}

static opac_status pair_steps(composer *at, const step_vec *left, const step_vec *right,
                              const uint32_t *next, step_vec *result, opac_error *error)
{
    for (size_t i = 0; i < left->count; i++) {
        const prism_synchronisation *step = &left->items[i];
        if (!at->is_in[step->action]) {
            TRY(step_vec_push(result, *step, error));
            continue;
        }
        for (uint32_t r = at->first[step->action]; r != NONE; r = next[r])
            TRY(add_pair(at, result, step, &right->items[r], error));
    }
    for (size_t i = 0; i < right->count; i++)
        if (!at->is_in[right->items[i].action])
            TRY(step_vec_push(result, right->items[i], error));
    return OPAC_OK;
}

/* Both operands as one, synchronised on the marked actions. */
static opac_status combine(composer *at, const part_system *left, const part_system *right,
                           part_system *result, opac_error *error)
{
    TRY(spend(at,
              left->steps.count + right->steps.count + left->alphabet.count + right->alphabet.count,
              error));
    uint32_t *next = base_alloc(right->steps.count, sizeof *next);
    if (next == NULL)
        return base_fail_memory(error);
    chain_steps(at, &right->steps, next);
    opac_status status = pair_steps(at, &left->steps, &right->steps, next, &result->steps, error);
    for (size_t i = 0; i < right->steps.count; i++)
        at->first[right->steps.items[i].action] = NONE;
    base_free(next);
    TRY(status);
    return join(&left->alphabet, &right->alphabet, &result->alphabet, error);
}

static void unmark(const composer *at, const prism_system_node *node, const part_system *left)
{
    for (size_t i = 0; i < left->alphabet.count; i++)
        at->is_in[left->alphabet.items[i]] = false;
    if (node->op == PRISM_SYSTEM_ON)
        for (uint32_t i = 0; i < node->count; i++)
            at->is_in[at->resolver->action_of[node->actions[i].id]] = false;
}

/* The parser writes whole expressions. */
static opac_status fail_operands(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_INTERNAL, "a composition lacks an operand");
}

static opac_status apply_binary(composer *at, const prism_system_node *node, opac_error *error)
{
    if (at->stack.count < 2)
        return fail_operands(error);
    part_system right = at->stack.items[--at->stack.count];
    part_system left = at->stack.items[--at->stack.count], result = {0};
    opac_status status = OPAC_OK;
    if (node->op == PRISM_SYSTEM_PARALLEL)
        mark_common(at, &left.alphabet, &right.alphabet);
    else if (node->op == PRISM_SYSTEM_ON)
        TRY_OR(done, mark_listed(at, node, error));
    status = combine(at, &left, &right, &result, error);
done:
    unmark(at, node, &left);
    fini_system(&left);
    fini_system(&right);
    if (status == OPAC_OK)
        return push(at, &result, error);
    fini_system(&result);
    return status;
}

/* Renames the steps and the alphabet by `becomes`; 0 hides. */
static void change_actions(const composer *at, part_system *system)
{
    size_t kept = 0;
    for (size_t i = 0; i < system->steps.count; i++)
        system->steps.items[i].action = at->becomes[system->steps.items[i].action];
    for (size_t i = 0; i < system->alphabet.count; i++) {
        uint32_t action = at->becomes[system->alphabet.items[i]];
        if (action != 0)
            system->alphabet.items[kept++] = action;
    }
    system->alphabet.count = kept;
    normalise(&system->alphabet);
}

static opac_status read_renaming(const composer *at, const prism_renaming *renaming,
                                 opac_error *error)
{
    uint32_t from, to;
    char shown[OPAC_SHOWN_SIZE];
    const prism_name *name = &renaming->from;
    TRY(find_action(at, name, &from, error));
    if (from == 0)
        return OPAC_OK;
    to = at->resolver->action_of[renaming->to.id];
    if (at->becomes[from] != from)
        model_report_error(at->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "'%s' is renamed twice",
                           prism_name_show(&at->resolver->file->names, name->id, shown));
    at->becomes[from] = to;
    return OPAC_OK;
}

static opac_status apply_unary(composer *at, const prism_system_node *node, opac_error *error)
{
    if (at->stack.count < 1)
        return fail_operands(error);
    part_system *system = &at->stack.items[at->stack.count - 1];
    TRY(spend(at, system->steps.count + system->alphabet.count + node->count, error));
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t action = 0;
        if (node->op == PRISM_SYSTEM_RENAME)
            TRY(read_renaming(at, &node->renamings[i], error));
        else
            TRY(find_action(at, &node->actions[i], &action, error));
        if (node->op == PRISM_SYSTEM_HIDE)
            at->becomes[action] = 0;
    }
    change_actions(at, system);
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t id =
            node->op == PRISM_SYSTEM_RENAME ? node->renamings[i].from.id : node->actions[i].id;
        at->becomes[at->resolver->action_of[id]] = at->resolver->action_of[id];
    }
    return OPAC_OK;
}

static opac_status apply_node(composer *at, const prism_system_node *node, opac_error *error)
{
    at->place = node->name.place;
    switch (node->op) {
    case PRISM_SYSTEM_MODULE:
        return push_module(at, &node->name, error);
    case PRISM_SYSTEM_PARALLEL:
    case PRISM_SYSTEM_INTERLEAVE:
    case PRISM_SYSTEM_ON:
        return apply_binary(at, node, error);
    case PRISM_SYSTEM_HIDE:
    case PRISM_SYSTEM_RENAME:
        return apply_unary(at, node, error);
    }
    return OPAC_OK;
}

/* ---- without system … endsystem: all in parallel ---- */

static opac_status add_together(composer *at, const uint32_t *modules, uint32_t count,
                                uint32_t action, step_vec *steps, opac_error *error)
{
    prism_part *parts = new_parts(at, count, error);
    if (parts == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        parts[i] = (prism_part){.module = modules[i], .action = action};
    return step_vec_push(
        steps, (prism_synchronisation){.action = action, .parts = parts, .part_count = count},
        error);
}

/* Modules by action, counted and then filled in: CSR. */
static opac_status compose_all(composer *at, step_vec *steps, opac_error *error)
{
    const prism_program *program = at->resolver->program;
    uint32_t *begin = prism_scratch(at->resolver, (size_t)at->room + 1, sizeof *begin, error);
    size_t total = 0;
    if (begin == NULL)
        return OPAC_ERROR_MEMORY;
    memset(begin, 0, ((size_t)at->room + 1) * sizeof *begin);
    for (uint32_t m = 0; m < program->module_count; m++) {
        const base_u32_vec *alphabet = &program->modules[m].alphabet;
        total += alphabet->count;
        for (size_t i = 0; i < alphabet->count; i++)
            begin[alphabet->items[i] + 1]++;
        if (has_unlabelled(&program->modules[m]))
            TRY(add_single(at, steps, m, 0, error));
    }
    uint32_t *modules = prism_scratch(at->resolver, total, sizeof *modules, error);
    if (modules == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t a = 0; a < at->room; a++) {
        begin[a + 1] += begin[a];
        at->first[a] = begin[a];
    }
    for (uint32_t m = 0; m < program->module_count; m++)
        for (size_t i = 0; i < program->modules[m].alphabet.count; i++)
            modules[at->first[program->modules[m].alphabet.items[i]]++] = m;
    for (uint32_t a = 1; a < at->room; a++)
        if (begin[a + 1] > begin[a])
            TRY(add_together(at, modules + begin[a], begin[a + 1] - begin[a], a, steps, error));
    return OPAC_OK;
}

/* ---- all ---- */

static bool is_unlabelled(const prism_synchronisation *step)
{
    return step->part_count == 1 && step->parts[0].action == 0;
}

/* Unlabelled ones by module, then by action, hidden ones last; else as they were. */
static uint64_t rank(const prism_synchronisation *step)
{
    if (is_unlabelled(step))
        return step->parts[0].module;
    return UINT64_C(1) << 40 | (step->action == 0 ? UINT32_MAX : step->action);
}

typedef struct ranked {
    prism_synchronisation step;
    uint64_t rank;
    size_t position;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->position > right->position) - (left->position < right->position);
}

static opac_status keep_steps(composer *at, const step_vec *steps, opac_error *error)
{
    prism_program *program = at->resolver->program;
    ranked *sorted = prism_scratch(at->resolver, steps->count, sizeof *sorted, error);
    program->steps = base_arena_alloc(&program->arena, steps->count, sizeof *program->steps);
    if (sorted == NULL || program->steps == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < steps->count; i++)
        sorted[i] =
            (ranked){.step = steps->items[i], .rank = rank(&steps->items[i]), .position = i};
    qsort(sorted, steps->count, sizeof *sorted, by_rank);
    for (size_t i = 0; i < steps->count; i++)
        program->steps[i] = sorted[i].step;
    program->step_count = (uint32_t)steps->count;
    return OPAC_OK;
}

static void report_absent(const composer *at)
{
    const prism_file *file = at->resolver->file;
    char shown[OPAC_SHOWN_SIZE];
    for (size_t i = 0; i < file->modules.count; i++) {
        const prism_name *name = &file->modules.items[i].name;
        if (at->is_seen[i] || at->resolver->module_of[name->id] != i)
            continue;
        model_report_error(at->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column,
                           "module '%s' does not occur in system ... endsystem (line %u)",
                           prism_name_show(&file->names, name->id, shown), file->system_place.line);
    }
}

static opac_status compose_written(composer *at, opac_error *error)
{
    const prism_file *file = at->resolver->file;
    for (uint32_t i = 0; i < file->system_count; i++)
        TRY(apply_node(at, &file->system[i], error));
    if (at->stack.count == 0)
        return fail_operands(error);
    report_absent(at);
    return keep_steps(at, &at->stack.items[0].steps, error);
}

static opac_status compose_default(composer *at, opac_error *error)
{
    step_vec steps = {0};
    opac_status status = compose_all(at, &steps, error);
    if (status == OPAC_OK)
        status = keep_steps(at, &steps, error);
    step_vec_fini(&steps);
    return status;
}

/* Actions that only a renaming brings in. */
static opac_status add_actions(prism_resolver *resolver, opac_error *error)
{
    const prism_file *file = resolver->file;
    for (uint32_t i = 0; i < file->system_count; i++) {
        const prism_system_node *node = &file->system[i];
        for (uint32_t k = 0; node->op == PRISM_SYSTEM_RENAME && k < node->count; k++) {
            uint32_t action;
            TRY(prism_action(resolver, node->renamings[k].to.id, &action, error));
        }
    }
    return OPAC_OK;
}

static opac_status make_room(composer *at, opac_error *error)
{
    prism_resolver *resolver = at->resolver;
    size_t modules = resolver->file->modules.count;
    at->room = (uint32_t)resolver->actions.count + 1;
    at->is_in = prism_scratch(resolver, at->room, sizeof *at->is_in, error);
    at->first = prism_scratch(resolver, at->room, sizeof *at->first, error);
    at->becomes = prism_scratch(resolver, at->room, sizeof *at->becomes, error);
    at->is_seen = prism_scratch(resolver, modules, sizeof *at->is_seen, error);
    if (at->is_in == NULL || at->first == NULL || at->becomes == NULL || at->is_seen == NULL)
        return OPAC_ERROR_MEMORY;
    memset(at->is_in, 0, at->room * sizeof *at->is_in);
    memset(at->is_seen, 0, modules * sizeof *at->is_seen);
    for (uint32_t i = 0; i < at->room; i++) {
        at->first[i] = NONE;
        at->becomes[i] = i;
    }
    return OPAC_OK;
}

opac_status prism_compose(prism_resolver *resolver, opac_error *error)
{
    composer at = {.resolver = resolver};
    opac_status status;
    TRY_OR(done, add_actions(resolver, error));
    TRY_OR(done, make_room(&at, error));
    status = resolver->file->system == NULL || resolver->file->system_count == 0
                 ? compose_default(&at, error)
                 : compose_written(&at, error);
done:
    for (size_t i = 0; i < at.stack.count; i++)
        fini_system(&at.stack.items[i]);
    part_system_vec_fini(&at.stack);
    return status;
}
