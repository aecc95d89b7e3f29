/* SPDX-License-Identifier: MIT */
/*
 * Reads the automaton, in the subset of HOA version 1 that omegapac writes: explicit labels on edges, marks
 * on edges or states, any condition over Fin and Inf, aliases @0, @1, … in this order. Comments, other
 * aliases, implicit labels, labels of states, universal branching and complemented sets are refused.
 *
 * Labels are kept as text and evaluated on letters, in three-valued logic (false, unknown, true), so that
 * they can be evaluated on partially known letters.
 */
#include <inttypes.h>
#include <string.h>

#include "verify/verify.h"

enum {
    DEEPEST = 100,          /* nesting of parentheses */
    MOST_CLAUSES = 1 << 16, /* of the condition in disjunctive form */
    MOST_MARKS = 63,
    MOST_PROPOSITIONS = 64,
    MOST_WORK = 1 << 20 /* atoms, in addition to 64 for each edge: see covers */
};

typedef enum truth {
    LABEL_FALSE = 0,
    LABEL_UNKNOWN = 1,
    LABEL_TRUE = 2
} truth;

typedef struct scanner {
    verify_certificate *c;
    verify_automaton *a;
    const char *begin, *at, *end;
    bool has_states, has_acceptance, has_propositions;
} scanner;

static void fail(const scanner *s, const char *what)
{
    uint32_t line = 1;
    for (const char *c = s->begin; c < s->at; c++)
        line += *c == '\n';
    if (verify_is_ok(s->c))
        s->c->status = base_fail(s->c->error, OPAC_ERROR_ARGUMENT,
                                 "automaton: line %" PRIu32 ": %s", line, what);
}

