/* SPDX-License-Identifier: MIT */
#include "aut/translate.h"

#include <string.h>

#include "aut/compose.h"
#include "aut/convert.h"
#include "aut/reduce.h"
#include "base/map.h"
#include "ltl/copy.h"
#include "ltl/normalize.h"
#include "ltl/simplify.h"

enum {
    MOST_SEPARATE_RECURRENCES = 8 /* more GF conjuncts share one factor */
};

/* The translation of one formula in Delta2. */
typedef struct translation {
    ltl_store *formulas;
    aut_bdd_store *labels;
    const aut_limits *limits;
    base_map factor_of; /* formula in Pi2 ► factor + 1 */
    aut_factor factors[AUT_MOST_MARKS];
    opac_automaton *owned[AUT_MOST_MARKS];
    uint32_t count;
    aut_condition condition;
} translation;

/* ---- factors ---- */

/* Adds the reduced automaton as a factor. Consumes the automaton. */
static opac_status new_factor(translation *run, opac_automaton *automaton, bool suspendable,
                              uint32_t *factor, opac_error *error)
{
    opac_automaton *reduced;
    *factor = 0;
    if (run->count == AUT_MOST_MARKS) {
        opac_automaton_free(automaton);
        return base_fail(error, OPAC_ERROR_LIMIT, "the formula needs more than %d acceptance marks",
                         AUT_MOST_MARKS);
    }
    opac_status status = aut_reduce(automaton, &reduced, error);
    opac_automaton_free(automaton);
    TRY(status);
    *factor = run->count;
    run->owned[run->count] = reduced;
    run->factors[run->count++] = (aut_factor){.automaton = reduced, .suspendable = suspendable};
    return OPAC_OK;
}

static opac_status find_factor(translation *run, ltl_formula formula, uint32_t *factor,
                               opac_error *error)
{
    uint64_t *found = base_map_find(&run->factor_of, formula);
    opac_automaton *automaton;
    if (found != NULL) {
        *factor = (uint32_t)*found - 1;
        return OPAC_OK;
    }
    opac_status status =
        aut_translate_pi2(run->formulas, run->labels, formula, run->limits, &automaton, error);
    if (status == OPAC_OK)
        status = new_factor(run, automaton, ltl_is(run->formulas, formula, LTL_SUSPENDABLE), factor,
                            error);
    if (status != OPAC_OK && base_work_is_stopped(run->limits->work))
        return ltl_fail_stopped(run->formulas, run->limits->work, "translating", formula, error);
    if (status == OPAC_ERROR_LIMIT)
        ltl_append_subformula(run->formulas, formula, error);
    TRY(status);
    TRY(base_map_at(&run->factor_of, formula, &found, error));
    *found = (uint64_t)*factor + 1;
    return OPAC_OK;
}

/* Translates a formula in Pi2 or Sigma2 to one factor, and adds its term to the condition. */
static opac_status add_single(translation *run, ltl_formula formula, uint32_t *term,
                              opac_error *error)
{
    ltl_formula negation = ltl_nnf(run->formulas, formula, true);
    TRY(ltl_store_check(run->formulas, error));
    uint32_t factor = 0;
    bool direct = ltl_is(run->formulas, formula, LTL_PI2);
    if (!direct && !ltl_is(run->formulas, negation, LTL_PI2))
        return base_fail(error, OPAC_ERROR_INTERNAL, "a formula is neither in Pi2 nor in Sigma2");
    if (direct && base_map_find(&run->factor_of, negation) != NULL)
        direct = false;
    TRY(find_factor(run, direct ? formula : negation, &factor, error));
    return aut_condition_add(
        &run->condition, (aut_term){.kind = direct ? AUT_TERM_INF : AUT_TERM_FIN, .left = factor},
        term, error);
}

/* ---- the Boolean combination ---- */

/* Whether a formula is translated to a single factor: it is not a Boolean combination, or it is an
 * obligation. */
static bool is_single(const translation *run, ltl_formula formula)
{
    ltl_op op = ltl_op_of(run->formulas, formula);
    return (op != LTL_AND && op != LTL_OR) || ltl_is(run->formulas, formula, LTL_DELTA1);
}

/* Whether a child of And is GF s with s free of temporal operators, or a child of Or is FG s. */
static bool is_recurrence(const translation *run, ltl_op op, ltl_formula formula)
{
    const ltl_store *formulas = run->formulas;
    ltl_op outer = op == LTL_AND ? LTL_G : LTL_F, inner = op == LTL_AND ? LTL_F : LTL_G;
    if (ltl_op_of(formulas, formula) != outer)
        return false;
    ltl_formula child = ltl_child(formulas, formula, 0);
    return ltl_op_of(formulas, child) == inner &&
           ltl_is(formulas, ltl_child(formulas, child, 0), LTL_BOOLEAN);
}

