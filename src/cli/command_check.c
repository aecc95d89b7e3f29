/* SPDX-License-Identifier: MIT */
/*
 * omegapac check: the optimal probabilities of objectives in a known model.
 *
 * A bound within the computed interval is decided in fractions. They need a model that was read with exact
 * probabilities, which costs more, so the model is read again only in this case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/number.h>

#include "cli/automata.h"
#include "cli/objectives.h"
#include "cli/policy_files.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct check_run {
    cli_model model;
    cli_objectives *objectives;
    opac_check_outcome *outcomes; /* by objective */
    size_t count;            /* number of outcomes; less than that of objectives if one failed */
    opac_result_files files; /* files of the policy that have been written */
    cli_sink sink;
    size_t printed; /* number of outcomes printed; text is printed after each objective */
    /* The model and objectives read with exact probabilities, for bounds that doubles do not decide. */
    cli_arguments exact_arguments;
    cli_model exact_model;
    cli_objectives *exact_objectives;
} check_run;

/* ---- options ---- */

static bool wants_files(const cli_arguments *arguments)
{
    return arguments->values[CLI_POLICY].given || arguments->values[CLI_DOT_FILE].given;
}

/* JSON contains the policy of a single objective, unless it is too large. */
static bool wants_policy(const check_run *c)
{
    const cli_arguments *arguments = c->model.arguments;
    return wants_files(arguments) ||
           (arguments->values[CLI_JSON].given && cli_objectives_count(c->objectives) == 1 &&
            opac_model_states(c->model.model) <= OPAC_MAX_EMBEDDED_DECISIONS);
}

static opac_status make_options(const check_run *c, cli_source *source, opac_check_options *options,
                                opac_error *error)
{
    const cli_value *values = c->model.arguments->values;
    *options = (opac_check_options){.precision = values[CLI_PRECISION].number,
                                    .exact = values[CLI_EXACT].given,
                                    .policy = wants_policy(c),
                                    .max_states = values[CLI_MODEL_STATES].count,
                                    .threads = (unsigned)values[CLI_THREADS].count,
                                    .notice = cli_notice,
                                    .notice_context = source,
                                    .cancel = c->model.cancel,
                                    .progress = c->model.progress};
    return opac_automaton_kind_parse(values[CLI_KIND].word, &options->kind, error);
}

/* ---- exact computation ---- */

/* Standard input cannot be read again. */
static bool can_read_again(const check_run *c)
{
    const cli_arguments *arguments = c->model.arguments;
    const cli_option_id options[] = {CLI_PROPERTIES, CLI_AUTOMATON};
    if (strcmp(arguments->operands[0], "-") == 0)
        return false;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        cli_walk walk = {0};
        for (const char *path; (path = cli_next_value(arguments, options[i], &walk)) != NULL;)
            if (strcmp(path, "-") == 0)
                return false;
    }
    return true;
}

/* Prints nothing: warnings were printed when the model was first read. */
static opac_status read_again(check_run *c, opac_error *error)
{
    if (c->exact_model.model != NULL)
        return OPAC_OK;
    if (!can_read_again(c))
        return cli_fail(error, "standard input cannot be read again with exact probabilities");
    c->exact_arguments = *c->model.arguments;
    c->exact_arguments.values[CLI_QUIET].given = true;
    c->exact_model = c->model;
    c->exact_model.model = NULL;
    c->exact_model.arguments = &c->exact_arguments;
    c->exact_model.options.exact = true;
    c->exact_model.options.listener = NULL;
    TRY(cli_model_load(&c->exact_model, c->model.arguments->operands[0], error));
    return cli_objectives_read(&c->exact_model, &c->exact_objectives, error);
}

/* Replaces a solution that did not decide the bound. */
static opac_status decide(check_run *c, size_t index, const opac_check_options *options,
                          opac_error *error)
{
    opac_check_options exactly = *options;
    opac_solution *solution = NULL;
    exactly.exact = true;
    exactly.notice = NULL;
    TRY(read_again(c, error));
    TRY(opac_check(c->exact_model.model, &cli_objectives_get(c->exact_objectives, index)->objective,
                   &exactly, &solution, error));
    opac_solution_free(c->outcomes[index].solution);
    c->outcomes[index].solution = solution;
    return OPAC_OK;
}

