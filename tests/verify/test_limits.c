/* SPDX-License-Identifier: MIT */
/* Small files with very many choices, clauses or visits: limits, which are not refusals. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/text.h"
#include "verify/sealed.h"

typedef void writer(base_text *text);

/* In the order of the text. */
typedef struct part {
    const char *from;
    writer *write;
} part;

/* The certificate with these parts replaced. It must be freed. */
static char *build(const char *sample, const part *parts, size_t count)
{
    base_text text = {0};
    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(sample, parts[i].from);
        if (at == NULL)
            fail_msg("no '%s' to replace", parts[i].from);
        base_text_add_bytes(&text, sample, (size_t)(at - sample));
        parts[i].write(&text);
        sample = at + strlen(parts[i].from);
    }
    base_text_add(&text, sample);
    char *built = base_alloc_zeroed(text.length + SEALED_END, 1);
    assert_non_null(built);
    memcpy(built, base_text_get(&text), text.length);
    base_text_fini(&text);
    sealed_close(built);
    return built;
}

/* Returns the length of the certificate. */
static size_t check_limit(const part *parts, size_t count, char message[OPAC_MESSAGE_SIZE])
{
    opac_verification found;
    opac_error error;
    char *text = build(sealed_reach, parts, count);
    size_t length = strlen(text);
    assert_status(opac_verify_text(text, length, NULL, &found, &error), OPAC_ERROR_LIMIT);
    assert_false(found.holds);
    snprintf(message, OPAC_MESSAGE_SIZE, "%s", error.message);
    base_free(text);
    return length;
}

/* ---- edges times successors ---- */

enum {
    WIDTH = 10000,
    EDGES = 2500
};

static void write_small_pmin(base_text *text)
{
    base_text_add(text, "\"pmin\": 1e-9");
}

static void write_edges(base_text *text)
{
    for (int i = 0; i < EDGES; i++)
        base_text_add(text, "[!0] 0\\n");
    base_text_add(text, "[0] 0 {0}");
}

static void write_states(base_text *text)
{
    base_text_add(text, "\"key\": \"02\", \"letter\": 0, \"actions\": 0}");
    for (int i = 3; i < WIDTH; i++)
        base_text_format(text, ", {\"key\": \"%08x\", \"letter\": 0, \"actions\": 0}", i);
}

static void write_counts(base_text *text)
{
    base_text_add(text, "[[0, 1]");
    for (int i = 1; i < WIDTH; i++)
        base_text_format(text, ", [%d, 1]", i);
    base_text_add(text, "]");
}

static void test_successors(void **state)
{
    (void)state;
    static const part parts[] = {
        {"\"pmin\": 0.2", write_small_pmin},
        {"[!0] 0\\n[0] 0 {0}", write_edges},
        {"\"key\": \"02\", \"letter\": 0, \"actions\": 0}", write_states},
        {"[[1, 60], [2, 40]]", write_counts},
    };
    char message[OPAC_MESSAGE_SIZE], expected[OPAC_MESSAGE_SIZE];
    size_t length = check_limit(parts, sizeof parts / sizeof *parts, message);
    snprintf(expected, sizeof expected,
             "nodes: more than %zu choices and successors, the limit for a file of %zu bytes",
             20000000 + 4 * length, length);
    assert_string_equal(message, expected);
}

/* ---- clauses times edges ---- */

enum {
    PAIRS = 15,
    PARALLEL = 25000
};

static void write_condition(base_text *text)
{
    base_text_format(text, "Acceptance: %d ", 2 * PAIRS);
    for (int i = 0; i < PAIRS; i++)
        base_text_format(text, "%s(Inf(%d) | Fin(%d))", i > 0 ? " & " : "", 2 * i, 2 * i + 1);
    base_text_add(text, "\\nproperties: trans-acc\\n--BODY--\\nState: 0\\n[0] 0 {0}");
    for (int i = 0; i < PARALLEL; i++)
        base_text_add(text, "\\n[!0] 0 {1}");
}

static void write_mark(base_text *text)
{
    base_text_add(text, "\"marks\": [1]");
}

static void test_clauses(void **state)
{
    (void)state;
    static const part parts[] = {
        {"acc-name: Buchi\\nAcceptance: 1 Inf(0)\\nproperties: trans-acc\\n--BODY--\\nState: 0\\n"
         "[!0] 0\\n[0] 0 {0}",
         write_condition},
        {"\"marks\": []", write_mark},
    };
    char message[OPAC_MESSAGE_SIZE];
    check_limit(parts, sizeof parts / sizeof *parts, message);
    assert_string_equal(
        message, "automaton: the condition has 32768 clauses as a disjunction; with 175005 nodes, "
                 "choices and successors this is beyond the limit of 4000000000");
}

/* ---- visits ---- */

enum {
    ROWS = 2049 /* of 2^53 visits each: together more than 2^64 */
};

static void write_leaves(base_text *text)
{
    base_text_add(text, "\"key\": \"02\", \"letter\": 0, \"actions\": 0}");
    for (int i = 0; i < ROWS; i++)
        base_text_format(text, ", {\"key\": \"%08x\", \"letter\": 0, \"actions\": 1}", i);
}

static void write_rows(base_text *text)
{
    base_text_add(text, "[[1, 40]]}");
    for (int i = 0; i < ROWS; i++)
        base_text_format(text,
                         ", {\"index\": %d, \"state\": %d, \"action\": 0, \"counts\": [[2, "
                         "9007199254740992]]}",
                         i + 4, i + 3);
}

static void test_visits(void **state)
{
    (void)state;
    static const part parts[] = {
        {"\"key\": \"02\", \"letter\": 0, \"actions\": 0}", write_leaves},
        {"[[1, 40]]}", write_rows},
    };
    opac_verification found;
    opac_error error;
    char *text = build(sealed_reach, parts, sizeof parts / sizeof *parts);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    if (!found.holds)
        fail_msg("%s", found.reason);
    assert_true(found.visits == UINT64_MAX);
    opac_verification_fini(&found);
    base_free(text);
}

SUITE(limits)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_successors),
                                       cmocka_unit_test(test_clauses),
                                       cmocka_unit_test(test_visits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
