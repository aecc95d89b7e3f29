/* SPDX-License-Identifier: MIT */
/* Compiles a program: masks of branches, groups of commands, guard trees. Linear in the program. */
#include "prism/compiled_program.h"

#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "prism/rounding_error.h"

void prism_compiled_program_fini(prism_compiled_program *compiled)
{
    for (uint32_t i = 0; compiled->guard_trees != NULL && i < compiled->program->module_count; i++)
        prism_guard_tree_fini(&compiled->guard_trees[i]);
    prism_compiled_assignment_vec_fini(&compiled->assignments);
    prism_code_free(compiled->code);
    base_arena_fini(&compiled->arena);
    *compiled = (prism_compiled_program){0};
}

/* ---- branches ---- */

static bool is_literal(const prism_expression *expression)
{
    unsigned op = prism_root(expression)->op;
    return op == PRISM_OP_BOOL || op == PRISM_OP_INT || op == PRISM_OP_REAL;
}

/* Sets the double of a literal if it is in [0, 1] and precise; otherwise the prism_number must be used. */
static void set_literal_double(prism_compiled_branch *branch)
{
    prism_number number;
    double low;
    prism_number_of_literal(branch->node, &number);
    if (prism_number_split(&number, &branch->literal, &low) && branch->literal >= 0 &&
        branch->literal <= 1 && !model_is_too_small(branch->literal))
        branch->rounding_error = 1;
}

static opac_status compile_probability(prism_compiled_program *compiled,
                                       const prism_expression *expression,
                                       prism_compiled_branch *branch, opac_error *error)
{
    branch->entry = PRISM_NO_ENTRY;
    if (expression->count == 0) {
        branch->literal = 1;
        branch->rounding_error = 1;
        return OPAC_OK;
    }
    if (is_literal(expression)) {
        branch->node = prism_root(expression);
        set_literal_double(branch);
        return OPAC_OK;
    }
    TRY(prism_bound_rounding_error(compiled->program, expression, PRISM_MAX_ROUNDING_ERROR,
                                   &branch->rounding_error, error));
    return prism_code_add(compiled->code, expression, &branch->entry, error);
}

/* Recognises x, x+c and x-c, which are so common that they are evaluated without code. */
static bool is_offset(const prism_expression *expression, prism_compiled_assignment *result)
{
    const prism_node *nodes = expression->nodes;
    result->kind = PRISM_ASSIGN_OFFSET;
    if (expression->count == 1 && nodes[0].op == PRISM_OP_VARIABLE) {
        result->source = nodes[0].value.index;
        return true;
    }
    const int64_t far = INT64_C(1)
                        << 40; /* a variable has at most 2^32 values: the sum cannot overflow */
    if (expression->count != 3 || nodes[0].op != PRISM_OP_VARIABLE || nodes[1].op != PRISM_OP_INT ||
        nodes[1].value.integer < -far || nodes[1].value.integer > far)
        return false;
    result->source = nodes[0].value.index;
    result->offset = nodes[2].op == PRISM_OP_ADD ? nodes[1].value.integer : -nodes[1].value.integer;
    return nodes[2].op == PRISM_OP_ADD || nodes[2].op == PRISM_OP_SUBTRACT;
}

static bool has_small_range(const prism_variable *variable)
{
    const int64_t far = INT64_C(1) << 40;
    return variable->low > -far && variable->high < far;
}

static opac_status add_state_dependent(prism_compiled_program *compiled,
                                       const prism_assignment *assignment, opac_error *error)
{
    prism_compiled_assignment set = {.variable = assignment->variable, .place = assignment->place};
    if (!is_offset(&assignment->value, &set) ||
        !has_small_range(&compiled->program->variables[set.source])) {
        set.kind = PRISM_ASSIGN_CODE;
        TRY(prism_code_add(compiled->code, &assignment->value, &set.source, error));
    }
    return prism_compiled_assignment_vec_push(&compiled->assignments, set, error);
}

