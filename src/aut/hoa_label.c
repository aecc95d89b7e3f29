/* SPDX-License-Identifier: MIT */
#include "aut/hoa_label.h"

#include <omegapac/text.h>

opac_status hoa_labels_init(hoa_labels *labels, uint32_t limit, base_work *work, opac_error *error)
{
    *labels = (hoa_labels){.limit = limit, .count = HOA_NONE, .epsilon = HOA_NONE};
    base_intern_init(&labels->alias_names);
    TRY(aut_bdd_store_new(&labels->file, error));
    aut_bdd_store_limit(labels->file, limit);
    aut_bdd_store_set_work(labels->file, work);
    labels->own = aut_bdd_store_share(labels->file);
    return OPAC_OK;
}

void hoa_labels_fini(hoa_labels *labels)
{
    aut_bdd_store_free(labels->file);
    aut_bdd_store_free(labels->own);
    base_intern_fini(&labels->alias_names);
    base_u32_vec_fini(&labels->aliases);
    base_map_fini(&labels->moved);
    hoa_stacks_fini(&labels->stacks);
    *labels = (hoa_labels){0};
}

/* ---- expressions ---- */

static opac_status fail_proposition(uint32_t proposition, uint32_t count, hoa_position position,
                                    opac_error *error)
{
    return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                        "proposition %u does not exist: 'AP:' declares %u, numbered from 0",
                        proposition, count);
}

static opac_status read_proposition(hoa_labels *labels, hoa_lexer *lexer, uint32_t *value,
                                    opac_error *error)
{
    hoa_position position = lexer->token.position;
    uint32_t proposition;
    TRY(hoa_read_number(lexer, "a proposition", &proposition, error));
    if (labels->count != HOA_NONE && proposition >= labels->count)
        return fail_proposition(proposition, labels->count, position, error);
    if (proposition >= HOA_MOST_PROPOSITIONS)
        return base_fail_at(error, OPAC_ERROR_LIMIT, position.line, position.column,
                            "proposition %u; at most %d propositions are supported", proposition,
                            AUT_MOST_PROPOSITIONS);
    if (labels->largest_position.line == 0 || proposition > labels->largest) {
        labels->largest = proposition;
        labels->largest_position = position;
    }
    *value = aut_bdd_variable(labels->file, proposition);
    return OPAC_OK;
}

static opac_status use_alias(const hoa_labels *labels, hoa_lexer *lexer, uint32_t *value,
                             opac_error *error)
{
    const hoa_token *token = &lexer->token;
    uint32_t id;
    if (!base_intern_find(&labels->alias_names, token->text, token->length, &id)) {
        char shown[OPAC_SHOWN_SIZE];
        return base_fail_at(error, OPAC_ERROR_SYNTAX, token->position.line, token->position.column,
                            "unknown alias '%s'; it must be defined before it is used",
                            opac_text_show(token->text, token->length, shown, sizeof shown));
    }
    *value = labels->aliases.items[id];
    return hoa_lexer_next(lexer, error);
}

static opac_status read_operand(void *context, hoa_lexer *lexer, uint32_t *value, opac_error *error)
{
    hoa_labels *labels = context;
    const hoa_token *token = &lexer->token;
    if (token->kind == HOA_TOKEN_NUMBER)
        return read_proposition(labels, lexer, value, error);
    if (token->kind == HOA_TOKEN_ALIAS)
        return use_alias(labels, lexer, value, error);
    bool is_true = hoa_token_is(token, HOA_TOKEN_WORD, "t");
    if (!is_true && !hoa_token_is(token, HOA_TOKEN_WORD, "f"))
        return hoa_fail_expected(lexer, "a proposition's number, an alias, t, f, '!' or '('",
                                 error);
    *value = is_true ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    return hoa_lexer_next(lexer, error);
}

static opac_status combine(void *context, char sign, uint32_t left, uint32_t right, uint32_t *value,
                           opac_error *error)
{
    hoa_labels *labels = context;
    if (sign == '!')
        *value = aut_bdd_not(labels->file, left);
    else if (sign == '&')
        *value = aut_bdd_and(labels->file, left, right);
    else
        *value = aut_bdd_or(labels->file, left, right);
    return aut_bdd_store_check(labels->file, error);
}

opac_status hoa_label_read(hoa_labels *labels, hoa_lexer *lexer, aut_bdd *label, opac_error *error)
{
    const hoa_algebra algebra = {
        .has_not = true, .read_operand = read_operand, .combine = combine, .context = labels};
    hoa_position position = lexer->token.position;
    TRY(hoa_locate_limit(hoa_expression_read(lexer, &algebra, &labels->stacks, label, error),
                         position, error));
    return hoa_locate_limit(aut_bdd_store_check(labels->file, error), position, error);
}

