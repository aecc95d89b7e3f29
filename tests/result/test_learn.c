/* SPDX-License-Identifier: MIT */
/*
 * Results of learn: the text follows from the JSON, runs are added up, a simulator has a trajectory, and
 * no allocation that fails is overlooked.
 */
#include <math.h>

#include <omegapac/property.h>
#include <omegapac/simulation.h>

#include "result/result_read.h"
#include "result/texts.h"
#include "support/faults.h"

/* One action leads to the goal in half of the cases, sooner or later, the other one never. */
static const char tries[] = "mdp\n"
                            "module m\n"
                            "    x : [0..2];\n"
                            "    [try] x=0 -> 0.3 : (x'=1) + 0.3 : (x'=2) + 0.4 : true;\n"
                            "    [give_up] x=0 -> (x'=2);\n"
                            "    [] x>0 -> true;\n"
                            "endmodule\n"
                            "label \"goal\" = x=1;\n";

typedef struct example {
    opac_model *model;
    opac_formula *formula;
    opac_objective objective;
    opac_environment *environment; /* of the model */
    opac_environment *simulator;   /* which the library cannot look into */
    opac_simulation *simulation;   /* that it runs */
    opac_learn_options options;
    opac_learning *learning;
    opac_policy *policy;
    opac_learn_truth truth;
    opac_learn_answer answer;
} example;

/* ---- a simulator ---- */

static opac_status observe(const example *e, opac_observation *seen)
{
    static const char *const keys[] = {"begin", "won", "\xFF\x01"};
    uint32_t state = opac_simulation_state(e->simulation);
    seen->key = keys[state];
    seen->length = strlen(keys[state]);
    seen->letter = state == 1;
    seen->actions = opac_model_choice_count(e->model, state);
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    example *e = context;
    (void)error;
    opac_simulation_reset(e->simulation, seed);
    return observe(e, seen);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    example *e = context;
    (void)error;
    opac_simulation_step(e->simulation,
                         opac_model_choice_begin(e->model, opac_simulation_state(e->simulation)) +
                             action);
    return observe(e, seen);
}

static void open_simulator(example *e)
{
    static const char *const names[] = {"goal"};
    const opac_environment_callbacks calls = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
    opac_error error;
    assert_ok(opac_simulation_new(e->model, 1, &e->simulation, &error), &error);
    assert_ok(opac_environment_new(&calls, e, &e->simulator, &error), &error);
}

/* ---- runs ---- */

static void forget(example *e)
{
    opac_policy_free(e->policy);
    opac_learning_free(e->learning);
    e->policy = NULL;
    e->learning = NULL;
}

static void learn(example *e, opac_environment *environment, const opac_learn_options *options)
{
    bool is_model = environment == e->environment;
    const opac_check_options checked = {.threads = 1};
    opac_error error;
    forget(e);
    e->options = *options;
    e->options.threads = 1;
    assert_ok(opac_learn(environment, &e->objective, &e->options, &e->learning, &error), &error);
    assert_ok(opac_learning_policy(e->learning, is_model ? e->model : NULL, &e->policy, &error),
              &error);
    opac_learn_truth_init(&e->truth, is_model ? e->model : NULL, &e->objective);
    assert_ok(opac_learn_truth_find(&e->truth, e->policy, &checked, &error), &error);
    e->answer = (opac_learn_answer){.learning = e->learning,
                                    .options = &e->options,
                                    .environment = environment,
                                    .model = is_model ? e->model : NULL,
                                    .policy = e->policy,
                                    .objective = "F goal",
                                    .truth = &e->truth};
}

static opac_learn_options with_horizon(void)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = 40;
    options.k = 200;
    options.epsilon = options.delta = 0.1;
    return options;
}

static opac_learn_options with_bracket(double pmin)
{
    opac_learn_options options = opac_learn_defaults();
    options.pmin = pmin;
    options.epsilon = options.delta = 0.1;
    return options;
}

