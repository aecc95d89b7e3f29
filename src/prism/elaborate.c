/* SPDX-License-Identifier: MIT */
/* The three passes in their order, and expressions from elsewhere. */
#include "prism/elaborate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void prism_elaborator_fini(prism_elaborator *elaborator)
{
    prism_node_vec_fini(&elaborator->nodes);
    prism_node_vec_fini(&elaborator->output);
    prism_span_vec_fini(&elaborator->spans);
}

void prism_mistake(const prism_elaborator *elaborator, opac_status code, prism_place place,
                   const char *format, ...)
{
    char text[OPAC_MESSAGE_SIZE], shown[OPAC_SHOWN_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (elaborator->module == NULL) {
        model_report_error(elaborator->report, code, place.line, place.column, "%s", text);
        return;
    }
    opac_text_show(elaborator->module, strlen(elaborator->module), shown, sizeof shown);
    model_report_error(elaborator->report, code, place.line, place.column, "%s (in module '%s')",
                       text, shown);
}

opac_status prism_elaborate(prism_elaborator *elaborator, const prism_expression *expression,
                            const prism_wanted *wanted, prism_expression *result, opac_error *error)
{
    bool is_right = false;
    *result = (prism_expression){0};
    if (expression->count == 0)
        return OPAC_OK;
    TRY(prism_bind_names(elaborator, expression, wanted, error));
    if (elaborator->is_unknown)
        return OPAC_OK;
    TRY(prism_check_types(elaborator, wanted, &is_right, error));
    if (!is_right || elaborator->is_incomplete)
        return OPAC_OK;
    return prism_fold(elaborator, wanted, result, error);
}

/* ---- expressions from elsewhere ---- */

static opac_status elaborate_text(const prism_scope *scope, const char *text, size_t length,
                                  prism_place place, const prism_wanted *wanted, base_arena *arena,
                                  base_intern *names, model_report *report,
                                  prism_expression *expression, opac_error *error)
{
    base_arena scratch = {0};
    prism_expression parsed = {0};
    prism_elaborator elaborator = {
        .scope = scope, .names = names, .report = report, .arena = arena};
    opac_status status;
    TRY_OR(done, prism_parse_expression(text, length, place, &scratch, names, &parsed, error));
    TRY_OR(done, prism_elaborate(&elaborator, &parsed, wanted, expression, error));
    TRY_OR(done, model_report_end(report, error));
    if (expression->count == 0)
        status = base_fail_at(error, OPAC_ERROR_ARGUMENT, place.line, place.column,
                              "the expression uses a name that has no value");
done:
    prism_elaborator_fini(&elaborator);
    base_arena_fini(&scratch);
    return status;
}

opac_status prism_scope_expression(const prism_scope *scope, const char *text, size_t length,
                                   prism_place place, prism_type wanted, base_arena *arena,
                                   prism_expression *expression, opac_error *error)
{
    base_intern names;
    model_report report;
    const prism_wanted want = {.type = wanted, .noun = "expression"};
    *expression = (prism_expression){0};
    base_intern_init(&names);
    model_report_init(&report, NULL, NULL, NULL, NULL, 0);
    opac_status status = elaborate_text(scope, text, length, place, &want, arena, &names, &report,
                                        expression, error);
    model_report_fini(&report);
    base_intern_fini(&names);
    return status;
}
