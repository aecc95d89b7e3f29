/* SPDX-License-Identifier: MIT */
/*
 * Checks that long computations poll their cancel handle often, and end soon after a request.
 *
 * The program is linked with its own opac_cancel_requested (--wrap), which every poll of the library goes
 * through. It requests to stop from the n-th poll on, for several n, and counts the polls until the
 * function returns, which must be few for every n. With the sanitizers this also checks that everything
 * is released. The largest processor time between two polls is printed; the test fails only for a very
 * large gap, because tests must not depend on timing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <omegapac/drawing.h>
#include <omegapac/learning.h>

#include "base/text.h"
#include "check/scene.h"
#include "support/random.h"

static const uint64_t more_polls = 200; /* from the one that says stop to the end */
static const double longest_gap = 5;    /* seconds of processor time: beyond any doubt */

static struct {
    uint64_t polls, stop_at;
    double last, gap; /* seconds */
} watch;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(void)
{
    double now = processor_seconds();
    watch.gap = fmax(watch.gap, now - watch.last);
    watch.last = now;
}

bool __wrap_opac_cancel_requested(const opac_cancel *cancel);
bool __wrap_opac_cancel_requested(const opac_cancel *cancel)
{
    if (cancel == NULL)
        return false;
    measure();
    return ++watch.polls >= watch.stop_at;
}

/* Something that can take long. */
typedef opac_status (*computation)(const void *context, const opac_cancel *cancel,
                                   opac_error *error);

static void run_family(const char *name, computation compute, const void *context)
{
    static const uint64_t stops[] = {1, 2, 7, 40, 300, 2000, 10000};
    uint32_t count = random_rounds(4, sizeof stops / sizeof *stops);
    opac_cancel *cancel;
    opac_error error = {0};
    double gap = 0;
    uint64_t polls = 0;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        watch.polls = 0;
        watch.stop_at = stops[i];
        watch.gap = 0;
        watch.last = processor_seconds();
        opac_status status = compute(context, cancel, &error);
        measure();
        gap = fmax(gap, watch.gap);
        polls = watch.polls;
        bool is_stopped = watch.polls >= watch.stop_at;
        if (is_stopped && status != OPAC_ERROR_CANCELLED)
            fail_msg("%s, stopped at poll %u: %s", name, (unsigned)stops[i],
                     opac_status_name(status));
        if (is_stopped && watch.polls > watch.stop_at + more_polls)
            fail_msg("%s: %u polls after the one that stopped it", name,
                     (unsigned)(watch.polls - watch.stop_at));
        if (!is_stopped)
            break;
    }
    if (polls < 2)
        fail_msg("%s: nothing polls", name);
    print_message("%-28s %6u polls, at most %7.1f ms apart\n", name, (unsigned)polls, 1e3 * gap);
    if (gap > longest_gap)
        fail_msg("%s: %g seconds without a poll", name, gap);
    opac_cancel_free(cancel);
}

/* ---- formulas ---- */

typedef struct question {
    const char *formula;
    opac_automaton_kind kind;
    opac_acceptance acceptance;
} question;

static opac_status translate(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const question *q = context;
    opac_formula *formula = scene_formula(q->formula);
    opac_automaton *automaton = NULL;
    const opac_automaton_options options = {
        .kind = q->kind, .acceptance = q->acceptance, .cancel = cancel};
    opac_status status = opac_automaton_translate(formula, &options, &automaton, error);
    opac_automaton_free(automaton);
    opac_formula_free(formula);
    return status;
}

static opac_status simplify(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const question *q = context;
    opac_formula *formula = scene_formula(q->formula), *simpler = NULL;
    opac_status status = opac_formula_simplify(formula, cancel, 0, &simpler, error);
    opac_formula_free(simpler);
    opac_formula_free(formula);
    return status;
}

/* A text that grows. */
typedef struct writing {
    char *text;
    size_t length, size;
} writing;

