/* SPDX-License-Identifier: MIT */
/*
 * Compares random programs with an explorer that follows the definition of the language directly: no guard
 * trees, packing, hashing or batches. States, choices and branches must be the same, in the same order, or
 * both must fail.
 */
#include "exploring.h"
#include "naive.h"
#include "support/invariants.h"
#include "support/random.h"

enum {
    MAX_VARIABLES = 12,
    MAX_STATES = 400,
    MAX_MODULES = 3
};

/* ---- random programs ---- */

typedef struct writer {
    base_text text;
    uint64_t random;
    char names[MAX_VARIABLES][8];
    unsigned high[MAX_VARIABLES]; /* 0 for a bool */
    unsigned count;
    unsigned begin[MAX_MODULES + 1]; /* of the variables of modules */
    bool chain;
} writer;

static unsigned draw(writer *w, unsigned bound)
{
    return random_below(&w->random, bound);
}

/* A random variable of the kind; there is at least one of each. */
static const char *some(writer *w, bool is_bool, unsigned from, unsigned to)
{
    unsigned at = from + draw(w, to - from);
    for (unsigned i = 0; i < to - from; i++, at = at + 1 < to ? at + 1 : from)
        if ((w->high[at] == 0) == is_bool)
            break;
    return w->names[at];
}

static void add_test(writer *w)
{
    static const char *const operators[] = {"=", "!=", "<", "<=", ">", ">="};
    const char *x = some(w, false, 0, w->count), *y = some(w, false, 0, w->count);
    const char *b = some(w, true, 0, w->count);
    const char *op = operators[draw(w, 6)];
    switch (draw(w, 12)) {
    case 0:
        base_text_format(&w->text, "(%s | %s%s%u)", b, x, op, draw(w, 4));
        break;
    case 1:
        base_text_format(&w->text, "%s%s", draw(w, 2) ? "!" : "", b);
        break;
    case 2:
        base_text_format(&w->text, "%s%s%s", x, op, y);
        break;
    case 3:
        base_text_format(&w->text, "%s+%s%s%u", x, y, op, draw(w, 6));
        break;
    case 4:
        base_text_format(&w->text, "(%s ? %s=1 : %s%s2)", b, x, y, op);
        break;
    case 5:
        if (draw(w, 6) == 0)
            base_text_format(&w->text, "mod(7,%s+%s)<5", x, y);
        else
            base_text_format(&w->text, "(%s=>%s<%s/2+1)", b, x, y);
        break;
    case 6:
        base_text_format(&w->text, "(%s=1|%s=%u)", x, x, draw(w, 4));
        break;
    default:
        base_text_format(&w->text, "%s%s%u", x, draw(w, 2) ? "=" : op, draw(w, 4));
        break;
    }
}

static void add_guard(writer *w)
{
    unsigned parts = draw(w, 4);
    if (parts == 0)
        base_text_add(&w->text, "true");
    for (unsigned i = 0; i < parts; i++) {
        base_text_add(&w->text, i > 0 ? " & " : "");
        add_test(w);
    }
}

static void add_assignment(writer *w, unsigned v)
{
    const char *x = w->names[v], *y = some(w, false, 0, w->count);
    unsigned high = w->high[v];
    base_text_format(&w->text, "(%s'=", x);
    if (high == 0)
        base_text_format(&w->text, draw(w, 2) ? "!%s" : "%s", some(w, true, 0, w->count));
    else if (draw(w, 60) == 0)
        base_text_format(&w->text, "%s+1", x); /* may leave the range */
    else if (draw(w, 3) == 0)
        base_text_format(&w->text, "mod(%s+%s,%u)", x, y, high + 1);
    else if (draw(w, 2) == 0)
        base_text_format(&w->text, "min(%s+1,%u)", y, high);
    else
        base_text_format(&w->text, "%u", draw(w, high + 1));
    base_text_add(&w->text, ")");
}

static void add_update(writer *w, unsigned from, unsigned to)
{
    bool any = false;
    for (unsigned v = from; v < to; v++)
        if (draw(w, 2) == 0) {
            base_text_add(&w->text, any ? "&" : "");
            add_assignment(w, v);
            any = true;
        }
    base_text_add(&w->text, any ? "" : "true");
}

