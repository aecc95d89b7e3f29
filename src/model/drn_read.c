/* SPDX-License-Identifier: MIT */
/* Reads a DRN file (drn.h): the header, the states into a builder, and then the checks of the whole file. */
#include "model/drn_body.h"
#include "model/explicit.h"

/* Checks the counts in the header. Storm counts a choice for each state without choices. */
static void check_counts(drn_body *body)
{
    const drn_header *header = &body->reader->header;
    model_report *report = &body->reader->report;
    if (model_report_has_errors(report))
        return;
    if (body->states != header->states)
        model_report_error(report, OPAC_ERROR_ARGUMENT, header->states_line, 1,
                           "@nr_states is %llu, but the file has %llu; is it truncated?",
                           (unsigned long long)header->states, (unsigned long long)body->states);
    if (header->seen[DRN_NR_CHOICES] > 0 && body->choices != header->choices &&
        body->choices + body->deadlocks != header->choices)
        model_report_error(report, OPAC_ERROR_ARGUMENT, header->choices_line, 1,
                           "@nr_choices is %llu, but the file has %llu",
                           (unsigned long long)header->choices, (unsigned long long)body->choices);
    if (!model_report_has_errors(report) && !body->has_initial)
        model_report_error(report, OPAC_ERROR_ARGUMENT, header->seen[DRN_MODEL], 1,
                           "there is no initial state: no state has the label 'init'");
}

/* Limits the memory of labels relative to the size of the file: each label is a bitset over all states. */
static void check_labels(drn_body *body)
{
    const drn_reader *reader = body->reader;
    uint64_t labels = reader->builder->label_names.count;
    uint64_t bytes = labels * (body->states / 8 + 8);
    if (!model_report_has_errors(&reader->report) &&
        bytes > (UINT64_C(1) << 26) + 16 * model_input_done(reader->input))
        model_report_error(&body->reader->report, OPAC_ERROR_LIMIT, 1, 1,
                           "%llu labels are too many for %llu states", (unsigned long long)labels,
                           (unsigned long long)body->states);
}

static uint32_t line_of(const void *context, size_t branch)
{
    const drn_body *body = context;
    return branch == body->inexact ? body->inexact_line : 0;
}

static opac_status finish(drn_body *body, opac_model **model, opac_error *error)
{
    drn_reader *reader = body->reader;
    model_branch_lines lines = {.context = body, .line = line_of};
    opac_model *made = NULL;
    check_counts(body);
    check_labels(body);
    opac_status status;
    TRY_OR(done, model_report_end(&reader->report, error));
    TRY_OR(done, model_builder_finish(reader->builder, reader->options->exact,
                                      body->inexact_line > 0 ? &lines : NULL, &reader->report,
                                      &made, error));
    if (reader->values.states > 0 && reader->values.states != body->states && !body->warned)
        model_report_warning(&reader->report, 0, 0,
                             "not all states have values of the same variables; the values are "
                             "ignored");
    status = drn_values_move(&reader->values, made, error);
done:
    if (status == OPAC_OK)
        *model = made;
    else
        opac_model_free(made);
    return status;
}

static opac_status declare_labels(drn_reader *reader, opac_error *error)
{
    const base_intern *labels = &reader->header.labels;
    for (uint32_t i = 0; i < labels->count; i++) {
        uint32_t id;
        size_t length;
        const char *name = (const char *)base_intern_key(labels, i, &length);
        if (drn_is_text(name, length)) /* otherwise the line is an ordinary comment */
            TRY(model_builder_intern_label(reader->builder, name, length, &id, error));
    }
    return OPAC_OK;
}

static opac_status read_model(drn_reader *reader, opac_model **model, opac_error *error)
{
    drn_body body = {.reader = reader};
    TRY(drn_read_header(reader, error));
    if (model_report_has_errors(&reader->report))
        return model_report_end(&reader->report, error);
    TRY(opac_builder_new(reader->header.type, &reader->builder, error));
    TRY(declare_labels(reader, error));
    TRY(drn_read_lines(&body, error));
    return finish(&body, model, error);
}

/* Reads the model and closes the input. */
static opac_status read_input(model_input *input, const char *path, const char *text, size_t length,
                              const opac_model_options *options, opac_model **model,
                              opac_error *error)
{
    drn_reader reader = {.options = options, .input = input};
    model_report_init(&reader.report, options->listener, options->listener_context, path, text,
                      length);
    drn_values_init(&reader.values);
    base_intern_init(&reader.header.labels);
    base_intern_init(&reader.header.placeholders);
    if (options->progress != NULL)
        opac_progress_start(options->progress, "reading");
    opac_status status = read_model(&reader, model, error);
    if (options->progress != NULL)
        opac_progress_finish(options->progress);
    opac_builder_free(reader.builder);
    drn_values_fini(&reader.values);
    base_intern_fini(&reader.header.labels);
    base_intern_fini(&reader.header.placeholders);
    drn_number_vec_fini(&reader.header.placeholder_values);
    model_report_fini(&reader.report);
    model_input_close(input);
    return status;
}

opac_status model_read_drn(const char *path, const opac_model_options *options, opac_model **model,
                           opac_error *error)
{
    static const opac_model_options defaults;
    const opac_model_options *used = options != NULL ? options : &defaults;
    model_input *input;
    TRY(model_input_open(path, used->cancel, &input, error));
    return read_input(input, path, NULL, 0, used, model, error);
}

opac_status model_read_drn_text(const char *text, size_t length, const opac_model_options *options,
                                opac_model **model, opac_error *error)
{
    static const opac_model_options defaults;
    const opac_model_options *used = options != NULL ? options : &defaults;
    model_input *input;
    TRY(model_input_open_text(text, length, used->cancel, &input, error));
    return read_input(input, NULL, text, length, used, model, error);
}