static void add(writing *w, const char *format, unsigned number)
{
    char piece[200];
    int length = snprintf(piece, sizeof piece, format, number, number, number, number);
    if (w->length + (size_t)length + 1 > w->size) {
        w->size = 2 * w->size + 1000;
        w->text = realloc(w->text, w->size);
        assert_non_null(w->text);
    }
    memcpy(w->text + w->length, piece, (size_t)length + 1);
    w->length += (size_t)length;
}

/* `item`, with a number, so many times, with `between`; with `close` as often behind a z. */
static char *repeat(const char *item, const char *between, unsigned count, const char *close)
{
    writing w = {0};
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            add(&w, between, 0);
        add(&w, item, i);
    }
    if (close != NULL)
        add(&w, "z", 0);
    for (unsigned i = 0; close != NULL && i < count; i++)
        add(&w, close, 0);
    return w.text;
}

static void formulas(void **state)
{
    static const struct {
        const char *name, *item, *between, *close;
        unsigned count;
    } families[] = {
        {"GF <-> GF", "G F a%u", " <-> ", NULL, 24},
        {"FG xor FG", "F G a%u", " xor ", NULL, 40},
        {"GF -> GF", "(G F a%u -> F G b%u)", " & ", NULL, 12},
        {"a U (b U ...)", "a%u U (", "", ")", 30},
        {"a W (b W ...)", "a%u W (", "", ")", 30},
        {"a R (b R ...)", "a%u R (", "", ")", 30},
        {"(a U b) & ...", "(a%u U b%u)", " & ", NULL, 24},
        {"(a U b) <-> ...", "(a%u U b%u)", " <-> ", NULL, 12},
        {"FG U xor", "F G (a%u U b%u)", " xor ", NULL, 10},
        {"G(a U (b U c)) & ...", "G (a%u U (b%u U c))", " & ", NULL, 12},
        {"FG(a U (b R c)) | ...", "F G (a%u U (b%u R c))", " | ", NULL, 12},
        {"a <-> b <-> ...", "a%u", " <-> ", NULL, 64},
        {"G(a -> F b) | ...", "G (a%u -> F b%u)", " | ", NULL, 20},
        {"F(a & X F(b & ...))", "F (a%u & X G (b%u | ", "", "))", 20},
        {"X a xor X X a", "X X a%u", " xor ", NULL, 30},
    };
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        question q = {.formula = repeat(families[i].item, families[i].between, families[i].count,
                                        families[i].close)};
        run_family(families[i].name, translate, &q);
        free((char *)q.formula);
    }
    question counting = {.formula = "F (a & X X X X X X X X X X X X X X X X X X X X X X a)"};
    run_family("F(a & X^22 a)", translate, &counting);
    question parity = {"(G F a -> G F b) & (G F c -> G F d) & (G F e -> G F f) & (G F g -> G F h) "
                       "& (G F i -> G F j)",
                       OPAC_KIND_DETERMINISTIC, OPAC_ACCEPTANCE_PARITY};
    run_family("Streett to parity", translate, &parity);
    parity.acceptance = OPAC_ACCEPTANCE_RABIN;
    run_family("Streett to Rabin", translate, &parity);
    question guess = {parity.formula, OPAC_KIND_LDBA, OPAC_ACCEPTANCE_ANY};
    run_family("Streett to LDBA", translate, &guess);
    question simple = {.formula = repeat("(a%u U (b%u R c%u))", " xor ", 20, NULL)};
    run_family("simplify xor", simplify, &simple);
    free((char *)simple.formula);
}

/* ---- automata ---- */

typedef struct conversion {
    opac_automaton *given;
    opac_acceptance acceptance;
    bool state_based;
    const char *text;
} conversion;

static opac_status convert(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const conversion *c = context;
    opac_automaton *made = NULL;
    const opac_automaton_options options = {
        .acceptance = c->acceptance, .state_based = c->state_based, .cancel = cancel};
    opac_status status = opac_automaton_convert(c->given, &options, &made, error);
    opac_automaton_free(made);
    return status;
}

