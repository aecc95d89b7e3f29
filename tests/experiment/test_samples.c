/* SPDX-License-Identifier: MIT */
/* Samples by rule and by learner: known values, exact slopes, and the chain's own arithmetic. */
#include "experiment/samples.h"

#include <math.h>

#include "base/alloc.h"
#include "experiment/small.h"

static const opac_bound_params gridworld = {
    .states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1, .branching = 3};

static uint64_t k_of(const opac_bound_params *params, experiment_samples_rule rule)
{
    opac_error error;
    opac_count k;
    assert_ok(experiment_samples_k(params, rule, &k, &error), &error);
    return k.value;
}

static void known_values(void **state)
{
    (void)state;
    assert_int_equal(k_of(&gridworld, EXPERIMENT_SAMPLES_PAPER), 71394132);
    assert_int_equal(k_of(&gridworld, EXPERIMENT_SAMPLES_L1), 575113);
    assert_int_equal(k_of(&gridworld, EXPERIMENT_SAMPLES_UNKNOWN), 1046255);
    assert_int_equal(k_of(&gridworld, EXPERIMENT_SAMPLES_TARGET), 143779); /* a quarter, up */
    assert_true(k_of(&gridworld, EXPERIMENT_SAMPLES_SOUND) >
                k_of(&gridworld, EXPERIMENT_SAMPLES_PAPER));
}

/* k quadruples, up to its ceiling, when T doubles or ε is halved; the paper's also when N does, but
 * for the logarithm. */
static void slopes_are_exact(void **state)
{
    (void)state;
    for (unsigned r = 0; r < EXPERIMENT_SAMPLES_RULES; r++) {
        experiment_samples_rule rule = (experiment_samples_rule)r;
        for (size_t i = 0; i < 8; i++) {
            opac_bound_params one =
                experiment_samples_at(&gridworld, EXPERIMENT_SAMPLES_HORIZON, 5, 2, i);
            opac_bound_params two =
                experiment_samples_at(&gridworld, EXPERIMENT_SAMPLES_HORIZON, 5, 2, i + 1);
            assert_int_equal(two.horizon, 2 * one.horizon);
            uint64_t k = k_of(&one, rule), four = k_of(&two, rule);
            assert_true(four <= 4 * k && four + 4 > 4 * k);
            one = experiment_samples_at(&gridworld, EXPERIMENT_SAMPLES_EPSILON, 0.4, 0.5, i);
            two = experiment_samples_at(&gridworld, EXPERIMENT_SAMPLES_EPSILON, 0.4, 0.5, i + 1);
            k = k_of(&one, rule);
            four = k_of(&two, rule);
            assert_true(four <= 4 * k && four + 4 > 4 * k);
        }
    }
    opac_bound_params one = experiment_samples_at(&gridworld, EXPERIMENT_SAMPLES_STATES, 3, 2, 2);
    opac_bound_params two = experiment_samples_at(&gridworld, EXPERIMENT_SAMPLES_STATES, 3, 2, 3);
    assert_int_equal(one.states, 12);
    double ratio =
        (double)k_of(&two, EXPERIMENT_SAMPLES_PAPER) / (double)k_of(&one, EXPERIMENT_SAMPLES_PAPER);
    assert_true(fabs(ratio - 4 * log(2 * 24 * 4 / 0.1) / log(2 * 12 * 4 / 0.1)) < 1e-6);
    const double x[] = {1, 7, 100}, y[] = {5, 0, 5e-6};
    assert_true(fabs(experiment_samples_slope(x, y, 3) + 3) < 1e-12);
}

/* ---- runs ---- */

/* On the chain `go` is certain: ω-PAC takes (N+1) k episodes of T = N+1 steps, whatever the
 * seed. */
