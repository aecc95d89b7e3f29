/* SPDX-License-Identifier: MIT */
/*
 * Reads "acc-name:" of a HOA text, which is informative only. The condition that it names is compared with
 * "Acceptance:" as a Boolean function, because tools write the same condition in several ways.
 */
#include "aut/bdd.h"
#include "aut/hoa_acceptance.h"
#include "base/alloc.h"

enum {
    NODE_LIMIT = 1 << 16 /* of the comparison; if it is reached, no notice is given */
};

opac_status hoa_acceptance_read_name(hoa_acceptance *acceptance, hoa_lexer *lexer,
                                     opac_error *error)
{
    if (lexer->token.kind != HOA_TOKEN_WORD)
        return hoa_fail_expected(lexer, "the name of an acceptance condition", error);
    while (lexer->token.kind == HOA_TOKEN_WORD || lexer->token.kind == HOA_TOKEN_NUMBER) {
        TRY(hoa_token_vec_push(&acceptance->name, lexer->token, error));
        TRY(hoa_lexer_next(lexer, error));
    }
    return OPAC_OK;
}

/* ---- the condition of a name ---- */

/* The condition that "acc-name:" names. */
typedef struct meaning {
    bool is_known; /* the name is defined by the format */
    bool is_valid; /* its parameters are valid, and there are not too many sets */
    uint32_t set_count;
    aut_condition condition;
} meaning;

typedef struct named_condition {
    const char *name;
    uint32_t sets;  /* acceptance sets for each unit of the parameter; 0 if there is no parameter */
    uint32_t fixed; /* acceptance sets if there is no parameter */
    opac_status (*make)(aut_condition *condition, opac_error *error);
    opac_status (*make_of)(aut_condition *condition, uint32_t count, opac_error *error);
} named_condition;

static const named_condition named_conditions[] = {
    {.name = "Buchi", .fixed = 1, .make = aut_condition_buchi},
    {.name = "co-Buchi", .fixed = 1, .make = aut_condition_cobuchi},
    {.name = "all", .make = aut_condition_true},
    {.name = "none", .make = aut_condition_false},
    {.name = "generalized-Buchi", .sets = 1, .make_of = aut_condition_generalized_buchi},
    {.name = "generalized-co-Buchi", .sets = 1, .make_of = aut_condition_generalized_cobuchi},
    {.name = "Rabin", .sets = 2, .make_of = aut_condition_rabin},
    {.name = "Streett", .sets = 2, .make_of = aut_condition_streett},
};

static bool is_number(const hoa_token *token)
{
    return token->kind == HOA_TOKEN_NUMBER && token->number <= AUT_MOST_MARKS;
}

static opac_status make_parity(const hoa_token_vec *name, meaning *meant, opac_error *error)
{
    const hoa_token *parts = name->items;
    if (name->count != 4 || !is_number(&parts[3]))
        return OPAC_OK;
    bool is_max = hoa_token_is(&parts[1], HOA_TOKEN_WORD, "max");
    bool is_even = hoa_token_is(&parts[2], HOA_TOKEN_WORD, "even");
    if ((!is_max && !hoa_token_is(&parts[1], HOA_TOKEN_WORD, "min")) ||
        (!is_even && !hoa_token_is(&parts[2], HOA_TOKEN_WORD, "odd")))
        return OPAC_OK;
    meant->is_valid = true;
    meant->set_count = parts[3].number;
    return aut_condition_parity(&meant->condition, is_max, is_even, meant->set_count, error);
}

static opac_status make_generalized_rabin(const hoa_token_vec *name, meaning *meant,
                                          opac_error *error)
{
    uint32_t sizes[AUT_MOST_MARKS], sets = 0;
    if (name->count < 2 || !is_number(&name->items[1]) ||
        name->count != 2 + (size_t)name->items[1].number)
        return OPAC_OK;
    uint32_t pairs = name->items[1].number;
    for (uint32_t i = 0; i < pairs; i++) {
        if (!is_number(&name->items[2 + i]))
            return OPAC_OK;
        sizes[i] = name->items[2 + i].number;
        sets += 1 + sizes[i];
    }
    if (sets > AUT_MOST_MARKS)
        return OPAC_OK;
    meant->is_valid = true;
    meant->set_count = sets;
    return aut_condition_generalized_rabin(&meant->condition, sizes, pairs, error);
}

