/* SPDX-License-Identifier: MIT */
/*
 * PRISM's case studies at their full sizes, up to ten million states, against
 * the published values. Skipped without the models.
 */
#include "check/published.h"

static void check_one(const char *folder, const published_case *of)
{
    print_message("%s %s: %s\n", of->model, of->constants, of->property);
    opac_model *model = published_read(folder, of, false);
    published_check(of, model, &(opac_check_options){0});
    opac_model_free(model);
}

static void values_are_the_published_ones(void **state)
{
    (void)state;
    published_each(PUBLISHED_FOLDER "/prism-scale", 7, PUBLISHED_SMALL + 1, UINT32_MAX, check_one);
}

SUITE(published_large)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_the_published_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