static opac_status decide_if_undecided(check_run *c, size_t index,
                                       const opac_check_options *options, const cli_source *source,
                                       opac_error *error)
{
    const opac_solution *solution = c->outcomes[index].solution;
    char text[OPAC_MESSAGE_SIZE + 128];
    if (opac_solution_verdict(solution) != OPAC_VERDICT_UNDECIDED || options->exact ||
        opac_solution_is_bound(solution))
        return OPAC_OK;
    opac_status status = decide(c, index, options, error);
    if (status == OPAC_OK || status == OPAC_ERROR_CANCELLED || status == OPAC_ERROR_MEMORY)
        return status;
    cli_advise(c->model.arguments->command, error);
    snprintf(text, sizeof text,
             "the bound lies within the computed interval, and an exact computation "
             "failed: %s",
             error->message);
    cli_notice((void *)source, 0, 0, text);
    return OPAC_OK;
}

/* A bound that is not a fraction is known to lie between two doubles; a value between them is undecided. */
static void note_if_too_close(const opac_solution *solution, const opac_objective *objective,
                              const cli_source *source)
{
    char text[OPAC_MESSAGE_SIZE], below[OPAC_NUMBER_SIZE], above[OPAC_NUMBER_SIZE];
    if (opac_solution_verdict(solution) != OPAC_VERDICT_UNDECIDED ||
        opac_solution_is_bound(solution) || objective->bound_denominator != 0 ||
        !(objective->bound_below < objective->bound_above))
        return;
    snprintf(text, sizeof text, "the value is too close to the bound, which lies between %s and %s",
             opac_number_format(objective->bound_below, below),
             opac_number_format(objective->bound_above, above));
    cli_notice((void *)source, 0, 0, text);
}

/* ---- solving ---- */

static opac_status solve(check_run *c, size_t index, opac_error *error)
{
    const cli_objective *given = cli_objectives_get(c->objectives, index);
    opac_check_outcome *outcome = &c->outcomes[index];
    cli_source source = {.arguments = c->model.arguments, .name = "objective", .first_line = 1};
    opac_check_options options;
    double start = opac_clock_seconds();
    if (given->objective.automaton != NULL)
        source.name = given->text;
    TRY(make_options(c, &source, &options, error));
    TRY(opac_check(c->model.model, &given->objective, &options, &outcome->solution, error));
    TRY(decide_if_undecided(c, index, &options, &source, error));
    note_if_too_close(outcome->solution, &given->objective, &source);
    if (options.policy)
        TRY(opac_solution_policy(outcome->solution, &outcome->policy, error));
    outcome->name = given->name;
    outcome->objective = given->text;
    outcome->seconds = opac_clock_seconds() - start;
    return OPAC_OK;
}

/* ---- printing ---- */

/* Opens a frame and makes the result of some of the outcomes. */
static opac_status make_result(const check_run *c, size_t first, size_t count, cli_frame *frame,
                               opac_error *error)
{
    const opac_check_answer answer = {.model = c->model.model,
                                      .outcomes = c->outcomes + first,
                                      .count = count,
                                      .is_list = cli_objectives_count(c->objectives) > 1,
                                      .files = c->files};
    TRY(cli_frame_open(frame, c->model.arguments, CLI_NO_OPTION, error));
    frame->source.read_seconds = c->model.seconds;
    return opac_result_of_check(&answer, &frame->source, &frame->result, error);
}

/* Prints text, with a blank line between several outcomes. */
static opac_status print_one(check_run *c, opac_error *error)
{
    cli_frame frame;
    opac_output *out;
    opac_status status;
    TRY_OR(done, make_result(c, c->printed, 1, &frame, error));
    TRY_OR(done, cli_sink_begin(&c->sink, &out, error));
    opac_output_text(out, c->printed++ > 0 ? "\n" : "");
    TRY_OR(done, cli_put_result(c->model.arguments, frame.result, out, error));
    status = cli_sink_end(&c->sink, error);
done:
    cli_frame_close(&frame);
    return status;
}

/* Prints each of several objectives as soon as it is solved. JSON is one object, so it is printed at the
 * end. */
static opac_status print_now(check_run *c, opac_error *error)
{
    bool waits = c->model.arguments->values[CLI_JSON].given;
    return waits || cli_objectives_count(c->objectives) == 1 ? OPAC_OK : print_one(c, error);
}

/* Prints also what was computed before a failure. */
static opac_status print_rest(check_run *c, opac_error *error)
{
    if (c->count == 0)
        return OPAC_OK;
    if (c->model.arguments->values[CLI_JSON].given) {
        cli_frame frame;
        return cli_frame_print(&frame, make_result(c, 0, c->count, &frame, error), error);
    }
    while (c->printed < c->count)
        TRY(print_one(c, error));
    return cli_sink_commit(&c->sink, error);
}

/* ---- all objectives ---- */