static void add_branches(writer *w, unsigned from, unsigned to)
{
    static const char *const weights[][4] = {{"1", NULL},
                                             {"0.5", "0.5", NULL},
                                             {"1/3", "1/3", "1/3", NULL},
                                             {"0.25", "0", "0.75", NULL},
                                             {"X/4", "1-X/4", NULL}};
    unsigned kind = draw(w, 5);
    const char *x = some(w, false, from, to);
    for (unsigned i = 0; i < 4 && weights[kind][i] != NULL; i++) {
        base_text_add(&w->text, i > 0 ? " + " : "");
        for (const char *c = weights[kind][i]; *c != '\0'; c++)
            if (*c == 'X')
                base_text_add(&w->text, x);
            else
                base_text_add_char(&w->text, *c);
        base_text_add(&w->text, ":");
        add_update(w, from, to);
    }
}

static void add_module(writer *w, unsigned m)
{
    static const char *const actions[] = {"", "", "a", "b"};
    unsigned commands = 1 + draw(w, 6);
    base_text_format(&w->text, "module m%u\n", m);
    for (unsigned v = w->begin[m]; v < w->begin[m + 1]; v++) {
        if (w->high[v] == 0)
            base_text_format(&w->text, "  %s : bool;\n", w->names[v]);
        else
            base_text_format(&w->text, "  %s : [0..%u];\n", w->names[v], w->high[v]);
    }
    for (unsigned c = 0; c < commands; c++) {
        base_text_format(&w->text, "  [%s] ", actions[draw(w, 4)]);
        add_guard(w);
        base_text_add(&w->text, " -> ");
        add_branches(w, w->begin[m], w->begin[m + 1]);
        base_text_add(&w->text, ";\n");
    }
    base_text_add(&w->text, "endmodule\n");
}

static void write_program(writer *w)
{
    unsigned modules = 1 + draw(w, MAX_MODULES);
    w->chain = draw(w, 3) == 0;
    base_text_add(&w->text, w->chain ? "dtmc\n" : "mdp\n");
    for (unsigned m = 0; m < modules; m++) {
        w->begin[m] = w->count;
        for (unsigned i = 0; i < 3; i++, w->count++) {
            snprintf(w->names[w->count], sizeof w->names[0], "v%u", w->count);
            w->high[w->count] = i == 1 ? 0 : 1 + draw(w, 4);
        }
    }
    w->begin[modules] = w->count;
    for (unsigned m = 0; m < modules; m++)
        add_module(w, m);
    if (draw(w, 3) == 0) {
        base_text_add(&w->text, "init ");
        add_guard(w);
        base_text_add(&w->text, " endinit\n");
    }
}

/* ---- the naive explorer ---- */

typedef struct branch {
    int64_t values[MAX_VARIABLES];
    double probability;
} branch;

BASE_VEC(branch_vec, branch);

typedef struct oracle {
    const prism_program *program;
    int64_t states[MAX_STATES][MAX_VARIABLES];
    uint32_t count;
    base_text text; /* in the format of exploring_write */
    bool fails, too_many;
} oracle;

static naive_value ask(const prism_expression *expression, const int64_t *values)
{
    naive n = {expression->nodes, values};
    return naive_evaluate(&n, expression->count - 1);
}

static uint32_t number_of(oracle *o, const int64_t *values)
{
    size_t bytes = o->program->variable_count * sizeof *values;
    for (uint32_t i = 0; i < o->count; i++)
        if (memcmp(o->states[i], values, bytes) == 0)
            return i;
    if (o->count == MAX_STATES) {
        o->too_many = true;
        return 0;
    }
    memcpy(o->states[o->count], values, bytes);
    return o->count++;
}

/* Multiplies the branches so far with the branches of the command. */
static void follow(oracle *o, const prism_command *command, const int64_t *old, branch_vec *all)
{
    branch_vec next = {0};
    double sum = 0;
    for (size_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < command->branch_count; k++) {
            const prism_branch *from = &command->branches[k];
            branch made = all->items[i];
            double p = from->probability.count == 0 ? 1 : ask(&from->probability, old).real;
            sum += p;
            o->fails |= !(p >= 0 && p <= 1);
            if (p == 0)
                continue;
            made.probability *= p;
            for (uint32_t a = 0; a < from->assignment_count; a++) {
                const prism_variable *v = &o->program->variables[from->assignments[a].variable];
                naive_value value = ask(&from->assignments[a].value, old);
                o->fails |= value.fails || value.integer < v->low || value.integer > v->high;
                made.values[from->assignments[a].variable] = value.integer;
            }
            assert_int_equal(branch_vec_push(&next, made, NULL), OPAC_OK);
        }
    o->fails |= fabs(sum / (double)all->count - 1) > 1e-5;
    branch_vec_fini(all);
    *all = next;
}