/* Drops x'=x, puts a literal within the range into the masks, and adds all others as state-dependent. */
static opac_status compile_assignment(prism_compiled_program *compiled,
                                      const prism_assignment *assignment, uint64_t *keep_mask,
                                      uint64_t *constant_bits, opac_error *error)
{
    const model_variable *variable = &compiled->layout->variables[assignment->variable];
    const prism_node *node = prism_root(&assignment->value);
    if (node->op == PRISM_OP_VARIABLE && node->value.index == assignment->variable)
        return OPAC_OK;
    if (variable->mask != 0)
        keep_mask[variable->word] &= ~(variable->mask << variable->shift);
    int64_t value = node->value.integer;
    if ((node->op == PRISM_OP_INT || node->op == PRISM_OP_BOOL) && value >= variable->low &&
        value <= variable->high) {
        if (variable->mask != 0)
            constant_bits[variable->word] |= (uint64_t)(value - variable->low) << variable->shift;
        return OPAC_OK;
    }
    return add_state_dependent(compiled, assignment, error);
}

static opac_status compile_branch(prism_compiled_program *compiled, const prism_branch *source,
                                  uint32_t index, opac_error *error)
{
    prism_compiled_branch *branch = &compiled->branches[index];
    uint64_t *keep_mask = compiled->keep_mask + (size_t)index * compiled->words;
    uint64_t *constant_bits = compiled->constant_bits + (size_t)index * compiled->words;
    for (uint32_t w = 0; w < compiled->words; w++)
        keep_mask[w] = UINT64_MAX;
    *branch = (prism_compiled_branch){.place = source->place,
                                      .assignment_begin = (uint32_t)compiled->assignments.count};
    TRY(compile_probability(compiled, &source->probability, branch, error));
    for (uint32_t i = 0; i < source->assignment_count; i++)
        TRY(compile_assignment(compiled, &source->assignments[i], keep_mask, constant_bits, error));
    branch->assignment_end = (uint32_t)compiled->assignments.count;
    return OPAC_OK;
}

static opac_status compile_command(prism_compiled_program *compiled, const prism_command *source,
                                   uint32_t group, uint32_t *next_branch, opac_error *error)
{
    prism_compiled_command *command = &compiled->commands[compiled->command_count++];
    *command = (prism_compiled_command){.group = group,
                                        .branch_begin = *next_branch,
                                        .branch_end = *next_branch + source->branch_count,
                                        .is_constant = true,
                                        .place = source->place};
    for (uint32_t i = 0; i < source->branch_count; i++, ++*next_branch) {
        TRY(compile_branch(compiled, &source->branches[i], *next_branch, error));
        command->is_constant &= compiled->branches[*next_branch].entry == PRISM_NO_ENTRY;
        command->has_assignments |= compiled->branches[*next_branch].assignment_begin <
                                    compiled->branches[*next_branch].assignment_end;
    }
    return OPAC_OK;
}

/* ---- groups and steps ---- */

/* Key of the map of groups; a value is the number of the group plus 1. */
static uint64_t group_key(uint32_t module, uint32_t action)
{
    return (uint64_t)module << 32 | action;
}

static opac_status find_or_add_group(prism_compiled_program *compiled, base_map *groups,
                                     prism_part part, uint32_t *group, opac_error *error)
{
    uint64_t *known;
    TRY(base_map_at(groups, group_key(part.module, part.action), &known, error));
    if (*known == 0) {
        compiled->groups[compiled->group_count++] = (prism_group){
            .module = part.module, .action = part.action, .first_step = PRISM_NO_ENTRY};
        *known = compiled->group_count;
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

/* Compiles the steps and adds each group that they use, once. */
static opac_status compile_steps(prism_compiled_program *compiled, base_map *groups,
                                 opac_error *error)
{
    const prism_program *program = compiled->program;
    uint32_t at = 0;
    for (uint32_t i = 0; i < program->step_count; i++) {
        const prism_synchronisation *from = &program->steps[i];
        compiled->steps[i] =
            (prism_step){.action = from->action, .part_begin = at, .next = PRISM_NO_ENTRY};
        for (uint32_t k = 0; k < from->part_count; k++)
            TRY(find_or_add_group(compiled, groups, from->parts[k], &compiled->parts[at++], error));
        compiled->steps[i].part_end = at;
    }
    compiled->step_count = program->step_count;
    return OPAC_OK;
}

/* Links the steps of each group into a list. */
static void link_steps_to_groups(prism_compiled_program *compiled)
{
    for (uint32_t i = 0; i < compiled->step_count; i++) {
        prism_step *step = &compiled->steps[i];
        if (step->part_begin == step->part_end)
            continue;
        uint32_t *first_step = &compiled->groups[compiled->parts[step->part_begin]].first_step;
        step->next = *first_step;
        *first_step = i;
    }
}

/* Gives each group a range of compiled->enabled that is large enough for all its commands. */
static void assign_enabled_ranges(prism_compiled_program *compiled)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < compiled->command_count; i++)
        if (compiled->commands[i].group != PRISM_NO_ENTRY)
            compiled->groups[compiled->commands[i].group].size++;
    for (uint32_t i = 0; i < compiled->group_count; i++) {
        compiled->groups[i].begin = at;
        at += compiled->groups[i].size;
    }
}