static opac_learn_options with_horizon_bracket(uint64_t horizon)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = horizon;
    options.epsilon = 0.05;
    options.delta = 0.1;
    return options;
}

static int set_up(void **state)
{
    static example e;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, tries, strlen(tries), NULL, &e.model, &error),
              &error);
    assert_ok(opac_formula_parse("F goal", NULL, &e.formula, &error), &error);
    e.objective = (opac_objective){.formula = e.formula};
    assert_ok(opac_environment_of_model(e.model, NULL, &e.environment, &error), &error);
    open_simulator(&e);
    *state = &e;
    return 0;
}

static int tear_down(void **state)
{
    example *e = *state;
    forget(e);
    opac_environment_free(e->environment);
    opac_environment_free(e->simulator);
    opac_simulation_free(e->simulation);
    opac_formula_free(e->formula);
    opac_model_free(e->model);
    return 0;
}

/* ---- texts ---- */

/* The caller frees. */
static char *text_of_run(const opac_learn_answer *answer, bool is_brief)
{
    const opac_result_source source = {.model = "tries", .has_times = true, .is_brief = is_brief};
    opac_result *result;
    opac_error error;
    assert_ok(opac_result_of_learn(answer, &source, &result, &error), &error);
    return take_text(result);
}

static char *brief_and_whole(const opac_learn_answer *answer)
{
    char *brief = text_of_run(answer, true), *whole = text_of_run(answer, false);
    assert_string_equal(brief, whole);
    free(whole);
    return brief;
}

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in\n%s", part, text);
}

static void a_stored_result_has_the_same_text(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_horizon();
    learn(e, e->environment, &options);
    e->answer.files = (opac_result_files){.policy = "p.json", .dot = "p.dot"};
    char *text = brief_and_whole(&e->answer);
    assert_says(text, "\nT                  40 steps, ");
    assert_says(
        text, "\nk                  200 observations make a state-action pair known (as given)\n");
    assert_says(text, "\ncounts in          the model: N = 3, K = 2, m = 3\n");
    assert_says(text, "\nmodel              mdp, 3 states\n");
    assert_says(text, "\nwritten to         p.json\nwritten to         p.dot\n");
    assert_says(text, "\noptimal policy     0.5\n");
    assert_says(text, "\nlearned in         ");
    free(text);
}

static void declared_states_are_not_the_models(void **state)
{
    example *e = *state;
    opac_learn_options options = with_horizon();
    options.states = 9;
    learn(e, e->environment, &options);
    char *text = brief_and_whole(&e->answer);
    assert_says(text, ": N = 9, K = 2, m = 3\n");
    assert_says(text, "\nmodel              mdp, 3 states\n");
    free(text);
}

static void a_bracket_and_its_certificate(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_bracket(0.3);
    learn(e, e->environment, &options);
    assert_true(opac_learn_holds(&e->answer));
    e->answer.is_certificate_wanted = true;
    e->answer.certificate = "run.cert";
    char *text = brief_and_whole(&e->answer);
    assert_says(text, "\ncertificate        run.cert\n");
    assert_says(text, "\ncomplete pairs     ");
    free(text);
    e->answer.certificate = NULL;
    e->answer.certificate_reason = "there is no valid bracket";
    text = brief_and_whole(&e->answer);
    assert_says(text, "\ncertificate        not written: there is no valid bracket\n");
    free(text);
}

static void a_bracket_from_a_horizon(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_horizon_bracket(40);
    learn(e, e->environment, &options);
    assert_true(opac_learn_holds(&e->answer));
    char *text = brief_and_whole(&e->answer);
    assert_says(text, "\nT                  40 steps, not refuted by the samples, ");
    assert_says(text, "\nparameters         epsilon 0.05, delta 0.1, width 0.2, seed 1\n");
    assert_says(text, "\ntried pairs        ");
    assert_says(text, "\ncandidates         ");
    assert_says(text, "\ntrial              ");
    assert_null(strstr(text, "complete pairs"));
    assert_null(strstr(text, "\nk  "));
    free(text);
}

