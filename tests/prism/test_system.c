/* SPDX-License-Identifier: MIT */
/*
 * Compares composition with a brute-force oracle: for random system expressions over up to five modules, the
 * oracle determines for every choice of an action or no action in each module which action the composition
 * has.
 */
#include "reading.h"
#include "support/random.h"

enum {
    MAX_MODULES = 5,
    ACTIONS = 3, /* a b c in modules; d comes by renaming */
    MAX_NODES = 24
};

/* ---- by hand ---- */

/* Steps as "a: m.a n.b", one a line. */
static void show_steps(const prism_program *program, base_text *text)
{
    for (uint32_t i = 0; i < program->step_count; i++) {
        const prism_synchronisation *step = &program->steps[i];
        base_text_format(text, "%s:", program->actions[step->action]);
        for (uint32_t k = 0; k < step->part_count; k++)
            base_text_format(text, " %s.%s", program->modules[step->parts[k].module].name,
                             program->actions[step->parts[k].action]);
        base_text_add(text, "\n");
    }
}

static void expect(const char *system, const char *steps)
{
    prism_program program;
    base_text text = {0}, shown = {0};
    base_text_format(&text,
                     "module m x:[0..1]; [b] true->true; [] true->true; [a] true->true; endmodule\n"
                     "module n y:[0..1]; [a] true->true; [] true->true; [a] x=1->true; endmodule\n"
                     "module o z:[0..1]; [a] true->true; [c] true->true; endmodule\n%s",
                     system);
    reading_program(base_text_get(&text), NULL, &program);
    show_steps(&program, &shown);
    assert_string_equal(base_text_get(&shown), steps);
    prism_program_fini(&program);
    base_text_fini(&text);
    base_text_fini(&shown);
}

static void steps_by_hand(void **state)
{
    (void)state;
    const char *all = ": m.\n: n.\nb: m.b\na: m.a n.a o.a\nc: o.c\n";
    expect("", all);
    expect("system m || n || o endsystem", all);
    expect("system o || (n || m) endsystem", all);
    expect("system m ||| n ||| o endsystem",
           ": m.\n: n.\nb: m.b\na: m.a\na: n.a\na: o.a\nc: o.c\n");
    expect("system (m ||| n) || o endsystem",
           ": m.\n: n.\nb: m.b\na: m.a o.a\na: n.a o.a\nc: o.c\n");
    expect("system (m |[b]| n) || o endsystem", ": m.\n: n.\na: m.a o.a\na: n.a o.a\nc: o.c\n");
    expect("system (m || n)/{a} || o endsystem", ": m.\n: n.\nb: m.b\na: o.a\nc: o.c\n: m.a n.a\n");
    expect("system (m{b<-c} || o) || n endsystem", ": m.\n: n.\na: m.a n.a o.a\nc: m.b o.c\n");
    expect("system m{a<-b} ||| n ||| o{c<-d} endsystem",
           ": m.\n: n.\nb: m.b\nb: m.a\na: n.a\na: o.a\nd: o.c\n");
    expect("system (m{a<-b,b<-a} || n) ||| o endsystem",
           ": m.\n: n.\nb: m.a\na: m.b n.a\na: o.a\nc: o.c\n");
}

/* ---- the oracle ---- */

typedef enum kind {
    MODULE,
    PARALLEL,
    INTERLEAVE,
    ON,
    HIDE,
    RENAME
} kind;

typedef struct node {
    kind kind;
    unsigned module, left, right; /* indices of the operands */
    unsigned set;                 /* a set of actions: 1 a, 2 b, 4 c, 8 d */
    unsigned from, to;            /* numbers of actions, from 1 */
} node;

typedef struct system {
    node nodes[MAX_NODES];
    unsigned count, modules;
    unsigned alphabet[MAX_MODULES];
    bool is_labelled_only[MAX_MODULES];
    uint64_t random;
} system_of;

/* The action of each module: UINT_MAX for none, 0 for an unlabelled command, else an action. */
enum {
    IDLE = 99,
    BLOCKED = 98
};