/* Merges the recurrences among the children into one factor if there are too many for a mark each. */
static opac_status add_recurrences(translation *run, ltl_formula formula, bool *is_merged,
                                   uint32_t *term, opac_error *error)
{
    ltl_op op = ltl_op_of(run->formulas, formula);
    base_u32_vec items = {0};
    opac_automaton *automaton;
    opac_status status = OPAC_OK;
    uint32_t arity = ltl_arity(run->formulas, formula), factor = 0;
    for (uint32_t i = 0; i < arity; i++) {
        ltl_formula child = ltl_child(run->formulas, formula, i);
        if (!is_recurrence(run, op, child))
            continue;
        ltl_formula inner = ltl_child(run->formulas, ltl_child(run->formulas, child, 0), 0);
        TRY_OR(done, base_u32_vec_push(&items, ltl_nnf(run->formulas, inner, op == LTL_OR), error));
    }
    *is_merged = items.count > MOST_SEPARATE_RECURRENCES;
    if (*is_merged) {
        TRY_OR(done, aut_translate_recurrences(run->formulas, run->labels, items.items,
                                               (uint32_t)items.count, &automaton, error));
        TRY_OR(done, new_factor(run, automaton, true, &factor, error));
        aut_term leaf = {.kind = op == LTL_AND ? AUT_TERM_INF : AUT_TERM_FIN, .left = factor};
        status = aut_condition_add(&run->condition, leaf, term, error);
    }
done:
    base_u32_vec_fini(&items);
    return status;
}

static opac_status add_combination(translation *run, ltl_formula formula, uint32_t *term,
                                   opac_error *error);

/* Joins a term to the previous ones. *has tells whether there are any. */
static opac_status join(translation *run, ltl_op op, uint32_t next, bool *has, uint32_t *term,
                        opac_error *error)
{
    aut_term_kind kind = op == LTL_AND ? AUT_TERM_AND : AUT_TERM_OR;
    if (*has)
        return aut_condition_add(&run->condition, (aut_term){kind, *term, next}, term, error);
    *term = next;
    *has = true;
    return OPAC_OK;
}

/* Adds the children of And or Or: one factor for all obligations among them, and a combination for each
 * other. */
static opac_status add_list(translation *run, ltl_formula formula, uint32_t *term,
                            opac_error *error)
{
    ltl_op op = ltl_op_of(run->formulas, formula);
    uint32_t arity = ltl_arity(run->formulas, formula), next = 0;
    bool has = false, is_merged = false;
    base_u32_vec obligations = {0};
    opac_status status;
    TRY_OR(done, add_recurrences(run, formula, &is_merged, &next, error));
    if (is_merged)
        TRY_OR(done, join(run, op, next, &has, term, error));
    for (uint32_t i = 0; i < arity; i++) {
        ltl_formula child = ltl_child(run->formulas, formula, i);
        if (is_merged && is_recurrence(run, op, child))
            continue;
        if (ltl_is(run->formulas, child, LTL_DELTA1)) {
            TRY_OR(done, base_u32_vec_push(&obligations, child, error));
            continue;
        }
        TRY_OR(done, add_combination(run, child, &next, error));
        TRY_OR(done, join(run, op, next, &has, term, error));
    }
    if (obligations.count > 0) {
        ltl_formula joined = ltl_many(run->formulas, op, obligations.items, obligations.count);
        TRY_OR(done, add_single(run, joined, &next, error));
        status = join(run, op, next, &has, term, error);
    }
done:
    base_u32_vec_fini(&obligations);
    return status;
}

static opac_status add_combination(translation *run, ltl_formula formula, uint32_t *term,
                                   opac_error *error)
{
    if (base_work_spend(run->limits->work, 1))
        return ltl_fail_stopped(run->formulas, run->limits->work, "translating", formula, error);
    return is_single(run, formula) ? add_single(run, formula, term, error)
                                   : add_list(run, formula, term, error);
}

/* ---- one formula in Delta2 ---- */

static bool is_single_buchi(const translation *run)
{
    return run->count == 1 && run->condition.terms.count == 1 &&
           run->condition.terms.items[0].kind == AUT_TERM_INF;
}

/* The root of a condition must be its last term, but the root of the combination can be an earlier one. */
static opac_status put_root_last(aut_condition *condition, uint32_t root, opac_error *error)
{
    if (root + 1 == condition->terms.count)
        return OPAC_OK;
    return aut_condition_add(condition, (aut_term){AUT_TERM_AND, root, root}, NULL, error);
}

/* Builds the product of the factors, which is a copy of the factor if there is only one. */
static opac_status build_product(translation *run, opac_automaton **product, opac_error *error)
{
    if (is_single_buchi(run))
        return aut_copy_counted(run->owned[0], run->limits->work, product, error);
    return aut_compose(run->factors, run->count, &run->condition, run->limits, product, error);
}

