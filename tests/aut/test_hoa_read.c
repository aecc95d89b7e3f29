/* SPDX-License-Identifier: MIT */
/*
 * Reading HOA. The test writes random automata in all ways that the format has (labels of edges and states,
 * implicit labels, aliases; marks of states and edges, complements; header items in any order, comments), and
 * compares the automaton that is read with the transitions of the model, letter by letter.
 */
#include "aut/automaton.h"
#include "base/text.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random.h"

enum {
    MOST_STATES = 5,
    MOST_PROPOSITIONS = 3,
    MOST_LETTERS = 1 << MOST_PROPOSITIONS,
    MOST_SETS = 4,
    MOST_ATOMS = 6,
    NO_EDGE = -1
};

typedef struct atom {
    bool is_inf, is_complement, is_and; /* is_and: joined to the previous ones by & */
    uint32_t set;
} atom;

/* The automaton that is written. A transition is a set of acceptance sets, or NO_EDGE. */
typedef struct model {
    uint32_t states, propositions, sets, initial;
    int transition[MOST_STATES][MOST_LETTERS][MOST_STATES];
    int epsilon[MOST_STATES][MOST_STATES];
    uint32_t epsilon_at; /* its number among the propositions of the file, or NOWHERE */
    uint32_t atom_count;
    atom atoms[MOST_ATOMS];
} model;

#define NOWHERE UINT32_MAX

static uint64_t random_state;

static uint32_t below(uint32_t bound)
{
    return random_below(&random_state, bound);
}

/* ---- random models ---- */

static void random_model(model *expected_model)
{
    *expected_model = (model){.states = 1 + below(MOST_STATES),
                              .propositions = below(MOST_PROPOSITIONS + 1),
                              .sets = below(MOST_SETS + 1),
                              .epsilon_at = NOWHERE};
    bool with_epsilon = below(3) == 0;
    uint32_t density = 1 + below(4);
    expected_model->initial = below(1u << expected_model->states);
    if (with_epsilon)
        expected_model->epsilon_at = below(expected_model->propositions + 1);
    for (uint32_t s = 0; s < expected_model->states; s++)
        for (uint32_t t = 0; t < expected_model->states; t++) {
            for (uint32_t letter = 0; letter < MOST_LETTERS; letter++)
                expected_model->transition[s][letter][t] =
                    below(4) < density ? (int)below(1u << expected_model->sets) : NO_EDGE;
            expected_model->epsilon[s][t] =
                with_epsilon && below(4) == 0 ? (int)below(1u << expected_model->sets) : NO_EDGE;
        }
    expected_model->atom_count = expected_model->sets == 0 ? 0 : below(MOST_ATOMS + 1);
    for (uint32_t i = 0; i < expected_model->atom_count; i++)
        expected_model->atoms[i] = (atom){.is_inf = below(2) == 0,
                                          .is_complement = below(3) == 0,
                                          .is_and = below(2) == 0,
                                          .set = below(expected_model->sets)};
}

/* The condition of a model, for the transitions that are taken infinitely often. */
static bool model_accepts(const model *expected_model, uint32_t some, uint32_t all)
{
    bool value = true; /* without atoms the condition is t */
    for (uint32_t i = 0; i < expected_model->atom_count; i++) {
        const atom *a = &expected_model->atoms[i];
        /* some: the union of their sets; all: the intersection. */
        bool occurs = a->is_complement ? ((all >> a->set) & 1) == 0 : ((some >> a->set) & 1) != 0;
        bool own = a->is_inf ? occurs : !occurs;
        value = i == 0 ? own : a->is_and ? value && own : value || own;
    }
    return value;
}

/* ---- writing in all ways ---- */

static void blank(base_text *text)
{
    static const char *const blanks[] = {" ",         "\n",   "\t",
                                         " /* c */ ", "\r\n", " /*/* } */--END--*/ "};
    base_text_add(text, blanks[below(8) < 6 ? 0 : below(6)]);
}

/* The proposition's number in the file. */
static uint32_t in_file(const model *expected_model, uint32_t proposition)
{
    return proposition >= expected_model->epsilon_at ? proposition + 1 : proposition;
}

static void write_proposition(base_text *text, const model *expected_model, uint32_t proposition)
{
    if (below(3) == 0)
        base_text_format(text, "@p-%u.x", proposition);
    else
        base_text_format(text, "%u", in_file(expected_model, proposition));
}

