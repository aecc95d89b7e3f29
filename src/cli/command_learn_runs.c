/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn --runs N: N runs with consecutive seeds. Prints each result when it is computed, then a
 * summary.
 */
#include "cli/command_learn.h"
#include "cli/interrupt.h"

typedef struct run_series {
    cli_learn *l;
    cli_sink sink;
    cli_frame frame;
    opac_learn_runs runs;
    uint64_t total; /* number of runs to make */
    bool stopped;
} run_series;

/* Prints the result of the frame, if it was made, and frees it. */
static opac_status print_result(run_series *m, opac_status made, opac_error *error)
{
    opac_output *out;
    opac_status status;
    TRY_OR(done, made);
    TRY_OR(done, cli_sink_begin(&m->sink, &out, error));
    TRY_OR(done, cli_put_result(m->l->model.arguments, m->frame.result, out, error));
    status = cli_sink_end(&m->sink, error);
done:
    opac_result_free(m->frame.result);
    m->frame.result = NULL;
    return status;
}

static opac_status print_run(run_series *m, opac_error *error)
{
    const opac_learn_answer answer = cli_learn_answer(m->l);
    return print_result(
        m, opac_result_of_learn_run(&answer, &m->frame.source, &m->frame.result, error), error);
}

static opac_status print_all(run_series *m, opac_error *error)
{
    const opac_learn_answer answer = cli_learn_answer(m->l);
    return m->runs.count == 0
               ? OPAC_OK
               : print_result(m,
                              opac_result_of_learn_runs(&m->runs, &answer, &m->frame.source,
                                                        &m->frame.result, error),
                              error);
}

/* A run that was stopped is not counted in the summary, because its numbers depend on the time of the
 * signal. It is printed only if it is the first. */
static opac_status run_next(run_series *m, opac_error *error)
{
    cli_learn *l = m->l;
    const opac_check_options options = cli_learn_truth_options(l);
    TRY(cli_learn_once(l, error));
    m->stopped = opac_learning_report(l->learning)->end == OPAC_END_CANCELLED ||
                 opac_cancel_requested(l->model.cancel);
    if (m->stopped)
        return m->runs.count == 0 ? print_run(m, error) : OPAC_OK;
    TRY(opac_learn_truth_find_policy(&l->truth, l->policy, &options, error));
    const opac_learn_answer answer = cli_learn_answer(l);
    TRY(opac_learn_runs_add(&m->runs, &answer, error));
    TRY(print_run(m, error));
    l->options.seed++;
    return OPAC_OK;
}

static opac_status run_all(run_series *m, opac_error *error)
{
    const opac_check_options options = cli_learn_truth_options(m->l);
    opac_status status = opac_learn_truth_find_optimum(&m->l->truth, &options, error);
    while (status == OPAC_OK && m->runs.count < m->total && !m->stopped)
        status = run_next(m, error);
    m->stopped |= status == OPAC_ERROR_CANCELLED;
    bool has_none = m->runs.count == 0 && status == OPAC_ERROR_CANCELLED;
    return m->stopped && !has_none ? OPAC_OK : status;
}

/* With a question, the answers must agree. */
static cli_exit exit_of(const run_series *m)
{
    if (m->stopped && !cli_interrupt_is_late())
        return cli_exit_for(OPAC_ERROR_CANCELLED);
    if (m->stopped)
        return CLI_EXIT_UNGUARANTEED;
    if (m->runs.holding < m->runs.count || (m->runs.yes > 0 && m->runs.no > 0))
        return CLI_EXIT_UNGUARANTEED;
    return m->runs.no > 0 ? CLI_EXIT_FALSE : CLI_EXIT_DONE;
}

static opac_status run(run_series *m, opac_error *error)
{
    const cli_arguments *arguments = m->l->model.arguments;
    TRY(cli_frame_open(&m->frame, arguments, CLI_SEED, error));
    m->frame.source.read_seconds = m->l->model.seconds;
    TRY(run_all(m, error));
    TRY(print_all(m, error));
    return cli_sink_commit(&m->sink, error);
}

cli_exit cli_learn_run_many(cli_learn *l)
{
    run_series m = {.l = l, .total = l->model.arguments->values[CLI_RUNS].count};
    opac_error error;
    cli_sink_init(&m.sink, l->model.arguments->values[CLI_OUTPUT].text);
    opac_status status = run(&m, &error);
    cli_exit exit = status == OPAC_OK ? exit_of(&m) : cli_model_report(&l->model, &error);
    cli_sink_fini(&m.sink);
    cli_frame_close(&m.frame);
    opac_learn_runs_fini(&m.runs);
    return exit;
}