/* ---- the program ---- */

static opac_status allocate(prism_compiled_program *compiled, opac_error *error)
{
    const prism_program *program = compiled->program;
    base_arena *arena = &compiled->arena;
    size_t parts = count_parts(program), commands = 0, branches = 0;
    for (uint32_t m = 0; m < program->module_count; m++)
        for (uint32_t c = 0; c < program->modules[m].command_count; c++) {
            commands++;
            branches += program->modules[m].commands[c].branch_count;
        }
    if (branches >= UINT32_MAX || commands >= UINT32_MAX || parts >= UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "the program has too many branches");
    compiled->commands = base_arena_alloc_zeroed(arena, commands, sizeof *compiled->commands);
    compiled->branches = base_arena_alloc_zeroed(arena, branches, sizeof *compiled->branches);
    compiled->positive = base_arena_alloc_zeroed(arena, branches, sizeof *compiled->positive);
    compiled->positive_low =
        base_arena_alloc_zeroed(arena, branches, sizeof *compiled->positive_low);
    compiled->positive_exact =
        base_arena_alloc_zeroed(arena, compiled->exact ? branches : 0, sizeof(base_ratio));
    compiled->keep_mask =
        base_arena_alloc_zeroed(arena, branches * compiled->words, sizeof *compiled->keep_mask);
    compiled->constant_bits =
        base_arena_alloc_zeroed(arena, branches * compiled->words, sizeof *compiled->constant_bits);
    compiled->successor_bits = base_arena_alloc_zeroed(arena, branches * compiled->words,
                                                       sizeof *compiled->successor_bits);
    compiled->steps = base_arena_alloc_zeroed(arena, program->step_count, sizeof *compiled->steps);
    compiled->parts = base_arena_alloc_zeroed(arena, parts, sizeof *compiled->parts);
    compiled->groups = base_arena_alloc_zeroed(arena, parts, sizeof *compiled->groups);
    compiled->first_command =
        base_arena_alloc_zeroed(arena, program->module_count, sizeof(uint32_t));
    compiled->enabled = base_arena_alloc_zeroed(arena, commands, sizeof *compiled->enabled);
    compiled->enabled_count =
        base_arena_alloc_zeroed(arena, parts, sizeof *compiled->enabled_count);
    compiled->active = base_arena_alloc_zeroed(arena, parts, sizeof *compiled->active);
    compiled->candidate_steps = base_arena_alloc_zeroed(arena, program->step_count / 64 + 1,
                                                        sizeof *compiled->candidate_steps);
    compiled->labels =
        base_arena_alloc_zeroed(arena, program->label_count, sizeof *compiled->labels);
    compiled->guard_trees =
        base_arena_alloc_zeroed(arena, program->module_count, sizeof *compiled->guard_trees);
    bool have_all = compiled->commands != NULL && compiled->branches != NULL &&
                    compiled->positive != NULL && compiled->positive_low != NULL &&
                    compiled->positive_exact != NULL && compiled->keep_mask != NULL &&
                    compiled->constant_bits != NULL && compiled->successor_bits != NULL &&
                    compiled->steps != NULL && compiled->parts != NULL &&
                    compiled->groups != NULL && compiled->first_command != NULL &&
                    compiled->enabled != NULL && compiled->enabled_count != NULL &&
                    compiled->active != NULL && compiled->candidate_steps != NULL &&
                    compiled->labels != NULL && compiled->guard_trees != NULL;
    return have_all ? OPAC_OK : base_fail_memory(error);
}