static unsigned alphabet_of(const system_of *s, unsigned index)
{
    const node *n = &s->nodes[index];
    unsigned inner = n->kind == MODULE ? s->alphabet[n->module] : alphabet_of(s, n->left);
    switch (n->kind) {
    case MODULE:
        return inner;
    case HIDE:
        return inner & ~n->set;
    case RENAME:
        if ((inner >> (n->from - 1) & 1) == 0)
            return inner;
        return (inner & ~(1u << (n->from - 1))) | 1u << (n->to - 1);
    default:
        return inner | alphabet_of(s, n->right);
    }
}

/* The action of a subsystem if its modules act so: IDLE, BLOCKED (impossible), 0 if hidden, or an action. */
static unsigned shows(const system_of *s, unsigned index, const unsigned *acts)
{
    const node *n = &s->nodes[index];
    if (n->kind == MODULE)
        return acts[n->module];
    unsigned left = shows(s, n->left, acts);
    if (left == BLOCKED)
        return BLOCKED;
    if (n->kind == HIDE)
        return left != IDLE && left != 0 && (n->set >> (left - 1) & 1) != 0 ? 0 : left;
    if (n->kind == RENAME)
        return left == n->from ? n->to : left;
    unsigned right = shows(s, n->right, acts), on = n->set;
    if (n->kind == PARALLEL)
        on = alphabet_of(s, n->left) & alphabet_of(s, n->right);
    if (n->kind == INTERLEAVE)
        on = 0;
    if (right == BLOCKED)
        return BLOCKED;
    if (left == IDLE && right == IDLE)
        return IDLE;
    if (left != IDLE && right != IDLE) /* both, synchronised on one action of the set */
        return left == right && left != 0 && (on >> (left - 1) & 1) != 0 ? left : BLOCKED;
    unsigned alone = left != IDLE ? left : right;
    return alone != 0 && (on >> (alone - 1) & 1) != 0 ? BLOCKED : alone;
}

/* ---- random systems ---- */

static unsigned build(system_of *s, unsigned first, unsigned count)
{
    node n = {.kind = MODULE, .module = first};
    if (count > 1) {
        unsigned split = 1 + random_below(&s->random, count - 1);
        n.kind = (kind)(PARALLEL + random_below(&s->random, 3));
        n.set = random_below(&s->random, 8);
        n.left = build(s, first, split);
        n.right = build(s, first + split, count - split);
    }
    s->nodes[s->count] = n;
    unsigned index = s->count++;
    if (random_below(&s->random, 3) == 0) {
        node over = {.kind = (kind)(HIDE + random_below(&s->random, 2)), .left = index};
        over.set = random_below(&s->random, 8);
        over.from = 1 + random_below(&s->random, 3);
        over.to = 1 + random_below(&s->random, 4);
        s->nodes[s->count] = over;
        index = s->count++;
    }
    return index;
}

static void write_set(unsigned set, base_text *text)
{
    const char *before = "";
    for (unsigned a = 0; a < 4; a++)
        if ((set >> a & 1) != 0) {
            base_text_format(text, "%s%c", before, 'a' + (int)a);
            before = ",";
        }
}

static void write_node(const system_of *s, unsigned index, base_text *text)
{
    const node *n = &s->nodes[index];
    if (n->kind == MODULE) {
        base_text_format(text, "m%u", n->module);
        return;
    }
    base_text_add(text, "(");
    write_node(s, n->left, text);
    base_text_add(text, n->kind == PARALLEL     ? "||"
                        : n->kind == INTERLEAVE ? "|||"
                        : n->kind == ON         ? "|["
                        : n->kind == HIDE       ? "/{"
                                                : "{");
    if (n->kind == ON || n->kind == HIDE)
        write_set(n->set, text);
    if (n->kind == RENAME)
        base_text_format(text, "%c<-%c", 'a' + (int)n->from - 1, 'a' + (int)n->to - 1);
    base_text_add(text, n->kind == ON ? "]|" : n->kind >= HIDE ? "}" : "");
    if (n->kind < HIDE)
        write_node(s, n->right, text);
    base_text_add(text, ")");
}