/* Writes a random formula for the function that is true for these letters. */
static void write_function(base_text *text, const model *expected_model, uint32_t letters)
{
    uint32_t count = 1u << expected_model->propositions, all = (1u << count) - 1;
    if ((letters & all) == all || (letters & all) == 0) {
        base_text_add(text, (letters & all) == 0 ? "f" : "t");
        return;
    }
    if (below(4) == 0) {
        base_text_add(text, "!(");
        blank(text);
        write_function(text, expected_model, ~letters);
        base_text_add(text, ")");
        return;
    }
    bool first = true;
    for (uint32_t letter = 0; letter < count; letter++) {
        if (((letters >> letter) & 1) == 0)
            continue;
        base_text_add(text, first ? "" : "|");
        first = false;
        bool parenthesis = below(2) == 0;
        base_text_add(text, parenthesis ? "(" : "");
        for (uint32_t p = 0; p < expected_model->propositions; p++) {
            base_text_add(text, p > 0 ? "&" : "");
            base_text_add(text, (letter >> p) & 1 ? (below(4) == 0 ? "!!" : "") : "!");
            write_proposition(text, expected_model, p);
            blank(text);
        }
        base_text_add(text, parenthesis ? ")" : "");
    }
}

static void write_label(base_text *text, const model *expected_model, uint32_t letters)
{
    base_text_add(text, "[");
    if (expected_model->epsilon_at != NOWHERE && below(2) == 0)
        base_text_format(text, "!%u & (", expected_model->epsilon_at);
    else
        base_text_add(text, "(");
    write_function(text, expected_model, letters);
    base_text_add(text, ")]");
    blank(text);
}

static void write_sets(base_text *text, int sets)
{
    if (sets == 0 && below(2) == 0)
        return;
    base_text_add(text, "{");
    for (uint32_t i = MOST_SETS; i-- > 0;)
        if ((sets >> i) & 1)
            base_text_format(text, " %u", i);
    base_text_add(text, "}");
}

/* A random subset of the acceptance sets that all transitions of a state are in, to be written as those of
 * the state. */
static int common_sets(const model *expected_model, uint32_t s)
{
    int common = (int)below(1u << expected_model->sets);
    for (uint32_t t = 0; t < expected_model->states; t++) {
        for (uint32_t letter = 0; letter < 1u << expected_model->propositions; letter++)
            common &= expected_model->transition[s][letter][t];
        common &= expected_model->epsilon[s][t];
    }
    return common; /* NO_EDGE has all bits */
}

/* Whether labels can be implicit: there is one target for each letter. */
static bool can_be_implicit(const model *expected_model, uint32_t s)
{
    for (uint32_t letter = 0; letter < 1u << expected_model->propositions; letter++) {
        uint32_t targets = 0;
        for (uint32_t t = 0; t < expected_model->states; t++)
            targets += expected_model->transition[s][letter][t] != NO_EDGE;
        if (targets != 1)
            return false;
    }
    return expected_model->epsilon_at == NOWHERE;
}

/* Whether the state can have the label: all edges have the same letters. */
static bool can_have_label(const model *expected_model, uint32_t s, uint32_t *letters)
{
    bool any = false;
    *letters = 0;
    for (uint32_t t = 0; t < expected_model->states; t++) {
        uint32_t own = 0;
        int sets = NO_EDGE;
        for (uint32_t letter = 0; letter < 1u << expected_model->propositions; letter++) {
            if (expected_model->transition[s][letter][t] == NO_EDGE)
                continue;
            own |= 1u << letter;
            if (sets != NO_EDGE && sets != expected_model->transition[s][letter][t])
                return false;
            sets = expected_model->transition[s][letter][t];
        }
        if (expected_model->epsilon[s][t] != NO_EDGE || (own != 0 && any && own != *letters))
            return false;
        any = any || own != 0;
        *letters = own != 0 ? own : *letters;
    }
    return any;
}

static void write_implicit(base_text *text, const model *expected_model, uint32_t s, int common)
{
    for (uint32_t letter = 0; letter < 1u << expected_model->propositions; letter++)
        for (uint32_t t = 0; t < expected_model->states; t++)
            if (expected_model->transition[s][letter][t] != NO_EDGE) {
                base_text_format(text, "%u ", t);
                write_sets(text, expected_model->transition[s][letter][t] & ~common);
                blank(text);
            }
}

