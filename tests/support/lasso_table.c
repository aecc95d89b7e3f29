/* SPDX-License-Identifier: MIT */
#include "support/lasso_table.h"

#include "base/bits.h"
#include "support/check.h"
#include "support/random_formula.h"

enum {
    LONGEST = 4
};

typedef struct entry {
    uint64_t letters[LONGEST];
    uint32_t prefix, length;
    uint32_t next; /* the word without its first letter */
} entry;

struct lasso_table {
    const ltl_store *store;
    entry *words;
    size_t count, row_size;
    uint64_t *rows;   /* by row number */
    uint32_t *row_of; /* by formula: row number + 1; 0: not known yet */
    size_t known, row_count, row_capacity;
};

static uint32_t find_suffix(const lasso_table *table, const entry *word)
{
    entry suffix = {.length = word->prefix > 0 ? word->length - 1 : word->length,
                    .prefix = word->prefix > 0 ? word->prefix - 1 : 0};
    for (uint32_t i = 0; i < suffix.length; i++)
        suffix.letters[i] = word->letters[i + 1 < word->length ? i + 1 : 0];
    for (size_t i = 0; i < table->count; i++)
        if (table->words[i].length == suffix.length && table->words[i].prefix == suffix.prefix &&
            memcmp(table->words[i].letters, suffix.letters, sizeof suffix.letters) == 0)
            return (uint32_t)i;
    fail_msg("a suffix is not in the table");
    return 0;
}

lasso_table *lasso_table_new(const ltl_store *store, uint32_t propositions, uint32_t longest)
{
    lasso_letters lasso = {0};
    lasso_table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    assert_true(longest <= LONGEST);
    table->store = store;
    while (next_lasso(propositions, longest, &lasso)) {
        entry word = {.prefix = (uint32_t)lasso.word.prefix, .length = (uint32_t)lasso.word.length};
        memcpy(word.letters, lasso.letters, word.length * sizeof *word.letters);
        if ((table->count & (table->count + 1)) == 0) { /* doubles at 0, 1, 3, 7, … */
            table->words = realloc(table->words, (2 * table->count + 2) * sizeof *table->words);
            assert_non_null(table->words);
        }
        table->words[table->count++] = word;
    }
    for (size_t i = 0; i < table->count; i++)
        table->words[i].next = find_suffix(table, &table->words[i]);
    table->row_size = (table->count + 63) / 64;
    return table;
}

void lasso_table_free(lasso_table *table)
{
    free(table->words);
    free(table->rows);
    free(table->row_of);
    free(table);
}

size_t lasso_table_words(const lasso_table *table)
{
    return table->count;
}

size_t lasso_table_row_size(const lasso_table *table)
{
    return table->row_size;
}

ltl_lasso lasso_table_word(const lasso_table *table, size_t index)
{
    const entry *word = &table->words[index];
    return (ltl_lasso){.letters = word->letters, .prefix = word->prefix, .length = word->length};
}

static bool bit_at(const uint64_t *row, size_t index)
{
    return (row[index / 64] >> (index % 64)) & 1;
}