/* The trial is that of the report. */
static void a_trial_is_told(void **state)
{
    example *e = *state;
    opac_learn_options options = with_horizon_bracket(40);
    char expected[128];
    options.epsilon = 0.01;
    options.target = 0.03;
    options.max_steps = 100; /* more, until L follows from a trial */
    const opac_learn_report *report;
    do {
        options.max_steps += 100;
        assert_true(options.max_steps < 100000);
        learn(e, e->environment, &options);
        report = opac_learning_report(e->learning);
    } while (report->trial_episodes == 0);
    snprintf(expected, sizeof expected, "\ntrial              %d of %d episodes of 40 steps won\n",
             (int)report->trial_wins, (int)report->trial_episodes);
    char *text = brief_and_whole(&e->answer);
    assert_says(text, expected);
    free(text);
    options.max_steps = 1;
    learn(e, e->environment, &options);
    text = brief_and_whole(&e->answer);
    assert_false(opac_learn_holds(&e->answer));
    assert_says(text, "\ntrial              no lower bound yet\n");
    free(text);
}

/* The policy tries until it succeeds, which takes longer than a step. */
static void a_horizon_that_is_refuted(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_horizon_bracket(1);
    learn(e, e->environment, &options);
    assert_int_equal(opac_learning_report(e->learning)->end, OPAC_END_REFUTED);
    assert_false(opac_learn_holds(&e->answer));
    char *text = brief_and_whole(&e->answer);
    assert_says(text, "(no guarantee)\n");
    assert_says(text, "\nT                  1 step, refuted by the samples");
    assert_null(strstr(text, "\ntrial "));
    free(text);
}

static void a_horizon_that_is_searched_for(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_horizon_bracket(0);
    learn(e, e->environment, &options);
    assert_false(opac_learn_holds(&e->answer));
    char *text = brief_and_whole(&e->answer);
    assert_says(text, "(no guarantee)\n");
    assert_says(text, " was searched for, not given\n");
    assert_says(text, " (found by doubling), not refuted by the samples,");
    free(text);
}

static void a_claim_that_the_model_contradicts(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_bracket(0.3);
    learn(e, e->environment, &options);
    e->truth.optimum = 0.9;
    assert_true(opac_learn_is_contradicted(&e->answer));
    assert_false(opac_learn_holds(&e->answer));
    char *text = brief_and_whole(&e->answer);
    assert_says(text, " (contradicted by the model)\n");
    assert_says(text, "\ncontradiction      ");
    free(text);
}

static void a_truth_that_is_left_out(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_bracket(0.3);
    opac_cancel *cancel;
    opac_error error;
    learn(e, e->environment, &options);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    const opac_check_options asked = {.threads = 1, .cancel = cancel};
    opac_learn_truth_init(&e->truth, e->model, &e->objective);
    assert_ok(opac_learn_truth_find(&e->truth, e->policy, &asked, &error), &error);
    opac_cancel_free(cancel);
    assert_int_equal(e->truth.note.code, OPAC_ERROR_CANCELLED);
    char *text = brief_and_whole(&e->answer);
    assert_says(text, "\nnot computed       stopped\n");
    free(text);
    opac_learn_truth_skip(&e->truth, true);
    text = brief_and_whole(&e->answer);
    assert_says(text, "\nnot computed       the time limit was reached\n");
    free(text);
}

/* ---- simulators ---- */

static base_json *parse(const opac_result *result)
{
    base_json *document;
    opac_error error;
    size_t length;
    const char *json = opac_result_json(result, &length);
    assert_ok(base_json_parse(json, length, &document, &error), &error);
    return document;
}

