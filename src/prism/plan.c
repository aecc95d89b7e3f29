/* SPDX-License-Identifier: MIT */
/* From a program to a plan: masks of branches, groups of commands, indices of guards. */
#include "prism/plan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "prism/roundings.h"

void prism_plan_fini(prism_plan *plan)
{
    for (uint32_t i = 0; plan->indices != NULL && i < plan->program->module_count; i++)
        prism_index_fini(&plan->indices[i]);
    prism_set_vec_fini(&plan->sets);
    prism_code_free(plan->code);
    base_arena_fini(&plan->arena);
    *plan = (prism_plan){0};
}

/* ---- branches ---- */

static bool is_literal(const prism_expression *expression)
{
    unsigned op = prism_root(expression)->op;
    return op == PRISM_OP_BOOL || op == PRISM_OP_INT || op == PRISM_OP_REAL;
}

/* The double of a literal that needs no number: it is in [0, 1], and precise. */
static void round_literal(prism_way *way)
{
    prism_number number;
    double low;
    prism_number_of_literal(way->node, &number);
    if (prism_number_split(&number, &way->literal, &low) && way->literal >= 0 &&
        way->literal <= 1 && !model_is_too_small(way->literal))
        way->roundings = 1;
}

static opac_status add_probability(prism_plan *plan, const prism_expression *expression,
                                   prism_way *way, opac_error *error)
{
    way->entry = PRISM_NO_ENTRY;
    if (expression->count == 0) {
        way->literal = 1;
        way->roundings = 1;
        return OPAC_OK;
    }
    if (is_literal(expression)) {
        way->node = prism_root(expression);
        round_literal(way);
        return OPAC_OK;
    }
    TRY(prism_count_roundings(plan->program, expression, PRISM_MOST_ROUNDINGS, &way->roundings,
                              error));
    return prism_code_add(plan->code, expression, &way->entry, error);
}

/* Variable, or variable and literal: so common that no code is run for it. */
static bool is_sum(const prism_expression *expression, prism_set *set)
{
    const prism_node *nodes = expression->nodes;
    set->kind = PRISM_SET_SUM;
    if (expression->count == 1 && nodes[0].op == PRISM_OP_VARIABLE) {
        set->source = nodes[0].value.index;
        return true;
    }
    const int64_t far = INT64_C(1) << 40; /* so that with 2^32 values nothing overflows */
    if (expression->count != 3 || nodes[0].op != PRISM_OP_VARIABLE || nodes[1].op != PRISM_OP_INT ||
        nodes[1].value.integer < -far || nodes[1].value.integer > far)
        return false;
    set->source = nodes[0].value.index;
    set->offset = nodes[2].op == PRISM_OP_ADD ? nodes[1].value.integer : -nodes[1].value.integer;
    return nodes[2].op == PRISM_OP_ADD || nodes[2].op == PRISM_OP_SUBTRACT;
}

static bool is_near(const prism_variable *variable)
{
    const int64_t far = INT64_C(1) << 40;
    return variable->low > -far && variable->high < far;
}

static opac_status add_set(prism_plan *plan, const prism_assignment *assignment, opac_error *error)
{
    prism_set set = {.variable = assignment->variable, .place = assignment->place};
    if (!is_sum(&assignment->value, &set) || !is_near(&plan->program->variables[set.source])) {
        set.kind = PRISM_SET_CODE;
        TRY(prism_code_add(plan->code, &assignment->value, &set.source, error));
    }
    return prism_set_vec_push(&plan->sets, set, error);
}

/* A literal in the range is part of the masks; x'=x is nothing; all else is left for each state. */
static opac_status add_assignment(prism_plan *plan, const prism_assignment *assignment,
                                  uint64_t *keep, uint64_t *fixed, opac_error *error)
{
    const model_variable *variable = &plan->layout->variables[assignment->variable];
    const prism_node *node = prism_root(&assignment->value);
    if (node->op == PRISM_OP_VARIABLE && node->value.index == assignment->variable)
        return OPAC_OK;
    if (variable->mask != 0)
        keep[variable->word] &= ~(variable->mask << variable->shift);
    int64_t value = node->value.integer;
    if ((node->op == PRISM_OP_INT || node->op == PRISM_OP_BOOL) && value >= variable->low &&
        value <= variable->high) {
        if (variable->mask != 0)
            fixed[variable->word] |= (uint64_t)(value - variable->low) << variable->shift;
        return OPAC_OK;
    }
    return add_set(plan, assignment, error);
}

static opac_status add_way(prism_plan *plan, const prism_branch *branch, uint32_t index,
                           opac_error *error)
{
    prism_way *way = &plan->ways[index];
    uint64_t *keep = plan->keep + (size_t)index * plan->words;
    uint64_t *fixed = plan->fixed + (size_t)index * plan->words;
    for (uint32_t w = 0; w < plan->words; w++)
        keep[w] = UINT64_MAX;
    *way = (prism_way){.place = branch->place, .set_begin = (uint32_t)plan->sets.count};
    TRY(add_probability(plan, &branch->probability, way, error));
    for (uint32_t i = 0; i < branch->assignment_count; i++)
        TRY(add_assignment(plan, &branch->assignments[i], keep, fixed, error));
    way->set_end = (uint32_t)plan->sets.count;
    return OPAC_OK;
}