static void write_explicit(base_text *text, const model *expected_model, uint32_t s, int common)
{
    for (uint32_t t = 0; t < expected_model->states; t++) {
        for (int sets = 0; sets < 1 << expected_model->sets; sets++) {
            uint32_t letters = 0;
            for (uint32_t letter = 0; letter < 1u << expected_model->propositions; letter++)
                letters |= (uint32_t)(expected_model->transition[s][letter][t] == sets) << letter;
            if (letters == 0 && below(8) != 0)
                continue;
            uint32_t part = below(2) == 0 ? letters & below(1u << MOST_LETTERS) : 0;
            if (part != 0) { /* as two edges */
                write_label(text, expected_model, part);
                base_text_format(text, "%u", t);
                write_sets(text, sets & ~common);
                blank(text);
            }
            write_label(text, expected_model, letters);
            base_text_format(text, "%u", t);
            write_sets(text, sets & ~common);
            blank(text);
        }
        if (expected_model->epsilon[s][t] != NO_EDGE) {
            base_text_format(text, "[%u & t] %u", expected_model->epsilon_at, t);
            write_sets(text, expected_model->epsilon[s][t] & ~common);
            blank(text);
        }
    }
}

static void write_state_labelled(base_text *text, const model *expected_model, uint32_t s,
                                 int common)
{
    for (uint32_t t = 0; t < expected_model->states; t++)
        for (uint32_t letter = 0; letter < 1u << expected_model->propositions; letter++)
            if (expected_model->transition[s][letter][t] != NO_EDGE) {
                base_text_format(text, "%u", t);
                write_sets(text, expected_model->transition[s][letter][t] & ~common);
                blank(text);
                break;
            }
}

static void write_state(base_text *text, const model *expected_model, uint32_t s)
{
    int common = common_sets(expected_model, s);
    uint32_t letters, kind = below(3);
    bool labelled = kind == 1 && can_have_label(expected_model, s, &letters);
    base_text_add(text, "State:");
    blank(text);
    if (labelled)
        write_label(text, expected_model, letters);
    base_text_format(text, "%u ", s);
    if (below(3) == 0)
        base_text_format(text, "\"state %u\"", s);
    write_sets(text, common);
    blank(text);
    if (labelled)
        write_state_labelled(text, expected_model, s, common);
    else if (kind == 2 && can_be_implicit(expected_model, s))
        write_implicit(text, expected_model, s, common);
    else
        write_explicit(text, expected_model, s, common);
}

static void write_condition(base_text *text, const model *expected_model)
{
    if (expected_model->atom_count == 0)
        base_text_add(text, "t");
    for (uint32_t i = 0; i < expected_model->atom_count; i++)
        base_text_add(text, i + 1 < expected_model->atom_count ? "(" : "");
    for (uint32_t i = 0; i < expected_model->atom_count; i++) {
        const atom *a = &expected_model->atoms[i];
        if (i > 0)
            base_text_add(text, a->is_and ? "&" : "|");
        blank(text);
        base_text_format(text, "%s(%s%u)", a->is_inf ? "Inf" : "Fin", a->is_complement ? "!" : "",
                         a->set);
        base_text_add(text, i > 0 ? ")" : "");
    }
}

static void write_item(base_text *text, const model *expected_model, uint32_t item)
{
    switch (item) {
    case 0:
        if (below(4) != 0)
            base_text_format(text, "States: %u", expected_model->states);
        break;
    case 1:
        for (uint32_t s = expected_model->states; s-- > 0;)
            if ((expected_model->initial >> s) & 1)
                base_text_format(text, "Start: %u\n", s);
        break;
    case 2:
        base_text_format(text, "AP: %u",
                         expected_model->propositions + (expected_model->epsilon_at != NOWHERE));
        for (uint32_t i = 0; i <= expected_model->propositions; i++) {
            if (i == expected_model->epsilon_at)
                base_text_add(text, " \"epsilon\"");
            if (i < expected_model->propositions)
                base_text_format(text, " \"p%u\"", i);
        }
        break;
    case 3:
        for (uint32_t i = 0; i < expected_model->propositions; i++)
            base_text_format(text, "Alias: @p-%u.x %u\n", i, in_file(expected_model, i));
        break;
    case 4:
        base_text_format(text, "Acceptance: %u ", expected_model->sets);
        write_condition(text, expected_model);
        break;
    default:
        base_text_add(text, below(2) == 0 ? "tool: \"none\" \"1\" x-y: t 3 word" : "name: \"m\"");
    }
    blank(text);
}

