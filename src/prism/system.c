/* SPDX-License-Identifier: MIT */
/*
 * Computes the synchronisations of a model. Each operand of system … endsystem is evaluated to a list of
 * steps, each with the modules that take part in it, and an alphabet. Composition pairs the steps of its
 * operands; hiding and renaming change the actions of steps.
 *
 *     (A ||| B) |[a]| C           steps: A and C on a; B and C on a; other actions of each module alone
 *
 * The number of pairs may be exponential in the size of the text, so the work is bounded by MAX_WORK.
 */
#include <stdlib.h>
#include <string.h>

#include "prism/resolve.h"

#define MAX_WORK UINT64_C(4000000) /* visited steps and copied parts */
#define NONE     UINT32_MAX

BASE_VEC(step_vec, prism_synchronisation);

/* The value of an operand. */
typedef struct subsystem {
    step_vec steps;
    base_u32_vec alphabet; /* ascending */
} subsystem;

BASE_VEC(subsystem_vec, subsystem);

typedef struct composer {
    prism_resolver *resolver;
    subsystem_vec stack;
    /* For each action: in the set of synchronising actions of the current operator. */
    bool *is_synchronised;
    uint32_t *first; /* for each action: the first step of the right operand with it, or NONE */
    /* For each action: what the current operator renames it to; 0 if hidden. */
    uint32_t *renamed_to;
    bool *is_seen;         /* for each module: it has occurred */
    uint32_t action_count; /* number of actions, the size of the first three arrays */
    prism_place place;     /* of the current operator */
    uint64_t work;
} composer;

static void fini_subsystem(subsystem *system)
{
    step_vec_fini(&system->steps);
    base_u32_vec_fini(&system->alphabet);
}

static opac_status count_work(composer *c, uint64_t work, opac_error *error)
{
    c->work += work;
    if (c->work <= MAX_WORK)
        return OPAC_OK;
    return base_fail_at(error, OPAC_ERROR_LIMIT, c->place.line, c->place.column,
                        "the composition is too large: modules synchronise in too many ways");
}

/* ---- steps ---- */

static prism_part *new_parts(composer *c, uint32_t count, opac_error *error)
{
    prism_part *parts = base_arena_alloc(&c->resolver->program->arena, count, sizeof *parts);
    if (parts == NULL)
        base_fail_memory(error);
    return parts;
}

static opac_status add_single(composer *c, step_vec *steps, uint32_t module, uint32_t action,
                              opac_error *error)
{
    prism_part *part = new_parts(c, 1, error);
    if (part == NULL)
        return OPAC_ERROR_MEMORY;
    *part = (prism_part){.module = module, .action = action};
    return step_vec_push(
        steps, (prism_synchronisation){.action = action, .parts = part, .part_count = 1}, error);
}

/* Adds the synchronisation of two steps. Their modules are disjoint, since each module occurs once. */
static opac_status add_pair(composer *c, step_vec *steps, const prism_synchronisation *left,
                            const prism_synchronisation *right, opac_error *error)
{
    uint32_t count = left->part_count + right->part_count, l = 0, r = 0;
    TRY(count_work(c, count, error));
    prism_part *parts = new_parts(c, count, error);
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

static void sort_unique(base_u32_vec *set)
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

static opac_status unite(const base_u32_vec *left, const base_u32_vec *right, base_u32_vec *all,
                         opac_error *error)
{
    TRY(base_u32_vec_reserve(all, left->count + right->count, error));
    for (size_t i = 0; i < left->count; i++)
        all->items[all->count++] = left->items[i];
    for (size_t i = 0; i < right->count; i++)
        all->items[all->count++] = right->items[i];
    sort_unique(all);
    return OPAC_OK;
}

static void mark_common(const composer *c, const base_u32_vec *left, const base_u32_vec *right)
{
    size_t r = 0;
    for (size_t l = 0; l < left->count; l++) {
        while (r < right->count && right->items[r] < left->items[l])
            r++;
        c->is_synchronised[left->items[l]] = r < right->count && right->items[r] == left->items[l];
    }
}

/* Finds an action of a list. It must occur in the model; otherwise *action is 0 and an error is reported. */
static opac_status find_action(const composer *c, const prism_name *name, uint32_t *action,
                               opac_error *error)
{
    const prism_resolver *resolver = c->resolver;
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE];
    *action = resolver->action_of[name->id];
    if (*action != 0)
        return OPAC_OK;
    TRY(prism_hint_names(resolver, resolver->actions.items, resolver->actions.count, name->id, hint,
                         error));
    model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line, name->place.column,
                       "no command has the action '%s'%s",
                       prism_show_name_id(&resolver->file->names, name->id, shown), hint);
    return OPAC_OK;
}

