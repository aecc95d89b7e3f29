/* SPDX-License-Identifier: MIT */
#include "support/random_formula.h"

#include "support/check.h"

static ltl_formula proposition(ltl_store *store, uint32_t number)
{
    char name[16];
    int length = snprintf(name, sizeof name, "p%u", (unsigned)number);
    return ltl_ap(store, name, (size_t)length);
}

static bool is_unary(ltl_op op)
{
    return op == LTL_NOT || op == LTL_X || op == LTL_F || op == LTL_G;
}

static ltl_formula random_leaf(ltl_store *store, uint64_t *random,
                               const random_formula_shape *shape)
{
    uint32_t constants = (shape->allowed & OPERATOR(LTL_FALSE) ? 1U : 0U) +
                         (shape->allowed & OPERATOR(LTL_TRUE) ? 1U : 0U);
    if (constants > 0 && random_below(random, 8) == 0)
        return constants == 2 ? random_below(random, 2)
                              : (shape->allowed & OPERATOR(LTL_TRUE) ? LTL_TRUE : LTL_FALSE);
    return proposition(store, random_below(random, shape->propositions));
}

static ltl_op random_operator(uint64_t *random, uint32_t allowed)
{
    ltl_op choice = LTL_NOT;
    uint32_t seen = 0;
    for (uint32_t op = LTL_NOT; op <= LTL_M; op++)
        if ((allowed & OPERATOR(op)) != 0 && random_below(random, ++seen) == 0)
            choice = (ltl_op)op;
    return choice;
}

static ltl_formula random_tree(ltl_store *store, uint64_t *random,
                               const random_formula_shape *shape, uint32_t operators)
{
    if (operators == 0)
        return random_leaf(store, random, shape);
    ltl_op op = random_operator(random, shape->allowed);
    if (is_unary(op))
        return ltl_unary(store, op, random_tree(store, random, shape, operators - 1));
    uint32_t left = random_below(random, operators);
    ltl_formula a = random_tree(store, random, shape, left);
    ltl_formula b = random_tree(store, random, shape, operators - 1 - left);
    return ltl_binary(store, op, a, b);
}

ltl_formula random_formula(ltl_store *store, uint64_t *random, const random_formula_shape *shape)
{
    for (uint32_t i = 0; i < shape->propositions; i++)
        proposition(store, i); /* the numbers are known, whichever comes first */
    return random_tree(store, random, shape, shape->operators);
}

/* ---- all formulas ---- */

typedef struct all_run {
    ltl_store *store;
    base_u32_vec *formulas;
    uint8_t *seen; /* by formula */
    size_t known;  /* length of seen */
} all_run;

static void add(all_run *run, ltl_formula formula)
{
    if (formula >= run->known) {
        size_t room = (size_t)formula * 2 + 64;
        run->seen = realloc(run->seen, room);
        assert_non_null(run->seen);
        memset(run->seen + run->known, 0, room - run->known);
        run->known = room;
    }
    if (run->seen[formula])
        return;
    run->seen[formula] = 1;
    assert_int_equal(base_u32_vec_push(run->formulas, formula, NULL), OPAC_OK);
}

/* begin[s]: where the formulas of s operators begin, for s up to size. */
static void add_of_size(all_run *run, ltl_op op, uint32_t size, const size_t *begin)
{
    if (is_unary(op)) {
        for (size_t i = begin[size - 1]; i < begin[size]; i++)
            add(run, ltl_unary(run->store, op, run->formulas->items[i]));
        return;
    }
    for (uint32_t left = 0; left < size; left++)
        for (size_t i = begin[left]; i < begin[left + 1]; i++)
            for (size_t j = begin[size - 1 - left]; j < begin[size - left]; j++)
                add(run,
                    ltl_binary(run->store, op, run->formulas->items[i], run->formulas->items[j]));
}

void all_formulas(ltl_store *store, const random_formula_shape *shape, base_u32_vec *formulas)
{
    enum {
        MOST = 15
    };
    size_t begin[MOST + 2] = {0};
    all_run run = {.store = store, .formulas = formulas};
    assert_true(shape->operators <= MOST);
    assert_true(formulas->count == 0);
    for (uint32_t i = 0; i < shape->propositions; i++)
        add(&run, proposition(store, i));
    begin[1] = formulas->count;
    for (uint32_t size = 1; size <= shape->operators; size++) {
        for (uint32_t op = LTL_NOT; op <= LTL_M; op++)
            if ((shape->allowed & OPERATOR(op)) != 0)
                add_of_size(&run, (ltl_op)op, size, begin);
        begin[size + 1] = formulas->count;
    }
    free(run.seen);
}

/* ---- words ---- */

void random_lasso(uint64_t *random, uint32_t propositions, uint32_t longest, lasso_letters *lasso)
{
    uint64_t mask = (UINT64_C(1) << propositions) - 1; /* fewer than 64 */
    size_t length = 1 + random_below(random, longest);
    assert_true(longest <= 64);
    assert_true(propositions < 64);
    for (size_t i = 0; i < length; i++)
        lasso->letters[i] = i > 0 && random_below(random, 3) == 0 ? lasso->letters[i - 1]
                                                                  : random_u64(random) & mask;
    lasso->word = (ltl_lasso){.letters = lasso->letters,
                              .prefix = random_below(random, (uint32_t)length),
                              .length = length};
}

bool next_lasso(uint32_t propositions, uint32_t longest, lasso_letters *lasso)
{
    uint64_t mask = (UINT64_C(1) << propositions) - 1;
    ltl_lasso *word = &lasso->word;
    word->letters = lasso->letters;
    if (word->length == 0) {
        word->length = 1;
        return true;
    }
    if (++word->prefix < word->length)
        return true;
    word->prefix = 0;
    for (size_t i = 0; i < word->length; i++) {
        if (lasso->letters[i] < mask) {
            lasso->letters[i]++;
            return true;
        }
        lasso->letters[i] = 0;
    }
    return ++word->length <= longest;
}
