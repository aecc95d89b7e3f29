/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn --runs N: the same with N seeds. Each run is told when it is
 * done, then all of them together.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/interrupt.h"
#include "cli/learn.h"
#include "cli/lines.h"

typedef struct many {
    cli_learn *l;
    cli_sink sink;
    uint64_t *steps; /* by run */
    uint64_t wanted, count, capacity;
    uint64_t holding;        /* runs whose guarantee holds */
    uint64_t refuted;        /* those that refuted what was assumed */
    uint64_t contradicted;   /* those that the model contradicts */
    uint64_t judged, within; /* runs whose policy's truth is known; those within their error */
    uint64_t best;           /* those whose policy is optimal */
    uint64_t brackets;       /* runs with a bracket, where the optimum is known */
    uint64_t containing;     /* those whose bracket the optimum is in */
    double values[3];        /* least, sum, greatest */
    double worst;            /* how far the worst policy is from the optimum */
    double seconds;
    opac_learn_report last; /* of the last one: what all have in common is told from it */
    bool stopped;
} many;

/* ---- adding up ---- */

static opac_status make_room(many *m, opac_error *error)
{
    if (m->count < m->capacity)
        return OPAC_OK;
    uint64_t capacity = 2 * m->capacity + 64;
    uint64_t *steps = realloc(m->steps, capacity * sizeof *steps);
    if (steps == NULL)
        return cli_fail_memory(error);
    m->steps = steps;
    m->capacity = capacity;
    return OPAC_OK;
}

/* Who promised nothing has kept it with T; with a bracket it does not count. */
static bool keeps_word(const many *m, const opac_learn_report *report, double gap)
{
    return isnan(report->error) ? !m->l->is_bracket : gap <= report->error + CLI_TOLERANCE;
}

static void judge(many *m, const opac_learn_report *report)
{
    double gap = m->l->truth.optimum - m->l->truth.policy;
    if (isnan(gap))
        return;
    m->judged++;
    m->within += keeps_word(m, report, gap) ? 1 : 0;
    m->best += gap <= CLI_TOLERANCE ? 1 : 0;
    m->worst = fmax(m->worst, gap);
}

static void judge_bracket(many *m, const opac_learn_report *report)
{
    double optimum = m->l->truth.optimum;
    if (!cli_learn_has_bracket(report) || isnan(optimum))
        return;
    m->brackets++;
    m->containing +=
        optimum >= report->lower - CLI_TOLERANCE && optimum <= report->upper + CLI_TOLERANCE ? 1
                                                                                             : 0;
}

static void add(many *m, const opac_learn_report *report)
{
    m->steps[m->count] = report->steps;
    m->values[0] = m->count == 0 ? report->value : fmin(m->values[0], report->value);
    m->values[1] += report->value;
    m->values[2] = m->count == 0 ? report->value : fmax(m->values[2], report->value);
    m->seconds += report->seconds;
    m->holding += cli_learn_holds(m->l) ? 1 : 0;
    m->contradicted += cli_learn_is_contradicted(m->l) ? 1 : 0;
    m->refuted += report->end == OPAC_END_REFUTED ? 1 : 0;
    m->last = *report;
    m->count++;
    judge(m, report);
    judge_bracket(m, report);
}

static int compare_steps(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b ? 1 : 0;
}

/* quarter 0 to 4: the least, the lower quartile, the median, the upper one, the greatest. */
static uint64_t quantile(const many *m, uint64_t quarter)
{
    return m->steps[(m->count - 1) * quarter / 4];
}

static double mean_steps(const many *m)
{
    double sum = 0;
    for (uint64_t i = 0; i < m->count; i++)
        sum += (double)m->steps[i];
    return sum / (double)m->count;
}

/* ---- text ---- */

static void write_run(const many *m, opac_output *out)
{
    const cli_learn *l = m->l;
    const opac_learn_report *report = opac_learning_report(l->learning);
    char truth[OPAC_NUMBER_SIZE];
    opac_output_text(out, "Result: ");
    cli_learn_write_value(l, out);
    opac_output_print(out, "  seed %" PRIu64 ", ", l->options.seed);
    cli_write_count(out, report->steps, "step");
    if (!isnan(l->truth.policy))
        opac_output_print(out, "; true: %s", cli_learn_number(l->truth.policy, truth));
    opac_output_text(out, "\n");
}