static opac_status chains(experiment_lab *lab, opac_error *error)
{
    static const experiment_samples_setting settings[] = {{2, "N=2", 0.1, 3, 0.25},
                                                          {5, "N=5", 0.1, 0, 1.0 / 32}};
    experiment_samples_family family = {"chain", "chain", "G F won", "N", 31, settings, 2};
    experiment_samples_outcome *found;
    size_t count;
    opac_status status = experiment_samples_run(lab, &family, 11, &found, &count, error);
    if (status != OPAC_OK)
        return status;
    assert_int_equal(count, 10);
    for (size_t i = 0; i < count; i++) {
        const experiment_samples_outcome *o = &found[i];
        uint64_t time = i % 2 == 0 ? 3 : 6;
        assert_int_equal(o->learner, i / 2);
        assert_int_equal(o->runs, i < 6 ? EXPERIMENT_SAMPLES_FEW : 11);
        assert_int_equal(o->done, o->runs);
        assert_true(o->x == settings[i % 2].x && o->shortfall == 0);
        assert_true(o->steps.least <= o->steps.first && o->steps.first <= o->steps.median &&
                    o->steps.median <= o->steps.third && o->steps.third <= o->steps.most &&
                    o->samples <= o->steps.most);
        assert_true(o->error <= (i < 4 ? 0.4 : i < 6 ? 0.6 : 0.1) + 1e-6);
        assert_int_equal(o->horizon, i < 6 ? time : 0);
        if (i < 6) {
            assert_true(o->steps.least == o->steps.most && o->steps.median == time * time * o->k);
            assert_true(o->budget ==
                        (double)o->k * (double)(time + 1) * 2); /* N states, two sinks */
            assert_true((double)o->samples <= o->budget);
        } else {
            assert_true(o->k == 0 && o->samples == o->steps.median && isnan(o->budget));
        }
    }
    assert_true(found[2].steps.median > 3 * found[4].steps.median); /* a quarter, for 6 ε */
    assert_true(found[9].steps.median < found[7].steps.median &&
                found[7].steps.median < found[3].steps.median);
    base_free(found);
    return OPAC_OK;
}

static opac_status grids(experiment_lab *lab, opac_error *error)
{
    static const experiment_samples_setting settings[] = {{0.05, NULL, 0.05, 0, 0.2},
                                                          {0.05, NULL, 0.05, 19, 0.02}};
    experiment_samples_family family = {"grid", "gridworld", "(G F s) & (G F g)", "x", 2, settings,
                                        2};
    experiment_samples_outcome *found, *others = NULL;
    size_t count, more;
    opac_status status = experiment_samples_run(lab, &family, 1, &found, &count, error);
    family.learners = 8 | 16;
    if (status == OPAC_OK)
        status = experiment_samples_run(lab, &family, 11, &others, &more, error);
    if (status == OPAC_OK) {
        assert_true(count == 2 && more == 4);
        assert_int_equal(found[0].horizon, 306);
        assert_int_equal(found[0].k, 136191660);
        assert_true(found[0].error < 0.2 + 1e-6);
        assert_true(isnan(found[1].error));                 /* T = 19 is refuted */
        assert_in_range(others[0].steps.median, 900, 1250); /* a mean of 1076 */
        assert_true(others[1].steps.median > 5 * others[0].steps.median &&
                    others[1].steps.median < 20 * others[0].steps.median);
        assert_int_equal(others[2].steps.most, 0); /* with the graph there is nothing to learn */
    }
    base_free(found);
    base_free(others);
    return status;
}

static opac_status too_many(experiment_lab *lab, opac_error *error)
{
    experiment_samples_setting none = {0};
    experiment_samples_family family = {
        "none", "chain", "G F won", "N", 1, &none, EXPERIMENT_SAMPLES_SETTINGS + 1};
    experiment_samples_outcome *found;
    size_t count;
    assert_status(experiment_samples_run(lab, &family, 1, &found, &count, error),
                  OPAC_ERROR_INTERNAL);
    family.setting_count = 1;
    assert_status(experiment_samples_run(lab, &family, 0, &found, &count, error),
                  OPAC_ERROR_INTERNAL);
    family.model = "nowhere";
    assert_status(experiment_samples_run(lab, &family, 1, &found, &count, error),
                  OPAC_ERROR_ARGUMENT);
    assert_null(found);
    return OPAC_OK;
}

