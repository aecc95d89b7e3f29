/* SPDX-License-Identifier: MIT */
/* Explores programs given as texts, and checks the warnings and errors. */
#ifndef TESTS_PRISM_EXPLORING_H
#define TESTS_PRISM_EXPLORING_H

#include "model/model.h"
#include "prism/explore.h"
#include "reading.h"
#include "support/invariants.h"

/*
 * Explores a text that must parse; returns the status of the exploration. messages (may be NULL) receives the
 * warnings. *model is NULL on failure.
 */
static inline opac_status exploring_run(const char *text, const opac_model_options *options,
                                        opac_model **model, base_text *messages, opac_error *error)
{
    prism_program program;
    model_report report;
    reading_program(text, NULL, &program);
    model_report_init(&report, messages != NULL ? reading_collect : NULL, messages, NULL, text,
                      strlen(text));
    opac_status status = prism_explore(&program, options, &report, model, error);
    model_report_fini(&report);
    prism_program_fini(&program);
    return status;
}

/* Explores a text without errors; the warnings must be equal to `warnings`. */
static inline opac_model *exploring_model(const char *text, const char *warnings)
{
    opac_model *model;
    opac_error error = {0};
    base_text messages = {0};
    if (exploring_run(text, NULL, &model, &messages, &error) != OPAC_OK)
        fail_msg("%s\n%u:%u %s", text, error.line, error.column, error.message);
    assert_string_equal(base_text_get(&messages), warnings);
    base_text_fini(&messages);
    assert_ok(model_check(model, &error), &error);
    return model;
}

/* "line:column message" of a failure with this status. */
static inline void exploring_fails(const char *text, const opac_model_options *options,
                                   opac_status status, const char *message)
{
    opac_model *model;
    opac_error error = {0};
    char found[OPAC_MESSAGE_SIZE + 32];
    assert_status(exploring_run(text, options, &model, NULL, &error), status);
    assert_null(model);
    snprintf(found, sizeof found, "%u:%u %s", error.line, error.column, error.message);
    assert_string_equal(found, message);
}

/*
 * The whole model in words: for each state its values, then for each choice
 * "action>target:probability,…"; fractions where they are known.
 *
 *     x=0 a>0:0.5,1:0.5 >2:1
 */
static inline void exploring_write(const opac_model *model, base_text *text)
{
    const graph_process *p = &model->process;
    for (uint32_t s = 0; s < p->state_count; s++) {
        for (uint32_t v = 0; v < model->layout.count; v++)
            base_text_format(text, "%s=%lld ", model->layout.variables[v].name,
                             (long long)opac_model_value(model, s, v));
        for (uint32_t c = p->choice_begin[s]; c < p->choice_begin[s + 1]; c++) {
            base_text_format(text, "%s>", opac_model_choice_action(model, c));
            for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++) {
                char number[BASE_RATIO_SIZE];
                snprintf(number, sizeof number, "%.10g", p->prob[e]);
                if (model->exact != NULL)
                    base_ratio_format(model->exact[e], number);
                base_text_format(text, "%s%u:", e > p->edge_begin[c] ? "," : "", p->target[e]);
                base_text_add(text, number);
            }
            base_text_add(text, c + 1 < p->choice_begin[s + 1] ? " " : "");
        }
        base_text_add(text, "\n");
    }
}

static inline void exploring_gives(const char *text, const char *expected)
{
    base_text written = {0};
    opac_model *model = exploring_model(text, "");
    exploring_write(model, &written);
    assert_string_equal(base_text_get(&written), expected);
    base_text_fini(&written);
    opac_model_free(model);
}

#endif
