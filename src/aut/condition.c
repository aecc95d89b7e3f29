/* SPDX-License-Identifier: MIT */
#include "aut/condition.h"

#include <assert.h>

void aut_condition_fini(aut_condition *condition)
{
    aut_term_vec_fini(&condition->terms);
}

opac_status aut_condition_copy(const aut_condition *from, aut_condition *to, opac_error *error)
{
    *to = (aut_condition){0};
    opac_status status = aut_condition_append(to, from, 0, NULL, error);
    if (status != OPAC_OK)
        aut_condition_fini(to);
    return status;
}

opac_status aut_condition_add(aut_condition *condition, aut_term term, uint32_t *index,
                              opac_error *error)
{
    size_t count = condition->terms.count;
    assert((term.kind != AUT_TERM_AND && term.kind != AUT_TERM_OR) ||
           (term.left < count && term.right < count));
    if (count >= AUT_MOST_TERMS)
        return base_fail(error, OPAC_ERROR_LIMIT, "the acceptance condition has more than %d terms",
                         AUT_MOST_TERMS);
    if (index != NULL)
        *index = (uint32_t)count;
    return aut_term_vec_push(&condition->terms, term, error);
}

opac_status aut_condition_append(aut_condition *condition, const aut_condition *other,
                                 uint32_t shift, uint32_t *index, opac_error *error)
{
    uint32_t base = (uint32_t)condition->terms.count;
    if (other->terms.count == 0)
        return aut_condition_add(condition, (aut_term){.kind = AUT_TERM_FALSE}, index, error);
    for (size_t i = 0; i < other->terms.count; i++) {
        aut_term term = other->terms.items[i];
        bool is_mark = term.kind == AUT_TERM_INF || term.kind == AUT_TERM_FIN;
        term.left += is_mark ? shift : base;
        term.right += base;
        TRY(aut_condition_add(condition, term, index, error));
    }
    return OPAC_OK;
}

bool aut_condition_evaluate(const aut_condition *condition, uint64_t inf, uint64_t fin)
{
    uint64_t values[AUT_MOST_TERMS / 64]; /* a bit a term */
    size_t count = condition->terms.count;
    bool value = false;
    for (size_t i = 0; i < count; i++) {
        const aut_term *term = &condition->terms.items[i];
        bool left = false, right = false;
        if (term->kind == AUT_TERM_AND || term->kind == AUT_TERM_OR) {
            left = (values[term->left / 64] >> (term->left % 64)) & 1;
            right = (values[term->right / 64] >> (term->right % 64)) & 1;
        }
        switch (term->kind) {
        case AUT_TERM_FALSE:
        case AUT_TERM_TRUE:
            value = term->kind == AUT_TERM_TRUE;
            break;
        case AUT_TERM_INF:
            value = (inf >> term->left) & 1;
            break;
        case AUT_TERM_FIN:
            value = (fin >> term->left) & 1;
            break;
        default:
            value = term->kind == AUT_TERM_AND ? left && right : left || right;
        }
        uint64_t bit = UINT64_C(1) << (i % 64);
        values[i / 64] = (i % 64 == 0 ? 0 : values[i / 64]) | (value ? bit : 0);
    }
    return value;
}

static uint64_t marks_under(const aut_condition *condition, aut_term_kind kind)
{
    uint64_t marks = 0;
    for (size_t i = 0; i < condition->terms.count; i++)
        if (condition->terms.items[i].kind == kind)
            marks |= UINT64_C(1) << condition->terms.items[i].left;
    return marks;
}

uint64_t aut_condition_inf_marks(const aut_condition *condition)
{
    return marks_under(condition, AUT_TERM_INF);
}

uint64_t aut_condition_fin_marks(const aut_condition *condition)
{
    return marks_under(condition, AUT_TERM_FIN);
}

uint64_t aut_condition_marks(const aut_condition *condition)
{
    return aut_condition_inf_marks(condition) | aut_condition_fin_marks(condition);
}

/* ---- transformations ---- */

opac_status aut_condition_negate(const aut_condition *from, aut_condition *to, opac_error *error)
{
    static const aut_term_kind dual[] = {
        [AUT_TERM_FALSE] = AUT_TERM_TRUE, [AUT_TERM_TRUE] = AUT_TERM_FALSE,
        [AUT_TERM_INF] = AUT_TERM_FIN,    [AUT_TERM_FIN] = AUT_TERM_INF,
        [AUT_TERM_AND] = AUT_TERM_OR,     [AUT_TERM_OR] = AUT_TERM_AND,
    };
    TRY(aut_condition_copy(from, to, error));
    for (size_t i = 0; i < to->terms.count; i++)
        to->terms.items[i].kind = dual[to->terms.items[i].kind];
    return OPAC_OK;
}

void aut_condition_rename(aut_condition *condition, const uint8_t *map)
{
    for (size_t i = 0; i < condition->terms.count; i++) {
        aut_term *term = &condition->terms.items[i];
        if (term->kind == AUT_TERM_INF || term->kind == AUT_TERM_FIN)
            term->left = map[term->left];
    }
}

opac_status aut_condition_join(aut_condition *condition, aut_term_kind kind, aut_term_kind literal,
                               uint32_t mark, opac_error *error)
{
    uint32_t root = (uint32_t)condition->terms.count, added = 0;
    TRY(aut_condition_add(condition, (aut_term){.kind = literal, .left = mark}, &added, error));
    if (root == 0)
        return OPAC_OK;
    return aut_condition_add(condition, (aut_term){.kind = kind, .left = added, .right = root - 1},
                             NULL, error);
}

/* ---- named conditions ---- */