static opac_status mark_listed(const composer *c, const prism_system_node *node, opac_error *error)
{
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t action;
        TRY(find_action(c, &node->actions[i], &action, error));
        c->is_synchronised[action] = true;
    }
    c->is_synchronised[0] = false;
    return OPAC_OK;
}

/* ---- operators ---- */

static opac_status push(composer *c, subsystem *system, opac_error *error)
{
    opac_status status = subsystem_vec_push(&c->stack, *system, error);
    if (status != OPAC_OK)
        fini_subsystem(system);
    return status;
}

static opac_status fill_module(composer *c, uint32_t index, subsystem *system, opac_error *error)
{
    const prism_module *module = &c->resolver->program->modules[index];
    const base_u32_vec *alphabet = &module->alphabet, none = {0};
    TRY(unite(alphabet, &none, &system->alphabet, error));
    if (has_unlabelled(module))
        TRY(add_single(c, &system->steps, index, 0, error));
    for (size_t i = 0; i < alphabet->count; i++)
        TRY(add_single(c, &system->steps, index, alphabet->items[i], error));
    return OPAC_OK;
}

static opac_status push_module(composer *c, const prism_name *name, opac_error *error)
{
    prism_resolver *resolver = c->resolver;
    uint32_t index = resolver->module_of[name->id];
    subsystem system = {0};
    char shown[OPAC_SHOWN_SIZE];
    opac_status status;
    if (index == NONE) {
        TRY(prism_report_unknown_module(c->resolver, name, error));
    } else if (c->is_seen[index]) {
        model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "module '%s' occurs twice in system ... endsystem",
                           prism_show_name_id(&resolver->file->names, name->id, shown));
    } else {
        c->is_seen[index] = true;
        TRY_OR(done, fill_module(c, index, &system, error));
    }
    return push(c, &system, error);
done:
    fini_subsystem(&system);
    return status;
}

/* Links the steps of each action into a list that begins at c->first, in their order. */
static void link_steps(const composer *c, const step_vec *steps, uint32_t *next)
{
    for (size_t i = steps->count; i > 0; i--) {
        uint32_t action = steps->items[i - 1].action;
        next[i - 1] = c->first[action];
        c->first[action] = (uint32_t)(i - 1);
    }
}

static opac_status pair_steps(composer *c, const step_vec *left, const step_vec *right,
                              const uint32_t *next, step_vec *result, opac_error *error)
{
    for (size_t i = 0; i < left->count; i++) {
        const prism_synchronisation *step = &left->items[i];
        if (!c->is_synchronised[step->action]) {
            TRY(step_vec_push(result, *step, error));
            continue;
        }
        for (uint32_t r = c->first[step->action]; r != NONE; r = next[r])
            TRY(add_pair(c, result, step, &right->items[r], error));
    }
    for (size_t i = 0; i < right->count; i++)
        if (!c->is_synchronised[right->items[i].action])
            TRY(step_vec_push(result, right->items[i], error));
    return OPAC_OK;
}

/* Composes two operands, synchronised on the marked actions. */
static opac_status combine(composer *c, const subsystem *left, const subsystem *right,
                           subsystem *result, opac_error *error)
{
    TRY(count_work(
        c, left->steps.count + right->steps.count + left->alphabet.count + right->alphabet.count,
        error));
    uint32_t *next = base_alloc(right->steps.count, sizeof *next);
    if (next == NULL)
        return base_fail_memory(error);
    link_steps(c, &right->steps, next);
    opac_status status = pair_steps(c, &left->steps, &right->steps, next, &result->steps, error);
    for (size_t i = 0; i < right->steps.count; i++)
        c->first[right->steps.items[i].action] = NONE;
    base_free(next);
    TRY(status);
    return unite(&left->alphabet, &right->alphabet, &result->alphabet, error);
}

static void unmark(const composer *c, const prism_system_node *node, const subsystem *left)
{
    for (size_t i = 0; i < left->alphabet.count; i++)
        c->is_synchronised[left->alphabet.items[i]] = false;
    if (node->op == PRISM_SYSTEM_SYNCHRONISE)
        for (uint32_t i = 0; i < node->count; i++)
            c->is_synchronised[c->resolver->action_of[node->actions[i].id]] = false;
}

/* Cannot happen: the parser produces complete postfix programs. */
static opac_status fail_missing_operand(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_INTERNAL, "a composition lacks an operand");
}

static opac_status apply_binary(composer *c, const prism_system_node *node, opac_error *error)
{
    if (c->stack.count < 2)
        return fail_missing_operand(error);
    subsystem right = c->stack.items[--c->stack.count];
    subsystem left = c->stack.items[--c->stack.count], result = {0};
    opac_status status = OPAC_OK;
    if (node->op == PRISM_SYSTEM_PARALLEL)
        mark_common(c, &left.alphabet, &right.alphabet);
    else if (node->op == PRISM_SYSTEM_SYNCHRONISE)
        TRY_OR(done, mark_listed(c, node, error));
    status = combine(c, &left, &right, &result, error);
done:
    unmark(c, node, &left);
    fini_subsystem(&left);
    fini_subsystem(&right);
    if (status == OPAC_OK)
        return push(c, &result, error);
    fini_subsystem(&result);
    return status;
}

