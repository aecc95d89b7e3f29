/* SPDX-License-Identifier: MIT */
/*
 * Infix formulas: each input is an error with a position inside it or a formula. A formula is printed as a
 * text that is parsed as the same node, in each style.
 */
#include "ltl/parse_infix.h"
#include "ltl_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const labels[] = {"Goal", "GFa", "tt", "x"};
    opac_formula_options options = {labels, 4, fuzz_notice, NULL, NULL};
    const char *text = (const char *)data;
    ltl_store *store;
    ltl_formula formula, again;
    opac_error error = {0};
    fuzz_require(ltl_store_new(&store, NULL) == OPAC_OK);
    opac_status status =
        ltl_parse_infix(store, text, size, size % 2 == 0 ? NULL : &options, &formula, &error);
    if (status == OPAC_OK && fuzz_is_short(store, formula, OPAC_FORMULA_INFIX)) {
        char *printed = fuzz_print(store, formula, OPAC_FORMULA_INFIX);
        fuzz_require(printed != NULL);
        fuzz_require(ltl_parse_infix(store, printed, strlen(printed), NULL, &again, &error) ==
                     OPAC_OK);
        fuzz_require(again == formula);
        free(printed);
        free(fuzz_print(store, formula, OPAC_FORMULA_LATEX));
        if (fuzz_is_short(store, formula, OPAC_FORMULA_PRISM))
            free(fuzz_print(store, formula, OPAC_FORMULA_PRISM));
    } else if (status != OPAC_OK) {
        fuzz_check_error(&error, text, size);
    }
    ltl_store_free(store);
    return 0;
}
