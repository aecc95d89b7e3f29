/* SPDX-License-Identifier: MIT */
/* The text of a result of learn, made from its JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "result/lines.h"
#include "result/result_learn.h"
#include "result/result_map.h"
#include "result/result_policy.h"
#include "result/result_read.h"
#include "result/result_text.h"

enum {
    BRACKET_DIGITS = 6,   /* of the ends of a bracket, as in its statement; rounded outward */
    GUARANTEED_DIGITS = 4 /* of the bounds of omega-PAC; rounded outward */
};

static bool is_bracket(base_json_value result)
{
    return base_json_is_there(result_get(result, "guarantee.bracket"));
}

/* Whether it is a bracket from T. */
static bool has_horizon(base_json_value result)
{
    return is_bracket(result) && result_get_uint(result, "params.T") > 0;
}

/* Whether policies were tried by whole episodes: with T, or if nothing is known. */
static bool has_trial(base_json_value result)
{
    return has_horizon(result) || result_get_bool(result, "params.nothing_known");
}

static bool is_word(base_json_value object, const char *path, const char *word)
{
    const char *text = result_get_text(object, path);
    return text != NULL && strcmp(text, word) == 0;
}

void result_show_learned(opac_output *out, base_json_value result)
{
    char low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    double lower = result_get_double(result, "result.lower");
    double upper = result_get_double(result, "result.upper");
    int digits = is_bracket(result) ? BRACKET_DIGITS : GUARANTEED_DIGITS;
    opac_output_text(out, "Result: ");
    result_show_number(out, result_get_double(result, "result.value"));
    if (isnan(lower) || isnan(upper)) {
        opac_output_text(out, " (no guarantee)");
        return;
    }
    opac_output_print(out, " [%s, %s]", opac_number_format_down(lower, digits, low),
                      opac_number_format_up(upper, digits, high));
    if (result_get_bool(result, "guarantee.contradicted"))
        opac_output_text(out, " (contradicted by the model)");
}

void result_line_question(opac_output *out, base_json_value result)
{
    char number[OPAC_NUMBER_SIZE], key[OPAC_NUMBER_SIZE + 16];
    snprintf(key, sizeof key, "at least %s ", /* a blank also after many digits */
             result_format_number(result_get_double(result, "params.at_least"), number));
    result_line_key(out, key);
}

/* ---- the guarantee ---- */

static void write_answer(opac_output *out, base_json_value result)
{
    const char *answer = result_get_text(result, "result.answer");
    if (answer == NULL)
        return;
    result_line_question(out, result);
    result_show(out, answer);
    opac_output_text(out, "\n");
}

/* A T that is not refuted may still be wrong, and the text must not suggest otherwise. */
static const char *say_check(base_json_value result)
{
    if (is_word(result, "guarantee.T_check", "refuted"))
        return "refuted by";
    return is_word(result, "guarantee.T_check", "consistent") ? "not refuted by"
                                                              : "not compared with";
}

/* ": the time of the policy is at least 44"; "" if it is not known, or of omega-PAC, whose statement has it. */
static void format_found(base_json_value result, char *buffer, size_t size)
{
    uint64_t found = result_get_uint(result, "guarantee.T_found");
    *buffer = '\0';
    if (is_bracket(result) && found > 0)
        snprintf(buffer, size, ": the time of the policy is %s%" PRIu64,
                 result_get_bool(result, "guarantee.T_found_is_bound") ? "at least " : "", found);
}

static void write_horizon(opac_output *out, base_json_value result)
{
    char text[256], found[64];
    uint64_t horizon = result_get_uint(result, "params.T");
    format_found(result, found, sizeof found);
    snprintf(text, sizeof text, "%" PRIu64 " step%s%s, %s %s%s%s", horizon, horizon == 1 ? "" : "s",
             result_get_bool(result, "params.T_auto") ? " (found by doubling)" : "",
             say_check(result), is_bracket(result) ? "the samples" : "the learned model",
             is_word(result, "guarantee.T_check", "consistent") ? ", which does not prove it" : "",
             found);
    result_line_wrapped(out, "T", text);
}

static void write_guarantee(opac_output *out, base_json_value result)
{
    write_answer(out, result);
    result_line_wrapped(out, "guarantee", result_get_text(result, "guarantee.statement"));
    if (!is_bracket(result) || has_horizon(result))
        write_horizon(out, result);
    result_lines_assumptions(out, result_get(result, "guarantee"), 0);
}

/* ---- sampling ---- */

static void write_parameters(opac_output *out, base_json_value result)
{
    char number[OPAC_NUMBER_SIZE];
    double epsilon = result_get_double(result, "params.epsilon");
    result_line_key(out, "parameters");
    if (!isnan(epsilon))
        opac_output_print(out, "epsilon %s, ", result_format_number(epsilon, number));
    opac_output_print(out, "delta %s, ",
                      result_format_number(result_get_double(result, "params.delta"), number));
    if (has_horizon(result)) {
        opac_output_text(out, "width ");
        result_show_number(out, result_get_double(result, "params.target"));
        opac_output_text(out, ", ");
    }
    opac_output_print(out, "seed %" PRIu64 "\n", result_get_uint(result, "seed"));
}