/* Adds all choices of a synchronisation, the first part slowest; choice[] are commands of its parts. */
static void step(oracle *o, const prism_synchronisation *of, const int64_t *values,
                 base_u32_vec *actions, base_u32_vec *ends, branch_vec *branches)
{
    const prism_program *program = o->program;
    uint32_t choice[MAX_MODULES] = {0};
    for (;;) {
        bool enabled = true;
        for (uint32_t p = 0; p < of->part_count; p++) {
            const prism_module *module = &program->modules[of->parts[p].module];
            if (choice[p] >= module->command_count)
                return;
            const prism_command *command = &module->commands[choice[p]];
            enabled &=
                command->action == of->parts[p].action && ask(&command->guard, values).integer != 0;
        }
        if (enabled) {
            branch_vec all = {0};
            branch start = {.probability = 1};
            memcpy(start.values, values, program->variable_count * sizeof *values);
            assert_int_equal(branch_vec_push(&all, start, NULL), OPAC_OK);
            for (uint32_t p = 0; p < of->part_count; p++)
                follow(o, &program->modules[of->parts[p].module].commands[choice[p]], values, &all);
            for (size_t i = 0; i < all.count; i++)
                assert_int_equal(branch_vec_push(branches, all.items[i], NULL), OPAC_OK);
            assert_int_equal(base_u32_vec_push(actions, of->action, NULL), OPAC_OK);
            assert_int_equal(base_u32_vec_push(ends, (uint32_t)branches->count, NULL), OPAC_OK);
            branch_vec_fini(&all);
        }
        uint32_t p = of->part_count;
        while (p-- > 0) {
            if (++choice[p] < program->modules[of->parts[p].module].command_count)
                break;
            if (p == 0)
                return;
            choice[p] = 0;
        }
    }
}

/* A guard that cannot be evaluated is an error even if the command is not used. */
static void check_guards(oracle *o, const int64_t *values)
{
    for (uint32_t m = 0; m < o->program->module_count; m++)
        for (uint32_t c = 0; c < o->program->modules[m].command_count; c++)
            o->fails |= ask(&o->program->modules[m].commands[c].guard, values).fails;
}

static void write_choice(oracle *o, const char *action, const branch *branches, size_t count,
                         double share)
{
    uint32_t targets[MAX_STATES];
    double sums[MAX_STATES];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t target = number_of(o, branches[i].values);
        size_t at = 0;
        while (at < kept && targets[at] != target)
            at++;
        if (at == kept) {
            targets[kept] = target;
            sums[kept++] = 0;
        }
        sums[at] += branches[i].probability * share;
    }
    base_text_format(&o->text, "%s>", action);
    for (size_t i = 0; i < kept; i++) {
        char number[64];
        snprintf(number, sizeof number, "%.10g", sums[i]);
        base_text_format(&o->text, "%s%u:", i > 0 ? "," : "", targets[i]);
        base_text_add(&o->text, number);
    }
}

static void write_choices(oracle *o, const base_u32_vec *actions, const base_u32_vec *ends,
                          const branch_vec *branches, const int64_t *values)
{
    const prism_program *program = o->program;
    if (ends->count == 0) {
        branch loop = {.probability = 1};
        memcpy(loop.values, values, program->variable_count * sizeof *values);
        write_choice(o, "", &loop, 1, 1);
    } else if (program->type == OPAC_MODEL_DTMC) {
        write_choice(o, "", branches->items, branches->count, 1.0 / (double)ends->count);
    } else {
        for (size_t i = 0; i < ends->count; i++) {
            uint32_t begin = i > 0 ? ends->items[i - 1] : 0;
            base_text_add(&o->text, i > 0 ? " " : "");
            write_choice(o, program->actions[actions->items[i]], branches->items + begin,
                         ends->items[i] - begin, 1);
        }
    }
    base_text_add(&o->text, "\n");
}