static void learners_on_families(void **state)
{
    (void)state;
    small_once(chains, 2);
    small_once(grids, 2);
    small_once(too_many, 2);
}

/* ---- the page ---- */

static opac_status small_page(experiment_lab *lab, opac_error *error)
{
    static const experiment_samples_size size = {.runs = 1, .settings = 2};
    return experiment_samples_page(lab, &size, error);
}

static const experiment_entry small_entry = {{"samples", "small"}, small_page};

static void same_bytes_for_any_threads(void **state)
{
    (void)state;
    /* A learner looks the same in a figure that lacks others; tables, figures. */
    static const small_text texts[] = {
        {"samples-grid-epsilon.svg", "<g class=\"opac-c3 opac-d3\">"},
        {"samples-grid-pmin.svg", "<g class=\"opac-c3 opac-d3\">"},
        {"samples-grid-pmin.svg", "bracket with pmin"},
        {NULL, NULL}};
    opac_experiment_result *result = small_same(&small_entry, 2 + 6 + 8, texts);
    assert_string_equal(small_finding(result, "k of the gridworld (N = 12, K = 4, T = 19)"),
                        "71394132");
    assert_string_equal(small_finding(result, "k by l1 at the same parameters, m = 3"),
                        "575113 for an error of 4ε, 143779 for 6ε");
    opac_experiment_result_free(result);
}

static void seeds_are_told(void **state)
{
    (void)state;
    static const small_text texts[] = {{"samples.html", "with the seeds from 41 on, 1 times"},
                                       {NULL, NULL}};
    folder f = folder_make();
    small_run run = small_in(&small_entry, &f, 2);
    opac_error error;
    run.options.seed = 41;
    assert_ok(small_whole(&run, &error), &error);
    small_read(&f, texts);
    folder_remove(&f);
}

static opac_status one_chain(experiment_lab *lab, opac_error *error)
{
    static const experiment_samples_setting setting = {1, "N=1", 0.2, 2, 0.5};
    experiment_samples_family family = {"chain", "chain", "G F won", "N", 31, &setting, 1};
    experiment_samples_outcome *found;
    size_t count;
    opac_status status = experiment_samples_run(lab, &family, 1, &found, &count, error);
    base_free(found);
    return status;
}

static const experiment_entry chain_entry = {{"chain", "small"}, one_chain};

static void no_memory_is_an_error(void **state)
{
    (void)state;
    small_sweep(&chain_entry, 37);
}

static void numbers_in_order(void **state)
{
    (void)state;
    uint64_t nine[] = {9, 1, 8, 2, 7, 3, 6, 4, 5}, two[] = {7, 3};
    double even[] = {4, 1, 3, 10}, odd[] = {5, 9, 1};
    experiment_quartiles q = experiment_quartiles_of(nine, 9);
    assert_true(q.least == 1 && q.first == 3 && q.median == 5 && q.third == 7 && q.most == 9);
    q = experiment_quartiles_of(two, 2);
    assert_true(q.least == 3 && q.first == 3 && q.median == 3 && q.third == 7 && q.most == 7);
    assert_true(experiment_middle(even, 4) == 3 && experiment_middle(odd, 3) == 5);
}

static void numbers_for_people(void **state)
{
    (void)state;
    assert_string_equal(experiment_show(0.0345, 2).text, "0.035");
    assert_string_equal(experiment_show(1054, 4).text, "1054");
    assert_string_equal(experiment_show(123456, 4).text, "1.235·10⁵");
    assert_string_equal(experiment_show(1.5957e9, 3).text, "1.6·10⁹");
    assert_string_equal(experiment_show(2.3881e13, 3).text, "2.39·10¹³");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),          cmocka_unit_test(slopes_are_exact),
        cmocka_unit_test(learners_on_families),  cmocka_unit_test(same_bytes_for_any_threads),
        cmocka_unit_test(no_memory_is_an_error), cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(seeds_are_told),        cmocka_unit_test(numbers_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