static void write_k(opac_output *out, base_json_value params)
{
    uint64_t k = result_get_uint(params, "k");
    result_line_key(out, "k");
    result_show_count(out, k, "observation");
    opac_output_print(out, " make%s a state-action pair known (", k == 1 ? "s" : "");
    if (is_word(params, "k_rule", "target"))
        opac_output_text(out, "for the target");
    else if (is_word(params, "k_rule", "number"))
        opac_output_text(out, "as given");
    else {
        opac_output_text(out, "rule ");
        result_show(out, result_get_text(params, "k_rule"));
    }
    opac_output_text(out, ")\n");
}

static void write_counted(opac_output *out, base_json_value result)
{
    base_json_value inputs = result_get(result, "inputs");
    uint64_t branching = result_get_uint(inputs, "branching");
    bool is_product = is_word(result, "params.counts", "product");
    const char *other = result_get_text(inputs, "type") != NULL ? "model" : "simulator";
    result_line_key(out, "counts in");
    opac_output_print(out, "the %s", is_product ? "product" : other);
    if (result_get_uint(inputs, "N") > 0) {
        opac_output_print(out, ": N = %" PRIu64 ", K = %" PRIu64, result_get_uint(inputs, "N"),
                          result_get_uint(inputs, "K"));
        if (branching > 0)
            opac_output_print(out, ", m = %" PRIu64, branching);
    }
    opac_output_text(out, "\n");
}

static void write_episodes(opac_output *out, base_json_value stats)
{
    result_line_key(out, "sampled");
    result_show_count(out, result_get_uint(stats, "steps"), "step");
    opac_output_text(out, " in ");
    result_show_count(out, result_get_uint(stats, "episodes"), "episode");
    if (base_json_is_there(result_get(stats, "steps_taken")))
        opac_output_print(out, " (%" PRIu64 " taken, with tests)",
                          result_get_uint(stats, "steps_taken"));
}

/* Of omega-PAC. */
static void write_samples(opac_output *out, base_json_value result)
{
    base_json_value stats = result_get(result, "stats");
    uint64_t policies = result_get_uint(stats, "policies");
    write_k(out, result_get(result, "params"));
    write_counted(out, result);
    write_episodes(out, stats);
    opac_output_text(out, ", sampler ");
    result_show(out, result_get_text(result, "params.sampler"));
    opac_output_text(out, "\n");
    result_line_key(out, "known pairs");
    opac_output_print(out, "%" PRIu64 ", from ", result_get_uint(stats, "known"));
    result_show_count(out, result_get_uint(stats, "samples"), "observation");
    opac_output_print(out, "; %" PRIu64 " polic%s\n", policies, policies == 1 ? "y" : "ies");
}

/* "41 of 41 episodes of 306 steps won": of the policy that is returned, after it was fixed. Nothing if there is
 * neither a trial nor a bound. */
static void write_trial(opac_output *out, base_json_value result)
{
    base_json_value trial = result_get(result, "stats.trial");
    uint64_t horizon = result_get_uint(trial, "steps");
    bool is_trial = is_word(trial, "source", "episodes");
    if (!is_trial && isnan(result_get_double(result, "result.lower")))
        return;
    result_line_key(out, "trial");
    if (is_trial) {
        opac_output_print(out, "%" PRIu64 " of ", result_get_uint(trial, "wins"));
        result_show_count(out, result_get_uint(trial, "episodes"), "episode");
        opac_output_print(out, " of %" PRIu64 " step%s won\n", horizon, horizon == 1 ? "" : "s");
    } else if (is_word(trial, "source", "model"))
        opac_output_text(out, "none is needed: the lower bound follows from the counts\n");
    else
        opac_output_text(out, "no lower bound yet\n");
}

static void write_candidates(opac_output *out, base_json_value result)
{
    result_line_key(out, "candidates");
    opac_output_print(out, "%" PRIu64 "\n", result_get_uint(result, "stats.candidates"));
    write_trial(out, result);
}

/* Of a bracket from T, or if nothing is known. */
static void write_tried(opac_output *out, base_json_value result)
{
    base_json_value stats = result_get(result, "stats");
    write_episodes(out, stats);
    opac_output_text(out, "\n");
    result_line_key(out, "tried pairs");
    opac_output_print(out, "%" PRIu64 " of %" PRIu64 " seen\n", result_get_uint(stats, "known"),
                      result_get_uint(stats, "pairs_seen"));
    write_candidates(out, result);
}