/* How many have the best probability between their ends. */
static void write_brackets(const many *m, opac_output *out)
{
    cli_write_key(out, "in the bracket");
    if (m->brackets == 0)
        opac_output_text(out, "no run has one\n");
    else
        opac_output_print(out, "%" PRIu64 " of %" PRIu64 " brackets\n", m->containing, m->brackets);
}

static void write_shares(const many *m, opac_output *out)
{
    char optimum[OPAC_NUMBER_SIZE], worst[OPAC_NUMBER_SIZE];
    opac_output_text(out, "\nComputed from the model, not from samples:\n");
    if (m->judged == 0) {
        cli_write_key(out, "not computed");
        opac_output_print(out, "%s\n", m->l->truth.note);
        return;
    }
    cli_write_key(out, "best policy");
    opac_output_print(out, "%s\n", cli_learn_number(m->l->truth.optimum, optimum));
    if (m->l->is_bracket)
        write_brackets(m, out);
    else {
        cli_write_key(out, "within the error");
        opac_output_print(out, "%" PRIu64 " of %" PRIu64 " runs\n", m->within, m->judged);
    }
    cli_write_key(out, "optimal");
    opac_output_print(out, "%" PRIu64 " of %" PRIu64 " runs; the worst policy is %s below\n",
                      m->best, m->judged, cli_learn_number(m->worst, worst));
}

