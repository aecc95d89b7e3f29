/* SPDX-License-Identifier: MIT */
/* Rabin automata by the disjunctive normal form of the condition, and the choice of the smallest result. */
#include "aut/rabin.h"

#include "aut/bisimulation.h"
#include "aut/parity.h"
#include "aut/rabin_cycles.h"
#include "aut/trim.h"
#include "base/alloc.h"
#include "base/bits.h"

/* ---- sums of products ---- */

enum {
    MOST_PRODUCTS = 256,
    MOST_PAIRS = AUT_MOST_MARKS / 2
};

typedef struct product {
    uint64_t fin, inf; /* no mark of fin, and all marks of inf, infinitely often */
} product;

typedef struct sum {
    product items[MOST_PRODUCTS];
    uint32_t count;
    bool is_too_large;
} sum;

static bool implies(product a, product b)
{
    return (b.fin & ~a.fin) == 0 && (b.inf & ~a.inf) == 0;
}

/* Adds a product, unless it is unsatisfiable or implies another one, and removes those that imply it. */
static void add_product(sum *to, product item)
{
    uint32_t kept = 0;
    if ((item.fin & item.inf) != 0 || to->is_too_large)
        return;
    for (uint32_t i = 0; i < to->count; i++)
        if (implies(item, to->items[i]))
            return;
    for (uint32_t i = 0; i < to->count; i++)
        if (!implies(to->items[i], item))
            to->items[kept++] = to->items[i];
    to->count = kept;
    if (to->count == MOST_PRODUCTS)
        to->is_too_large = true;
    else
        to->items[to->count++] = item;
}

static void sum_of_term(const aut_term *term, const sum *sums, sum *result)
{
    const sum *left = &sums[term->left], *right = &sums[term->right];
    uint64_t bit = UINT64_C(1) << (term->left % 64);
    result->count = 0;
    result->is_too_large = false;
    switch (term->kind) {
    case AUT_TERM_FALSE:
        return;
    case AUT_TERM_TRUE:
        add_product(result, (product){0, 0});
        return;
    case AUT_TERM_INF:
        add_product(result, (product){.inf = bit});
        return;
    case AUT_TERM_FIN:
        add_product(result, (product){.fin = bit});
        return;
    default:
        break;
    }
    result->is_too_large = left->is_too_large || right->is_too_large;
    if (term->kind == AUT_TERM_OR) {
        for (uint32_t i = 0; i < left->count; i++)
            add_product(result, left->items[i]);
        for (uint32_t i = 0; i < right->count; i++)
            add_product(result, right->items[i]);
        return;
    }
    for (uint32_t i = 0; i < left->count; i++)
        for (uint32_t j = 0; j < right->count; j++)
            add_product(result, (product){left->items[i].fin | right->items[j].fin,
                                          left->items[i].inf | right->items[j].inf});
}

/* ---- pairs on the same states ---- */

typedef struct rabin_pair {
    uint64_t fin, inf; /* no mark of fin, and some mark of inf, infinitely often */
    bool always;       /* any edge counts as one with a mark of inf */
} rabin_pair;

typedef struct rabin_pairs {
    rabin_pair items[MOST_PRODUCTS];
    uint32_t count;
} rabin_pairs;

/* Makes pairs of products with at most one Inf each. Products with the same Fins become one pair. Returns
 * false if a product has more Infs, or there are too many pairs. */
static bool make_pairs(const sum *from, rabin_pairs *pairs)
{
    pairs->count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        product item = from->items[i];
        uint32_t j = 0;
        if (base_popcount(item.inf) > 1)
            return false;
        while (j < pairs->count && pairs->items[j].fin != item.fin)
            j++;
        if (j == pairs->count)
            pairs->items[pairs->count++] = (rabin_pair){.fin = item.fin};
        pairs->items[j].inf |= item.inf;
        pairs->items[j].always |= item.inf == 0;
    }
    return pairs->count <= MOST_PAIRS;
}

/* Finds the pairs of a condition. *found tells whether there are any. */
static opac_status find_pairs(const aut_condition *condition, rabin_pairs *pairs, bool *found,
                              opac_error *error)
{
    enum {
        MOST_TERMS = 512 /* of a condition; a sum has 4 kilobytes for each term */
    };
    size_t count = condition->terms.count;
    *found = false;
    pairs->count = 0;
    if (count == 0 || count > MOST_TERMS) {
        *found = count == 0;
        return OPAC_OK;
    }
    sum *sums = base_alloc(count, sizeof *sums);
    if (sums == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        sum_of_term(&condition->terms.items[i], sums, &sums[i]);
    *found = !sums[count - 1].is_too_large && make_pairs(&sums[count - 1], pairs);
    base_free(sums);
    return OPAC_OK;
}

static uint64_t pair_marks(const rabin_pairs *pairs, uint64_t marks)
{
    uint64_t made = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const rabin_pair *pair = &pairs->items[i];
        made |= (marks & pair->fin) != 0 ? UINT64_C(1) << (2 * i) : 0;
        made |= (marks & pair->inf) != 0 || pair->always ? UINT64_C(2) << (2 * i) : 0;
    }
    return made;
}

