/* SPDX-License-Identifier: MIT */
/* Runs the stages of resolution, and implements the short ones: declarations, init and rewards. */
#include "prism/resolve.h"

#include <stdio.h>
#include <string.h>

/* ---- shared by the stages ---- */

void *prism_alloc_scratch(prism_resolver *resolver, size_t count, size_t size, opac_error *error)
{
    void *memory = base_arena_alloc(&resolver->scratch, count, size);
    if (memory == NULL)
        base_fail_memory(error);
    return memory;
}

opac_status prism_resolve_expression(prism_resolver *resolver, const prism_expression *expression,
                                     const prism_requirements *required, prism_expression *result,
                                     opac_error *error)
{
    const uint64_t units = 16; /* a rough estimate of the cost */
    prism_expression expanded;
    *result = (prism_expression){0};
    if (base_work_spend(resolver->file->work, units))
        return base_work_fail(resolver->file->work, PRISM_READING, error);
    TRY(prism_expand(resolver, expression, &expanded, error));
    return prism_analyse(&resolver->analyser, &expanded, required, result, error);
}

void prism_set_error_module(prism_resolver *resolver, uint32_t module)
{
    prism_analyser *analyser = &resolver->analyser;
    analyser->module = NULL;
    if (module == PRISM_GLOBAL)
        return;
    const prism_module_syntax *syntax = &resolver->file->modules.items[module];
    if (syntax->base.id != PRISM_NO_NAME)
        analyser->module = resolver->module_names[module];
}

const char *prism_copy_name(prism_resolver *resolver, uint32_t name, opac_error *error)
{
    size_t length;
    const char *text = prism_name_text(resolver->file, name, &length);
    char *copy = base_arena_copy_text(&resolver->program->arena, text, length);
    if (copy == NULL)
        base_fail_memory(error);
    return copy;
}

opac_status prism_intern_action(prism_resolver *resolver, uint32_t name, uint32_t *action,
                                opac_error *error)
{
    *action = resolver->action_of[name];
    if (*action != 0)
        return OPAC_OK;
    TRY(base_u32_vec_push(&resolver->actions, name, error));
    *action = (uint32_t)resolver->actions.count;
    resolver->action_of[name] = *action;
    return OPAC_OK;
}

static opac_status copy_texts(const prism_resolver *resolver, const uint32_t *names, size_t count,
                              base_arena *arena, const char **texts, opac_error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *text = prism_name_text(resolver->file, names[i], &length);
        texts[i] = base_arena_copy_text(arena, text, length);
        if (texts[i] == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

opac_status prism_hint_names(const prism_resolver *resolver, const uint32_t *names, size_t count,
                             uint32_t word, char *hint, opac_error *error)
{
    base_arena arena = {0};
    size_t length;
    hint[0] = '\0';
    if (resolver->report->errors.count >= MODEL_MOST_ERRORS)
        return OPAC_OK;
    const char *text = prism_name_text(resolver->file, word, &length);
    const char **texts = base_arena_alloc(&arena, count, sizeof *texts);
    opac_status status = texts == NULL ? base_fail_memory(error)
                                       : copy_texts(resolver, names, count, &arena, texts, error);
    if (status == OPAC_OK)
        prism_format_hint(text, length, texts, count, hint);
    base_arena_fini(&arena);
    return status;
}

opac_status prism_report_unknown_module(prism_resolver *resolver, const prism_name *name,
                                        opac_error *error)
{
    const prism_module_syntax_vec *modules = &resolver->file->modules;
    char shown[OPAC_SHOWN_SIZE], hint[PRISM_HINT_SIZE];
    uint32_t *names = prism_alloc_scratch(resolver, modules->count, sizeof *names, error);
    if (names == NULL)
        return OPAC_ERROR_MEMORY;
    for (size_t i = 0; i < modules->count; i++)
        names[i] = modules->items[i].name.id;
    TRY(prism_hint_names(resolver, names, modules->count, name->id, hint, error));
    model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line, name->place.column,
                       "unknown module '%s'%s",
                       prism_show_name_id(&resolver->file->names, name->id, shown), hint);
    return OPAC_OK;
}

/* ---- declarations ---- */

static opac_status declare(prism_resolver *resolver, const prism_name *name, prism_symbol_kind kind,
                           uint32_t index, opac_error *error)
{
    prism_symbol *symbol;
    TRY(prism_scope_declare(resolver->scope, name->id, kind, name->place, resolver->report, &symbol,
                            error));
    if (symbol != NULL)
        symbol->index = index;
    return OPAC_OK;
}

static opac_status declare_definitions(prism_resolver *resolver, opac_error *error)
{
    const prism_file *file = resolver->file;
    for (uint32_t i = 0; i < file->constants.count; i++)
        TRY(declare(resolver, &file->constants.items[i].name, PRISM_SYMBOL_CONSTANT, i, error));
    for (uint32_t i = 0; i < file->formulas.count; i++)
        TRY(declare(resolver, &file->formulas.items[i].name, PRISM_SYMBOL_FORMULA, i, error));
    return prism_declare_labels(resolver, error);
}

static opac_status declare_modules(prism_resolver *resolver, opac_error *error)
{
    const prism_file *file = resolver->file;
    char shown[OPAC_SHOWN_SIZE];
    for (uint32_t i = 0; i < file->names.count; i++)
        resolver->module_of[i] = UINT32_MAX;
    for (uint32_t i = 0; i < file->modules.count; i++) {
        const prism_name *name = &file->modules.items[i].name;
        uint32_t *module = &resolver->module_of[name->id];
        resolver->module_names[i] = prism_copy_name(resolver, name->id, error);
        if (resolver->module_names[i] == NULL)
            return OPAC_ERROR_MEMORY;
        if (*module != UINT32_MAX)
            model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                               name->place.column, "there is already a module '%s' (line %u)",
                               prism_show_name_id(&file->names, name->id, shown),
                               file->modules.items[*module].name.place.line);
        else
            *module = i;
    }
    if (file->modules.count == 0)
        model_report_error(resolver->report, OPAC_ERROR_SYNTAX, 1, 1, "the model has no module");
    return OPAC_OK;
}