static void write_model(base_text *text, const model *expected_model)
{
    uint32_t items[] = {0, 1, 2, 3, 4, 5}, states[MOST_STATES] = {0};
    for (uint32_t i = 6; i-- > 1;) {
        uint32_t j = below(i + 1), swap = items[i];
        items[i] = items[j];
        items[j] = swap;
    }
    for (uint32_t i = 0; i < expected_model->states; i++) {
        uint32_t j = below(i + 1);
        states[i] = states[j];
        states[j] = i;
    }
    base_text_add(text, "HOA: v1\n");
    for (uint32_t i = 0; i < 6; i++)
        write_item(text, expected_model, items[i]);
    base_text_add(text, "--BODY--");
    blank(text);
    for (uint32_t i = 0; i < expected_model->states; i++)
        write_state(text, expected_model, states[i]);
    base_text_add(text, "--END--");
    blank(text);
}

/* ---- comparison ---- */

/* Finds the marks of a transition that was read. Returns false if there is none. There must not be
 * several. */
static bool find_transition(const opac_automaton *read, uint32_t s, uint32_t letter, uint32_t t,
                            bool epsilon, uint64_t *marks)
{
    uint32_t count = 0;
    for (uint32_t i = read->edge_begin[s]; i < read->edge_begin[s + 1]; i++) {
        const aut_edge *edge = &read->edges[i];
        if (edge->target != t || (edge->label == AUT_EPSILON) != epsilon)
            continue;
        if (!epsilon && aut_bdd_evaluate(read->labels, edge->label, letter) == AUT_BDD_FALSE)
            continue;
        *marks = edge->marks;
        count++;
    }
    assert_true(count <= 1);
    return count == 1;
}

/* Compares all transitions, and the acceptance of random sets of them. */
static void compare(const opac_automaton *read, const model *expected_model)
{
    uint32_t some[64] = {0}, all[64];
    uint64_t seen[64] = {0};
    bool any[64] = {false};
    for (int i = 0; i < 64; i++)
        all[i] = UINT32_MAX;
    for (uint32_t s = 0; s < expected_model->states; s++)
        for (uint32_t t = 0; t < expected_model->states; t++)
            for (uint32_t letter = 0; letter <= 1u << expected_model->propositions; letter++) {
                bool epsilon = letter == 1u << expected_model->propositions;
                int sets = epsilon ? expected_model->epsilon[s][t]
                                   : expected_model->transition[s][letter][t];
                uint64_t marks;
                bool found = find_transition(read, s, letter, t, epsilon, &marks);
                assert_int_equal(found, sets != NO_EDGE);
                for (int i = 0; found && i < 64; i++)
                    if (below(6) == 0) {
                        any[i] = true;
                        some[i] |= (uint32_t)sets;
                        all[i] &= (uint32_t)sets;
                        seen[i] |= marks;
                    }
            }
    for (int i = 0; i < 64; i++)
        if (any[i])
            assert_int_equal(aut_condition_holds(&read->condition, seen[i]),
                             model_accepts(expected_model, some[i], all[i]));
}

static opac_automaton *read_one(const char *bytes, size_t length)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton, *none;
    opac_error error;
    assert_ok(opac_hoa_reader_new(bytes, length, NULL, NULL, &reader, &error), &error);
    opac_status status = opac_hoa_reader_next(reader, &automaton, &error);
    if (status != OPAC_OK)
        fail_msg("%u:%u %s in\n%s", error.line, error.column, error.message, bytes);
    assert_non_null(automaton);
    assert_ok(opac_hoa_reader_next(reader, &none, &error), &error);
    assert_null(none);
    assert_ok(opac_hoa_reader_next(reader, &none, &error),
              &error); /* also when called again at the end */
    assert_null(none);
    opac_hoa_reader_free(reader);
    return automaton;
}

static void automata_are_read(void **unused)
{
    random_state = random_seed(731);
    (void)unused;
    for (int round = 0; round < 4000; round++) {
        model expected_model;
        base_text text = {0};
        opac_error error;
        random_model(&expected_model);
        write_model(&text, &expected_model);
        opac_automaton *read = read_one(base_text_get(&text), text.length);
        assert_ok(aut_check(read, &error), &error);
        assert_int_equal(read->state_count, expected_model.states);
        assert_int_equal(read->proposition_count, expected_model.propositions);
        for (uint32_t s = 0, at = 0; s < expected_model.states; s++)
            if ((expected_model.initial >> s) & 1)
                assert_int_equal(read->initial[at++], s);
        compare(read, &expected_model);
        opac_automaton_free(read);
        base_text_fini(&text);
    }
}