/* Replaces the marks of the automaton by those of the pairs. */
static opac_status apply_pairs(const opac_automaton *automaton, const rabin_pairs *pairs,
                               opac_automaton **made, opac_error *error)
{
    aut_builder *builder;
    aut_condition condition;
    TRY(aut_builder_like(automaton, &builder, error));
    opac_status status = aut_condition_rabin(&condition, pairs->count, error);
    if (status != OPAC_OK) {
        aut_builder_free(builder);
        return status;
    }
    builder->state_limit = UINT32_MAX;
    aut_builder_add_states(builder, automaton->state_count);
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t i = automaton->edge_begin[s]; i < automaton->edge_begin[s + 1]; i++) {
            aut_edge edge = automaton->edges[i];
            edge.marks = pair_marks(pairs, edge.marks);
            aut_builder_edge(builder, s, edge);
        }
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        aut_builder_initial(builder, automaton->initial[i]);
    aut_builder_condition(builder, &condition, 2 * pairs->count);
    return aut_builder_finish(builder, made, error);
}

static opac_status by_products(const opac_automaton *trimmed, opac_automaton **made,
                               opac_error *error)
{
    rabin_pairs *pairs = base_alloc(1, sizeof *pairs);
    opac_automaton *marked = NULL;
    bool found;
    if (pairs == NULL)
        return base_fail_memory(error);
    opac_status status;
    TRY_OR(done, find_pairs(&trimmed->condition, pairs, &found, error));
    if (found) {
        TRY_OR(done, apply_pairs(trimmed, pairs, &marked, error));
        status = aut_merge_bisimilar(marked, made, error);
    }
done:
    opac_automaton_free(marked);
    base_free(pairs);
    return status;
}

static opac_status by_cycles(const opac_automaton *trimmed, uint32_t state_limit,
                             opac_automaton **made, opac_error *error)
{
    opac_automaton *marked = NULL;
    opac_status status = aut_rabin_by_cycles(trimmed, state_limit, &marked, error);
    if (status == OPAC_OK)
        status = aut_merge_bisimilar(marked, made, error);
    opac_automaton_free(marked);
    return status;
}

/* Keeps the smaller one of *best and `other`, each of which may be NULL. */
static void keep_smaller(opac_automaton **best, opac_automaton *other)
{
    opac_automaton *old = *best;
    if (other == NULL)
        return;
    bool is_smaller =
        old == NULL || other->state_count < old->state_count ||
        (other->state_count == old->state_count && other->mark_count < old->mark_count);
    *best = is_smaller ? other : old;
    opac_automaton_free(is_smaller ? old : other);
}

/* Tries all ways. Reaching a limit is an error only if no way succeeds. */
static opac_status try_ways(const opac_automaton *trimmed, uint32_t state_limit,
                            opac_automaton **best, opac_error *error)
{
    opac_automaton *other = NULL, *parity = NULL;
    opac_error limit;
    TRY(by_products(trimmed, best, error));
    bool has_one_pair = *best != NULL && (*best)->mark_count <= 2;
    opac_status status = aut_to_parity(trimmed, state_limit, &parity, &limit);
    if (status == OPAC_OK)
        status = by_products(parity, &other, &limit);
    keep_smaller(best, other);
    opac_automaton_free(parity);
    other = NULL;
    /* If the products are pairs, the ACD keeps the same states and can only save pairs, so it is not tried
     * for one. */
    if ((status == OPAC_OK || status == OPAC_ERROR_LIMIT) && !has_one_pair)
        status = by_cycles(trimmed, state_limit, &other, &limit);
    keep_smaller(best, other);
    if (status == OPAC_ERROR_LIMIT && *best != NULL)
        return OPAC_OK;
    if (status != OPAC_OK && error != NULL)
        *error = limit;
    return status;
}

opac_status aut_to_rabin(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                         opac_error *error)
{
    opac_automaton *trimmed = NULL, *best = NULL;
    opac_status status;
    TRY_OR(done, aut_trim(given, &trimmed, error));
    TRY_OR(done, try_ways(trimmed, state_limit, &best, error));
    *made = best;
    best = NULL;
done:
    opac_automaton_free(trimmed);
    opac_automaton_free(best);
    return status;
}
