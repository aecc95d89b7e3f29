/* SPDX-License-Identifier: MIT */
/* omegapac learn: a result in words. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/grid.h"
#include "cli/learn.h"
#include "cli/lines.h"
#include "cli/simulators.h"

enum {
    SHOWN_DIGITS = 6,   /* of a value */
    PROMISED_DIGITS = 4 /* of what is promised, rounded outward */
};

/* ---- words ---- */

const char *cli_learn_rule(const cli_arguments *arguments)
{
    const cli_value *k = &arguments->values[CLI_K];
    if (arguments->values[CLI_TARGET].given)
        return "for the target";
    if (k->word == NULL)
        return "as given";
    return strcmp(k->word, "paper") == 0 ? "rule paper"
           : strcmp(k->word, "l1") == 0  ? "rule l1"
                                         : "rule sound";
}

const char *cli_learn_check_word(opac_horizon_check check)
{
    static const char *const words[] = {"unchecked", "consistent", "refuted"};
    return words[check];
}

const char *cli_learn_sampler_word(opac_learn_sampler sampler)
{
    static const char *const words[] = {"auto", "population", "step"};
    return words[sampler];
}

const char *cli_learn_number(double value, char *buffer)
{
    char text[OPAC_NUMBER_SIZE + 8];
    double cut = value;
    snprintf(text, sizeof text, "%.*e", SHOWN_DIGITS - 1, value);
    if (isnan(value) || opac_number_parse(text, &cut, NULL) != OPAC_OK ||
        (cut >= 1) != (value >= 1) || (cut > 0) != (value > 0))
        cut = value;
    return opac_number_format(cut, buffer);
}

void cli_learn_write_value(const cli_learn *l, opac_output *out)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    char value[OPAC_NUMBER_SIZE], lower[OPAC_NUMBER_SIZE], upper[OPAC_NUMBER_SIZE];
    opac_output_text(out, cli_learn_number(report->value, value));
    if (!report->holds && !cli_learn_has_bracket(report)) {
        opac_output_text(out, " (no guarantee)");
        return;
    }
    int digits = report->is_bracket ? SHOWN_DIGITS : PROMISED_DIGITS; /* as in its statement */
    opac_output_print(out, " [%s, %s]", opac_number_format_down(report->lower, digits, lower),
                      opac_number_format_up(report->upper, digits, upper));
    if (cli_learn_is_contradicted(l))
        opac_output_text(out, " (contradicted by the model)");
}

/* ---- the guarantee ---- */

static void write_assumptions(const cli_learn *l, opac_output *out)
{
    const char *key = "assumes";
    const char *item;
    for (size_t i = 0; (item = opac_learning_assumption(l->learning, i)) != NULL; i++) {
        cli_write_wrapped(out, key, item);
        key = "";
    }
    if (opac_learning_tested(l->learning) != NULL)
        cli_write_wrapped(out, "tested", opac_learning_tested(l->learning));
}

/* That T is not refuted says nothing for it, and the words must not either. */
static void write_horizon(const cli_learn *l, const opac_learn_report *report, opac_output *out)
{
    static const char *const words[] = {
        "which could not be compared with what was learned",
        "not refuted by what was learned, which is no evidence for it",
        "refuted by what was learned"};
    char text[256];
    snprintf(text, sizeof text, "%" PRIu64 " step%s%s, %s", report->horizon,
             report->horizon == 1 ? "" : "s", l->options.horizon == 0 ? " (found by doubling)" : "",
             words[report->horizon_check]);
    cli_write_wrapped(out, "T", text);
}

static void write_guarantee(const cli_learn *l, const opac_learn_report *report, opac_output *out)
{
    cli_write_wrapped(out, "guarantee", opac_learning_statement(l->learning));
    if (!l->is_bracket)
        write_horizon(l, report, out);
    write_assumptions(l, out);
}

/* ---- what was done ---- */

static void write_asked(const cli_learn *l, opac_output *out)
{
    char epsilon[OPAC_NUMBER_SIZE], delta[OPAC_NUMBER_SIZE];
    cli_write_key(out, "asked");
    opac_output_print(out, "epsilon %s, delta %s, seed %" PRIu64 "\n",
                      opac_number_format(l->options.epsilon, epsilon),
                      opac_number_format(l->options.delta, delta), l->options.seed);
}

static void write_counting(const cli_learn *l, const opac_learn_report *report, opac_output *out)
{
    const cli_value *values = l->model.arguments->values;
    cli_write_key(out, "k");
    cli_write_count(out, report->k, "observation");
    opac_output_print(out, " make%s a pair known (%s)\n", report->k == 1 ? "s" : "",
                      cli_learn_rule(l->model.arguments));
    cli_write_key(out, "pairs of");
    const char *word = values[CLI_COUNTS].word;
    bool is_simulator = l->model.simulator != NULL && strcmp(word, "model") == 0;
    opac_output_print(out, "the %s", is_simulator ? "simulator" : word);
    if (report->theory_states > 0)
        opac_output_print(out, ": N = %" PRIu64 ", K = %" PRIu64, report->theory_states,
                          report->theory_actions);
    if (report->theory_states > 0 && report->branching > 0)
        opac_output_print(out, ", m = %" PRIu64, report->branching);
    opac_output_text(out, "\n");
}