/* ---- notices ---- */

static void take_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    base_text_format(context, "%u:%u %s\n", line, column, text);
}

static void expect_notices(const char *text, const char *expected)
{
    base_text list = {0};
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error;
    assert_ok(opac_hoa_reader_new(text, strlen(text), take_notice, &list, &reader, &error), &error);
    do {
        assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
        opac_automaton_free(automaton);
    } while (automaton != NULL);
    assert_string_equal(base_text_get(&list), expected);
    base_text_fini(&list);
    opac_hoa_reader_free(reader);
}

#define HEAD "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) "

static void doubtful_input_gives_notices(void **unused)
{
    (void)unused;
    expect_notices(HEAD "--BODY-- State: 0 [t] 0 --END--", "");
    expect_notices(HEAD "acc-name: Buchi --BODY-- State: 0 [t] 0 --END--", "");
    expect_notices(HEAD "\nacc-name: co-Buchi --BODY-- State: 0 [t] 0 --END--",
                   "2:11 'acc-name:' contradicts 'Acceptance:' and is ignored\n");
    expect_notices("HOA: v1 Start: 1 Acceptance: 0 t --BODY-- State: 0 [t] 1\n--END--",
                   "2:1 state 1 is not defined, so it accepts no word\n");
    expect_notices("HOA: v1 States: 4 Acceptance: 0 t --BODY-- State: 0\n--END--",
                   "2:1 3 states are not defined, the first is 1, so they accept no word\n");
    expect_notices(HEAD "\nFairness: \"x\" lower: 1 --BODY-- State: 0 [t] 0 --END--",
                   "2:1 the header 'Fairness:' is unknown and ignored, although it may change the "
                   "language of the automaton\n");
}