opac_status hoa_alias_read(hoa_labels *labels, hoa_lexer *lexer, opac_error *error)
{
    hoa_token name = lexer->token;
    aut_bdd label;
    uint32_t id;
    if (name.kind != HOA_TOKEN_ALIAS)
        return hoa_fail_expected(lexer, "the name of an alias, as in 'Alias: @name 0&1'", error);
    if (base_intern_find(&labels->alias_names, name.text, name.length, &id)) {
        char shown[OPAC_SHOWN_SIZE];
        return base_fail_at(error, OPAC_ERROR_SYNTAX, name.position.line, name.position.column,
                            "duplicate alias '%s'",
                            opac_text_show(name.text, name.length, shown, sizeof shown));
    }
    TRY(hoa_lexer_next(lexer, error));
    TRY(hoa_label_read(labels, lexer, &label, error));
    TRY(base_intern_add(&labels->alias_names, name.text, name.length, &id, NULL, error));
    return base_u32_vec_push(&labels->aliases, label, error);
}

/* ---- propositions of the file and of the automaton ---- */

opac_status hoa_labels_count(hoa_labels *labels, uint32_t count, uint32_t epsilon,
                             opac_error *error)
{
    labels->count = count;
    labels->epsilon = epsilon;
    if (labels->largest_position.line != 0 && labels->largest >= count)
        return fail_proposition(labels->largest, count, labels->largest_position, error);
    if (epsilon == HOA_NONE)
        return OPAC_OK;
    aut_bdd_store_free(labels->own);
    labels->own = NULL;
    TRY(aut_bdd_store_new(&labels->own, error));
    aut_bdd_store_limit(labels->own, labels->limit);
    aut_bdd_store_set_work(labels->own, aut_bdd_store_work(labels->file));
    return OPAC_OK;
}

/*
 * The label of letters that agree on the propositions below `proposition`. Moves the letters with the
 * proposition to the end. Each node that it creates is a node of the result.
 */
static aut_bdd join_letters(hoa_labels *labels, uint64_t *letters, size_t count,
                            uint32_t proposition)
{
    if (count == 0 || proposition == labels->count)
        return count == 0 ? AUT_BDD_FALSE : AUT_BDD_TRUE;
    size_t without = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t letter = letters[i];
        if (proposition < 64 && ((letter >> proposition) & 1) != 0)
            continue;
        letters[i] = letters[without];
        letters[without++] = letter;
    }
    aut_bdd low = join_letters(labels, letters, without, proposition + 1);
    aut_bdd high = join_letters(labels, letters + without, count - without, proposition + 1);
    if (aut_bdd_store_failed(labels->file))
        return AUT_BDD_FALSE;
    return aut_bdd_make(labels->file, proposition, low, high);
}

opac_status hoa_label_of_letters(hoa_labels *labels, uint64_t *letters, size_t count,
                                 hoa_position position, aut_bdd *label, opac_error *error)
{
    *label = join_letters(labels, letters, count, 0);
    return hoa_locate_limit(aut_bdd_store_check(labels->file, error), position, error);
}

/* Copies a function to `own`, in which the numbers of propositions after epsilon are smaller by one. */
static opac_status move(hoa_labels *labels, aut_bdd label, aut_bdd *moved, opac_error *error)
{
    uint32_t map[HOA_MOST_PROPOSITIONS];
    uint64_t *known;
    TRY(base_map_at(&labels->moved, label, &known, error));
    if (*known == 0) {
        for (uint32_t i = 0; i < HOA_MOST_PROPOSITIONS; i++)
            map[i] = i > labels->epsilon ? i - 1 : i;
        *known = 1 + (uint64_t)aut_bdd_copy(labels->file, label, labels->own, map);
    }
    *moved = (aut_bdd)(*known - 1);
    return aut_bdd_store_check(labels->own, error);
}

opac_status hoa_label_move(hoa_labels *labels, aut_bdd label, hoa_position position, aut_bdd *moved,
                           bool *with_epsilon, opac_error *error)
{
    *with_epsilon = false;
    *moved = label;
    if (labels->epsilon == HOA_NONE)
        return OPAC_OK;
    aut_bdd_store *file = labels->file;
    aut_bdd with = aut_bdd_restrict(file, label, labels->epsilon, true);
    aut_bdd without = aut_bdd_restrict(file, label, labels->epsilon, false);
    bool only_with = !aut_bdd_implies(file, with, without);
    TRY(hoa_locate_limit(aut_bdd_store_check(file, error), position, error));
    if (only_with && with != AUT_BDD_TRUE)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "the label combines 'epsilon' with other propositions; 'epsilon' must "
                            "be alone, since such an edge consumes no letter");
    *with_epsilon = only_with;
    return hoa_locate_limit(move(labels, without, moved, error), position, error);
}