/* Scratch memory for building guard trees, shared by all modules. */
typedef struct guard_tree_scratch {
    bool *is_used;   /* for each command: whether a step uses it */
    int64_t *values; /* for each variable */
    uint32_t *uses;  /* for each variable */
} guard_tree_scratch;

static opac_status build_guard_tree(prism_compiled_program *compiled, uint32_t module,
                                    const guard_tree_scratch *scratch, opac_error *error)
{
    const prism_module *source = &compiled->program->modules[module];
    const prism_compiled_command *commands = &compiled->commands[compiled->first_command[module]];
    for (uint32_t i = 0; i < source->command_count; i++)
        scratch->is_used[i] = commands[i].group != PRISM_NO_ENTRY;
    return prism_guard_tree_build(compiled->program, module, scratch->is_used, compiled->code,
                                  scratch->values, scratch->uses, &compiled->guard_trees[module],
                                  error);
}

static opac_status build_guard_trees(prism_compiled_program *compiled, opac_error *error)
{
    const prism_program *program = compiled->program;
    guard_tree_scratch scratch = {
        .is_used = base_alloc(compiled->command_count, sizeof *scratch.is_used),
        .values = base_alloc_zeroed(program->variable_count, sizeof *scratch.values),
        .uses = base_alloc_zeroed(program->variable_count, sizeof *scratch.uses),
    };
    opac_status status = OPAC_OK;
    if (scratch.is_used == NULL || scratch.values == NULL || scratch.uses == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (uint32_t i = 0; i < program->module_count; i++)
        TRY_OR(done, build_guard_tree(compiled, i, &scratch, error));
done:
    base_free(scratch.is_used);
    base_free(scratch.values);
    base_free(scratch.uses);
    return status;
}

static opac_status compile_module(prism_compiled_program *compiled, const base_map *groups,
                                  uint32_t module, uint32_t *next_branch, opac_error *error)
{
    const prism_module *source = &compiled->program->modules[module];
    compiled->first_command[module] = compiled->command_count;
    for (uint32_t i = 0; i < source->command_count; i++) {
        const uint64_t *group =
            base_map_find(groups, group_key(module, source->commands[i].action));
        TRY(compile_command(compiled, &source->commands[i],
                            group != NULL ? (uint32_t)(*group - 1) : PRISM_NO_ENTRY, next_branch,
                            error));
    }
    return OPAC_OK;
}

static opac_status compile_modules(prism_compiled_program *compiled, uint32_t *next_branch,
                                   opac_error *error)
{
    base_map groups = {0};
    opac_status status;
    TRY_OR(done, compile_steps(compiled, &groups, error));
    for (uint32_t i = 0; i < compiled->program->module_count; i++)
        TRY_OR(done, compile_module(compiled, &groups, i, next_branch, error));
done:
    base_map_fini(&groups);
    return status;
}

opac_status prism_compile_program(const prism_program *program, const model_layout *layout,
                                  bool exact, prism_compiled_program *compiled, opac_error *error)
{
    uint32_t branch_count = 0;
    *compiled = (prism_compiled_program){.program = program, .layout = layout, .exact = exact};
    compiled->words = layout->words;
    TRY(prism_code_new(&compiled->code, error));
    TRY(allocate(compiled, error));
    TRY(compile_modules(compiled, &branch_count, error));
    TRY(build_guard_trees(compiled, error));
    for (uint32_t i = 0; i < program->label_count; i++)
        TRY(prism_code_add(compiled->code, &program->labels[i].states, &compiled->labels[i],
                           error));
    link_steps_to_groups(compiled);
    assign_enabled_ranges(compiled);
    memcpy(compiled->successor_bits, compiled->constant_bits,
           (size_t)branch_count * compiled->words * sizeof *compiled->successor_bits);
    return OPAC_OK;
}