static opac_status add_command(prism_plan *plan, const prism_command *command, uint32_t group,
                               uint32_t *way, opac_error *error)
{
    prism_action *action = &plan->actions[plan->action_count++];
    *action = (prism_action){.group = group,
                             .way_begin = *way,
                             .way_end = *way + command->branch_count,
                             .is_constant = true,
                             .place = command->place};
    for (uint32_t i = 0; i < command->branch_count; i++, ++*way) {
        TRY(add_way(plan, &command->branches[i], *way, error));
        action->is_constant &= plan->ways[*way].entry == PRISM_NO_ENTRY;
        action->has_sets |= plan->ways[*way].set_begin < plan->ways[*way].set_end;
    }
    return OPAC_OK;
}

/* ---- groups and steps ---- */

/* Groups by module and action, while the plan is made. */
static uint64_t key_of(uint32_t module, uint32_t action)
{
    return (uint64_t)module << 32 | action;
}

static opac_status need_group(prism_plan *plan, base_map *groups, prism_part part, uint32_t *group,
                              opac_error *error)
{
    uint64_t *known;
    TRY(base_map_at(groups, key_of(part.module, part.action), &known, error));
    if (*known == 0) { /* else one more than its number */
        plan->groups[plan->group_count++] =
            (prism_group){.module = part.module, .action = part.action, .leads = PRISM_NO_ENTRY};
        *known = plan->group_count;
    }
    *group = (uint32_t)(*known - 1);
    return OPAC_OK;
}

static size_t count_parts(const prism_program *program)
{
    size_t count = 0;
    for (uint32_t i = 0; i < program->step_count; i++)
        count += program->steps[i].part_count;
    return count;
}

/* The steps, and the groups that they need, each once. */
static opac_status make_steps(prism_plan *plan, base_map *groups, opac_error *error)
{
    const prism_program *program = plan->program;
    uint32_t at = 0;
    for (uint32_t i = 0; i < program->step_count; i++) {
        const prism_synchronisation *from = &program->steps[i];
        plan->steps[i] =
            (prism_step){.action = from->action, .part_begin = at, .next = PRISM_NO_ENTRY};
        for (uint32_t k = 0; k < from->part_count; k++)
            TRY(need_group(plan, groups, from->parts[k], &plan->parts[at++], error));
        plan->steps[i].part_end = at;
    }
    plan->step_count = program->step_count;
    return OPAC_OK;
}

/* Each step to the group of its first part. */
static void make_leaders(prism_plan *plan)
{
    for (uint32_t i = 0; i < plan->step_count; i++) {
        prism_step *step = &plan->steps[i];
        if (step->part_begin == step->part_end)
            continue;
        uint32_t *leads = &plan->groups[plan->parts[step->part_begin]].leads;
        step->next = *leads;
        *leads = i;
    }
}

/* Where the enabled commands of each group go. */
static void make_room_for_enabled(prism_plan *plan)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < plan->action_count; i++)
        if (plan->actions[i].group != PRISM_NO_ENTRY)
            plan->groups[plan->actions[i].group].size++;
    for (uint32_t i = 0; i < plan->group_count; i++) {
        plan->groups[i].begin = at;
        at += plan->groups[i].size;
    }
}

/* ---- all of it ---- */