/* Frees the condition if the status is not OPAC_OK. Returns the status. */
static opac_status fini_on_failure(aut_condition *condition, opac_status status)
{
    if (status != OPAC_OK)
        aut_condition_fini(condition);
    return status;
}

static opac_status constant(aut_condition *condition, aut_term_kind kind, opac_error *error)
{
    *condition = (aut_condition){0};
    return fini_on_failure(condition,
                           aut_condition_add(condition, (aut_term){.kind = kind}, NULL, error));
}

opac_status aut_condition_true(aut_condition *condition, opac_error *error)
{
    return constant(condition, AUT_TERM_TRUE, error);
}

opac_status aut_condition_false(aut_condition *condition, opac_error *error)
{
    return constant(condition, AUT_TERM_FALSE, error);
}

opac_status aut_condition_buchi(aut_condition *condition, opac_error *error)
{
    return constant(condition, AUT_TERM_INF, error);
}

opac_status aut_condition_cobuchi(aut_condition *condition, opac_error *error)
{
    return constant(condition, AUT_TERM_FIN, error);
}

/* Inf(0) & Inf(1) & … or Fin(0) | Fin(1) | …, grouped to the right. */
static opac_status generalized(aut_condition *condition, uint32_t count, aut_term_kind kind,
                               aut_term_kind literal, opac_error *error)
{
    opac_status status = OPAC_OK;
    *condition = (aut_condition){0};
    for (uint32_t i = count; i > 0; i--)
        TRY_OR(done, aut_condition_join(condition, kind, literal, i - 1, error));
done:
    return fini_on_failure(condition, status);
}

opac_status aut_condition_generalized_buchi(aut_condition *condition, uint32_t count,
                                            opac_error *error)
{
    if (count == 0)
        return aut_condition_true(condition, error);
    return generalized(condition, count, AUT_TERM_AND, AUT_TERM_INF, error);
}

opac_status aut_condition_generalized_cobuchi(aut_condition *condition, uint32_t count,
                                              opac_error *error)
{
    if (count == 0)
        return aut_condition_false(condition, error);
    return generalized(condition, count, AUT_TERM_OR, AUT_TERM_FIN, error);
}

opac_status aut_condition_parity(aut_condition *condition, bool is_max, bool is_even,
                                 uint32_t count, opac_error *error)
{
    opac_status status = OPAC_OK;
    if (count == 0)
        return is_even ? aut_condition_false(condition, error)
                       : aut_condition_true(condition, error);
    *condition = (aut_condition){0};
    /* Starts with the priority that matters least. An accepting priority i gives "Inf(i) | rest", a rejecting
     * one "Fin(i) & rest". */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t priority = is_max ? i : count - 1 - i;
        bool accepts = (priority % 2 == 0) == is_even;
        TRY_OR(done, aut_condition_join(condition, accepts ? AUT_TERM_OR : AUT_TERM_AND,
                                        accepts ? AUT_TERM_INF : AUT_TERM_FIN, priority, error));
    }
done:
    return fini_on_failure(condition, status);
}

opac_status aut_condition_parity_max_even(aut_condition *condition, uint32_t count,
                                          opac_error *error)
{
    return aut_condition_parity(condition, true, true, count, error);
}

/* Adds one pair: Fin(first) and then `infs` marks under Inf, joined by `inner`. */
static opac_status add_pair(aut_condition *condition, aut_term_kind inner, uint32_t first,
                            uint32_t infs, uint32_t *index, opac_error *error)
{
    uint32_t fin = 0, inf = 0, root;
    TRY(aut_condition_add(condition, (aut_term){.kind = AUT_TERM_FIN, .left = first}, &fin, error));
    root = fin;
    for (uint32_t i = 1; i <= infs; i++) {
        TRY(aut_condition_add(condition, (aut_term){.kind = AUT_TERM_INF, .left = first + i}, &inf,
                              error));
        TRY(aut_condition_add(condition, (aut_term){.kind = inner, .left = root, .right = inf},
                              &root, error));
    }
    *index = root;
    return OPAC_OK;
}

/* Adds pairs joined by `outer`. Pair i has sizes[i] Infs, or one if sizes is NULL. */
static opac_status add_pairs(aut_condition *condition, aut_term_kind outer, aut_term_kind inner,
                             const uint32_t *sizes, uint32_t pairs, opac_error *error)
{
    uint32_t root = 0, pair = 0, mark = 0;
    opac_status status = OPAC_OK;
    *condition = (aut_condition){0};
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t infs = sizes != NULL ? sizes[i] : 1;
        TRY_OR(done, add_pair(condition, inner, mark, infs, &pair, error));
        mark += 1 + infs;
        aut_term joined = {.kind = outer, .left = root, .right = pair};
        if (i == 0)
            root = pair;
        else
            TRY_OR(done, aut_condition_add(condition, joined, &root, error));
    }
done:
    return fini_on_failure(condition, status);
}

opac_status aut_condition_rabin(aut_condition *condition, uint32_t pairs, opac_error *error)
{
    if (pairs == 0)
        return aut_condition_false(condition, error);
    return add_pairs(condition, AUT_TERM_OR, AUT_TERM_AND, NULL, pairs, error);
}

opac_status aut_condition_streett(aut_condition *condition, uint32_t pairs, opac_error *error)
{
    if (pairs == 0)
        return aut_condition_true(condition, error);
    return add_pairs(condition, AUT_TERM_AND, AUT_TERM_OR, NULL, pairs, error);
}

opac_status aut_condition_generalized_rabin(aut_condition *condition, const uint32_t *sizes,
                                            uint32_t pairs, opac_error *error)
{
    if (pairs == 0)
        return aut_condition_false(condition, error);
    return add_pairs(condition, AUT_TERM_OR, AUT_TERM_AND, sizes, pairs, error);
}