/* Every action occurs in some module, so that each may be in a list. */
static void write_modules(system_of *s, base_text *text)
{
    for (unsigned m = 0; m < s->modules; m++) {
        s->alphabet[m] = m == 0 ? 7 : random_below(&s->random, 8);
        base_text_format(text, "module m%u x%u:[0..1];", m, m);
        for (unsigned a = 0; a < ACTIONS; a++)
            if ((s->alphabet[m] >> a & 1) != 0)
                base_text_format(text, " [%c] true->true;", 'a' + (int)a);
        s->is_labelled_only[m] = random_below(&s->random, 2) == 0;
        if (!s->is_labelled_only[m])
            base_text_add(text, " [] true->true;");
        base_text_add(text, " endmodule\n");
    }
}

static bool next_acts(const system_of *s, unsigned *acts)
{
    for (unsigned m = 0; m < s->modules; m++) {
        acts[m] = acts[m] == IDLE ? 0 : acts[m] + 1;
        while (acts[m] <= ACTIONS && !(acts[m] == 0 ? !s->is_labelled_only[m]
                                                    : (s->alphabet[m] >> (acts[m] - 1) & 1) != 0))
            acts[m]++;
        if (acts[m] <= ACTIONS)
            return true;
        acts[m] = IDLE;
    }
    return false;
}

static bool has_step(const system_of *s, const prism_program *program, const unsigned *acts,
                     unsigned action)
{
    for (uint32_t i = 0; i < program->step_count; i++) {
        const prism_synchronisation *step = &program->steps[i];
        unsigned found[MAX_MODULES];
        bool is_same = true;
        for (unsigned m = 0; m < s->modules; m++)
            found[m] = IDLE;
        for (uint32_t k = 0; k < step->part_count; k++) {
            const char *name = program->actions[step->parts[k].action];
            found[step->parts[k].module] = name[0] == '\0' ? 0 : (unsigned)(name[0] - 'a') + 1;
        }
        for (unsigned m = 0; m < s->modules; m++)
            is_same &= found[m] == acts[m];
        const char *outside = program->actions[step->action];
        if (is_same)
            return action == (outside[0] == '\0' ? 0 : (unsigned)(outside[0] - 'a') + 1);
    }
    return false;
}

static void check(const system_of *s, unsigned root, const prism_program *program, const char *text)
{
    unsigned acts[MAX_MODULES], steps = 0;
    for (unsigned m = 0; m < s->modules; m++)
        acts[m] = IDLE;
    while (next_acts(s, acts)) {
        unsigned action = shows(s, root, acts);
        if (action == BLOCKED)
            continue;
        steps++;
        if (!has_step(s, program, acts, action))
            fail_msg("missing a step:\n%s", text);
    }
    if (steps != program->step_count)
        fail_msg("%u steps, not %u:\n%s", program->step_count, steps, text);
}

static void steps_by_brute_force(void **state)
{
    (void)state;
    uint64_t random = random_seed(2);
    for (unsigned round = 0; round < 2000; round++) {
        system_of s = {.random = random};
        prism_program program;
        base_text text = {0};
        s.modules = 1 + random_below(&s.random, MAX_MODULES);
        write_modules(&s, &text);
        unsigned root = build(&s, 0, s.modules);
        base_text_add(&text, "system ");
        write_node(&s, root, &text);
        base_text_add(&text, " endsystem");
        bool is_empty = strstr(base_text_get(&text), "/{}") != NULL ||
                        strstr(base_text_get(&text), "|[]|") != NULL;
        if (!is_empty) { /* in PRISM, lists are not empty */
            reading_program(base_text_get(&text), NULL, &program);
            check(&s, root, &program, base_text_get(&text));
            prism_program_fini(&program);
        }
        random = s.random;
        base_text_fini(&text);
    }
}

SUITE(system)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),
        cmocka_unit_test(steps_by_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
