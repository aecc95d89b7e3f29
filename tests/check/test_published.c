/* SPDX-License-Identifier: MIT */
/*
 * The LTL properties of PRISM's own tests, and its smaller case studies, by
 * deterministic and limit-deterministic automata and in fractions, against the
 * published values. Skipped without them.
 */
#include "check/published.h"

static void check_in_all_ways(const char *folder, const published_case *of)
{
    opac_model *model = published_read(folder, of, false);
    published_check(of, model, &(opac_check_options){.threads = 1});
    published_check(of, model, &(opac_check_options){.threads = 1, .kind = OPAC_KIND_LDBA});
    opac_model_free(model);
    if (!base_rational_available())
        return;
    model = published_read(folder, of, true);
    published_check(of, model, &(opac_check_options){.threads = 1, .exact = true});
    opac_model_free(model);
}

static void properties_of_small_models(void **state)
{
    (void)state;
    published_each(PUBLISHED_FOLDER "/prism-ltl", 4, 0, 0, check_in_all_ways);
}

static void small_case_studies(void **state)
{
    (void)state;
    published_each(PUBLISHED_FOLDER "/prism-scale", 7, 1, PUBLISHED_SMALL, check_in_all_ways);
}

SUITE(published)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_of_small_models),
        cmocka_unit_test(small_case_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
