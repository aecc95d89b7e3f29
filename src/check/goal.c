/* SPDX-License-Identifier: MIT */
#include "check/goal.h"

#include "aut/automaton.h"
#include "aut/complete.h"
#include "ltl/copy.h"
#include "ltl/public.h"

/* On a chain there is one policy: the simpler automaton will do. */
bool check_is_least(const opac_model *model, const opac_objective *objective)
{
    if (opac_model_get_type(model) == OPAC_MODEL_DTMC)
        return false;
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
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = ltl_copy(formula->store, formula->root, store, &root, error);
    if (status == OPAC_OK)
        return ltl_public_wrap(store, ltl_not(store, root), negated, error);
    ltl_store_free(store);
    return status;
}

static opac_automaton_options kind_of(const opac_check_options *options)
{
    bool is_ldba = options->kind == OPAC_KIND_LDBA;
    return (opac_automaton_options){.kind = options->kind,
                                    .acceptance =
                                        is_ldba ? OPAC_ACCEPTANCE_BUCHI : OPAC_ACCEPTANCE_RABIN,
                                    .cancel = options->cancel};
}

static opac_status translate(const opac_formula *formula, bool least,
                             const opac_check_options *options, opac_automaton **automaton,
                             opac_error *error)
{
    const opac_automaton_options kind = kind_of(options);
    opac_formula *negated = NULL;
    opac_status status = least ? negate_formula(formula, &negated, error) : OPAC_OK;
    if (status == OPAC_OK)
        status = opac_automaton_translate(least ? negated : formula, &kind, automaton, error);
    opac_formula_free(negated);
    return status;
}

/* ---- from an automaton ---- */

/* Of a deterministic one: complete, it runs on every word, and then accepts or not. */
static opac_status complement(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    opac_automaton *own, *complete = NULL;
    aut_condition negated;
    /* Completing makes new labels, and the given automaton stays as it is. */
    opac_status status = aut_copy(given, &own, error);
    if (status != OPAC_OK)
        return status;
    status = aut_complete(own, &complete, error);
    if (status == OPAC_OK)
        status = aut_condition_negate(&complete->condition, &negated, error);
    if (status == OPAC_OK) {
        aut_condition_fini(&complete->condition);
        complete->condition = negated;
        *made = complete;
    } else {
        opac_automaton_free(complete);
    }
    opac_automaton_free(own);
    return status;
}

static opac_status convert(const opac_automaton *given, bool least,
                           const opac_check_options *options, opac_automaton **automaton,
                           opac_error *error)
{
    const opac_automaton_options rabin = {.acceptance = OPAC_ACCEPTANCE_RABIN,
                                          .cancel = options->cancel};
    opac_automaton *other = NULL;
    if (least && !opac_automaton_is_deterministic(given))
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "a least probability needs a deterministic automaton, to know what it "
                         "rejects; this one is nondeterministic");
    opac_status status = least ? complement(given, &other, error) : OPAC_OK;
    if (status == OPAC_OK)
        status = opac_automaton_convert(least ? other : given, &rabin, automaton, error);
    opac_automaton_free(other);
    return status;
}

opac_status check_make_goal(const opac_objective *objective, bool least,
                            const opac_check_options *options, opac_automaton **automaton,
                            bool *is_guess, opac_error *error)
{
    *is_guess = false;
    if (objective->formula != NULL)
        return translate(objective->formula, least, options, automaton, error);
    opac_status status = convert(objective->automaton, least, options, automaton, error);
    if (status == OPAC_OK)
        *is_guess = !opac_automaton_is_deterministic(*automaton);
    return status;
}