static bool is_ok(const scanner *s)
{
    return verify_is_ok(s->c);
}

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The text ends in NUL, which is neither a blank nor a digit. */
static const char *skip(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static const char *parse(const char *at, uint64_t *number)
{
    for (*number = 0; is_digit(*at) && *number < UINT32_MAX; at++)
        *number = 10 * *number + (uint64_t)(*at - '0');
    return at;
}

/* Skips the word if it follows; returns whether it does. */
static bool accept(scanner *s, const char *word)
{
    size_t length = strlen(word);
    s->at = skip(s->at);
    if (!is_ok(s) || strncmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

/* A number below `limit`. */
static uint32_t read_number(scanner *s, uint32_t limit)
{
    uint64_t number = 0;
    s->at = skip(s->at);
    if (!is_digit(*s->at))
        fail(s, "expected a number");
    s->at = parse(s->at, &number);
    if (number >= limit)
        fail(s, "a number is too large for what it refers to");
    return is_ok(s) ? (uint32_t)number : 0;
}

static size_t skip_string(scanner *s)
{
    if (!accept(s, "\""))
        fail(s, "expected a string");
    const char *text = s->at;
    while (is_ok(s) && s->at < s->end && *s->at != '"')
        s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
    if (s->at >= s->end)
        fail(s, "a string does not end");
    return is_ok(s) ? (size_t)(s->at++ - text) : 0;
}

/* ---- labels ---- */

/* A label being evaluated on a letter whose bits in `known` are known. */
typedef struct label {
    const verify_automaton *a;
    const char *at;
    uint64_t known, bits;
    uint64_t mentioned; /* propositions that occur */
    uint32_t depth;
    size_t work;
    bool is_broken; /* it is not a label */
} label;

static truth evaluate_or(label *l);

/* The values of aliases are cached by prepare. */
static truth evaluate_alias(label *l)
{
    uint64_t number;
    const char *rest = parse(l->at, &number);
    l->is_broken = l->is_broken || rest == l->at || number >= l->a->aliases;
    l->at = rest;
    if (l->is_broken)
        return LABEL_UNKNOWN;
    l->mentioned |= l->a->alias[number].mentioned;
    return (truth)l->a->alias[number].value;
}

static truth evaluate_proposition(label *l)
{
    uint64_t number;
    l->at = parse(l->at, &number);
    l->is_broken = l->is_broken || number >= l->a->propositions;
    if (l->is_broken)
        return LABEL_UNKNOWN;
    uint64_t bit = UINT64_C(1) << number;
    l->mentioned |= bit;
    return (l->known & bit) == 0 ? LABEL_UNKNOWN : (l->bits & bit) != 0 ? LABEL_TRUE : LABEL_FALSE;
}

static truth evaluate_atom(label *l)
{
    bool is_negated = false;
    truth value = LABEL_UNKNOWN;
    l->work++;
    for (l->at = skip(l->at); *l->at == '!'; l->at = skip(l->at + 1))
        is_negated = !is_negated;
    if (is_digit(*l->at)) {
        value = evaluate_proposition(l);
    } else if (*l->at == '@') {
        l->at++;
        value = evaluate_alias(l);
    } else if (*l->at == 't' || *l->at == 'f') {
        value = *l->at++ == 't' ? LABEL_TRUE : LABEL_FALSE;
    } else if (*l->at == '(' && l->depth < DEEPEST) {
        l->at++;
        l->depth++;
        value = evaluate_or(l);
        l->depth--;
        l->is_broken = l->is_broken || *l->at != ')';
        l->at += !l->is_broken;
    } else {
        l->is_broken = true;
    }
    l->at = skip(l->at);
    return is_negated ? (truth)(LABEL_TRUE - value) : value;
}

static truth evaluate_and(label *l)
{
    truth value = evaluate_atom(l);
    while (!l->is_broken && *l->at == '&') {
        l->at++;
        truth other = evaluate_atom(l);
        value = other < value ? other : value;
    }
    return value;
}

static truth evaluate_or(label *l)
{
    truth value = evaluate_and(l);
    while (!l->is_broken && *l->at == '|') {
        l->at++;
        truth other = evaluate_and(l);
        value = other > value ? other : value;
    }
    return value;
}

/* Caches the values of the aliases on this letter; each alias refers to earlier ones only. */
static size_t prepare(verify_automaton *a, uint64_t known, uint64_t bits)
{
    size_t work = 0;
    for (uint32_t i = 0;
         i < a->aliases && (!a->is_prepared || a->known != known || a->bits != bits); i++) {
        label l = {.a = a, .at = a->alias[i].text, .known = known, .bits = bits};
        a->alias[i].value = (uint32_t)evaluate_or(&l);
        a->alias[i].mentioned = l.mentioned;
        work += l.work;
    }
    a->known = known;
    a->bits = bits;
    a->is_prepared = true;
    return work;
}

bool verify_edge_reads(verify_automaton *a, const verify_edge *edge, uint64_t letter)
{
    label l = {.a = a, .at = edge->label, .known = UINT64_MAX, .bits = letter};
    prepare(a, UINT64_MAX, letter);
    return !edge->is_epsilon && evaluate_or(&l) == LABEL_TRUE;
}

/* Checks the syntax of a label once, so that later evaluations cannot fail. */
static const char *read_label(scanner *s)
{
    const char *begin = s->at;
    label l = {.a = s->a, .at = s->at};
    evaluate_or(&l);
    if (l.is_broken)
        fail(s, "a label is not made of propositions, t, f, !, &, |, aliases and parentheses, or "
                "has epsilon beside others");
    s->at = l.at;
    return begin;
}

/* ---- the condition ---- */

bool verify_accepts(const verify_automaton *a, uint64_t marks)
{
    for (size_t i = 0; i < a->clauses; i++)
        if ((a->clause[i].fin & marks) == 0 && (a->clause[i].inf & ~marks) == 0)
            return true;
    return false;
}

/* A disjunction of clauses. */
typedef struct clauses {
    verify_clause *items;
    size_t count;
} clauses;

static void add_clause(scanner *s, clauses *all, uint64_t fin, uint64_t inf)
{
    if ((fin & inf) != 0)
        return; /* never holds */
    if (all->count >= MOST_CLAUSES && is_ok(s))
        s->c->status = base_fail(
            s->c->error, OPAC_ERROR_LIMIT,
            "automaton: the condition has more than %d clauses as a disjunction", MOST_CLAUSES);
    if ((all->count & (all->count - 1)) == 0) { /* a power of two: double the capacity */
        verify_clause *more = verify_alloc(s->c, 2 * all->count + 1, sizeof *more);
        if (more != NULL && all->count > 0)
            memcpy(more, all->items, all->count * sizeof *more);
        all->items = more;
    }
    if (is_ok(s) && all->items != NULL)
        all->items[all->count++] = (verify_clause){fin, inf};
}

static clauses read_or(scanner *s, uint32_t depth);

static clauses read_operand(scanner *s, uint32_t depth)
{
    clauses found = {0};
    if (accept(s, "(")) {
        if (depth == DEEPEST)
            fail(s, "the condition is nested too deep");
        else
            found = read_or(s, depth + 1);
        if (!accept(s, ")"))
            fail(s, "expected )");
        return found;
    }
    bool is_fin = accept(s, "Fin"), is_inf = !is_fin && accept(s, "Inf");
    if (is_fin || is_inf) {
        if (!accept(s, "("))
            fail(s, "expected ( after Fin or Inf");
        uint64_t bit = UINT64_C(1)
                       << read_number(s, s->a->marks); /* refuses !x, which is not a number */
        if (!accept(s, ")"))
            fail(s, "expected ) after a set");
        s->a->condition_marks |= bit;
        add_clause(s, &found, is_fin ? bit : 0, is_inf ? bit : 0);
    } else if (accept(s, "t")) {
        add_clause(s, &found, 0, 0);
    } else if (!accept(s, "f")) {
        fail(s, "expected Fin, Inf, t, f or (");
    }
    return found;
}

/* (a | b) & (c | d) = a & c | a & d | b & c | b & d. */
static clauses read_and(scanner *s, uint32_t depth)
{
    clauses left = read_operand(s, depth);
    while (accept(s, "&")) {
        clauses right = read_operand(s, depth), product = {0};
        for (size_t i = 0; i < left.count; i++)
            for (size_t k = 0; k < right.count && is_ok(s); k++)
                add_clause(s, &product, left.items[i].fin | right.items[k].fin,
                           left.items[i].inf | right.items[k].inf);
        left = product;
    }
    return left;
}

static clauses read_or(scanner *s, uint32_t depth)
{
    clauses left = read_and(s, depth);
    while (accept(s, "|")) {
        clauses right = read_and(s, depth);
        for (size_t i = 0; i < right.count && is_ok(s); i++)
            add_clause(s, &left, right.items[i].fin, right.items[i].inf);
    }
    return left;
}

/* ---- the header ---- */

static void read_states(scanner *s)
{
    verify_automaton *a = s->a;
    a->states = read_number(s, VERIFY_UNIVERSAL);
    if (s->has_states || a->states > (size_t)(s->end - s->begin))
        fail(s, "States: is repeated, or has more than there can be");
    s->has_states = true;
    a->begin = verify_alloc(s->c, a->states, sizeof *a->begin);
    a->end = verify_alloc(s->c, a->states, sizeof *a->end);
    a->universal = verify_alloc(s->c, a->states, sizeof *a->universal);
    a->initial = verify_alloc(s->c, a->states, sizeof *a->initial);
}

static void read_start(scanner *s)
{
    verify_automaton *a = s->a;
    uint32_t state = read_number(s, a->states);
    for (uint32_t i = 0; i < a->initials && is_ok(s); i++)
        if (a->initial[i] == state)
            fail(s, "an initial state is repeated");
    if (is_ok(s))
        a->initial[a->initials++] = state;
}

/* Names must be distinct; epsilon must be last, so that the bits of the others are their indices. */
static void read_propositions(scanner *s)
{
    const char *name[MOST_PROPOSITIONS + 1];
    size_t length[MOST_PROPOSITIONS + 1];
    if (s->has_propositions)
        fail(s, "AP: is repeated");
    s->has_propositions = true;
    uint32_t count = read_number(s, MOST_PROPOSITIONS + 2);
    for (uint32_t i = 0; i < count && is_ok(s); i++) {
        if (s->a->has_epsilon)
            fail(s, "the proposition epsilon is not the last one");
        length[i] = skip_string(s);
        name[i] = s->at - 1 - length[i];
        for (uint32_t k = 0; k < i && is_ok(s); k++)
            if (length[k] == length[i] && memcmp(name[k], name[i], length[i]) == 0)
                fail(s, "a proposition is repeated");
        s->a->has_epsilon = is_ok(s) && length[i] == 7 && memcmp(name[i], "epsilon", 7) == 0;
    }
    s->a->propositions = count - s->a->has_epsilon;
    if (s->a->propositions > MOST_PROPOSITIONS)
        fail(s, "more than 64 propositions");
}

static void read_alias(scanner *s)
{
    uint32_t number = accept(s, "@") ? read_number(s, UINT32_MAX) : VERIFY_NONE;
    if (number != s->a->aliases || !s->has_propositions)
        fail(s, "expected aliases @0, @1, … after AP:, in this order");
    const char *text = read_label(s);
    if (is_ok(s))
        s->a->alias[s->a->aliases++].text = text;
}

static void read_acceptance(scanner *s)
{
    if (s->has_acceptance)
        fail(s, "Acceptance: is repeated");
    s->has_acceptance = true;
    s->a->marks = read_number(s, MOST_MARKS + 1);
    clauses found = read_or(s, 0);
    s->a->clause = found.items;
    s->a->clauses = found.count;
}

/*
 * Skips headers that begin with a lower-case letter, which do not change the automaton. Refuses text that
 * another HOA reader may interpret differently: strings and comments that do not match, or two headers on
 * one line.
 */
static void skip_header(scanner *s)
{
    uint32_t colons = 0;
    if (*s->at < 'a' || *s->at > 'z')
        fail(s, "expected States:, Start:, AP:, Alias:, Acceptance: or --BODY--");
    while (is_ok(s) && s->at < s->end && *s->at != '\n') {
        colons += *s->at == ':';
        if (*s->at == '"')
            skip_string(s);
        else if (*s->at++ == '/' && *s->at == '*')
            fail(s, "comments are not read");
    }
    if (colons != 1)
        fail(s, "expected one header on a line");
}

static void read_header(scanner *s)
{
    if (accept(s, "States:"))
        read_states(s);
    else if (accept(s, "Start:"))
        read_start(s);
    else if (accept(s, "AP:"))
        read_propositions(s);
    else if (accept(s, "Alias:"))
        read_alias(s);
    else if (accept(s, "Acceptance:"))
        read_acceptance(s);
    else
        skip_header(s);
}

/* ---- the body ---- */

static uint64_t read_marks(scanner *s)
{
    uint64_t marks = 0;
    if (accept(s, "{"))
        while (is_ok(s) && !accept(s, "}"))
            marks |= UINT64_C(1) << read_number(s, s->a->marks);
    return marks;
}

/* A label is the proposition epsilon alone, or a formula over the other propositions. */
static void read_edge(scanner *s, uint64_t marks)
{
    verify_edge *edge = &s->a->edge[s->a->edges++];
    uint64_t number;
    const char *first = skip(s->at), *last = skip(parse(first, &number));
    edge->is_epsilon =
        s->a->has_epsilon && is_digit(*first) && number == s->a->propositions && *last == ']';
    if (edge->is_epsilon)
        s->at = last;
    else
        edge->label = read_label(s);
    if (!accept(s, "]"))
        fail(s, "a label is not made of what it may be, or does not end");
    edge->target = read_number(s, s->a->states);
    if (accept(s, "&"))
        fail(s, "universal branching");
    edge->marks = marks | read_marks(s);
}

static void read_state(scanner *s)
{
    verify_automaton *a = s->a;
    uint32_t state = read_number(s, a->states);
    if (is_ok(s) && a->end[state] > 0)
        fail(s, "a state is repeated");
    s->at = skip(s->at);
    if (is_ok(s) && *s->at == '"')
        skip_string(s);
    uint64_t marks = read_marks(s);
    if (!is_ok(s))
        return;
    a->begin[state] = a->edges;
    while (accept(s, "["))
        read_edge(s, marks);
    a->end[state] = a->edges;
}

static void read_all(scanner *s)
{
    if (!accept(s, "HOA:") || !accept(s, "v1") || !is_blank(*s->at))
        fail(s, "expected HOA: v1");
    while (is_ok(s) && !accept(s, "--BODY--"))
        read_header(s);
    if (!s->has_states || !s->has_acceptance)
        fail(s, "States: or Acceptance: is missing");
    while (is_ok(s) && !accept(s, "--END--")) {
        if (accept(s, "State:"))
            read_state(s);
        else
            fail(s, "expected State:, [label] or --END--");
    }
    if (skip(s->at) != s->end)
        fail(s, "something follows --END--");
}

/* ---- universal memories ---- */

/*
 * Whether the loops of q with exactly these marks (among those of the condition) cover all letters that
 * extend the known part. It splits on a proposition that is unknown, until one label is true or all labels
 * are false. The work is limited for all states together. Beyond the limit, states are not considered
 * universal, and a certificate that would be refused for that reason is reported as a limit, not as a
 * verdict.
 */
static bool covers(verify_automaton *a, uint32_t q, uint64_t marks, uint64_t known, uint64_t bits,
                   size_t *work)
{
    uint64_t open = 0;
    *work += prepare(a, known, bits);
    for (uint32_t e = a->begin[q]; e < a->end[q]; e++) {
        const verify_edge *edge = &a->edge[e];
        label l = {.a = a, .at = edge->label, .known = known, .bits = bits};
        if (edge->target != q || edge->is_epsilon || (edge->marks & a->condition_marks) != marks)
            continue;
        if (*work > MOST_WORK + 64 * (size_t)a->edges) {
            a->is_universal_incomplete = true;
            return false;
        }
        truth value = evaluate_or(&l);
        *work += l.work;
        if (value == LABEL_TRUE)
            return true;
        if (value == LABEL_UNKNOWN)
            open |= l.mentioned & ~known;
    }
    if (open == 0)
        return false;
    uint64_t bit = open & (~open + 1);
    return covers(a, q, marks, known | bit, bits | bit, work) &&
           covers(a, q, marks, known | bit, bits, work);
}

/*
 * A run that stays in q with marks that satisfy the condition is accepted, for every word. So q accepts
 * every word if such loops cover all letters.
 */
static bool is_universal(verify_automaton *a, uint32_t q, size_t *work)
{
    for (uint32_t e = a->begin[q]; e < a->end[q]; e++) {
        uint64_t marks = a->edge[e].marks & a->condition_marks;
        if (a->edge[e].target == q && verify_accepts(a, marks) && covers(a, q, marks, 0, 0, work))
            return true;
    }
    return false;
}

/* The number of '[' bounds the edges, that of '@' the aliases. */
void verify_read_automaton(verify_certificate *c, const char *text, size_t length)
{
    verify_automaton *a = &c->automaton;
    scanner s = {.c = c, .a = a, .begin = text, .at = text, .end = text + length};
    size_t edges = 0, aliases = 0, work = 0;
    for (size_t i = 0; i < length; i++) {
        edges += text[i] == '[';
        aliases += text[i] == '@';
    }
    if (edges >= VERIFY_UNIVERSAL || aliases >= VERIFY_UNIVERSAL)
        fail(&s, "too many edges or aliases");
    a->edge = verify_alloc(c, edges, sizeof *a->edge);
    a->alias = verify_alloc(c, aliases, sizeof *a->alias);
    if (is_ok(&s))
        read_all(&s);
    for (uint32_t q = 0; q < a->states && is_ok(&s); q++)
        a->universal[q] = is_universal(a, q, &work);
}
