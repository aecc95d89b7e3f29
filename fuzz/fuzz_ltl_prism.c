/* SPDX-License-Identifier: MIT */
/*
 * PRISM's path formulas and properties: each input is an error with a position inside it or a formula. A
 * formula is printed as a text that is parsed as the same node.
 */
#include "ltl/property.h"
#include "ltl_text.h"

static void check_property(ltl_store *store, const char *text, size_t size)
{
    ltl_property property;
    opac_error error = {0};
    opac_formula_options options = {NULL, 0, fuzz_notice, NULL, NULL};
    if (ltl_parse_property(store, text, size, &options, NULL, &property, &error) != OPAC_OK) {
        fuzz_check_error(&error, text, size);
        return;
    }
    fuzz_require(property.bound >= 0 && property.bound <= 1);
    fuzz_require(property.bound_begin + property.bound_length <= size);
    fuzz_require(property.formula_begin + property.formula_length <= size);
}

static void check_formula(ltl_store *store, const char *text, size_t size)
{
    ltl_formula formula, again;
    opac_error error = {0};
    opac_formula_options options = {NULL, 0, fuzz_notice, NULL, NULL};
    if (ltl_parse_prism(store, text, size, size % 2 == 0 ? NULL : &options, NULL, &formula,
                        &error) != OPAC_OK) {
        fuzz_check_error(&error, text, size);
        return;
    }
    if (!fuzz_is_short(store, formula, OPAC_FORMULA_PRISM))
        return;
    char *printed = fuzz_print(store, formula, OPAC_FORMULA_PRISM);
    fuzz_require(printed != NULL);
    fuzz_require(ltl_parse_prism(store, printed, strlen(printed), NULL, NULL, &again, &error) ==
                 OPAC_OK);
    fuzz_require(again == formula);
    free(printed);
    free(fuzz_print(store, formula, OPAC_FORMULA_INFIX));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ltl_store *store;
    for (int i = 0; i < 2; i++) {
        fuzz_require(ltl_store_new(&store, NULL) == OPAC_OK);
        if (i == 0)
            check_formula(store, (const char *)data, size);
        else if (size > 0 && data[0] == 'P')
            check_property(store, (const char *)data, size);
        ltl_store_free(store);
    }
    return 0;
}