/* With p_min or the graph. */
static void write_bracket(opac_output *out, base_json_value result)
{
    base_json_value stats = result_get(result, "stats");
    if (is_word(result, "params.explore", "generative")) {
        result_line_key(out, "sampled");
        result_show_count(out, result_get_uint(stats, "steps"), "step");
        opac_output_text(out, ", in states chosen by the learner\n");
    } else {
        write_episodes(out, stats);
        opac_output_text(out, "\n");
    }
    result_line_key(out, "complete pairs");
    opac_output_print(out, "%" PRIu64 " of %" PRIu64 " seen, from ",
                      result_get_uint(stats, "complete"), result_get_uint(stats, "pairs_seen"));
    result_show_count(out, result_get_uint(stats, "samples"), "observation");
    opac_output_text(out, "\n");
    if (result_get_uint(stats, "candidates") > 0)
        write_candidates(out, result);
}

/* ---- sizes and times ---- */

/* The number of states of the model, not the declared one. */
static void write_model(opac_output *out, base_json_value inputs)
{
    uint64_t states = result_get_uint(inputs, "model_states");
    if (states == 0) {
        result_line_model(out, inputs);
        return;
    }
    result_line_key(out, "model");
    result_show(out, result_get_text(inputs, "type"));
    opac_output_text(out, ", ");
    result_show_count(out, states, "state");
    opac_output_text(out, "\n");
}

static void write_sizes(opac_output *out, base_json_value inputs)
{
    const char *product = result_get_digits(inputs, "product_states");
    result_line_shown(out, "objective", result_get_text(inputs, "objective"));
    write_model(out, inputs);
    result_line_key(out, "automaton");
    result_show_count(out, result_get_uint(inputs, "automaton_states"), "state");
    opac_output_text(out, ", ");
    result_show(out, result_get_text(inputs, "automaton_acceptance"));
    opac_output_text(out, "\n");
    result_line_key(out, "product");
    result_show_count(out, result_get_uint(inputs, "product_reachable"), "state");
    opac_output_text(out, " seen");
    if (product != NULL)
        opac_output_print(out, " of %s", product);
    opac_output_text(out, "\n");
}

static void write_time(opac_output *out, base_json_value stats)
{
    static const char *const members[] = {"seconds", "sampling_seconds", "solving_seconds"};
    char times[3][OPAC_QUANTITY_SIZE];
    if (isnan(result_get_double(stats, "seconds")))
        return;
    for (int i = 0; i < 3; i++)
        opac_duration_format(result_get_double(stats, members[i]), times[i], sizeof times[i]);
    result_line_key(out, "learned in");
    opac_output_print(out, "%s (sampling %s, solving %s)%s\n", times[0], times[1], times[2],
                      result_get_bool(stats, "resumed") ? ", since it was resumed" : "");
}

/* ---- comparison with the model ---- */

/* The product with a nondeterministic automaton only gives a lower bound (docs/theory.md, Lemma 2). */
static void write_probability(opac_output *out, const char *key, base_json_value truth,
                              const char *member)
{
    double value = result_get_double(truth, member);
    if (isnan(value))
        return;
    result_line_key(out, key);
    result_show_number(out, value);
    opac_output_text(out, result_get_bool(truth, "is_bound") ? " (a lower bound)\n" : "\n");
}

static void write_truth(opac_output *out, base_json_value truth)
{
    const char *note = result_get_text(truth, "note");
    opac_output_text(out, "\nComputed from the model, not from samples:\n");
    write_probability(out, "this policy", truth, "policy");
    write_probability(out, "optimal policy", truth, "optimum");
    result_line_contradiction(out, truth);
    if (note != NULL)
        result_line_path(out, "not computed", note);
}

/* ---- the whole text ---- */

static void write_no_certificate(opac_output *out, const char *why)
{
    char text[OPAC_MESSAGE_SIZE + 32];
    snprintf(text, sizeof text, "not written: %s", why);
    result_line_path(out, "certificate", text);
}

static void write_run(opac_output *out, base_json_value result, const result_extras *extras)
{
    const char *certificate = result_get_text(result, "certificate.path");
    const char *why_none = result_get_text(result, "certificate_reason");
    base_json_value truth = result_get(result, "truth");
    result_show_learned(out, result);
    opac_output_text(out, "\n\n");
    write_guarantee(out, result);
    opac_output_text(out, "\n");
    write_parameters(out, result);
    if (has_trial(result))
        write_tried(out, result);
    else if (is_bracket(result))
        write_bracket(out, result);
    else
        write_samples(out, result);
    write_sizes(out, result_get(result, "inputs"));
    write_time(out, result_get(result, "stats"));
    result_lines_policy(out, result);
    if (certificate != NULL)
        result_line_path(out, "certificate", certificate);
    else if (why_none != NULL)
        write_no_certificate(out, why_none);
    if (extras->policy != NULL && extras->model != NULL)
        result_write_map(extras->policy, extras->model, out);
    if (base_json_is_there(truth))
        write_truth(out, truth);
}

void result_text_of_learn(base_json_value result, const result_extras *extras, opac_output *out)
{
    if (base_json_is_there(result_get(result, "summary")))
        result_text_of_learn_runs(out, result);
    else if (!base_json_is_there(result_get(result, "inputs")))
        result_text_of_learn_run(out, result);
    else
        write_run(out, result, extras);
}