/* Renames or hides actions in the steps and the alphabet, by c->renamed_to. */
static void rename_actions(const composer *c, subsystem *system)
{
    size_t kept = 0;
    for (size_t i = 0; i < system->steps.count; i++)
        system->steps.items[i].action = c->renamed_to[system->steps.items[i].action];
    for (size_t i = 0; i < system->alphabet.count; i++) {
        uint32_t action = c->renamed_to[system->alphabet.items[i]];
        if (action != 0)
            system->alphabet.items[kept++] = action;
    }
    system->alphabet.count = kept;
    sort_unique(&system->alphabet);
}

static opac_status read_renaming(const composer *c, const prism_renaming *renaming,
                                 opac_error *error)
{
    uint32_t from, to;
    char shown[OPAC_SHOWN_SIZE];
    const prism_name *name = &renaming->from;
    TRY(find_action(c, name, &from, error));
    if (from == 0)
        return OPAC_OK;
    to = c->resolver->action_of[renaming->to.id];
    if (c->renamed_to[from] != from)
        model_report_error(c->resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "'%s' is renamed twice",
                           prism_show_name_id(&c->resolver->file->names, name->id, shown));
    c->renamed_to[from] = to;
    return OPAC_OK;
}

static opac_status apply_unary(composer *c, const prism_system_node *node, opac_error *error)
{
    if (c->stack.count < 1)
        return fail_missing_operand(error);
    subsystem *system = &c->stack.items[c->stack.count - 1];
    TRY(count_work(c, system->steps.count + system->alphabet.count + node->count, error));
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t action = 0;
        if (node->op == PRISM_SYSTEM_RENAME)
            TRY(read_renaming(c, &node->renamings[i], error));
        else
            TRY(find_action(c, &node->actions[i], &action, error));
        if (node->op == PRISM_SYSTEM_HIDE)
            c->renamed_to[action] = 0;
    }
    rename_actions(c, system);
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t id =
            node->op == PRISM_SYSTEM_RENAME ? node->renamings[i].from.id : node->actions[i].id;
        c->renamed_to[c->resolver->action_of[id]] = c->resolver->action_of[id];
    }
    return OPAC_OK;
}

static opac_status apply_node(composer *c, const prism_system_node *node, opac_error *error)
{
    c->place = node->name.place;
    switch (node->op) {
    case PRISM_SYSTEM_MODULE:
        return push_module(c, &node->name, error);
    case PRISM_SYSTEM_PARALLEL:
    case PRISM_SYSTEM_INTERLEAVE:
    case PRISM_SYSTEM_SYNCHRONISE:
        return apply_binary(c, node, error);
    case PRISM_SYSTEM_HIDE:
    case PRISM_SYSTEM_RENAME:
        return apply_unary(c, node, error);
    }
    return OPAC_OK;
}

/* ---- without system … endsystem: the parallel composition of all modules ---- */