static opac_status translate_normal(ltl_store *formulas, ltl_formula formula,
                                    const aut_limits *limits, const opac_automaton_options *options,
                                    opac_automaton **automaton, opac_error *error)
{
    translation run = {.formulas = formulas, .limits = limits};
    opac_automaton *product = NULL, *made = NULL;
    uint32_t root = 0;
    TRY(aut_bdd_store_new(&run.labels, error));
    aut_bdd_store_limit(run.labels, AUT_TRANSLATED_NODE_LIMIT);
    aut_bdd_store_set_work(run.labels, limits->work);
    opac_status status;
    bool is_combined = false;
    TRY_OR(done, add_combination(&run, formula, &root, error));
    TRY_OR(done, put_root_last(&run.condition, root, error));
    is_combined = true;
    TRY_OR(done, build_product(&run, &product, error));
    TRY_OR(done, aut_convert(product, options, &made, error));
    status = aut_detach(made, automaton, error);
done:
    if (is_combined && status != OPAC_OK && base_work_is_stopped(limits->work))
        status =
            ltl_fail_stopped(formulas, limits->work, "converting the automaton of", formula, error);
    opac_automaton_free(made);
    opac_automaton_free(product);
    for (uint32_t i = 0; i < run.count; i++)
        opac_automaton_free(run.owned[i]);
    base_map_fini(&run.factor_of);
    aut_condition_fini(&run.condition);
    aut_bdd_store_free(run.labels);
    return status;
}

/* ---- all ways to rewrite into Delta2 ---- */

/*
 * Rewrites the formula into Delta2 in one of two ways (`dual`), and translates it. It uses a formula store
 * and a work of its own, so that reaching a limit does not affect the other way. Propositions keep their
 * numbers.
 */
static opac_status translate_rewritten(const ltl_store *formulas, ltl_formula simple, bool dual,
                                       const opac_automaton_options *options,
                                       opac_automaton **automaton, opac_error *error)
{
    ltl_store *own;
    base_work work;
    const aut_limits limits = {.states = aut_state_limit(options), .work = &work};
    ltl_formula form = LTL_FALSE;
    TRY(ltl_store_new(&own, error));
    base_work_init(&work, options->cancel, ltl_work_limit(options->work_limit));
    ltl_store_set_work(own, &work);
    for (uint32_t i = 0; i < ltl_ap_count(formulas); i++)
        ltl_ap(own, ltl_ap_name(formulas, i), strlen(ltl_ap_name(formulas, i)));
    opac_status status;
    TRY_OR(done, ltl_copy(formulas, simple, own, &form, error));
    form = ltl_is_normal(own, form) ? form : ltl_normalize(own, form, dual);
    status = ltl_store_check(own, error);
    if (status != OPAC_OK && base_work_is_stopped(&work))
        status = ltl_fail_stopped(own, &work, "rewriting", ltl_store_current(own), error);
    if (status == OPAC_OK)
        status = translate_normal(own, form, &limits, options, automaton, error);
done:
    ltl_store_free(own);
    return status;
}

static opac_status simplify(ltl_store *formulas, ltl_formula formula,
                            const opac_automaton_options *options, ltl_formula *simple,
                            opac_error *error)
{
    base_work work;
    base_work_init(&work, options->cancel, ltl_work_limit(options->work_limit));
    ltl_store_set_work(formulas, &work);
    *simple = ltl_simplify(formulas, formula);
    ltl_store_set_work(formulas, NULL);
    if (base_work_is_stopped(&work))
        return ltl_fail_stopped(formulas, &work, "simplifying", ltl_store_current(formulas), error);
    return ltl_store_check(formulas, error);
}

opac_status aut_translate(ltl_store *formulas, ltl_formula formula,
                          const opac_automaton_options *options, opac_automaton **automaton,
                          opac_error *error)
{
    ltl_formula simple = LTL_FALSE;
    opac_automaton *best = NULL;
    TRY(simplify(formulas, formula, options, &simple, error));
    uint32_t ways = ltl_is_normal(formulas, simple) ? 1 : 2;
    opac_status status = ltl_store_check(formulas, error);
    for (uint32_t i = 0; i < ways && status == OPAC_OK; i++) {
        opac_automaton *found = NULL;
        status = translate_rewritten(formulas, simple, i == 1, options, &found, error);
        /* A limit is an error only if the other way reaches it too. */
        if (status == OPAC_ERROR_LIMIT && (best != NULL || i + 1 < ways))
            status = OPAC_OK;
        if (found != NULL)
            aut_keep_smaller(&best, found);
    }
    if (status == OPAC_OK)
        *automaton = best;
    else
        opac_automaton_free(best);
    return status;
}