/* ---- init and rewards ---- */

/* Reports a duplicate name of a reward structure; these names have a namespace of their own. */
static void check_duplicate(prism_resolver *resolver, const prism_name *name, const char *noun,
                            uint32_t *line_of)
{
    char shown[OPAC_SHOWN_SIZE];
    prism_show_name_id(&resolver->file->names, name->id, shown);
    if (line_of[name->id] != 0)
        model_report_error(resolver->report, OPAC_ERROR_SYNTAX, name->place.line,
                           name->place.column, "there is already a %s \"%s\" (line %u)", noun,
                           shown, line_of[name->id]);
    line_of[name->id] = name->place.line;
}

/* A zero line number for each name. */
static uint32_t *new_lines(prism_resolver *resolver, opac_error *error)
{
    size_t count = resolver->file->names.count;
    uint32_t *lines = prism_alloc_scratch(resolver, count, sizeof *lines, error);
    if (lines != NULL)
        memset(lines, 0, count * sizeof *lines);
    return lines;
}

static opac_status resolve_initial(prism_resolver *resolver, opac_error *error)
{
    const prism_requirements required = {.type = PRISM_TYPE_BOOL,
                                         .noun = "condition of initial states"};
    resolver->program->initial_place = resolver->file->initial_place;
    return prism_resolve_expression(resolver, &resolver->file->initial, &required,
                                    &resolver->program->initial, error);
}

static opac_status check_reward(prism_resolver *resolver, const prism_reward_syntax *reward,
                                opac_error *error)
{
    const prism_requirements guard = {.type = PRISM_TYPE_BOOL, .noun = "guard"};
    const prism_requirements value = {.type = PRISM_TYPE_REAL, .noun = "reward"};
    prism_expression result;
    TRY(prism_resolve_expression(resolver, &reward->guard, &guard, &result, error));
    return prism_resolve_expression(resolver, &reward->value, &value, &result, error);
}

/* Rewards are checked but not used; their expressions are allocated in the scratch arena. */
static opac_status check_rewards(prism_resolver *resolver, opac_error *error)
{
    const prism_rewards_syntax_vec *rewards = &resolver->file->rewards;
    uint32_t *line_of = new_lines(resolver, error);
    if (line_of == NULL)
        return OPAC_ERROR_MEMORY;
    resolver->analyser.arena = &resolver->scratch;
    for (size_t i = 0; i < rewards->count; i++) {
        if (rewards->items[i].name.id != PRISM_NO_NAME)
            check_duplicate(resolver, &rewards->items[i].name, "reward structure", line_of);
        for (uint32_t k = 0; k < rewards->items[i].item_count; k++)
            TRY(check_reward(resolver, &rewards->items[i].items[k], error));
    }
    resolver->analyser.arena = &resolver->program->arena;
    return OPAC_OK;
}

