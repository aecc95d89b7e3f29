/* SPDX-License-Identifier: MIT */
/* Runs the three passes, on expressions of a file and on expressions given as texts. */
#include "prism/expression_analysis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prism_analyser_fini(prism_analyser *analyser)
{
    prism_node_vec_fini(&analyser->nodes);
    prism_node_vec_fini(&analyser->output);
    prism_span_vec_fini(&analyser->spans);
}

void prism_report_error(const prism_analyser *analyser, opac_status code, prism_place place,
                        const char *format, ...)
{
    char text[OPAC_MESSAGE_SIZE], shown[OPAC_SHOWN_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (analyser->module == NULL) {
        model_report_error(analyser->report, code, place.line, place.column, "%s", text);
        return;
    }
    opac_text_show(analyser->module, strlen(analyser->module), shown, sizeof shown);
    model_report_error(analyser->report, code, place.line, place.column, "%s (in module '%s')",
                       text, shown);
}

opac_status prism_analyse(prism_analyser *analyser, const prism_expression *expression,
                          const prism_requirements *required, prism_expression *result,
                          opac_error *error)
{
    bool is_correct = false;
    *result = (prism_expression){0};
    if (expression->count == 0)
        return OPAC_OK;
    TRY(prism_bind_names(analyser, expression, required, error));
    if (analyser->is_unknown)
        return OPAC_OK;
    TRY(prism_check_types(analyser, required, &is_correct, error));
    if (!is_correct || analyser->is_incomplete)
        return OPAC_OK;
    return prism_fold_constants(analyser, required, result, error);
}

/* ---- expressions given as texts ---- */

static opac_status analyse_text(const prism_scope *scope, const char *text, size_t length,
                                prism_place place, const prism_requirements *required,
                                base_arena *arena, base_intern *names, model_report *report,
                                prism_expression *expression, opac_error *error)
{
    base_arena scratch = {0};
    prism_expression parsed = {0};
    prism_analyser analyser = {.scope = scope, .names = names, .report = report, .arena = arena};
    opac_status status;
    TRY_OR(done, prism_parse_expression(text, length, place, &scratch, names, &parsed, error));
    TRY_OR(done, prism_analyse(&analyser, &parsed, required, expression, error));
    TRY_OR(done, model_report_end(report, error));
    if (expression->count == 0)
        status = base_fail_at(error, OPAC_ERROR_ARGUMENT, place.line, place.column,
                              "the expression uses a name that has no value");
done:
    prism_analyser_fini(&analyser);
    base_arena_fini(&scratch);
    return status;
}

opac_status prism_scope_expression(const prism_scope *scope, const char *text, size_t length,
                                   prism_place place, prism_type required, base_arena *arena,
                                   prism_expression *expression, opac_error *error)
{
    base_intern names;
    model_report report;
    const prism_requirements require = {.type = required, .noun = "expression"};
    *expression = (prism_expression){0};
    base_intern_init(&names);
    model_report_init(&report, NULL, NULL, NULL, NULL, 0);
    opac_status status = analyse_text(scope, text, length, place, &require, arena, &names, &report,
                                      expression, error);
    model_report_fini(&report);
    base_intern_fini(&names);
    return status;
}