static opac_status add_synchronisation(composer *c, const uint32_t *modules, uint32_t count,
                                       uint32_t action, step_vec *steps, opac_error *error)
{
    prism_part *parts = new_parts(c, count, error);
    if (parts == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        parts[i] = (prism_part){.module = modules[i], .action = action};
    return step_vec_push(
        steps, (prism_synchronisation){.action = action, .parts = parts, .part_count = count},
        error);
}

/* Groups the modules by action, as CSR: counts them first, and then stores them. */
static opac_status compose_in_parallel(composer *c, step_vec *steps, opac_error *error)
{
    const prism_program *program = c->resolver->program;
    uint32_t *begin =
        prism_alloc_scratch(c->resolver, (size_t)c->action_count + 1, sizeof *begin, error);
    size_t total = 0;
    if (begin == NULL)
        return OPAC_ERROR_MEMORY;
    memset(begin, 0, ((size_t)c->action_count + 1) * sizeof *begin);
    for (uint32_t m = 0; m < program->module_count; m++) {
        const base_u32_vec *alphabet = &program->modules[m].alphabet;
        total += alphabet->count;
        for (size_t i = 0; i < alphabet->count; i++)
            begin[alphabet->items[i] + 1]++;
        if (has_unlabelled(&program->modules[m]))
            TRY(add_single(c, steps, m, 0, error));
    }
    uint32_t *modules = prism_alloc_scratch(c->resolver, total, sizeof *modules, error);
    if (modules == NULL)
        return OPAC_ERROR_MEMORY;
    for (uint32_t a = 0; a < c->action_count; a++) {
        begin[a + 1] += begin[a];
        c->first[a] = begin[a];
    }
    for (uint32_t m = 0; m < program->module_count; m++)
        for (size_t i = 0; i < program->modules[m].alphabet.count; i++)
            modules[c->first[program->modules[m].alphabet.items[i]]++] = m;
    for (uint32_t a = 1; a < c->action_count; a++)
        if (begin[a + 1] > begin[a])
            TRY(add_synchronisation(c, modules + begin[a], begin[a + 1] - begin[a], a, steps,
                                    error));
    return OPAC_OK;
}

/* ---- the order of steps ---- */

static bool is_unlabelled(const prism_synchronisation *step)
{
    return step->part_count == 1 && step->parts[0].action == 0;
}

/*
 * Unlabelled steps of single modules by module, then the others by action, hidden ones last; the sort is
 * stable.
 */
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

static opac_status keep_steps(composer *c, const step_vec *steps, opac_error *error)
{
    prism_program *program = c->resolver->program;
    ranked *sorted = prism_alloc_scratch(c->resolver, steps->count, sizeof *sorted, error);
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

static void report_unused_modules(const composer *c)
{
    const prism_file *file = c->resolver->file;
    char shown[OPAC_SHOWN_SIZE];
    for (size_t i = 0; i < file->modules.count; i++) {
        const prism_name *name = &file->modules.items[i].name;
        if (c->is_seen[i] || c->resolver->module_of[name->id] != i)
            continue;
        model_report_error(
            c->resolver->report, OPAC_ERROR_SYNTAX, name->place.line, name->place.column,
            "module '%s' does not occur in system ... endsystem (line %u)",
            prism_show_name_id(&file->names, name->id, shown), file->system_place.line);
    }
}

static opac_status compose_system(composer *c, opac_error *error)
{
    const prism_file *file = c->resolver->file;
    for (uint32_t i = 0; i < file->system_count; i++)
        TRY(apply_node(c, &file->system[i], error));
    if (c->stack.count == 0)
        return fail_missing_operand(error);
    report_unused_modules(c);
    return keep_steps(c, &c->stack.items[0].steps, error);
}

static opac_status compose_modules(composer *c, opac_error *error)
{
    step_vec steps = {0};
    opac_status status = compose_in_parallel(c, &steps, error);
    if (status == OPAC_OK)
        status = keep_steps(c, &steps, error);
    step_vec_fini(&steps);
    return status;
}

/* Adds actions that occur only as the result of a renaming. */
static opac_status add_actions(prism_resolver *resolver, opac_error *error)
{
    const prism_file *file = resolver->file;
    for (uint32_t i = 0; i < file->system_count; i++) {
        const prism_system_node *node = &file->system[i];
        for (uint32_t k = 0; node->op == PRISM_SYSTEM_RENAME && k < node->count; k++) {
            uint32_t action;
            TRY(prism_intern_action(resolver, node->renamings[k].to.id, &action, error));
        }
    }
    return OPAC_OK;
}

static opac_status allocate_tables(composer *c, opac_error *error)
{
    prism_resolver *resolver = c->resolver;
    size_t modules = resolver->file->modules.count;
    c->action_count = (uint32_t)resolver->actions.count + 1;
    c->is_synchronised =
        prism_alloc_scratch(resolver, c->action_count, sizeof *c->is_synchronised, error);
    c->first = prism_alloc_scratch(resolver, c->action_count, sizeof *c->first, error);
    c->renamed_to = prism_alloc_scratch(resolver, c->action_count, sizeof *c->renamed_to, error);
    c->is_seen = prism_alloc_scratch(resolver, modules, sizeof *c->is_seen, error);
    if (c->is_synchronised == NULL || c->first == NULL || c->renamed_to == NULL ||
        c->is_seen == NULL)
        return OPAC_ERROR_MEMORY;
    memset(c->is_synchronised, 0, c->action_count * sizeof *c->is_synchronised);
    memset(c->is_seen, 0, modules * sizeof *c->is_seen);
    for (uint32_t i = 0; i < c->action_count; i++) {
        c->first[i] = NONE;
        c->renamed_to[i] = i;
    }
    return OPAC_OK;
}

opac_status prism_compose(prism_resolver *resolver, opac_error *error)
{
    composer c = {.resolver = resolver};
    opac_status status;
    TRY_OR(done, add_actions(resolver, error));
    TRY_OR(done, allocate_tables(&c, error));
    status = resolver->file->system == NULL || resolver->file->system_count == 0
                 ? compose_modules(&c, error)
                 : compose_system(&c, error);
done:
    for (size_t i = 0; i < c.stack.count; i++)
        fini_subsystem(&c.stack.items[i]);
    subsystem_vec_fini(&c.stack);
    return status;
}