static void a_trajectory_in_a_simulator(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_bracket(0.3);
    opac_learn_sample *sample;
    opac_result *result;
    opac_error error;
    learn(e, e->simulator, &options);
    assert_ok(opac_learn_sample_new(e->simulator, e->learning, e->policy, 1, &sample, &error),
              &error);
    e->answer.sample = sample;
    assert_ok(opac_result_of_learn(&e->answer, NULL, &result, &error), &error);
    base_json *document = parse(result);
    base_json_value visits = result_get(base_json_root(document), "sample");
    assert_int_equal(result_count(visits), 101);
    assert_string_equal(result_get_text(result_item(visits, 0), "key"), "begin");
    assert_true(base_json_is_there(result_get(result_item(visits, 0), "action")));
    assert_false(base_json_is_there(result_get(result_item(visits, 100), "action")));
    base_json_free(document);
    opac_result_free(result);
    opac_learn_sample_free(sample);
}

static void no_trajectory_after_a_stop(void **state)
{
    example *e = *state;
    opac_learn_options options = with_horizon();
    opac_learn_sample *sample;
    opac_result *result;
    opac_error error;
    options.max_seconds = 1e-9;
    learn(e, e->simulator, &options);
    assert_int_equal(opac_learning_report(e->learning)->end, OPAC_END_SECONDS);
    assert_ok(opac_learn_sample_new(e->simulator, e->learning, e->policy, 1, &sample, &error),
              &error);
    e->answer.sample = sample;
    assert_ok(opac_result_of_learn(&e->answer, NULL, &result, &error), &error);
    assert_non_null(strstr(opac_result_json(result, NULL), "\"sample\": []"));
    opac_result_free(result);
    opac_learn_sample_free(sample);
}

/* ---- several runs ---- */

static void runs_are_added_up(void **state)
{
    example *e = *state;
    const opac_result_source source = {.has_times = true};
    opac_learn_runs runs = {.count = 0};
    opac_result *result;
    opac_error error;
    opac_learn_options options = with_bracket(0.3);
    for (options.seed = 5; options.seed < 8; options.seed++) {
        learn(e, e->environment, &options);
        assert_ok(opac_learn_runs_add(&runs, &e->answer, &error), &error);
    }
    assert_ok(opac_result_of_learn_run(&e->answer, &source, &result, &error), &error);
    char *text = take_text(result);
    assert_says(text, "  seed 7, ");
    assert_says(text, "; true: 0.5\n");
    free(text);
    e->answer.learning = NULL; /* as after a run that failed */
    assert_ok(opac_result_of_learn_runs(&runs, &e->answer, &source, &result, &error), &error);
    assert_non_null(strstr(opac_result_json(result, NULL), "\"seed\": 5, "));
    text = take_text(result);
    assert_says(text, "\nruns               3 in total, 3 with a guarantee\n");
    assert_says(text, "\nbrackets           3 of 3 contain the optimum\n");
    assert_says(text,
                "\noptimal policies   3 of 3 runs; the worst policy is 0 below the optimum\n");
    free(text);
    opac_learn_runs_fini(&runs);
}

/* The text says why no run could be judged. */
static void runs_that_are_not_judged(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_horizon();
    opac_learn_runs runs = {.count = 0};
    opac_result *result;
    opac_error error;
    learn(e, e->environment, &options);
    e->truth.policy = e->truth.optimum = NAN;
    e->truth.note = (opac_error){.code = OPAC_ERROR_LIMIT, .message = "too large"};
    assert_ok(opac_learn_runs_add(&runs, &e->answer, &error), &error);
    assert_ok(opac_result_of_learn_runs(&runs, &e->answer, NULL, &result, &error), &error);
    char *text = take_text(result);
    assert_says(text, "\nnot computed       too large\n");
    free(text);
    opac_learn_runs_fini(&runs);
}

/* ---- words ---- */