/* Each property, as a true and as a false claim. */
static void false_properties_give_notices(void **unused)
{
    static const struct {
        const char *property, *holds, *fails;
    } cases[] = {
        {"deterministic", "State: 0 [0] 0 [!0] 0 {0}", "State: 0 [0] 0 [t] 0 {0}"},
        {"complete", "State: 0 [0] 0 [!0] 0 {0}", "State: 0 [0] 0"},
        {"state-acc", "State: 0 {0} [0] 0", "State: 0 [0] 0 {0}"},
        {"trans-acc", "State: 0 [0] 0 {0}", "State: 0 {0} [0] 0"},
        {"state-labels", "State: [0] 0 0", "State: 0 [0] 0"},
        {"trans-labels", "State: 0 [0] 0", "State: [0] 0 0"},
        {"implicit-labels", "State: 0 0 0", "State: 0 [0] 0"},
        {"explicit-labels", "State: 0 [0] 0", "State: 0 0 0"},
        {"colored", "State: 0 [0] 0 {0}", "State: 0 [0] 0"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int denied = 0; denied < 2; denied++) {
            base_text text = {0}, notice = {0};
            const char *sign = denied ? "!" : "";
            base_text_format(&text, HEAD "properties: weak %s%s --BODY-- %s --END--", sign,
                             cases[i].property, denied ? cases[i].fails : cases[i].holds);
            expect_notices(base_text_get(&text), "");
            base_text_clear(&text);
            base_text_format(&text, HEAD "\nproperties: weak %s%s --BODY-- %s --END--", sign,
                             cases[i].property, denied ? cases[i].holds : cases[i].fails);
            base_text_format(&notice,
                             "2:18 the property '%s%s' does not hold for this automaton and is "
                             "ignored\n",
                             sign, cases[i].property);
            expect_notices(base_text_get(&text), base_text_get(&notice));
            base_text_fini(&text);
            base_text_fini(&notice);
        }
    expect_notices(HEAD "properties: no-univ-branch !univ-branch --BODY-- State: 0 --END--", "");
}

/* ---- names of acceptance conditions ---- */

static void names_fit_their_conditions(void **unused)
{
    static const struct {
        const char *name, *acceptance;
        bool fits;
    } cases[] = {
        {"all", "0 t", true},
        {"none", "0 f", true},
        {"Buchi", "1 Inf(0)", true},
        {"Buchi", "2 Inf(0)", false},
        {"Buchi", "1 Inf(!0)", false},
        {"Buchi 1", "1 Inf(0)", false},
        {"co-Buchi", "1 Fin(0)", true},
        {"generalized-Buchi 0", "0 t", true},
        {"generalized-Buchi 3", "3 Inf(2)&(Inf(1)&Inf(0))", true},
        {"generalized-Buchi 2", "3 Inf(2)&(Inf(1)&Inf(0))", false},
        {"generalized-co-Buchi 2", "2 Fin(0)|Fin(1)", true},
        {"generalized-co-Buchi 2", "2 Fin(0)&Fin(1)", false},
        {"Rabin 2", "4 (Fin(0)&Inf(1))|(Fin(2)&Inf(3))", true},
        {"Rabin 2", "4 (Inf(0)&Fin(1))|(Inf(2)&Fin(3))", false},
        {"Rabin 0", "0 f", true},
        {"Rabin", "0 f", false},
        {"Rabin 99999999999", "0 f", false},
        {"Streett 2", "4 (Fin(0)|Inf(1))&(Fin(2)|Inf(3))", true},
        {"generalized-Rabin 2 1 2", "5 (Fin(0)&Inf(1)) | (Fin(2)&Inf(3)&Inf(4))", true},
        {"generalized-Rabin 2 2 1", "5 (Fin(0)&Inf(1)) | (Fin(2)&Inf(3)&Inf(4))", false},
        {"generalized-Rabin 2 63 63", "0 f", false},
        {"generalized-Rabin 2 1", "2 Fin(0)&Inf(1)", false},
        {"parity min even 5", "5 Inf(0) | (Fin(1) & (Inf(2) | (Fin(3) & Inf(4))))", true},
        {"parity min even 3", "3 Inf(0) | (Fin(0)&Fin(1)&Inf(2))", true}, /* the older form */
        {"parity min odd 5", "5 Fin(0) & (Inf(1) | (Fin(2) & (Inf(3) | Fin(4))))", true},
        {"parity max even 5", "5 Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))", true},
        {"parity max odd 5", "5 Fin(4) & (Inf(3) | (Fin(2) & (Inf(1) | Fin(0))))", true},
        {"parity max odd 5", "5 Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))", false},
        {"parity max odd", "0 t", false},
        {"parity most odd 0", "0 t", false},
        {"parity max odd 0", "0 t", true},
        {"Muller 7", "0 t", true},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        base_text text = {0};
        base_text_format(&text, "HOA: v1\nacc-name: %s\nAcceptance: %s\n--BODY-- --END--",
                         cases[i].name, cases[i].acceptance);
        expect_notices(
            base_text_get(&text),
            cases[i].fits ? "" : "2:11 'acc-name:' contradicts 'Acceptance:' and is ignored\n");
        base_text_fini(&text);
    }
}

/* ---- single features ---- */

static void strings_are_unescaped(void **unused)
{
    static const char text[] =
        "HOA: v1 name: \"\\\"q\\\" \\\\ \\n\\t\\' é\" AP: 1 \"a[x] >= \\\"2\\\"\" "
        "Acceptance: 0 t --BODY-- State: 0 \"\" State: 1 \"x\ny\" --END--";
    (void)unused;
    opac_automaton *automaton = read_one(text, sizeof text - 1);
    assert_string_equal(opac_automaton_name(automaton), "\"q\" \\ \n\t' é");
    assert_string_equal(opac_automaton_proposition(automaton, 0), "a[x] >= \"2\"");
    assert_string_equal(automaton->state_names[0], "");
    assert_string_equal(automaton->state_names[1], "x\ny");
    assert_int_equal(automaton->initial_count, 0);
    opac_automaton_free(automaton);
}

static void streams_hold_several_automata(void **unused)
{
    static const char text[] =
        "HOA: v1 name: \"one\" Acceptance: 0 t --BODY-- --END-- --ABORT-- HOA: v1 AP: 3 --ABORT--"
        "HOA: v1 States: 1 Acceptance: 0 t --BODY-- State: 0 [ --ABORT-- /* HOA: */ "
        "HOA: v1.1 name: \"two\" Acceptance: 0 t --BODY-- --END-- HOA: --ABORT--\n% HOA: v1";
    static const char *const names[] = {"one", "two"};
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error;
    (void)unused;
    assert_ok(opac_hoa_reader_new(text, sizeof text - 1, NULL, NULL, &reader, &error), &error);
    for (int i = 0; i < 2; i++) {
        assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
        assert_string_equal(opac_automaton_name(automaton), names[i]);
        opac_automaton_free(automaton);
    }
    assert_status(opac_hoa_reader_next(reader, &automaton, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.message, "unexpected character '%'");
    opac_hoa_reader_free(reader);
    opac_hoa_reader_free(NULL);
}

/* A label and a condition that are a hundred thousand levels deep. */
static void deep_nesting_is_read(void **unused)
{
    enum {
        DEPTH = 100000
    };
    base_text text = {0};
    (void)unused;
    base_text_add(&text, "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 ");
    for (int i = 0; i < DEPTH; i++)
        base_text_add(&text, "(");
    base_text_add(&text, "Inf(0)");
    for (int i = 0; i < DEPTH; i++)
        base_text_add(&text, ")");
    base_text_add(&text, " --BODY-- State: 0 [");
    for (int i = 0; i < DEPTH; i++)
        base_text_add(&text, i % 2 == 0 ? "!(0 & " : "!(1 | ");
    base_text_add(&text, "0");
    for (int i = 0; i < DEPTH; i++)
        base_text_add(&text, ")");
    base_text_add(&text, "] 0 /*");
    for (int i = 0; i < DEPTH; i++)
        base_text_add(&text, "/*");
    for (int i = 0; i < DEPTH; i++)
        base_text_add(&text, "*/");
    base_text_add(&text, "*/ --END--");
    opac_automaton *automaton = read_one(base_text_get(&text), text.length);
    /* !(0 & !(1 | x)) is !0 | 1 | x. */
    for (uint64_t letter = 0; letter < 4; letter++) {
        bool a = letter & 1, b = letter >> 1, value = a;
        for (int i = DEPTH; i-- > 0;)
            value = i % 2 == 0 ? !(a && value) : !(b || value);
        assert_int_equal(aut_bdd_evaluate(automaton->labels, automaton->edges[0].label, letter),
                         value);
    }
    opac_automaton_free(automaton);
    base_text_fini(&text);
}

/* A long text may have more states than the default limit. */
static void long_texts_may_have_many_states(void **unused)
{
    enum {
        STATES = 1100000
    };
    base_text text = {0};
    (void)unused;
    base_text_format(&text, "HOA: v1 States: %d Start: 0 Acceptance: 0 t --BODY--", STATES);
    for (int i = 0; i < STATES; i++)
        base_text_format(&text, "State: %d 0\n", i);
    base_text_add(&text, "--END--");
    opac_automaton *automaton = read_one(base_text_get(&text), text.length);
    assert_int_equal(opac_automaton_states(automaton), STATES);
    assert_int_equal(opac_automaton_edges(automaton), STATES);
    assert_true(opac_automaton_is_deterministic(automaton));
    opac_automaton_free(automaton);
    base_text_fini(&text);
}

static opac_status work(void *context, opac_error *error)
{
    static const char text[] =
        "HOA: v1 name: \"n\" tool: \"x\" States: 3 Start: 0 Start: 2 AP: 3 \"a\" \"epsilon\" \"b\" "
        "Alias: @a 0 & !2 acc-name: Streett 1 Acceptance: 2 Fin(0) | (Inf(1) & Inf(!1)) "
        "properties: deterministic Foo: 3 --BODY-- "
        "State: 0 \"zero\" {1} [@a | 2] 1 [!1 & !2] 2 {0} [1] 2 State: [2] 1 \"one\" 0 1 --END--";
    base_text list = {0};
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    (void)context;
    opac_status status =
        opac_hoa_reader_new(text, sizeof text - 1, take_notice, &list, &reader, error);
    if (status != OPAC_OK)
        return status;
    status = opac_hoa_reader_next(reader, &automaton, error);
    opac_automaton_free(automaton);
    opac_hoa_reader_free(reader);
    if (status == OPAC_OK)
        status = base_text_check(&list, error);
    base_text_fini(&list);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    assert_true(faults_sweep(work, NULL) > 40);
}

SUITE(hoa_read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(automata_are_read),
        cmocka_unit_test(doubtful_input_gives_notices),
        cmocka_unit_test(false_properties_give_notices),
        cmocka_unit_test(names_fit_their_conditions),
        cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(streams_hold_several_automata),
        cmocka_unit_test(deep_nesting_is_read),
        cmocka_unit_test(long_texts_may_have_many_states),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("hoa_read", tests, NULL, NULL);
}