static bool step(ltl_op op, bool left, bool right, bool next)
{
    switch (op) {
    case LTL_NOT:
        return !left;
    case LTL_IMPLIES:
        return !left || right;
    case LTL_IFF:
        return left == right;
    case LTL_XOR:
        return left != right;
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

/* From the children's rows; temporal operators by as many rounds as a word is long, and one. */
static void fill(const lasso_table *table, ltl_op op, const uint64_t *left, const uint64_t *right,
                 uint64_t *row)
{
    bool greatest = op == LTL_G || op == LTL_W || op == LTL_R;
    int rounds = op >= LTL_F ? LONGEST + 1 : 1;
    memset(row, greatest ? 0xFF : 0, table->row_size * sizeof *row);
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < table->count; i++) {
            size_t next = table->words[i].next;
            bool value = op == LTL_X
                             ? bit_at(left, next)
                             : step(op, bit_at(left, i), bit_at(right, i), bit_at(row, next));
            uint64_t bit = UINT64_C(1) << (i % 64);
            row[i / 64] = value ? row[i / 64] | bit : row[i / 64] & ~bit;
        }
    if (table->count % 64 != 0)
        row[table->row_size - 1] &= (UINT64_C(1) << (table->count % 64)) - 1;
}

static uint64_t *new_row(lasso_table *table, ltl_formula formula)
{
    if (formula >= table->known) {
        size_t room = 2 * (size_t)formula + 64;
        table->row_of = realloc(table->row_of, room * sizeof *table->row_of);
        assert_non_null(table->row_of);
        memset(table->row_of + table->known, 0, (room - table->known) * sizeof *table->row_of);
        table->known = room;
    }
    if (table->row_count == table->row_capacity) {
        table->row_capacity = 2 * table->row_capacity + 64;
        table->rows =
            realloc(table->rows, table->row_capacity * table->row_size * sizeof *table->rows);
        assert_non_null(table->rows);
    }
    table->row_of[formula] = (uint32_t)++table->row_count;
    return table->rows + (table->row_count - 1) * table->row_size;
}

static void fill_leaf(lasso_table *table, ltl_formula formula)
{
    uint64_t *row = new_row(table, formula);
    memset(row, 0, table->row_size * sizeof *row);
    for (size_t i = 0; i < table->count; i++) {
        bool holds = formula <= LTL_TRUE
                         ? formula == LTL_TRUE
                         : (table->words[i].letters[0] >> ltl_ap_of(table->store, formula)) & 1;
        row[i / 64] |= (uint64_t)holds << (i % 64);
    }
}

static void fill_list(lasso_table *table, ltl_formula formula)
{
    uint64_t *row = new_row(table, formula);
    bool is_and = ltl_op_of(table->store, formula) == LTL_AND;
    for (uint32_t i = 0; i < ltl_arity(table->store, formula); i++) {
        ltl_formula child = ltl_child(table->store, formula, i);
        const uint64_t *other = table->rows + (table->row_of[child] - 1) * table->row_size;
        for (size_t w = 0; w < table->row_size; w++)
            row[w] = i == 0 ? other[w] : is_and ? row[w] & other[w] : row[w] | other[w];
    }
}

const uint64_t *lasso_table_row(lasso_table *table, ltl_formula formula)
{
    if (formula < table->known && table->row_of[formula] != 0)
        return table->rows + (table->row_of[formula] - 1) * table->row_size;
    uint32_t arity = ltl_arity(table->store, formula);
    ltl_op op = ltl_op_of(table->store, formula);
    for (uint32_t i = 0; i < arity; i++)
        lasso_table_row(table, ltl_child(table->store, formula, i));
    if (arity == 0) {
        fill_leaf(table, formula);
    } else if (op == LTL_AND || op == LTL_OR) {
        fill_list(table, formula);
    } else {
        uint64_t *row = new_row(table, formula);
        uint32_t left = table->row_of[ltl_child(table->store, formula, 0)] - 1;
        uint32_t right = table->row_of[ltl_child(table->store, formula, arity - 1)] - 1;
        fill(table, op, table->rows + left * table->row_size, table->rows + right * table->row_size,
             row);
    }
    return table->rows + (table->row_of[formula] - 1) * table->row_size;
}

static size_t first_bit(lasso_table *table, ltl_formula f, ltl_formula g, bool both_ways)
{
    lasso_table_row(table, f);
    const uint64_t *right = lasso_table_row(table, g), *left = lasso_table_row(table, f);
    for (size_t w = 0; w < table->row_size; w++) {
        uint64_t bad = both_ways ? left[w] ^ right[w] : left[w] & ~right[w];
        if (bad != 0)
            return w * 64 + base_lowest_bit(bad);
    }
    return table->count;
}

size_t lasso_table_difference(lasso_table *table, ltl_formula f, ltl_formula g)
{
    return first_bit(table, f, g, true);
}

size_t lasso_table_counterexample(lasso_table *table, ltl_formula f, ltl_formula g)
{
    return first_bit(table, f, g, false);
}