static opac_status read_hoa(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const conversion *c = context;
    opac_hoa_reader *reader;
    opac_automaton *automaton = NULL;
    opac_status status = opac_hoa_reader_new(c->text, strlen(c->text), NULL, NULL, &reader, error);
    if (status != OPAC_OK)
        return status;
    opac_hoa_reader_set_cancel(reader, cancel);
    status = opac_hoa_reader_next(reader, &automaton, error);
    opac_hoa_reader_free(reader);
    opac_automaton_free(automaton);
    return status;
}

static opac_status draw(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const conversion *c = context;
    opac_output *out;
    assert_ok(opac_output_open_memory(&out, error), error);
    opac_status status = opac_automaton_write_svg(c->given, 0, cancel, out, error);
    opac_output_free(out);
    return status;
}

/* Deterministic over 4 propositions, states in a ring with chords, random marks. */
static char *random_hoa(unsigned states, unsigned marks, const char *term, const char *between)
{
    writing w = {0};
    uint64_t seed = random_seed(7);
    add(&w, "HOA: v1\nStates: %u\nStart: 0\nAP: 4 \"a\" \"b\" \"c\" \"d\"\n", states);
    add(&w, "Acceptance: %u ", marks);
    for (unsigned i = 0; i + 1 < marks; i += 2) {
        if (i > 0)
            add(&w, between, 0);
        add(&w, term, i);
        add(&w, "(%u))", i + 1);
    }
    add(&w, "\n--BODY--\n", 0);
    for (unsigned s = 0; s < states; s++) {
        add(&w, "State: %u\n", s);
        for (unsigned letter = 0; letter < 16; letter++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            add(&w, letter & 1 ? "[0&" : "[!0&", 0);
            add(&w, letter & 2 ? "1&" : "!1&", 0);
            add(&w, letter & 4 ? "2&" : "!2&", 0);
            add(&w, letter & 8 ? "3] " : "!3] ", 0);
            add(&w, "%u {", (s * 3 + 1 + (unsigned)(seed >> 40)) % states);
            for (unsigned m = 0; m < marks; m++)
                if ((seed >> (m % 60)) % 5 == 0)
                    add(&w, " %u", m);
            add(&w, "}\n", 0);
        }
    }
    add(&w, "--END--\n", 0);
    return w.text;
}

static void automata(void **state)
{
    static const struct {
        const char *name, *term, *between;
        unsigned states, marks;
    } families[] = {
        {"Streett of 24 marks", "(Fin(%u)|Inf", "&", 40, 24},
        {"Rabin of 24 marks", "(Fin(%u)&Inf", "|", 40, 24},
        {"CNF of 20 marks", "(Inf(%u)|Inf", "&", 300, 20},
        {"DNF of 20 marks", "(Fin(%u)&Fin", "|", 300, 20},
        {"DNF of 60 marks", "(Inf(%u)&Fin", "|", 60, 60},
    };
    static const opac_acceptance wanted[] = {OPAC_ACCEPTANCE_ANY, OPAC_ACCEPTANCE_PARITY,
                                             OPAC_ACCEPTANCE_RABIN};
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char *text = random_hoa(families[i].states, families[i].marks, families[i].term,
                                families[i].between);
        conversion c = {.text = text, .given = scene_automaton(text)};
        for (size_t j = 0; j < sizeof wanted / sizeof *wanted; j++) {
            char name[80];
            c.acceptance = wanted[j];
            snprintf(name, sizeof name, "%s to %s", families[i].name,
                     opac_acceptance_name(wanted[j]));
            run_family(name, convert, &c);
        }
        opac_automaton_free(c.given);
        free(text);
    }
    conversion large = {.text = random_hoa(3000, 4, "(Fin(%u)|Inf", "&"), .state_based = true};
    run_family("reading 3000 states", read_hoa, &large);
    large.given = scene_automaton(large.text);
    run_family("state-based, 3000 states", convert, &large);
    opac_automaton_free(large.given);
    free((char *)large.text);
    large.text = random_hoa(random_rounds(40, 100), 2, "(Fin(%u)|Inf", "&");
    large.given = scene_automaton(large.text);
    run_family("drawing", draw, &large);
    opac_automaton_free(large.given);
    free((char *)large.text);
}

