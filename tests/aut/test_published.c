/* SPDX-License-Identifier: MIT */
/*
 * The formulas of Dwyer et al., Etessami-Holzmann and Somenzi-Bloem: the languages are correct, and for each
 * set the total number of states is at most the published one. The table of published sizes is not part of
 * the project; without it the test is skipped.
 */
#include "ltl/parse_infix.h"
#include "support/columns.h"
#include "translation.h"

enum {
    COLUMNS = 8,
    SETS = 3,
    WORDS = 200
};

typedef struct sums {
    char set[16];
    unsigned long ours[2], published[2]; /* any condition, parity */
} sums;

static void check_line(char **fields, sums *s, uint64_t *random)
{
    static const int column[2] = {3, 6};
    opac_error error;
    for (unsigned kind = 0; kind < 2; kind++) {
        ltl_store *store;
        ltl_formula formula;
        assert_ok(ltl_store_new(&store, &error), &error);
        assert_ok(ltl_parse_infix(store, fields[2], strlen(fields[2]), NULL, &formula, &error),
                  &error);
        opac_automaton *made = translation_make(store, formula, &translation_kinds[kind]);
        for (int i = 0; i < WORDS; i++) {
            lasso_letters lasso;
            random_lasso(random, ltl_ap_count(store), 10, &lasso);
            translation_assert(store, formula, made, &lasso.word, kind);
        }
        s->ours[kind] += made->state_count;
        s->published[kind] += strtoul(fields[column[kind]], NULL, 10);
        opac_automaton_free(made);
        ltl_store_free(store);
    }
}

static void sums_are_at_most_the_published(void **state)
{
    char line[4096], *fields[COLUMNS];
    uint64_t random = random_seed(350);
    sums all[SETS] = {0};
    size_t count = 0;
    FILE *file = fopen(PUBLISHED_PATTERNS, "r");
    (void)state;
    if (file == NULL)
        skip();
    while (fgets(line, sizeof line, file) != NULL) {
        if (split_columns(line, fields, COLUMNS) != COLUMNS || strcmp(fields[0], "set") == 0)
            continue;
        if (count == 0 || strcmp(all[count - 1].set, fields[0]) != 0) {
            assert_true(count < SETS);
            snprintf(all[count++].set, sizeof all->set, "%.15s", fields[0]);
        }
        check_line(fields, &all[count - 1], &random);
    }
    fclose(file);
    assert_int_equal(count, SETS);
    for (size_t i = 0; i < count; i++) {
        print_message("%s: %lu of %lu states, with parity %lu of %lu\n", all[i].set, all[i].ours[0],
                      all[i].published[0], all[i].ours[1], all[i].published[1]);
        assert_true(all[i].ours[0] <= all[i].published[0]);
        assert_true(all[i].ours[1] <= all[i].published[1]);
    }
}

SUITE(published)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_at_most_the_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