static opac_status allocate(prism_plan *plan, opac_error *error)
{
    const prism_program *program = plan->program;
    base_arena *arena = &plan->arena;
    size_t parts = count_parts(program), commands = 0, ways = 0;
    for (uint32_t m = 0; m < program->module_count; m++)
        for (uint32_t c = 0; c < program->modules[m].command_count; c++) {
            commands++;
            ways += program->modules[m].commands[c].branch_count;
        }
    if (ways >= UINT32_MAX || commands >= UINT32_MAX || parts >= UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "the program has too many branches");
    plan->actions = base_arena_alloc_zeroed(arena, commands, sizeof *plan->actions);
    plan->ways = base_arena_alloc_zeroed(arena, ways, sizeof *plan->ways);
    plan->live = base_arena_alloc_zeroed(arena, ways, sizeof *plan->live);
    plan->live_low = base_arena_alloc_zeroed(arena, ways, sizeof *plan->live_low);
    plan->live_exact = base_arena_alloc_zeroed(arena, plan->exact ? ways : 0, sizeof(base_ratio));
    plan->keep = base_arena_alloc_zeroed(arena, ways * plan->words, sizeof *plan->keep);
    plan->fixed = base_arena_alloc_zeroed(arena, ways * plan->words, sizeof *plan->fixed);
    plan->ready = base_arena_alloc_zeroed(arena, ways * plan->words, sizeof *plan->ready);
    plan->steps = base_arena_alloc_zeroed(arena, program->step_count, sizeof *plan->steps);
    plan->parts = base_arena_alloc_zeroed(arena, parts, sizeof *plan->parts);
    plan->groups = base_arena_alloc_zeroed(arena, parts, sizeof *plan->groups);
    plan->first_action = base_arena_alloc_zeroed(arena, program->module_count, sizeof(uint32_t));
    plan->enabled = base_arena_alloc_zeroed(arena, commands, sizeof *plan->enabled);
    plan->enabled_count = base_arena_alloc_zeroed(arena, parts, sizeof *plan->enabled_count);
    plan->active = base_arena_alloc_zeroed(arena, parts, sizeof *plan->active);
    plan->due = base_arena_alloc_zeroed(arena, program->step_count / 64 + 1, sizeof *plan->due);
    plan->labels = base_arena_alloc_zeroed(arena, program->label_count, sizeof *plan->labels);
    plan->indices = base_arena_alloc_zeroed(arena, program->module_count, sizeof *plan->indices);
    bool have_all = plan->actions != NULL && plan->ways != NULL && plan->live != NULL &&
                    plan->live_low != NULL && plan->live_exact != NULL && plan->keep != NULL &&
                    plan->fixed != NULL && plan->ready != NULL && plan->steps != NULL &&
                    plan->parts != NULL && plan->groups != NULL && plan->first_action != NULL &&
                    plan->enabled != NULL && plan->enabled_count != NULL && plan->active != NULL &&
                    plan->due != NULL && plan->labels != NULL && plan->indices != NULL;
    return have_all ? OPAC_OK : base_fail_memory(error);
}

/* What the indices of all modules use while they are made. */
typedef struct index_room {
    bool *wanted;    /* a command */
    int64_t *values; /* a variable */
    uint32_t *uses;  /* likewise */
} index_room;

static opac_status make_index(prism_plan *plan, uint32_t module, const index_room *room,
                              opac_error *error)
{
    const prism_module *of = &plan->program->modules[module];
    const prism_action *actions = &plan->actions[plan->first_action[module]];
    for (uint32_t i = 0; i < of->command_count; i++)
        room->wanted[i] = actions[i].group != PRISM_NO_ENTRY;
    return prism_index_make(plan->program, module, room->wanted, plan->code, room->values,
                            room->uses, &plan->indices[module], error);
}

static opac_status make_indices(prism_plan *plan, opac_error *error)
{
    const prism_program *program = plan->program;
    index_room room = {
        .wanted = base_alloc(plan->action_count, sizeof *room.wanted),
        .values = base_alloc_zeroed(program->variable_count, sizeof *room.values),
        .uses = base_alloc_zeroed(program->variable_count, sizeof *room.uses),
    };
    opac_status status = OPAC_OK;
    if (room.wanted == NULL || room.values == NULL || room.uses == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (uint32_t i = 0; i < program->module_count; i++)
        TRY_OR(done, make_index(plan, i, &room, error));
done:
    base_free(room.wanted);
    base_free(room.values);
    base_free(room.uses);
    return status;
}

static opac_status add_module(prism_plan *plan, const base_map *groups, uint32_t module,
                              uint32_t *way, opac_error *error)
{
    const prism_module *of = &plan->program->modules[module];
    plan->first_action[module] = plan->action_count;
    for (uint32_t i = 0; i < of->command_count; i++) {
        const uint64_t *group = base_map_find(groups, key_of(module, of->commands[i].action));
        TRY(add_command(plan, &of->commands[i],
                        group != NULL ? (uint32_t)(*group - 1) : PRISM_NO_ENTRY, way, error));
    }
    return OPAC_OK;
}

static opac_status add_modules(prism_plan *plan, uint32_t *way, opac_error *error)
{
    base_map groups = {0};
    opac_status status;
    TRY_OR(done, make_steps(plan, &groups, error));
    for (uint32_t i = 0; i < plan->program->module_count; i++)
        TRY_OR(done, add_module(plan, &groups, i, way, error));
done:
    base_map_fini(&groups);
    return status;
}

opac_status prism_plan_make(const prism_program *program, const model_layout *layout, bool exact,
                            prism_plan *plan, opac_error *error)
{
    uint32_t way = 0;
    *plan = (prism_plan){.program = program, .layout = layout, .exact = exact};
    plan->words = layout->words;
    TRY(prism_code_new(&plan->code, error));
    TRY(allocate(plan, error));
    TRY(add_modules(plan, &way, error));
    TRY(make_indices(plan, error));
    for (uint32_t i = 0; i < program->label_count; i++)
        TRY(prism_code_add(plan->code, &program->labels[i].states, &plan->labels[i], error));
    make_leaders(plan);
    make_room_for_enabled(plan);
    memcpy(plan->ready, plan->fixed, (size_t)way * plan->words * sizeof *plan->ready);
    return OPAC_OK;
}
