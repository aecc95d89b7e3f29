/* SPDX-License-Identifier: MIT */
/* Limits on states, choices and edges; cancellation; progress. */
#include "scene.h"
#include "support/clock.h"

/* GF a on a path without a: as many product states as states. */
static scene path_scene(uint32_t states)
{
    scene x = {.model = scene_path(states),
               .automaton = scene_hoa("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) "
                                      "--BODY-- State: 0 [!0] 0 [0] 0 {0} --END--")};
    x.letters = base_alloc_zeroed(states, sizeof *x.letters);
    assert_non_null(x.letters);
    return x;
}

static void too_many_states(void **unused)
{
    scene x = path_scene(20);
    product_options options = {.max_states = 20};
    product_process product;
    opac_error error;
    (void)unused;
    assert_ok(product_build(x.model, x.letters, x.automaton, &options, &product, &error), &error);
    assert_int_equal(product.process.state_count, 20);
    product_fini(&product);
    options.max_states = 19;
    assert_status(product_build(x.model, x.letters, x.automaton, &options, &product, &error),
                  OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the product of 20 and 1 states has more than 19");
    assert_string_equal(error.parameter, "max_states");
    assert_int_equal(error.limit, 19);
    product_fini(&product); /* the product is empty */
    scene_fini(&x);
}

static void too_many_initial_states(void **unused)
{
    scene x = {.model = scene_path(1),
               .automaton = scene_hoa("HOA: v1 States: 3 Start: 0 Start: 1 Start: 2 AP: 0 "
                                      "Acceptance: 1 Inf(0) --BODY-- State: 0 State: 1 State: 2 "
                                      "--END--")};
    product_options options = {.max_states = 2};
    product_process product;
    opac_error error;
    (void)unused;
    x.letters = base_alloc_zeroed(1, sizeof *x.letters);
    assert_status(product_build(x.model, x.letters, x.automaton, &options, &product, &error),
                  OPAC_ERROR_LIMIT);
    options.max_states = 3;
    assert_ok(product_build(x.model, x.letters, x.automaton, &options, &product, &error), &error);
    assert_int_equal(product.process.state_count, 3);
    assert_int_equal(product.process.choice_count, 0);
    assert_int_equal(product.start.count, 3);
    product_fini(&product);
    scene_fini(&x);
}

/* One state with many actions, and as many moves: the number of choices overflows. */
static void too_many_choices(void **unused)
{
    enum {
        WIDTH = 65600
    };
    aut_bdd_store *labels;
    aut_builder *automaton;
    opac_builder *model;
    product_process product;
    scene x = {0};
    opac_error error;
    (void)unused;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &model, &error), &error);
    assert_ok(opac_builder_state(model, &error), &error);
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &automaton, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_add_states(automaton, WIDTH);
    for (uint32_t i = 0; i < WIDTH; i++) {
        assert_ok(opac_builder_choice(model, NULL, &error), &error);
        assert_ok(opac_builder_branch(model, 0, 1, &error), &error);
        aut_builder_edge(automaton, 0, (aut_edge){AUT_BDD_TRUE, i, 0});
    }
    aut_builder_initial(automaton, 0);
    assert_ok(opac_builder_initial(model, 0, &error), &error);
    assert_ok(opac_builder_finish(model, NULL, &x.model, &error), &error);
    opac_builder_free(model);
    assert_ok(aut_builder_finish(automaton, &x.automaton, &error), &error);
    x.letters = base_alloc_zeroed(1, sizeof *x.letters);
    assert_status(product_build(x.model, x.letters, x.automaton, NULL, &product, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 4294967294 "));
    scene_fini(&x);
}

/* ---- cancellation ---- */

typedef struct watch {
    double now;
    opac_cancel *cancel; /* cancelled at the third progress report; NULL: never */
    uint32_t reports;
    uint64_t done;
    bool finished;
} watch;

static double tick(void *context)
{
    watch *w = context;
    return w->now += 1;
}

static void hear(void *context, const opac_progress_report *report)
{
    watch *w = context;
    assert_true(report->done >= w->done);
    assert_string_equal(report->what, "building the product");
    w->done = report->done;
    w->finished = report->finished;
    if (++w->reports == 3 && w->cancel != NULL)
        opac_cancel_request(w->cancel);
}

static opac_status build_watched(const scene *x, watch *w, product_process *product,
                                 opac_error *error)
{
    product_options options = {.cancel = w->cancel};
    assert_ok(opac_progress_new(hear, w, &options.progress, error), error);
    clock_replace(tick, w);
    opac_status status =
        product_build(x->model, x->letters, x->automaton, &options, product, error);
    clock_replace(NULL, NULL);
    opac_progress_free(options.progress);
    return status;
}

static void stopping(void **unused)
{
    scene x = path_scene(300000);
    watch w = {0}, to_the_end = {0};
    product_process product;
    opac_error error;
    (void)unused;
    assert_ok(build_watched(&x, &to_the_end, &product, &error), &error);
    assert_true(to_the_end.reports > 10);
    assert_true(to_the_end.finished);
    assert_true(to_the_end.done > 200000);
    product_fini(&product);
    assert_ok(opac_cancel_new(&w.cancel, &error), &error);
    assert_status(build_watched(&x, &w, &product, &error), OPAC_ERROR_CANCELLED);
    assert_string_equal(error.message, "stopped while building the product of model and automaton");
    assert_true(w.done > 0);
    assert_true(w.done < 100000);
    assert_true(w.finished);
    w = (watch){.cancel = w.cancel}; /* already cancelled: construction does not begin */
    assert_status(build_watched(&x, &w, &product, &error), OPAC_ERROR_CANCELLED);
    assert_int_equal(w.reports, 0);
    assert_null(product.marks);
    opac_cancel_free(w.cancel);
    scene_fini(&x);
}

SUITE(limits)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_states),
        cmocka_unit_test(too_many_initial_states),
        cmocka_unit_test(too_many_choices),
        cmocka_unit_test(stopping),
    };
    return cmocka_run_group_tests_name("product.limits", tests, NULL, NULL);
}