static void write_summary(const many *m, opac_output *out)
{
    char low[OPAC_NUMBER_SIZE], mean[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    char duration[OPAC_QUANTITY_SIZE];
    opac_output_text(out, "\n");
    cli_write_key(out, "runs");
    opac_output_print(out, "%" PRIu64 ", of which %" PRIu64 " with the guarantee", m->count,
                      m->holding);
    if (m->refuted > 0)
        opac_output_print(out, "; %" PRIu64 " refuted what was assumed", m->refuted);
    if (m->contradicted > 0)
        opac_output_print(out, "; %" PRIu64 " contradicted by the model", m->contradicted);
    opac_output_text(out, "\n");
    cli_write_key(out, "values");
    opac_output_print(out, "%s to %s, on average %s\n", cli_learn_number(m->values[0], low),
                      cli_learn_number(m->values[2], high),
                      cli_learn_number(m->values[1] / (double)m->count, mean));
    cli_write_key(out, "steps");
    opac_output_print(out, "%" PRIu64 " to %" PRIu64, quantile(m, 0), quantile(m, 4));
    if (m->l->is_bracket)
        opac_output_print(out, ", on average %s", cli_learn_number(mean_steps(m), mean));
    opac_output_print(out, "; quartiles %" PRIu64 ", %" PRIu64 ", %" PRIu64 "\n", quantile(m, 1),
                      quantile(m, 2), quantile(m, 3));
    if (!m->l->model.arguments->values[CLI_NO_TIMING].given) {
        cli_write_key(out, "learned in");
        opac_output_print(out, "%s\n", opac_duration_format(m->seconds, duration, sizeof duration));
    }
    if (m->l->model.simulator == NULL)
        write_shares(m, out);
}

/* ---- JSON ---- */

static void echo_run(const many *m, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, m->l->model.arguments);
    cli_echo_number(&json, "seed", m->l->options.seed);
    cli_learn_echo_result(m->l, &json);
    cli_learn_echo_guarantee(m->l, &json);
    cli_learn_echo_stats(m->l, &json);
    if (m->l->model.simulator == NULL)
        cli_learn_echo_truth(m->l, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

static void echo_values(const many *m, opac_json *json)
{
    opac_json_key(json, "value");
    opac_json_begin_object(json);
    cli_echo_double(json, "min", m->values[0]);
    cli_echo_double(json, "mean", m->values[1] / (double)m->count);
    cli_echo_double(json, "max", m->values[2]);
    opac_json_end_object(json);
    opac_json_key(json, "steps");
    opac_json_begin_array(json);
    for (uint64_t quarter = 0; quarter <= 4; quarter++)
        opac_json_uint(json, quantile(m, quarter));
    opac_json_end_array(json);
    if (m->l->is_bracket)
        cli_echo_double(json, "mean_steps", mean_steps(m));
}

static void echo_judged(const many *m, opac_json *json)
{
    cli_echo_double(json, "optimum", m->l->truth.optimum);
    cli_echo_number(json, "judged", m->judged);
    cli_echo_number(json, "within", m->within);
    if (m->l->is_bracket) {
        cli_echo_number(json, "brackets", m->brackets);
        cli_echo_number(json, "containing", m->containing);
    }
    cli_echo_number(json, "optimal", m->best);
    cli_echo_double(json, "worst", m->judged > 0 ? m->worst : NAN);
}

static void echo_summary(const many *m, opac_output *out)
{
    const cli_arguments *arguments = m->l->model.arguments;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    cli_echo_number(&json, "seed", arguments->values[CLI_SEED].count);
    cli_learn_echo_inputs(m->l, &json);
    cli_learn_echo_params(m->l, &json);
    opac_json_key(&json, "summary");
    opac_json_begin_object(&json);
    cli_echo_number(&json, "runs", m->count);
    cli_echo_number(&json, "holds", m->holding);
    if (m->l->is_bracket)
        cli_echo_number(&json, "refuted", m->refuted);
    if (m->contradicted > 0)
        cli_echo_number(&json, "contradicted", m->contradicted);
    echo_values(m, &json);
    if (m->l->model.simulator == NULL)
        echo_judged(m, &json);
    if (!arguments->values[CLI_NO_TIMING].given)
        cli_echo_seconds(&json, "seconds", m->seconds);
    opac_json_end_object(&json);
    cli_learn_echo_automaton(m->l, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

/* ---- the runs ---- */

static opac_status tell(many *m, void (*text)(const many *, opac_output *),
                        void (*json)(const many *, opac_output *), opac_error *error)
{
    opac_output *out;
    opac_status status = cli_sink_begin(&m->sink, &out, error);
    if (status != OPAC_OK)
        return status;
    (m->l->model.arguments->values[CLI_JSON].given ? json : text)(m, out);
    return cli_sink_end(&m->sink, error);
}

/* A run that was stopped is no run: its numbers say when somebody lost patience. If there is no
 * other, it is told, but not added up. */
static opac_status run_next(many *m, opac_error *error)
{
    opac_status status = cli_learn_once(m->l, error);
    if (status != OPAC_OK)
        return status;
    const opac_learn_report *report = opac_learning_report(m->l->learning);
    m->stopped = report->end == OPAC_END_CANCELLED || opac_cancel_requested(m->l->model.cancel);
    if (m->stopped)
        return m->count == 0 ? tell(m, write_run, echo_run, error) : OPAC_OK;
    status = cli_learn_find_policy_truth(m->l, error);
    if (status == OPAC_OK)
        status = make_room(m, error);
    if (status != OPAC_OK)
        return status;
    add(m, report);
    status = tell(m, write_run, echo_run, error);
    m->l->options.seed++;
    return status;
}

static opac_status run_all(many *m, opac_error *error)
{
    opac_status status = cli_learn_find_optimum(m->l, error);
    while (status == OPAC_OK && m->count < m->wanted && !m->stopped)
        status = run_next(m, error);
    m->stopped |= status == OPAC_ERROR_CANCELLED;
    bool has_none = m->count == 0 && status == OPAC_ERROR_CANCELLED;
    return m->stopped && !has_none ? OPAC_OK : status;
}

static opac_status summarise(many *m, opac_error *error)
{
    if (m->count == 0)
        return OPAC_OK;
    m->l->report = m->last;
    qsort(m->steps, m->count, sizeof *m->steps, compare_steps);
    return tell(m, write_summary, echo_summary, error);
}

static cli_exit exit_of(const many *m)
{
    if (m->stopped && !cli_interrupt_is_late())
        return cli_exit_for(OPAC_ERROR_CANCELLED);
    if (m->stopped)
        return CLI_EXIT_UNGUARANTEED;
    return m->holding == m->count ? CLI_EXIT_DONE : CLI_EXIT_UNGUARANTEED;
}

cli_exit cli_learn_run_many(cli_learn *l)
{
    many m = {.l = l, .wanted = l->model.arguments->values[CLI_RUNS].count};
    opac_error error;
    cli_sink_init(&m.sink, l->model.arguments->values[CLI_OUTPUT].text);
    opac_status status = run_all(&m, &error);
    if (status == OPAC_OK)
        status = summarise(&m, &error);
    if (status == OPAC_OK)
        status = cli_sink_commit(&m.sink, &error);
    cli_exit exit = status == OPAC_OK ? exit_of(&m) : cli_model_report(&l->model, &error);
    cli_sink_fini(&m.sink);
    free(m.steps);
    return exit;
}
