/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn --runs N: the same with N seeds. Each run is told when it is
 * done, then all of them together.
 */
#include "cli/command_learn.h"
#include "cli/interrupt.h"

typedef struct many {
    cli_learn *l;
    cli_sink sink;
    cli_frame frame;
    opac_learn_runs runs;
    uint64_t wanted;
    bool stopped;
} many;

/* Prints the result of the frame, if it was made, and frees it. */
static opac_status tell(many *m, opac_status made, opac_error *error)
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

static opac_status tell_run(many *m, opac_error *error)
{
    const opac_learn_answer answer = cli_learn_answer(m->l);
    return tell(m, opac_result_of_learn_run(&answer, &m->frame.source, &m->frame.result, error),
                error);
}

static opac_status tell_all(many *m, opac_error *error)
{
    const opac_learn_answer answer = cli_learn_answer(m->l);
    return m->runs.count == 0 ? OPAC_OK
                              : tell(m,
                                     opac_result_of_learn_runs(&m->runs, &answer, &m->frame.source,
                                                               &m->frame.result, error),
                                     error);
}

/* A run that was stopped does not count: its numbers depend on when the signal came. If there is no
 * other, it is told, but not added up. */
static opac_status run_next(many *m, opac_error *error)
{
    cli_learn *l = m->l;
    const opac_check_options options = cli_learn_truth_options(l);
    TRY(cli_learn_once(l, error));
    m->stopped = opac_learning_report(l->learning)->end == OPAC_END_CANCELLED ||
                 opac_cancel_requested(l->model.cancel);
    if (m->stopped)
        return m->runs.count == 0 ? tell_run(m, error) : OPAC_OK;
    TRY(opac_learn_truth_find_policy(&l->truth, l->policy, &options, error));
    const opac_learn_answer answer = cli_learn_answer(l);
    TRY(opac_learn_runs_add(&m->runs, &answer, error));
    TRY(tell_run(m, error));
    l->options.seed++;
    return OPAC_OK;
}

static opac_status run_all(many *m, opac_error *error)
{
    const opac_check_options options = cli_learn_truth_options(m->l);
    opac_status status = opac_learn_truth_find_optimum(&m->l->truth, &options, error);
    while (status == OPAC_OK && m->runs.count < m->wanted && !m->stopped)
        status = run_next(m, error);
    m->stopped |= status == OPAC_ERROR_CANCELLED;
    bool has_none = m->runs.count == 0 && status == OPAC_ERROR_CANCELLED;
    return m->stopped && !has_none ? OPAC_OK : status;
}

static cli_exit exit_of(const many *m)
{
    if (m->stopped && !cli_interrupt_is_late())
        return cli_exit_for(OPAC_ERROR_CANCELLED);
    if (m->stopped)
        return CLI_EXIT_UNGUARANTEED;
    return m->runs.holding == m->runs.count ? CLI_EXIT_DONE : CLI_EXIT_UNGUARANTEED;
}

static opac_status run(many *m, opac_error *error)
{
    const cli_arguments *arguments = m->l->model.arguments;
    TRY(cli_frame_open(&m->frame, arguments, CLI_SEED, error));
    m->frame.source.read_seconds = m->l->model.seconds;
    TRY(run_all(m, error));
    TRY(tell_all(m, error));
    return cli_sink_commit(&m->sink, error);
}

cli_exit cli_learn_run_many(cli_learn *l)
{
    many m = {.l = l, .wanted = l->model.arguments->values[CLI_RUNS].count};
    opac_error error;
    cli_sink_init(&m.sink, l->model.arguments->values[CLI_OUTPUT].text);
    opac_status status = run(&m, &error);
    cli_exit exit = status == OPAC_OK ? exit_of(&m) : cli_model_report(&l->model, &error);
    cli_sink_fini(&m.sink);
    cli_frame_close(&m.frame);
    opac_learn_runs_fini(&m.runs);
    return exit;
}