static opac_status make_meaning(const hoa_token_vec *name, meaning *meant, opac_error *error)
{
    const hoa_token *parts = name->items;
    meant->is_known = true;
    if (hoa_token_is(&parts[0], HOA_TOKEN_WORD, "parity"))
        return make_parity(name, meant, error);
    if (hoa_token_is(&parts[0], HOA_TOKEN_WORD, "generalized-Rabin"))
        return make_generalized_rabin(name, meant, error);
    for (size_t i = 0; i < sizeof named_conditions / sizeof named_conditions[0]; i++) {
        const named_condition *known = &named_conditions[i];
        if (!hoa_token_is(&parts[0], HOA_TOKEN_WORD, known->name))
            continue;
        if (known->sets == 0) {
            meant->is_valid = name->count == 1;
            meant->set_count = known->fixed;
            return known->make(&meant->condition, error);
        }
        if (name->count != 2 || !is_number(&parts[1]) ||
            known->sets * parts[1].number > AUT_MOST_MARKS)
            return OPAC_OK;
        meant->is_valid = true;
        meant->set_count = known->sets * parts[1].number;
        return known->make_of(&meant->condition, parts[1].number, error);
    }
    meant->is_known = false;
    return OPAC_OK;
}

/* ---- equivalence of conditions ---- */

/* The condition as a Boolean function, in which variable i means that mark i is seen infinitely often. */
static opac_status condition_function(const aut_condition *condition, aut_bdd_store *store,
                                      aut_bdd *function, opac_error *error)
{
    aut_bdd *values = base_alloc(condition->terms.count, sizeof *values);
    opac_status status = OPAC_OK;
    *function = AUT_BDD_FALSE;
    if (values == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < condition->terms.count; i++) {
        const aut_term *term = &condition->terms.items[i];
        aut_bdd value = AUT_BDD_FALSE;
        if (term->kind == AUT_TERM_TRUE)
            value = AUT_BDD_TRUE;
        else if (term->kind == AUT_TERM_INF || term->kind == AUT_TERM_FIN)
            value = aut_bdd_variable(store, term->left);
        if (term->kind == AUT_TERM_FIN)
            value = aut_bdd_not(store, value);
        else if (term->kind == AUT_TERM_AND)
            value = aut_bdd_and(store, values[term->left], values[term->right]);
        else if (term->kind == AUT_TERM_OR)
            value = aut_bdd_or(store, values[term->left], values[term->right]);
        *function = values[i] = value;
        TRY_OR(done, aut_bdd_store_check(store, error));
    }
done:
    base_free(values);
    return status;
}

static opac_status are_equivalent(const aut_condition *a, const aut_condition *b, bool *same,
                                  opac_error *error)
{
    aut_bdd_store *store;
    aut_bdd f = AUT_BDD_FALSE, g = AUT_BDD_FALSE;
    *same = true;
    TRY(aut_bdd_store_new(&store, error));
    aut_bdd_store_limit(store, NODE_LIMIT);
    opac_status status;
    TRY_OR(done, condition_function(a, store, &f, error));
    TRY_OR(done, condition_function(b, store, &g, error));
    *same = f == g;
done:
    aut_bdd_store_free(store);
    return status == OPAC_ERROR_LIMIT ? OPAC_OK : status;
}

opac_status hoa_acceptance_check_name(const hoa_acceptance *acceptance, const hoa_lexer *lexer,
                                      opac_error *error)
{
    meaning meant = {0};
    bool same = false;
    if (acceptance->name.count == 0 || lexer->notice == NULL)
        return OPAC_OK;
    opac_status status = make_meaning(&acceptance->name, &meant, error);
    if (status == OPAC_OK && meant.is_valid && meant.set_count == acceptance->set_count &&
        acceptance->inverted == 0 && acceptance->complemented == 0)
        status = are_equivalent(&meant.condition, &acceptance->condition, &same, error);
    if (status == OPAC_OK && meant.is_known && !same)
        hoa_notice(lexer, acceptance->name_position,
                   "'acc-name:' contradicts 'Acceptance:' and is ignored");
    aut_condition_fini(&meant.condition);
    return status;
}