/* Reading a formula of many operands, with and without many nodes. */
static opac_status read_formula(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const opac_formula_options options = {.cancel = cancel};
    opac_formula *formula = NULL;
    opac_status status = opac_formula_parse(context, &options, &formula, error);
    opac_formula_free(formula);
    return status;
}

static void long_formulas(void **state)
{
    static const char *const operands[] = {"a", "(F a | G b U c)"};
    (void)state;
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        base_text text = {0};
        opac_cancel *cancel;
        opac_error error = {0};
        for (unsigned j = 0; j < 50000; j++)
            base_text_format(&text, "%s%s", j > 0 ? " & " : "", operands[i]);
        assert_ok(opac_cancel_new(&cancel, &error), &error);
        watch.polls = 0;
        watch.stop_at = 2;
        assert_status(read_formula(base_text_get(&text), cancel, &error), OPAC_ERROR_CANCELLED);
        assert_string_equal(error.message, "stopped while reading the formula");
        run_family(i == 0 ? "a & a & ..." : "(F a | G b U c) & ...", read_formula,
                   base_text_get(&text));
        opac_cancel_free(cancel);
        base_text_fini(&text);
    }
}

/* ---- models ---- */

static opac_status read_model(const void *context, const opac_cancel *cancel, opac_error *error)
{
    opac_model *model = NULL;
    const opac_model_options options = {.cancel = cancel};
    const char *text = context;
    opac_status status =
        opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &options, &model, error);
    opac_model_free(model);
    return status;
}

/* Texts of many commands, and of many mistakes, are stopped while they are read. */
static void long_programs(void **state)
{
    static const char *const commands[] = {"[] x=0 -> (x'=1);\n", "[] x=0 -> ;\n"};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        base_text text = {0};
        opac_cancel *cancel;
        opac_error error = {0};
        base_text_add(&text, "mdp\nmodule m\n  x : [0..1];\n");
        for (unsigned j = 0; j < 20000; j++)
            base_text_add(&text, commands[i]);
        base_text_add(&text, "endmodule\n");
        assert_ok(opac_cancel_new(&cancel, &error), &error);
        for (uint64_t stop = 1; stop <= 3; stop++) {
            watch.polls = 0;
            watch.stop_at = stop;
            assert_status(read_model(base_text_get(&text), cancel, &error), OPAC_ERROR_CANCELLED);
            assert_non_null(strstr(error.message, "while reading the model"));
        }
        run_family(i == 0 ? "many commands: reading" : "many mistakes: reading", read_model,
                   base_text_get(&text));
        opac_cancel_free(cancel);
        base_text_fini(&text);
    }
}

static opac_status summarize(const void *context, const opac_cancel *cancel, opac_error *error)
{
    opac_model_summary summary;
    return opac_model_summarize(context, cancel, &summary, error);
}

static opac_status check(const void *context, const opac_cancel *cancel, opac_error *error)
{
    opac_formula *formula = scene_formula("(G F a) & F G b");
    const opac_objective objective = {.formula = formula};
    const opac_check_options options = {.threads = 1, .cancel = cancel};
    opac_solution *solution = NULL;
    opac_status status = opac_check(context, &objective, &options, &solution, error);
    opac_solution_free(solution);
    opac_formula_free(formula);
    return status;
}

static opac_status recurrence(const void *context, const opac_cancel *cancel, opac_error *error)
{
    opac_formula *formula = scene_formula("G F a");
    const opac_objective objective = {.formula = formula};
    const opac_recurrence_options options = {
        .epsilon = 0.1, .threads = 1, .samples = 100, .cancel = cancel};
    opac_recurrence found;
    opac_status status = opac_recurrence_time(context, &objective, &options, &found, error);
    opac_formula_free(formula);
    return status;
}

static opac_status evaluate(const void *context, const opac_cancel *cancel, opac_error *error)
{
    const opac_evaluation_options options = {.cancel = cancel};
    opac_evaluation *evaluation = NULL;
    opac_status status = opac_evaluate(context, NULL, &options, &evaluation, error);
    opac_evaluation_free(evaluation);
    return status;
}