static void words_of_enumerations(void **state)
{
    unsigned value = 7;
    (void)state;
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_SAMPLER, OPAC_SAMPLER_STEP), "step");
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_END, OPAC_END_MEMORY), "max-memory");
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_REFUTATION, OPAC_REFUTED_SUM), "sum");
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_REFUTATION, OPAC_REFUTED_RECURRENCE),
                        "recurrence");
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_REFUTATION, OPAC_REFUTED_VERDICT),
                        "verdict");
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_REFUTATION, OPAC_REFUTED_CROSSING),
                        "crossing");
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_ANSWER, OPAC_ANSWER_UNDECIDED), "undecided");
    assert_null(opac_learn_enum_name(OPAC_ENUM_ANSWER, 4));
    assert_string_equal(opac_learn_enum_name(OPAC_ENUM_REFUTATION, OPAC_REFUTED_NEW_OUTCOME),
                        "new-outcome");
    assert_null(opac_learn_enum_name(OPAC_ENUM_REFUTATION, 13));
    assert_null(opac_learn_enum_name(OPAC_ENUM_SAMPLER, 3));
    assert_null(opac_learn_enum_name(OPAC_ENUM_END, 8));
    assert_null(opac_learn_enum_name((opac_learn_enum)99, 0));
    assert_true(opac_learn_enum_find(OPAC_ENUM_STOP, "all-actions", &value));
    assert_int_equal(value, OPAC_STOP_ALL_ACTIONS);
    assert_false(opac_learn_enum_find(OPAC_ENUM_STOP, "never", &value));
    assert_int_equal(value, OPAC_STOP_ALL_ACTIONS);
}

/* ---- memory ---- */

static opac_status tell(void *context, opac_error *error)
{
    const example *e = context;
    const opac_result_source source = {.model = "tries", .params = "{\"constants\": [\"p=1\"]}"};
    opac_result *result;
    TRY(opac_result_of_learn(&e->answer, &source, &result, error));
    return write_text_of(result, error);
}

static opac_status tell_sample(void *context, opac_error *error)
{
    example *e = context;
    opac_learn_sample *sample;
    TRY(opac_learn_sample_new(e->simulator, e->learning, e->policy, 1, &sample, error));
    e->answer.sample = sample;
    opac_status status = tell(e, error);
    opac_learn_sample_free(sample);
    return status;
}

static opac_status tell_runs(void *context, opac_error *error)
{
    const example *e = context;
    opac_learn_runs runs = {.count = 0};
    opac_result *result;
    opac_status status;
    TRY_OR(done, opac_learn_runs_add(&runs, &e->answer, error));
    TRY_OR(done, opac_result_of_learn_runs(&runs, &e->answer, NULL, &result, error));
    opac_result_free(result);
done:
    opac_learn_runs_fini(&runs);
    return status;
}

static void allocations_that_fail(void **state)
{
    example *e = *state;
    const opac_learn_options options = with_bracket(0.3);
    learn(e, e->environment, &options);
    assert_true(faults_sweep(tell, e) > 10);
    assert_true(faults_sweep(tell_runs, e) > 3);
    learn(e, e->simulator, &options);
    assert_true(faults_sweep(tell_sample, e) > 10);
}

SUITE(learn)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stored_result_has_the_same_text),
        cmocka_unit_test(declared_states_are_not_the_models),
        cmocka_unit_test(a_bracket_and_its_certificate),
        cmocka_unit_test(a_bracket_from_a_horizon),
        cmocka_unit_test(a_trial_is_told),
        cmocka_unit_test(a_horizon_that_is_refuted),
        cmocka_unit_test(a_horizon_that_is_searched_for),
        cmocka_unit_test(a_claim_that_the_model_contradicts),
        cmocka_unit_test(a_truth_that_is_left_out),
        cmocka_unit_test(a_trajectory_in_a_simulator),
        cmocka_unit_test(no_trajectory_after_a_stop),
        cmocka_unit_test(runs_are_added_up),
        cmocka_unit_test(runs_that_are_not_judged),
        cmocka_unit_test(words_of_enumerations),
        cmocka_unit_test(allocations_that_fail),
    };
    return cmocka_run_group_tests_name("result.learn", tests, set_up, tear_down);
}