static void write_samples(const opac_learn_report *report, opac_output *out)
{
    cli_write_key(out, "sampled");
    cli_write_count(out, report->steps, "step");
    opac_output_text(out, " in ");
    cli_write_count(out, report->episodes, "episode");
    opac_output_print(out, ", sampler %s\n", cli_learn_sampler_word(report->sampler));
    cli_write_key(out, "known");
    cli_write_count(out, report->known, "pair");
    opac_output_text(out, ", by ");
    cli_write_count(out, report->samples, "observation");
    opac_output_text(out, "; ");
    opac_output_print(out, "%" PRIu64 " polic%s\n", report->policies,
                      report->policies == 1 ? "y" : "ies");
}

/* With --pmin or --graph. */
static void write_learned(const cli_learn *l, const opac_learn_report *report, opac_output *out)
{
    cli_write_key(out, "sampled");
    cli_write_count(out, report->steps, "step");
    if (l->options.explore == OPAC_EXPLORE_GENERATIVE)
        opac_output_text(out, ", at states of choice\n");
    else {
        opac_output_text(out, " in ");
        cli_write_count(out, report->episodes, "episode");
        opac_output_text(out, "\n");
    }
    cli_write_key(out, "complete");
    opac_output_print(out, "%" PRIu64 " of ", report->complete);
    cli_write_count(out, report->pairs_seen, "pair");
    opac_output_text(out, " met, by ");
    cli_write_count(out, report->samples, "observation");
    opac_output_text(out, "\n");
}

static void write_sizes(const cli_learn *l, const opac_learn_report *report, opac_output *out)
{
    char product[OPAC_COUNT_SIZE];
    cli_write_key(out, "objective");
    cli_write_shown(out, cli_objectives_get(l->objectives, 0)->text);
    opac_output_text(out, "\n");
    if (l->model.simulator != NULL)
        cli_write_simulator(out, l->model.arguments);
    else
        cli_write_model(out, l->model.model);
    cli_write_key(out, "automaton");
    cli_write_count(out, report->automaton_states, "state");
    opac_output_text(out, ", ");
    opac_automaton_write_acceptance_name(opac_learning_automaton(l->learning), out);
    opac_output_text(out, "\n");
    cli_write_key(out, "product");
    cli_write_count(out, report->product_reachable, "state");
    if (report->states > 0)
        opac_output_print(out, " seen of %s\n", opac_count_text(&report->product_states, product));
    else
        opac_output_text(out, " seen\n");
}

static void write_time(const cli_learn *l, const opac_learn_report *report, opac_output *out)
{
    char all[OPAC_QUANTITY_SIZE], sampling[OPAC_QUANTITY_SIZE], solving[OPAC_QUANTITY_SIZE];
    if (l->model.arguments->values[CLI_NO_TIMING].given)
        return;
    cli_write_key(out, "learned in");
    opac_output_print(out, "%s (sampling %s, solving %s)%s\n",
                      opac_duration_format(report->seconds, all, sizeof all),
                      opac_duration_format(report->sampling_seconds, sampling, sizeof sampling),
                      opac_duration_format(report->solving_seconds, solving, sizeof solving),
                      report->resumed ? ", after it was resumed" : "");
}

static void write_path(opac_output *out, const char *key, const char *path)
{
    cli_write_key(out, key);
    cli_write_path(out, path);
    opac_output_text(out, "\n");
}

static void write_files(const cli_learn *l, opac_output *out)
{
    const cli_value *values = l->model.arguments->values;
    const cli_option_id options[] = {CLI_POLICY, CLI_DOT_FILE};
    cli_write_policy(out, l->policy);
    for (size_t i = 0; i < 2 && l->written; i++)
        if (values[options[i]].given)
            write_path(out, "written to", values[options[i]].text);
    if (l->certified)
        write_path(out, "certificate", values[CLI_CERTIFICATE].text);
}

/* ---- what the model says ---- */

static void write_truth(const cli_learn *l, opac_output *out)
{
    char policy[OPAC_NUMBER_SIZE], optimum[OPAC_NUMBER_SIZE];
    /* An automaton that guesses may guess wrongly. */
    const char *bound = opac_learning_report(l->learning)->is_guess ? " (a lower bound)" : "";
    opac_output_text(out, "\nComputed from the model, not from samples:\n");
    if (!isnan(l->truth.policy)) {
        cli_write_key(out, "this policy");
        opac_output_print(out, "%s%s\n", cli_learn_number(l->truth.policy, policy), bound);
    }
    if (!isnan(l->truth.optimum)) {
        cli_write_key(out, "best policy");
        opac_output_print(out, "%s%s\n", cli_learn_number(l->truth.optimum, optimum), bound);
    }
    if (cli_learn_is_contradicted(l))
        cli_write_wrapped(out, "contradiction", CLI_CONTRADICTION);
    if (*l->truth.note != '\0') {
        cli_write_key(out, "not computed");
        opac_output_print(out, "%s\n", l->truth.note);
    }
}

void cli_learn_write_text(const void *of, const cli_arguments *arguments, opac_output *out)
{
    (void)arguments;
    const cli_learn *l = of;
    const opac_learn_report *report = opac_learning_report(l->learning);
    opac_output_text(out, "Result: ");
    cli_learn_write_value(l, out);
    opac_output_text(out, "\n\n");
    write_guarantee(l, report, out);
    opac_output_text(out, "\n");
    write_asked(l, out);
    if (l->is_bracket) {
        write_learned(l, report, out);
    } else {
        write_counting(l, report, out);
        write_samples(report, out);
    }
    write_sizes(l, report, out);
    write_time(l, report, out);
    write_files(l, out);
    if (l->model.simulator != NULL)
        return;
    cli_grid_write(l->policy, l->model.model, out);
    write_truth(l, out);
}