static void expand(oracle *o, uint32_t number)
{
    const int64_t *values = o->states[number];
    base_u32_vec actions = {0}, ends = {0};
    branch_vec branches = {0};
    for (uint32_t v = 0; v < o->program->variable_count; v++)
        base_text_format(&o->text, "%s=%lld ", o->program->variables[v].name, (long long)values[v]);
    check_guards(o, values);
    for (uint32_t i = 0; i < o->program->step_count && !o->fails; i++)
        step(o, &o->program->steps[i], values, &actions, &ends, &branches);
    if (!o->fails)
        write_choices(o, &actions, &ends, &branches, values);
    base_u32_vec_fini(&actions);
    base_u32_vec_fini(&ends);
    branch_vec_fini(&branches);
}

/*
 * Enumerates all valuations. If the condition fails for one of them, the explorer may or may not evaluate it
 * there; then the results are not compared.
 */
static void find_initial(oracle *o)
{
    const prism_program *program = o->program;
    int64_t values[MAX_VARIABLES];
    for (uint32_t v = 0; v < program->variable_count; v++)
        values[v] =
            program->initial.count > 0 ? program->variables[v].low : program->variables[v].initial;
    for (;;) {
        naive_value holds =
            program->initial.count > 0 ? ask(&program->initial, values) : naive_whole(1);
        o->too_many |= holds.fails;
        if (!holds.fails && holds.integer != 0)
            number_of(o, values);
        uint32_t v = program->variable_count;
        while (v > 0 && values[v - 1] == program->variables[v - 1].high) {
            values[v - 1] = program->variables[v - 1].low;
            v--;
        }
        if (v == 0 || program->initial.count == 0 || o->too_many)
            break;
        values[v - 1]++;
    }
    o->fails |= o->count == 0 && !o->too_many;
}

/* ---- the comparison ---- */

typedef struct tally {
    unsigned same, failed, large; /* too large, or not comparable */
} tally;

static void compare(const char *text, oracle *o, tally *t)
{
    opac_model *model;
    opac_error error = {0};
    base_text written = {0};
    opac_status status = exploring_run(text, NULL, &model, NULL, &error);
    if (o->fails) {
        if (status != OPAC_ERROR_ARGUMENT)
            fail_msg("no error in\n%s", text);
        t->failed++;
        return;
    }
    if (status != OPAC_OK)
        fail_msg("%s\n%u:%u %s", text, error.line, error.column, error.message);
    assert_ok(model_check(model, &error), &error);
    exploring_write(model, &written);
    if (strcmp(base_text_get(&written), base_text_get(&o->text)) != 0)
        fail_msg("%s\nmade\n%s\nexpected\n%s", text, base_text_get(&written),
                 base_text_get(&o->text));
    t->same++;
    base_text_fini(&written);
    opac_model_free(model);
}

static void one_round(uint64_t seed, oracle *o, tally *t)
{
    writer w = {.random = seed};
    prism_program program;
    write_program(&w);
    reading_program(base_text_get(&w.text), NULL, &program);
    o->program = &program;
    o->count = 0;
    o->fails = o->too_many = false;
    base_text_clear(&o->text);
    find_initial(o);
    for (uint32_t i = 0; i < o->count && !o->fails && !o->too_many; i++)
        expand(o, i);
    if (o->too_many)
        t->large++;
    else
        compare(base_text_get(&w.text), o, t);
    prism_program_fini(&program);
    base_text_fini(&w.text);
}

static void agrees_with_naive_explorer(void **state)
{
    uint64_t random = random_seed(4);
    const uint32_t rounds = random_rounds(500, 1500);
    oracle *o = calloc(1, sizeof *o);
    tally t = {0};
    (void)state;
    assert_non_null(o);
    for (uint32_t round = 0; round < rounds; round++)
        one_round(random_u64(&random), o, &t);
    base_text_fini(&o->text);
    free(o);
    print_message("%u the same, %u failed, %u too large\n", t.same, t.failed, t.large);
    assert_true(t.same > rounds / 2);
    assert_true(t.failed > rounds / 30);
    assert_true(t.large < rounds / 5);
}

SUITE(explore_random)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_naive_explorer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
