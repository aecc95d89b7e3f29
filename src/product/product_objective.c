/* SPDX-License-Identifier: MIT */
#include "product/product_objective.h"

#include <string.h>

#include "aut/automaton.h"
#include "aut/complete.h"
#include "ltl/copy.h"
#include "ltl/ltl_public.h"

/* ---- properties of the objective ---- */

opac_status product_objective_check(const opac_objective *objective, opac_error *error)
{
    if ((objective->formula == NULL) == (objective->automaton == NULL))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "an objective must be either a formula or an automaton");
    if ((unsigned)objective->direction > OPAC_DIRECTION_MAX ||
        (unsigned)objective->comparison > OPAC_COMPARISON_GREATER_EQUAL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown direction or comparison");
    return OPAC_OK;
}

static opac_status write_formula(const opac_formula *formula, char **text, opac_error *error)
{
    opac_output *out;
    size_t length;
    TRY(opac_output_open_memory(&out, error));
    opac_formula_write(formula, OPAC_FORMULA_INFIX, out);
    const char *bytes = opac_output_bytes(out, &length);
    *text = bytes != NULL ? base_copy_text(bytes, length) : NULL;
    opac_output_free(out);
    return *text != NULL ? OPAC_OK : base_fail_memory(error);
}

opac_status product_objective_describe(const opac_objective *objective, char **formula, char **text,
                                       opac_error *error)
{
    *formula = *text = NULL;
    if (objective->formula != NULL)
        TRY(write_formula(objective->formula, formula, error));
    const char *name = objective->text;
    if (name == NULL)
        name = *formula != NULL ? *formula : opac_automaton_name(objective->automaton);
    if (name == NULL)
        name = "an automaton";
    *text = base_copy_text(name, strlen(name));
    return *text != NULL ? OPAC_OK : base_fail_memory(error);
}

bool product_objective_is_min(const opac_objective *objective)
{
    if (objective->direction != OPAC_DIRECTION_NONE)
        return objective->direction == OPAC_DIRECTION_MIN;
    return objective->comparison == OPAC_COMPARISON_GREATER ||
           objective->comparison == OPAC_COMPARISON_GREATER_EQUAL;
}

/* ---- from a formula ---- */

static opac_status negate_formula(const opac_formula *formula, opac_formula **negated,
                                  opac_error *error)
{
    ltl_store *store;
    ltl_formula root;
    TRY(ltl_store_new(&store, error));
    opac_status status = ltl_copy(formula->store, formula->root, store, &root, error);
    if (status == OPAC_OK)
        return ltl_public_wrap(store, ltl_not(store, root), negated, error);
    ltl_store_free(store);
    return status;
}

static opac_automaton_options automaton_options(const product_objective_options *options)
{
    bool is_ldba = options->kind == OPAC_KIND_LDBA;
    return (opac_automaton_options){.kind = options->kind,
                                    .acceptance =
                                        is_ldba ? OPAC_ACCEPTANCE_BUCHI : OPAC_ACCEPTANCE_RABIN,
                                    .cancel = options->cancel};
}

static opac_status translate(const opac_formula *formula, bool is_min,
                             const product_objective_options *options, opac_automaton **automaton,
                             opac_error *error)
{
    const opac_automaton_options wanted = automaton_options(options);
    opac_formula *negated = NULL;
    opac_status status = is_min ? negate_formula(formula, &negated, error) : OPAC_OK;
    if (status == OPAC_OK)
        status = opac_automaton_translate(is_min ? negated : formula, &wanted, automaton, error);
    opac_formula_free(negated);
    return status;
}

/* ---- from an automaton ---- */

/*
 * The complement of a deterministic automaton. A complete deterministic automaton has exactly one run on
 * every word, so negating the acceptance condition complements the language.
 */
static opac_status complement(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    opac_automaton *copy, *complete = NULL;
    aut_condition negated;
    opac_status status;
    /* aut_complete adds labels to the automaton's store, so it gets a copy. */
    TRY(aut_copy(given, &copy, error));
    TRY_OR(done, aut_complete(copy, &complete, error));
    TRY_OR(done, aut_condition_negate(&complete->condition, &negated, error));
    aut_condition_fini(&complete->condition);
    complete->condition = negated;
    *made = complete;
    complete = NULL;
done:
    opac_automaton_free(complete);
    opac_automaton_free(copy);
    return status;
}

static opac_status convert(const opac_automaton *given, bool is_min,
                           const product_objective_options *options, opac_automaton **automaton,
                           opac_error *error)
{
    const opac_automaton_options rabin = {
        .kind = OPAC_KIND_ANY, .acceptance = OPAC_ACCEPTANCE_RABIN, .cancel = options->cancel};
    opac_automaton *complemented = NULL;
    if (is_min && !opac_automaton_is_deterministic(given))
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "a minimal probability needs the complement of the automaton, which must "
                         "therefore be deterministic; this one is nondeterministic");
    opac_status status = is_min ? complement(given, &complemented, error) : OPAC_OK;
    if (status == OPAC_OK)
        status = opac_automaton_convert(is_min ? complemented : given, &rabin, automaton, error);
    opac_automaton_free(complemented);
    return status;
}

opac_status product_objective_automaton(const opac_objective *objective, bool is_min,
                                        const product_objective_options *options,
                                        opac_automaton **automaton, bool *is_guess,
                                        opac_error *error)
{
    *is_guess = false;
    if (objective->formula != NULL)
        return translate(objective->formula, is_min, options, automaton, error);
    TRY(convert(objective->automaton, is_min, options, automaton, error));
    *is_guess = !opac_automaton_is_deterministic(*automaton);
    return OPAC_OK;
}