/* Names the objective that failed, if there are several. */
static void add_objective_name(const check_run *c, size_t index, opac_error *error)
{
    char before[128];
    error->line = error->column = 0;
    if (error->code == OPAC_ERROR_CANCELLED || error->code == OPAC_ERROR_MEMORY)
        return;
    if (cli_objectives_count(c->objectives) == 1)
        return;
    snprintf(before, sizeof before,
             "%s: ", cli_quote(cli_objectives_get(c->objectives, index)->text).text);
    cli_prepend(error, before);
}

static opac_status solve_all(check_run *c, opac_error *error)
{
    size_t count = cli_objectives_count(c->objectives);
    c->outcomes = calloc(count + 1, sizeof *c->outcomes);
    if (c->outcomes == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        opac_status status = solve(c, i, error);
        if (status != OPAC_OK) {
            add_objective_name(c, i, error);
            return status;
        }
        c->count++;
        TRY(print_now(c, error));
    }
    return OPAC_OK;
}

/* ---- the command ---- */

static opac_status check_given(const cli_arguments *arguments, opac_error *error)
{
    const cli_value *values = arguments->values;
    if (!values[CLI_FORMULA].given && !values[CLI_AUTOMATON].given && !values[CLI_PROPERTY].given &&
        !values[CLI_PROPERTIES].given)
        return cli_fail(error, "missing objective: give -f LTL, -a FILE.hoa, -p TEXT or -P FILE");
    if (values[CLI_MIN].given && !values[CLI_FORMULA].given && !values[CLI_AUTOMATON].given)
        return cli_fail(error, "--min requires -f or -a; in a property write Pmin");
    return OPAC_OK;
}

static opac_status check_count(const check_run *c, opac_error *error)
{
    size_t count = cli_objectives_count(c->objectives);
    if (count == 1 || !wants_files(c->model.arguments))
        return OPAC_OK;
    return cli_fail(error, "--policy and --dot require one objective, not %zu", count);
}

static opac_status write_files(check_run *c, opac_error *error)
{
    const cli_value *values = c->model.arguments->values;
    opac_result_files files = {.policy = values[CLI_POLICY].text, .dot = values[CLI_DOT_FILE].text};
    if (!wants_files(c->model.arguments))
        return OPAC_OK;
    TRY(cli_policy_files_write(&c->model, c->outcomes[0].policy, &files.digest, error));
    c->files = files;
    return OPAC_OK;
}

static opac_status run(check_run *c, const cli_arguments *arguments, opac_error *error)
{
    TRY(cli_model_begin(&c->model, arguments, error));
    TRY(check_given(arguments, error));
    TRY(cli_model_load(&c->model, arguments->operands[0], error));
    TRY(cli_objectives_read(&c->model, &c->objectives, error));
    TRY(cli_model_check_constants(&c->model, error));
    TRY(cli_objectives_check(&c->model, c->objectives, error));
    TRY(check_count(c, error));
    TRY(solve_all(c, error));
    return write_files(c, error);
}

/* A false property takes precedence over an undecided one. */
static cli_exit exit_of(const check_run *c)
{
    bool is_open = false;
    for (size_t i = 0; i < c->count; i++) {
        opac_verdict verdict = opac_solution_verdict(c->outcomes[i].solution);
        if (verdict == OPAC_VERDICT_FALSE)
            return CLI_EXIT_FALSE;
        is_open |= verdict == OPAC_VERDICT_UNDECIDED;
        is_open |=
            verdict == OPAC_VERDICT_NONE && !opac_solution_is_precise(c->outcomes[i].solution);
    }
    return is_open ? CLI_EXIT_UNGUARANTEED : CLI_EXIT_DONE;
}

static void release(check_run *c)
{
    for (size_t i = 0; c->outcomes != NULL && i < cli_objectives_count(c->objectives); i++) {
        opac_policy_free(c->outcomes[i].policy);
        opac_solution_free(c->outcomes[i].solution);
    }
    free(c->outcomes);
    cli_sink_fini(&c->sink);
    cli_objectives_free(c->objectives);
    cli_objectives_free(c->exact_objectives);
    opac_model_free(c->exact_model.model);
    cli_model_end(&c->model);
}

cli_exit cli_run_check(const cli_arguments *arguments)
{
    check_run c = {0};
    opac_error error;
    cli_sink_init(&c.sink, arguments->values[CLI_OUTPUT].text);
    opac_status status = run(&c, arguments, &error);
    opac_error unwritten;
    opac_status written = print_rest(&c, &unwritten);
    cli_exit exit = written != OPAC_OK ? cli_report(arguments->command, &unwritten) : exit_of(&c);
    if (status != OPAC_OK)
        exit = cli_model_report(&c.model, &error);
    release(&c);
    return exit;
}
