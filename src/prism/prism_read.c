/* SPDX-License-Identifier: MIT */
/* Reads a model from a PRISM text: parses, resolves and explores it. All errors go to the listener. */
#include "prism/prism_read.h"

#include "base/work.h"
#include "prism/explore.h"
#include "prism/vocabulary.h"

static opac_status explore(prism_program *program, const opac_model_options *options,
                           model_report *report, opac_model **model, opac_error *error)
{
    opac_model *explored = NULL;
    TRY(prism_explore(program, options, report, &explored, error));
    prism_scope *scope = program->scope;
    program->scope = NULL;
    opac_status status = prism_vocabulary_attach(explored, scope, error);
    if (status == OPAC_OK)
        *model = explored;
    else
        opac_model_free(explored);
    return status;
}

static opac_status resolve(const prism_file *file, const opac_model_options *options,
                           model_report *report, opac_model **model, opac_error *error)
{
    prism_program program = {0};
    opac_status status;
    TRY_OR(done, prism_resolve(file, options->constants, report, &program, error));
    TRY_OR(done, model_report_end(report, error));
    status = explore(&program, options, report, model, error);
done:
    prism_program_fini(&program);
    return status;
}

/* Also passes an error with a place to the listener if it was returned but not reported. */
static opac_status report_returned(model_report *report, opac_status status, opac_error *error)
{
    if (status == OPAC_OK || error->line == 0 || report->is_reported)
        return status;
    model_report_add(report, error);
    return model_report_end(report, error);
}

opac_status prism_read(const char *path, const char *text, size_t length,
                       const opac_model_options *options, opac_model **model, opac_error *error)
{
    model_report report;
    base_work work;
    prism_file file = {0};
    opac_error local;
    error = error != NULL ? error : &local;
    base_work_init(&work, options->cancel, 0);
    model_report_init(&report, options->listener, options->listener_context, path, text, length);
    opac_status status;
    TRY_OR(done, prism_parse(text, length, &work, &report, &file, error));
    TRY_OR(done, model_report_end(&report, error));
    status = resolve(&file, options, &report, model, error);
done:
    status = report_returned(&report, status, error);
    prism_file_fini(&file);
    model_report_fini(&report);
    return status;
}

opac_status prism_vocabulary_of_layout(opac_model *model, opac_error *error)
{
    prism_scope *scope;
    if (model->layout.count == 0)
        return OPAC_OK;
    TRY(prism_scope_of_layout(&model->layout, &scope, error));
    return prism_vocabulary_attach(model, scope, error);
}