/* ---- all stages ---- */

static opac_status copy_actions(prism_resolver *resolver, opac_error *error)
{
    prism_program *program = resolver->program;
    size_t count = resolver->actions.count + 1;
    program->actions = base_arena_alloc(&program->arena, count, sizeof *program->actions);
    if (program->actions == NULL)
        return base_fail_memory(error);
    program->actions[0] = "";
    for (size_t i = 1; i < count; i++) {
        program->actions[i] = prism_copy_name(resolver, resolver->actions.items[i - 1], error);
        if (program->actions[i] == NULL)
            return OPAC_ERROR_MEMORY;
    }
    program->action_count = (uint32_t)count;
    return OPAC_OK;
}

static opac_status allocate_tables(prism_resolver *resolver, opac_error *error)
{
    size_t names = resolver->file->names.count, modules = resolver->file->modules.count;
    resolver->module_of = prism_alloc_scratch(resolver, names, sizeof *resolver->module_of, error);
    resolver->action_of = prism_alloc_scratch(resolver, names, sizeof *resolver->action_of, error);
    resolver->module_names =
        prism_alloc_scratch(resolver, modules, sizeof *resolver->module_names, error);
    if (resolver->module_of == NULL || resolver->action_of == NULL ||
        resolver->module_names == NULL)
        return OPAC_ERROR_MEMORY;
    memset(resolver->action_of, 0, names * sizeof *resolver->action_of);
    return prism_scope_add_names(resolver->scope, &resolver->file->names, error);
}

typedef opac_status (*stage)(prism_resolver *resolver, opac_error *error);

static opac_status run_stages(prism_resolver *resolver, const stage *stages, size_t count,
                              opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < count; i++)
        TRY_OR(done, base_work_spend(resolver->file->work, BASE_WORK_POLL)
                         ? base_work_fail(resolver->file->work, PRISM_READING, error)
                         : stages[i](resolver, error));
done:
    prism_analyser_fini(&resolver->analyser);
    base_u32_vec_fini(&resolver->actions);
    base_arena_fini(&resolver->scratch);
    if (status != OPAC_OK || model_report_has_errors(resolver->report))
        prism_program_fini(resolver->program);
    return status;
}

/* program->scope must be set. */
static prism_resolver new_resolver(const prism_file *file, opac_constants *constants,
                                   model_report *report, prism_program *program)
{
    return (prism_resolver){
        .file = file,
        .constants = constants,
        .report = report,
        .program = program,
        .scope = program->scope,
        .analyser = {.scope = program->scope,
                     .names = &program->scope->names,
                     .report = report,
                     .arena = &program->arena},
    };
}

opac_status prism_resolve_definitions(const prism_file *file, const prism_scope *scope,
                                      opac_constants *constants, model_report *report,
                                      prism_program *program, opac_error *error)
{
    static const stage stages[] = {
        allocate_tables,          declare_definitions,     prism_expand_formulas,
        prism_evaluate_constants, prism_check_definitions,
    };
    *program = (prism_program){.type = file->type};
    TRY(prism_scope_copy(scope, &program->scope, error));
    prism_resolver resolver = new_resolver(file, constants, report, program);
    return run_stages(&resolver, stages, sizeof stages / sizeof stages[0], error);
}

opac_status prism_resolve(const prism_file *file, opac_constants *constants, model_report *report,
                          prism_program *program, opac_error *error)
{
    static const stage stages[] = {
        allocate_tables,
        declare_definitions,
        declare_modules,
        prism_expand_formulas,
        prism_expand_modules,
        prism_declare_variables,
        prism_evaluate_constants,
        prism_check_definitions,
        prism_evaluate_ranges,
        prism_resolve_commands,
        resolve_initial,
        check_rewards,
        prism_compose,
        copy_actions,
    };
    *program = (prism_program){.type = file->type};
    TRY(prism_scope_new(&program->scope, error));
    prism_resolver resolver = new_resolver(file, constants, report, program);
    return run_stages(&resolver, stages, sizeof stages / sizeof stages[0], error);
}

void prism_program_fini(prism_program *program)
{
    for (uint32_t i = 0; i < program->module_count; i++)
        base_u32_vec_fini(&program->modules[i].alphabet);
    prism_scope_free(program->scope);
    base_arena_fini(&program->arena);
    *program = (prism_program){0};
}
