/* SPDX-License-Identifier: MIT */
/*
 * The oracle: for each subformula, from the smallest upwards, the set of
 * positions of the lasso at which it holds, as a row of bits.
 *
 *     rows    │ row of subformula 0 │ row of subformula 1 │ …     ascending by formula
 *     row     one bit a position; the position behind the last is `prefix`
 *
 * A child has a smaller number than its parent, so that ascending order meets
 * children first. F, U and M are least solutions and G, W and R greatest ones
 * of their unfoldings; going backwards over the loop twice finds them: the
 * first round begins with the value at the loop's entry assumed false (or
 * true), and what it finds there is right, since a loop without an answer
 * stays without one.
 *
 * Cost: subformulas × positions.
 */
#include "support/lasso.h"

#include "base/map.h"
#include "base/vec.h"
#include "ltl/copy.h"

typedef struct evaluation {
    const ltl_store *store;
    const ltl_lasso *word;
    size_t words;          /* of 64 bits, a row */
    base_map rows_of;      /* formula ► its row */
    base_u32_vec formulas; /* ascending */
    uint64_t *rows;
} evaluation;

/* The subformulas and the numbers of their rows. */
static opac_status collect(evaluation *run, ltl_formula formula, opac_error *error)
{
    TRY(ltl_subformulas(run->store, formula, &run->rows_of, &run->formulas, error));
    for (size_t i = 0; i < run->formulas.count; i++)
        *base_map_find(&run->rows_of, run->formulas.items[i]) = i;
    return OPAC_OK;
}

static bool bit_at(const uint64_t *row, size_t position)
{
    return (row[position / 64] >> (position % 64)) & 1;
}

static void set_bit(uint64_t *row, size_t position, bool value)
{
    uint64_t bit = UINT64_C(1) << (position % 64);
    row[position / 64] = value ? row[position / 64] | bit : row[position / 64] & ~bit;
}

static const uint64_t *row_of_child(const evaluation *run, ltl_formula formula, uint32_t index)
{
    uint64_t *row = base_map_find(&run->rows_of, ltl_child(run->store, formula, index));
    return run->rows + *row * run->words;
}

static opac_status fill_proposition(const evaluation *run, ltl_formula formula, uint64_t *row,
                                    opac_error *error)
{
    uint32_t ap = ltl_ap_of(run->store, formula);
    if (ap >= 64)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a lasso has at most 64 propositions");
    for (size_t i = 0; i < run->word->length; i++)
        set_bit(row, i, (run->word->letters[i] >> ap) & 1);
    return OPAC_OK;
}

/* Computes the row word by word; bits behind the last position are never read. */
static void fill_connective(const evaluation *run, ltl_formula formula, uint64_t *row)
{
    ltl_op op = ltl_op_of(run->store, formula);
    const uint64_t *left = row_of_child(run, formula, 0);
    for (size_t w = 0; w < run->words; w++)
        row[w] = op == LTL_NOT || op == LTL_IMPLIES ? ~left[w] : left[w];
    for (uint32_t i = 1; i < ltl_arity(run->store, formula); i++) {
        const uint64_t *next = row_of_child(run, formula, i);
        for (size_t w = 0; w < run->words; w++) {
            switch (op) {
            case LTL_AND:
                row[w] &= next[w];
                break;
            case LTL_OR:
            case LTL_IMPLIES:
                row[w] |= next[w];
                break;
            case LTL_IFF:
                row[w] = ~(row[w] ^ next[w]);
                break;
            default:
                row[w] ^= next[w];
                break;
            }
        }
    }
}

static void fill_next(const evaluation *run, ltl_formula formula, uint64_t *row)
{
    const uint64_t *child = row_of_child(run, formula, 0);
    size_t length = run->word->length;
    for (size_t i = 0; i < length; i++)
        set_bit(row, i, bit_at(child, i + 1 < length ? i + 1 : run->word->prefix));
}

/* The value of a temporal operator here, from the values of its children here and its own next. */
static bool unfold(ltl_op op, bool left, bool right, bool next)
{
    switch (op) {
    case LTL_F:
        return left || next;
    case LTL_G:
        return left && next;
    case LTL_U:
    case LTL_W:
        return right || (left && next);
    default:
        return right && (left || next);
    }
}

static void fill_temporal(const evaluation *run, ltl_formula formula, uint64_t *row)
{
    ltl_op op = ltl_op_of(run->store, formula);
    bool is_unary = op == LTL_F || op == LTL_G;
    const uint64_t *left = row_of_child(run, formula, 0);
    const uint64_t *right = is_unary ? left : row_of_child(run, formula, 1);
    bool value = op == LTL_G || op == LTL_W || op == LTL_R; /* greatest solutions */
    size_t length = run->word->length, prefix = run->word->prefix;
    for (size_t i = length; i-- > prefix;)
        value = unfold(op, bit_at(left, i), bit_at(right, i), value);
    for (size_t i = length; i-- > 0;) {
        value = unfold(op, bit_at(left, i), bit_at(right, i), value);
        set_bit(row, i, value);
    }
}

static opac_status fill(const evaluation *run, ltl_formula formula, uint64_t *row,
                        opac_error *error)
{
    switch (ltl_op_of(run->store, formula)) {
    case LTL_FALSE:
        return OPAC_OK; /* rows begin with zeros */
    case LTL_TRUE:
        for (size_t w = 0; w < run->words; w++)
            row[w] = UINT64_MAX;
        return OPAC_OK;
    case LTL_AP:
        return fill_proposition(run, formula, row, error);
    case LTL_NOT:
    case LTL_AND:
    case LTL_OR:
    case LTL_IMPLIES:
    case LTL_IFF:
    case LTL_XOR:
        fill_connective(run, formula, row);
        return OPAC_OK;
    case LTL_X:
        fill_next(run, formula, row);
        return OPAC_OK;
    default:
        fill_temporal(run, formula, row);
        return OPAC_OK;
    }
}

opac_status ltl_lasso_holds(const ltl_store *store, ltl_formula formula, const ltl_lasso *word,
                            bool *holds, opac_error *error)
{
    evaluation run = {.store = store, .word = word, .words = (word->length + 63) / 64};
    opac_status status;
    if (word->length <= word->prefix)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a lasso needs a loop");
    TRY_OR(done, collect(&run, formula, error));
    run.rows = base_alloc_zeroed(run.formulas.count, run.words * sizeof *run.rows);
    TRY_OR(done, run.rows != NULL ? OPAC_OK : base_fail_memory(error));
    for (size_t i = 0; i < run.formulas.count; i++)
        TRY_OR(done, fill(&run, run.formulas.items[i], run.rows + i * run.words, error));
    *holds = bit_at(run.rows + (run.formulas.count - 1) * run.words, 0);
done:
    base_map_fini(&run.rows_of);
    base_u32_vec_fini(&run.formulas);
    base_free(run.rows);
    return status;
}