/* With the model's graph: it is explored, drawn and solved. A run that is stopped has a result. */
static opac_status learn(const void *context, const opac_cancel *cancel, opac_error *error)
{
    opac_formula *formula = scene_formula("(G F a) & F G b");
    const opac_objective objective = {.formula = formula};
    opac_environment *environment;
    opac_learning *learning = NULL;
    assert_ok(opac_environment_of_model(context, NULL, &environment, error), error);
    const opac_learn_options options = {
        .epsilon = 0.1, .delta = 0.1, .graph = environment, .max_steps = 1000000, .cancel = cancel};
    opac_status status = opac_learn(environment, &objective, &options, &learning, error);
    /* A run that is stopped has a result; one that was over by then lacks only the value. */
    if (status == OPAC_OK && watch.polls >= watch.stop_at) {
        const opac_learn_report *report = opac_learning_report(learning);
        assert_true(report->end == OPAC_END_CANCELLED || report->value == report->lower);
        status = OPAC_ERROR_CANCELLED;
    }
    opac_learning_free(learning);
    opac_environment_free(environment);
    opac_formula_free(formula);
    return status;
}

/* A chain of n states, one end component after the other, and a dense process. */
static void models(void **state)
{
    static const char chain[] = "mdp\nmodule m\n"
                                "  s : [0..%u] init 0;\n"
                                "  [] s<%u -> 0.5 : (s'=s+1) + 0.5 : (s'=max(0,s-1));\n"
                                "  [] s<%u & mod(s,3)!=1 -> (s'=min(s+1,3*floor(s/3)+2));\n"
                                "  [] s=%u -> 0.9 : true + 0.1 : (s'=0);\n"
                                "endmodule\n"
                                "label \"a\" = mod(s,7)=0;\nlabel \"b\" = s>5;\n";
    static const char dense[] =
        "mdp\nmodule m\n"
        "  x : [0..%u] init 0;\n  y : [0..9] init 0;\n"
        "  [] true -> 0.3 : (x'=mod(7*x+y,%u)) & (y'=mod(x,10)) + 0.3 : (x'=mod(x+13*y,%u)) "
        "+ 0.4 : (y'=mod(3*y+1,10));\n"
        "  [] y>3 -> 0.5 : (x'=mod(x*x,%u)) + 0.5 : (y'=0);\n"
        "endmodule\n"
        "label \"a\" = x>10;\nlabel \"b\" = y<9;\n";
    static const struct {
        const char *name, *text;
        unsigned few, all;
    } families[] = {{"long chain", chain, 20000, 300000}, {"dense process", dense, 2000, 40000}};
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char text[1000], name[80];
        unsigned n = random_rounds(families[i].few, families[i].all);
        snprintf(text, sizeof text, families[i].text, n, n, n, n);
        snprintf(name, sizeof name, "%s: reading", families[i].name);
        run_family(name, read_model, text);
        opac_model *model = scene_model(text, false);
        snprintf(name, sizeof name, "%s: summary", families[i].name);
        run_family(name, summarize, model);
        snprintf(name, sizeof name, "%s: check", families[i].name);
        run_family(name, check, model);
        snprintf(name, sizeof name, "%s: recurrence", families[i].name);
        run_family(name, recurrence, model);
        snprintf(name, sizeof name, "%s: learn", families[i].name);
        run_family(name, learn, model);
        watch.stop_at = UINT64_MAX;
        opac_solution *solution =
            scene_property(model, "Pmax=? [ G F \"a\" ]", &(opac_check_options){.policy = true});
        opac_policy *policy;
        opac_error error = {0};
        assert_ok(opac_solution_policy(solution, &policy, &error), &error);
        snprintf(name, sizeof name, "%s: evaluate", families[i].name);
        run_family(name, evaluate, policy);
        opac_policy_free(policy);
        opac_solution_free(solution);
        opac_model_free(model);
    }
}

SUITE(polls)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas),      cmocka_unit_test(automata),      cmocka_unit_test(models),
        cmocka_unit_test(long_programs), cmocka_unit_test(long_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
