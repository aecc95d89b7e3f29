/* SPDX-License-Identifier: MIT */
/* The public functions on formulas, except simplification. */
#include "ltl/ltl_public.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "ltl/copy.h"
#include "ltl/parse_infix.h"
#include "ltl/parse_prism.h"
#include "ltl/print.h"

opac_status ltl_public_wrap(ltl_store *store, ltl_formula root, opac_formula **formula,
                            opac_error *error)
{
    opac_status status;
    opac_formula *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL) {
        ltl_store_free(store);
        return base_fail_memory(error);
    }
    made->store = store;
    made->root = root;
    TRY_OR(done, ltl_store_check(store, error));
    TRY_OR(done, ltl_propositions(store, root, &made->propositions, error));
    *formula = made;
    made = NULL;
done:
    opac_formula_free(made);
    return status;
}

static opac_status parse(const char *text, bool is_prism, const opac_formula_options *options,
                         opac_formula **formula, opac_error *error)
{
    ltl_store *store;
    ltl_formula root = LTL_FALSE;
    base_work work;
    TRY(ltl_store_new(&store, error));
    base_work_init(&work, options != NULL ? options->cancel : NULL, 0);
    ltl_store_set_work(store, &work);
    opac_status status =
        is_prism ? ltl_parse_prism(store, text, strlen(text), options, NULL, &root, error)
                 : ltl_parse_infix(store, text, strlen(text), options, &root, error);
    ltl_store_set_work(store, NULL);
    if (status != OPAC_OK) {
        ltl_store_free(store);
        return base_describe_stopped(status, work.cancel, "reading the formula", error);
    }
    return ltl_public_wrap(store, root, formula, error);
}

opac_formula_options opac_formula_defaults(void)
{
    return (opac_formula_options){0};
}

opac_status opac_formula_parse(const char *text, const opac_formula_options *options,
                               opac_formula **formula, opac_error *error)
{
    return parse(text, false, options, formula, error);
}

opac_status opac_formula_parse_prism(const char *text, const opac_formula_options *options,
                                     opac_formula **formula, opac_error *error)
{
    return parse(text, true, options, formula, error);
}

void opac_formula_free(opac_formula *formula)
{
    if (formula == NULL)
        return;
    ltl_store_free(formula->store);
    base_u32_vec_fini(&formula->propositions);
    base_free(formula);
}

void opac_formula_write(const opac_formula *formula, opac_formula_style style, opac_output *out)
{
    ltl_print(formula->store, formula->root, style, out);
}

size_t opac_formula_proposition_count(const opac_formula *formula)
{
    return formula->propositions.count;
}

void opac_formula_proposition_position(const opac_formula *formula, size_t index, uint32_t *line,
                                       uint32_t *column)
{
    assert(index < formula->propositions.count);
    ltl_ap_position(formula->store, formula->propositions.items[index], line, column);
}

const char *opac_formula_proposition(const opac_formula *formula, size_t index)
{
    assert(index < formula->propositions.count);
    return ltl_ap_name(formula->store, formula->propositions.items[index]);
}
