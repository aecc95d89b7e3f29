/* SPDX-License-Identifier: MIT */
/*
 * Reads the members of a certificate, and checks what concerns single members: types, ranges, references to
 * existing items, and duplicates. Later steps rely on these checks. Linear, except for sorting.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify.h"

void verify_refuse(verify_certificate *c, const char *what, uint32_t number, const char *why)
{
    opac_status code =
        c->automaton.is_universal_incomplete ? OPAC_ERROR_LIMIT : OPAC_ERROR_ARGUMENT;
    const char *limit = c->automaton.is_universal_incomplete
                            ? " (the search for states that accept every word was cut off)"
                            : "";
    if (!verify_is_ok(c))
        return;
    c->status = number == VERIFY_NONE
                    ? base_fail(c->error, code, "%s: %s%s", what, why, limit)
                    : base_fail(c->error, code, "%s[%" PRIu32 "]: %s%s", what, number, why, limit);
}

void *verify_alloc(verify_certificate *c, size_t count, size_t size)
{
    void *allocated = verify_is_ok(c) ? base_arena_alloc_zeroed(&c->arena, count, size) : NULL;
    if (verify_is_ok(c) && allocated == NULL)
        c->status = base_fail_memory(c->error);
    return allocated;
}

/* ---- values ---- */

static base_json_value member(verify_certificate *c, base_json_value object, const char *name)
{
    base_json_value value = {0};
    if (verify_is_ok(c))
        c->status = base_json_member(object, name, &value, c->error);
    return value;
}

static base_json_value item(verify_certificate *c, base_json_value array, size_t index)
{
    base_json_value value = {0};
    if (verify_is_ok(c))
        c->status = base_json_at(array, index, &value, c->error);
    return value;
}

static uint32_t length_of(verify_certificate *c, base_json_value array)
{
    size_t length = 0;
    if (verify_is_ok(c))
        c->status = base_json_length(array, &length, c->error);
    if (verify_is_ok(c) && length >= VERIFY_UNIVERSAL)
        c->status = base_fail(c->error, OPAC_ERROR_LIMIT, "a list has too many items");
    return verify_is_ok(c) ? (uint32_t)length : 0;
}

static bool is_null(const verify_certificate *c, base_json_value value)
{
    return verify_is_ok(c) && base_json_kind_of(value) == BASE_JSON_NULL;
}

static uint64_t read_whole(verify_certificate *c, base_json_value value, uint64_t least,
                           uint64_t most)
{
    uint64_t number = least;
    if (verify_is_ok(c))
        c->status = base_json_uint64(value, least, most, &number, c->error);
    return number;
}

/* An index below count; VERIFY_NONE for null. */
static uint32_t position(verify_certificate *c, base_json_value object, const char *name,
                         uint32_t count)
{
    base_json_value value = member(c, object, name);
    if (is_null(c, value))
        return VERIFY_NONE;
    if (count == 0)
        verify_refuse(c, name, VERIFY_NONE, "refers to an item of an empty list");
    return (uint32_t)read_whole(c, value, 0, (uint64_t)count - 1);
}

/* A number from 0 to 1. */
static double read_fraction(verify_certificate *c, base_json_value object, const char *name)
{
    double number = 0;
    base_json_value value = member(c, object, name);
    if (verify_is_ok(c))
        c->status = base_json_double(value, &number, c->error);
    if (!(number >= 0 && number <= 1))
        verify_refuse(c, name, VERIFY_NONE, "expected a number from 0 to 1");
    return number > 0 ? number : 0; /* 0 in place of -0 */
}

static bool read_flag(verify_certificate *c, base_json_value object, const char *name)
{
    bool is_set = false;
    base_json_value value = member(c, object, name);
    if (verify_is_ok(c))
        c->status = base_json_bool(value, &is_set, c->error);
    return is_set;
}

/* A string; NULL for null, if that is allowed. */
static const char *text(verify_certificate *c, base_json_value object, const char *name,
                        bool may_be_null)
{
    const char *found = NULL;
    base_json_value value = member(c, object, name);
    if (verify_is_ok(c) && !(may_be_null && is_null(c, value)))
        c->status = base_json_string(value, &found, NULL, c->error);
    return found;
}

/* Checks that the object has no other members. Missing members are found when they are read. */
static void check_names(verify_certificate *c, base_json_value object, const char *const *names,
                        size_t count)
{
    if (verify_is_ok(c))
        c->status = base_json_only(object, names, count, c->error);
}
#define ONLY(c, object, ...)                                                                       \
    check_names(c, object, (const char *const[]){__VA_ARGS__},                                     \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- inputs and assumptions ---- */

static void read_inputs(verify_certificate *c, base_json_value inputs)
{
    ONLY(c, inputs, "model", "digest", "constants", "objective", "formula", "least", "seed");
    c->model = text(c, inputs, "model", true);
    c->digest = text(c, inputs, "digest", true);
    c->constants = text(c, inputs, "constants", true);
    c->objective = text(c, inputs, "objective", true);
    text(c, inputs, "formula", true);
    c->is_least = read_flag(c, inputs, "least");
    read_whole(c, member(c, inputs, "seed"), 0, UINT64_MAX);
}

static uint64_t read_size(verify_certificate *c, base_json_value assumes, const char *name)
{
    base_json_value value = member(c, assumes, name);
    return is_null(c, value) ? 0 : read_whole(c, value, 1, UINT64_MAX);
}

/* A number in (0, 1]; 0 for null. */
static double read_least(verify_certificate *c, base_json_value object, const char *name)
{
    if (is_null(c, member(c, object, name)))
        return 0;
    double least = read_fraction(c, object, name);
    if (!(least > 0))
        verify_refuse(c, "assumes", VERIFY_NONE,
                      strcmp(name, "pmin") == 0         ? "pmin must be above 0"
                      : strcmp(name, "pmin_start") == 0 ? "pmin_start must be above 0"
                                                        : "pmin_outcome must be above 0");
    return least;
}

/* pmin: a number, or "rows" if each row of an action has its own. */
static void read_pmin(verify_certificate *c, base_json_value assumes)
{
    base_json_value value = member(c, assumes, "pmin");
    const char *word = "";
    if (!verify_is_ok(c) || base_json_kind_of(value) != BASE_JSON_STRING || c->version == 1) {
        c->pmin = read_least(c, assumes, "pmin");
        return;
    }
    c->status = base_json_string(value, &word, NULL, c->error);
    if (verify_is_ok(c) && strcmp(word, "rows") != 0)
        verify_refuse(c, "assumes", VERIFY_NONE, "pmin must be a number, null or \"rows\"");
    c->has_row_pmin = true;
}

/* A bound on the recurrence time, or null if nothing is assumed of the system; nothing else is assumed that could
 * make a row complete. */
static void read_horizon(verify_certificate *c, base_json_value assumes)
{
    ONLY(c, assumes, "pmin", "pmin_start", "graph", "T", "states", "actions", "branching");
    c->is_free = is_null(c, member(c, assumes, "T"));
    c->horizon = c->is_free ? 1 : read_whole(c, member(c, assumes, "T"), 1, VERIFY_MOST_COUNT - 1);
    if (c->is_free && c->states + c->actions + c->branching > 0)
        verify_refuse(c, "assumes", VERIFY_NONE, "sizes are of no use if nothing is assumed");
    if (c->pmin > 0 || c->has_row_pmin || c->pmin_start > 0 || c->has_graph)
        verify_refuse(c, "assumes", VERIFY_NONE, "T with pmin, pmin_start or the graph");
}

/* Version 1 uses pmin for the reset as well; see statement.c. */
static void read_assumptions(verify_certificate *c, base_json_value assumes)
{
    base_json_value horizon = {0}, alike = {0};
    if (verify_is_ok(c))
        c->status = base_json_optional(assumes, "T", &horizon, c->error);
    if (verify_is_ok(c))
        c->status = base_json_optional(assumes, "pmin_outcome", &alike, c->error);
    bool has_horizon = c->version > 1 && horizon.node != NULL;
    if (c->version == 1)
        ONLY(c, assumes, "pmin", "graph", "states", "actions", "branching");
    else if (!has_horizon && alike.node != NULL) {
        ONLY(c, assumes, "pmin", "pmin_start", "pmin_outcome", "graph", "states", "actions",
             "branching");
        c->is_alike = true;
        c->pmin_outcome = read_least(c, assumes, "pmin_outcome");
    } else if (!has_horizon)
        ONLY(c, assumes, "pmin", "pmin_start", "graph", "states", "actions", "branching");
    read_pmin(c, assumes);
    c->pmin_start = c->version == 1 ? c->pmin : read_least(c, assumes, "pmin_start");
    c->has_graph = read_flag(c, assumes, "graph");
    c->states = read_size(c, assumes, "states");
    c->actions = read_size(c, assumes, "actions");
    c->branching = read_size(c, assumes, "branching");
    if (has_horizon)
        read_horizon(c, assumes);
    else if (!(c->pmin > 0) && !c->has_row_pmin && !c->has_graph)
        verify_refuse(c, "assumes", VERIFY_NONE,
                      "neither pmin nor the graph is assumed, so nothing can be complete");
}

/* The requested width or, with T, the epsilon of the recurrence time. */
static void read_epsilon(verify_certificate *c, base_json_value root)
{
    c->epsilon = read_fraction(c, root, "epsilon");
    if (c->horizon > 0 && !c->is_free && !(c->epsilon > 0 && c->epsilon < 1))
        verify_refuse(c, "epsilon", VERIFY_NONE, "must be above 0 and below 1");
    if (c->is_free && !(c->epsilon < 1))
        verify_refuse(c, "epsilon", VERIFY_NONE, "must be below 1");
    if (c->is_free || c->horizon == 0)
        c->epsilon = 0; /* a width, of which nothing depends here */
}

/*
 * Checks that the probabilities of all errors (an incomplete support or a wrong bound on unseen mass, a wrong
 * interval and, if there may be a trial, a wrong bound by episodes) sum to at most total. The sum is rounded; the margin of 1e-12 in intervals.c is larger.
 */
static void read_delta(verify_certificate *c, base_json_value delta)
{
    base_json_value unseen = {0}, episodes = {0};
    if (verify_is_ok(c))
        c->status = base_json_optional(delta, "episodes", &episodes, c->error);
    if (verify_is_ok(c))
        c->status = base_json_optional(delta, "unseen", &unseen, c->error);
    bool has_episodes = c->horizon > 0 || (c->version > 1 && episodes.node != NULL);
    c->has_open_rows = unseen.node != NULL && c->horizon == 0 && !c->has_graph && c->version > 1;
    if (c->has_open_rows && has_episodes)
        ONLY(c, delta, "total", "support", "interval", "unseen", "discovery", "episodes");
    else if (c->has_open_rows)
        ONLY(c, delta, "total", "support", "interval", "unseen", "discovery");
    else if (has_episodes)
        ONLY(c, delta, "total", "support", "interval", "episodes");
    else
        ONLY(c, delta, "total", "support", "interval");
    if (has_episodes)
        c->episodes_delta = read_fraction(c, delta, "episodes");
    if (has_episodes && !(c->episodes_delta > 0))
        verify_refuse(c, "delta", VERIFY_NONE, "episodes must be above 0");
    if (c->has_open_rows) {
        c->unseen = read_fraction(c, delta, "unseen");
        c->discovery = read_fraction(c, delta, "discovery");
        if (!(c->unseen > 0 && c->discovery > 0))
            verify_refuse(c, "delta", VERIFY_NONE, "unseen and discovery must be above 0");
    }
    c->total = read_fraction(c, delta, "total");
    c->support = read_fraction(c, delta, "support");
    c->interval = read_fraction(c, delta, "interval");
    if (!(c->total < 1))
        verify_refuse(c, "delta", VERIFY_NONE, "total must be below 1");
    if (!((c->support + c->unseen) + (c->interval + c->discovery) + c->episodes_delta <= c->total))
        verify_refuse(c, "delta", VERIFY_NONE,
                      c->has_open_rows        ? "the parts exceed total"
                      : c->episodes_delta > 0 ? "support, interval and episodes exceed total"
                                              : "support plus interval exceeds total");
    if (!(c->support > 0) && (!c->has_graph || c->is_alike))
        verify_refuse(c, "delta", VERIFY_NONE,
                      c->is_alike ? "support must be above 0 if rows are alike"
                                  : "support must be above 0 without a graph");
    if (!(c->interval > 0))
        verify_refuse(c, "delta", VERIFY_NONE, "interval must be above 0");
}

/* ---- states ---- */

/* A letter is a number below 2^53 and a string from there on, because many JSON readers store numbers as
 * doubles. */
static uint64_t read_letter(verify_certificate *c, base_json_value value, uint32_t i)
{
    const char *digits = "";
    uint64_t letter = 0;
    if (!verify_is_ok(c) || base_json_kind_of(value) != BASE_JSON_STRING)
        return read_whole(c, value, 0, VERIFY_MOST_COUNT - 1);
    c->status = base_json_string(value, &digits, NULL, c->error);
    for (; verify_is_ok(c) && *digits != '\0'; digits++) {
        uint64_t digit = (uint64_t)(*digits - '0');
        if (*digits < '0' || *digits > '9' || letter > (UINT64_MAX - digit) / 10)
            verify_refuse(c, "states", i, "letter must be an integer below 2^64");
        letter = 10 * letter + digit;
    }
    if (letter < VERIFY_MOST_COUNT)
        verify_refuse(c, "states", i, "letter must be a number, not a string, below 2^53");
    return letter;
}

/* Refuses bits beyond the propositions, which indicate a different automaton. */
static void read_state(verify_certificate *c, base_json_value value, uint32_t i)
{
    verify_state *state = &c->state[i];
    uint32_t bits = c->automaton.propositions;
    ONLY(c, value, "key", "letter", "actions");
    state->key = text(c, value, "key", false);
    state->letter = read_letter(c, member(c, value, "letter"), i);
    state->actions = (uint32_t)read_whole(c, member(c, value, "actions"), 0, VERIFY_UNIVERSAL - 1);
    if (verify_is_ok(c) &&
        (strlen(state->key) % 2 != 0 || state->key[strspn(state->key, "0123456789abcdef")] != '\0'))
        verify_refuse(c, "states", i, "key must consist of bytes in hexadecimal");
    if (c->actions > 0 && state->actions > c->actions)
        verify_refuse(c, "states", i, "more actions than assumed");
    if (bits < 64 && state->letter >> bits != 0)
        verify_refuse(c, "states", i, "its letter has bits beyond the propositions");
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Refuses duplicate keys: otherwise the visits of one state could be distributed over two rows
 * arbitrarily. */
static void read_states(verify_certificate *c, base_json_value list)
{
    uint32_t count = length_of(c, list);
    const char **keys = verify_alloc(c, count, sizeof *keys);
    c->state = verify_alloc(c, count, sizeof *c->state);
    c->state_count = count;
    for (uint32_t i = 0; i < count && verify_is_ok(c); i++) {
        read_state(c, item(c, list, i), i);
        keys[i] = c->state[i].key;
    }
    if (verify_is_ok(c) && count > 0)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 1; i < count && verify_is_ok(c); i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            verify_refuse(c, "states", VERIFY_NONE, "two have the same key");
    if (c->states > 0 && count > c->states)
        verify_refuse(c, "states", VERIFY_NONE, "more than assumed");
}

/* ---- rows ---- */

/* Successors must ascend, so that duplicates are found. */
static void read_counts(verify_certificate *c, base_json_value list, verify_row *row, uint32_t i)
{
    row->width = length_of(c, list);
    row->branch = verify_alloc(c, row->width, sizeof *row->branch);
    if (row->width == 0 || c->state_count == 0)
        verify_refuse(c, "rows", i, "no successors");
    for (uint32_t k = 0; k < row->width && verify_is_ok(c); k++) {
        base_json_value pair = item(c, list, k);
        verify_branch *branch = &row->branch[k];
        if (length_of(c, pair) != 2)
            verify_refuse(c, "rows", i, "an item of counts must be a state and a number");
        branch->state = (uint32_t)read_whole(c, item(c, pair, 0), 0, (uint64_t)c->state_count - 1);
        branch->count = read_whole(c, item(c, pair, 1), c->has_graph ? 0 : 1, VERIFY_MOST_COUNT);
        if (k > 0 && branch->state <= branch[-1].state)
            verify_refuse(c, "rows", i, "successors do not ascend");
        row->visits += branch->count;
        if (row->visits > VERIFY_MOST_COUNT)
            verify_refuse(c, "rows", i, "more than 2^53 visits");
    }
}

/* ---- discoveries of a row ---- */

static int compare_states(const void *key, const void *branch)
{
    uint32_t x = *(const uint32_t *)key, y = ((const verify_branch *)branch)->state;
    return (x > y) - (x < y);
}

/* The k-th one of the list. */
static verify_branch *read_discovery(verify_certificate *c, base_json_value value, verify_row *row,
                                     uint32_t k, uint32_t i)
{
    if (length_of(c, value) != 3)
        verify_refuse(c, "rows", i, "an item of discovered must be a state and two numbers");
    uint32_t state = (uint32_t)read_whole(c, item(c, value, 0), 0, (uint64_t)c->state_count - 1);
    uint64_t from = read_whole(c, item(c, value, 1), 1, row->visits);
    uint64_t hits = read_whole(c, item(c, value, 2), 1, row->visits);
    verify_branch *branch =
        bsearch(&state, row->branch, row->width, sizeof *row->branch, compare_states);
    if (verify_is_ok(c) && (branch == NULL || branch->found != 0))
        verify_refuse(c, "rows", i, "a successor is discovered twice, or has no count");
    if (!verify_is_ok(c) || branch == NULL)
        return NULL;
    branch->found = k;
    branch->from = from;
    branch->hits = hits;
    if (hits > from || hits > branch->count || branch->count - hits > row->visits - from)
        verify_refuse(c, "rows", i, "a discovery does not fit the counts");
    return branch;
}

/*
 * Checks that some sequence of draws has these counts, discoveries and quiet visits. The list is in order of
 * time; successors discovered in one batch have the same time. Between two times
 *
 *     all hits up to its discovery of a successor that is discovered at the later time occur,
 *     all other draws lead to successors that were discovered before,
 *     and quiet visits come before the first of those hits.
 *
 * With read_discovery, this is also sufficient.
 */
static void check_discoveries(verify_certificate *c, const verify_row *row,
                              verify_branch *const *found, uint32_t i)
{
    uint64_t last = 0, counts = 0, most_quiet = 0; /* counts: of the successors before this batch */
    for (uint32_t k = 0, next; k < row->width && verify_is_ok(c); k = next) {
        uint64_t from = found[k]->from, hits = 0, later = 0;
        for (next = k; next < row->width && found[next]->from == from; next++) {
            hits += found[next]->hits;
            later += found[next]->count;
        }
        if (next < row->width && found[next]->from < from)
            verify_refuse(c, "rows", i, "discoveries are not in order of time");
        else if (k == 0 && hits != from)
            verify_refuse(c, "rows", i, "the first discovery does not fit the first visits");
        else if (hits > from - last || from > counts + hits)
            verify_refuse(c, "rows", i, "discoveries do not fit the visits before them");
        else if (row->quiet_after == k)
            most_quiet = from - last - hits;
        last = from;
        counts += later;
    }
    if (row->quiet_after == row->width)
        most_quiet = row->visits - last;
    if (row->quiet > most_quiet)
        verify_refuse(c, "rows", i, "quiet exceeds the number of visits without another successor");
}

static void read_discoveries(verify_certificate *c, base_json_value value, verify_row *row,
                             uint32_t i)
{
    base_json_value list = member(c, value, "discovered"), quiet = member(c, value, "quiet");
    verify_branch **found = verify_alloc(c, row->width, sizeof(verify_branch *));
    if (length_of(c, list) != row->width)
        verify_refuse(c, "rows", i, "discovered must have one item for each successor");
    for (uint32_t k = 0; k < row->width && verify_is_ok(c); k++)
        found[k] = read_discovery(c, item(c, list, k), row, k + 1, i);
    if (length_of(c, quiet) != 2)
        verify_refuse(c, "rows", i, "quiet must be a number of successors and a number of visits");
    row->quiet_after = read_whole(c, item(c, quiet, 0), 1, row->width);
    row->quiet = read_whole(c, item(c, quiet, 1), 0, row->visits);
    if (verify_is_ok(c))
        check_discoveries(c, row, found, i);
}

/* ---- rows alike ---- */

static bool is_hex(const char *key)
{
    return strlen(key) % 2 == 0 && key[strspn(key, "0123456789abcdef")] == '\0';
}

static void read_outcome(verify_certificate *c, base_json_value value, verify_outcome *o,
                         uint32_t i)
{
    if (length_of(c, value) != 3)
        verify_refuse(c, "classes", i, "an item of outcomes must be a key and two numbers");
    base_json_value key = item(c, value, 0);
    if (verify_is_ok(c))
        c->status = base_json_string(key, &o->key, NULL, c->error);
    o->count = read_whole(c, item(c, value, 1), 1, VERIFY_MOST_COUNT);
    o->from = read_whole(c, item(c, value, 2), 1, VERIFY_MOST_COUNT);
    if (verify_is_ok(c) && !is_hex(o->key))
        verify_refuse(c, "classes", i, "a key must consist of bytes in hexadecimal");
}

/* Refuses two equal keys. */
static void check_distinct(verify_certificate *c, const char **keys, uint32_t count, uint32_t i,
                           const char *why)
{
    if (verify_is_ok(c) && count > 0)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t k = 1; k < count && verify_is_ok(c); k++)
        if (strcmp(keys[k - 1], keys[k]) == 0)
            verify_refuse(c, "classes", i, why);
}

static void read_class(verify_certificate *c, base_json_value value, verify_class *class,
                       uint32_t i)
{
    ONLY(c, value, "index", "key", "outcomes");
    class->index = read_whole(c, member(c, value, "index"), 1, VERIFY_MOST_COUNT);
    class->key = text(c, value, "key", false);
    base_json_value list = member(c, value, "outcomes");
    class->count = length_of(c, list);
    class->outcome = verify_alloc(c, class->count, sizeof *class->outcome);
    const char **keys = verify_alloc(c, class->count, sizeof *keys);
    if (class->count == 0)
        verify_refuse(c, "classes", i, "no outcomes");
    for (uint32_t k = 0; k < class->count && verify_is_ok(c); k++) {
        read_outcome(c, item(c, list, k), &class->outcome[k], i);
        keys[k] = class->outcome[k].key;
        class->draws += class->outcome[k].count;
        if (class->draws > VERIFY_MOST_COUNT)
            verify_refuse(c, "classes", i, "more than 2^53 draws");
    }
    check_distinct(c, keys, class->count, i, "two outcomes have the same key");
    if (verify_is_ok(c) && !is_hex(class->key))
        verify_refuse(c, "classes", i, "a key must consist of bytes in hexadecimal");
}

/* Classes are listed in the order of their indices, which are distinct; 1 is the reset's if that is random. */
static void read_classes(verify_certificate *c, base_json_value list)
{
    uint32_t count = length_of(c, list);
    const char **keys = verify_alloc(c, count, sizeof *keys);
    uint64_t least = c->start == VERIFY_NONE ? 2 : 1;
    c->class = verify_alloc(c, count, sizeof *c->class);
    c->class_count = count;
    for (uint32_t i = 0; i < count && verify_is_ok(c); i++) {
        read_class(c, item(c, list, i), &c->class[i], i);
        keys[i] = c->class[i].key;
        if (verify_is_ok(c) && c->class[i].index < (i > 0 ? c->class[i - 1].index + 1 : least))
            verify_refuse(c, "classes", i, "indices do not ascend, or are that of the reset");
    }
    check_distinct(c, keys, count, VERIFY_NONE, "two have the same key");
}

static void read_shown(verify_certificate *c, base_json_value list, verify_row *row, uint32_t i)
{
    row->shown_count = length_of(c, list);
    row->shown = verify_alloc(c, row->shown_count, sizeof *row->shown);
    if (verify_is_ok(c) && (row->class == NULL) != (row->shown_count == 0))
        verify_refuse(c, "rows", i, "shown must be empty if and only if class is null");
    for (uint32_t k = 0; k < row->shown_count && row->class != NULL && verify_is_ok(c); k++) {
        base_json_value triple = item(c, list, k);
        verify_shown *shown = &row->shown[k];
        if (length_of(c, triple) != 3)
            verify_refuse(c, "rows", i,
                          "an item of shown must be an outcome, a state and a number");
        shown->outcome =
            (uint32_t)read_whole(c, item(c, triple, 0), 0, (uint64_t)row->class->count - 1);
        uint32_t state =
            (uint32_t)read_whole(c, item(c, triple, 1), 0, (uint64_t)c->state_count - 1);
        shown->count = read_whole(c, item(c, triple, 2), 1, VERIFY_MOST_COUNT);
        const verify_branch *branch = verify_is_ok(c) ? bsearch(&state, row->branch, row->width,
                                                                sizeof *row->branch, compare_states)
                                                      : NULL;
        if (branch == NULL)
            verify_refuse(c, "rows", i, "shown has a state that is not in counts");
        else
            shown->branch = (uint32_t)(branch - row->branch);
        if (k > 0 && shown->outcome <= shown[-1].outcome)
            verify_refuse(c, "rows", i, "outcomes do not ascend");
    }
}

/* Of a row that is not the reset. */
static void read_alike(verify_certificate *c, base_json_value value, verify_row *row, uint32_t i)
{
    uint32_t class = position(c, value, "class", c->class_count);
    if (verify_is_ok(c) && class != VERIFY_NONE)
        row->class = &c->class[class];
    read_shown(c, member(c, value, "shown"), row, i);
    row->may_be_complete = read_flag(c, value, "complete");
}

/* Appends the row to those of its state; the actions must differ. */
static void enter_row(verify_certificate *c, verify_row *row, uint32_t i)
{
    uint64_t *entry;
    c->status = base_map_at(&c->row_at, (uint64_t)row->state << 32 | row->action, &entry, c->error);
    if (verify_is_ok(c) && c->row_at.count != i + 1)
        verify_refuse(c, "rows", i, "the action is listed twice");
    if (!verify_is_ok(c))
        return;
    if (row->state == VERIFY_NONE) {
        c->reset = row;
        if (c->start != VERIFY_NONE)
            verify_refuse(c, "rows", i, "row of a reset, but start is a state");
        return;
    }
    verify_state *state = &c->state[row->state];
    *(state->last != NULL ? &state->last->next : &state->row) = row;
    state->last = row;
    state->sampled++;
}

/* Without a graph, a row without a bound could not be complete, and omegapac knows one for every row. */
static double read_row_pmin(verify_certificate *c, base_json_value value, uint32_t i)
{
    double least = read_least(c, value, "pmin");
    if (!(least > 0) && !c->has_graph)
        verify_refuse(c, "rows", i, "pmin must not be null without a graph");
    return least;
}

static void read_row(verify_certificate *c, base_json_value value, uint32_t i)
{
    verify_row *row = &c->row[i];
    base_json_value state = member(c, value, "state");
    bool is_alike = c->is_alike && !is_null(c, state);
    base_json_value discovered = {0};
    row->has_discoveries = c->horizon > 0 || (c->version > 1 && is_null(c, state) &&
                                              !c->has_graph && c->pmin_start == 0);
    /* Which rows have them may depend on the samples: all bounds that they may have are right at once. */
    if (verify_is_ok(c) && c->has_open_rows && !is_alike)
        c->status = base_json_optional(value, "discovered", &discovered, c->error);
    row->has_discoveries |= discovered.node != NULL;
    bool has_pmin = c->has_row_pmin && !is_null(c, state);
    if (is_alike && has_pmin)
        ONLY(c, value, "index", "state", "action", "counts", "class", "shown", "complete", "pmin");
    else if (is_alike)
        ONLY(c, value, "index", "state", "action", "counts", "class", "shown", "complete");
    else if (row->has_discoveries && has_pmin)
        ONLY(c, value, "index", "state", "action", "counts", "discovered", "quiet", "pmin");
    else if (row->has_discoveries)
        ONLY(c, value, "index", "state", "action", "counts", "discovered", "quiet");
    else if (has_pmin)
        ONLY(c, value, "index", "state", "action", "counts", "pmin");
    else
        ONLY(c, value, "index", "state", "action", "counts");
    row->index = read_whole(c, member(c, value, "index"), 1, VERIFY_MOST_COUNT);
    row->state = position(c, value, "state", c->state_count);
    row->action =
        position(c, value, "action",
                 row->state < c->state_count ? c->state[row->state].actions : VERIFY_UNIVERSAL);
    if ((row->state == VERIFY_NONE) != (row->action == VERIFY_NONE))
        verify_refuse(c, "rows", i, "state and action must both be null or neither");
    if (verify_is_ok(c))
        enter_row(c, row, i);
    read_counts(c, member(c, value, "counts"), row, i);
    if (c->has_row_pmin && row->state != VERIFY_NONE)
        row->pmin = read_row_pmin(c, value, i);
    if (verify_is_ok(c) && row->has_discoveries)
        read_discoveries(c, value, row, i);
    if (verify_is_ok(c) && is_alike)
        read_alike(c, value, row, i);
}

typedef struct numbered {
    uint64_t index;
    uint32_t row;
} numbered;

static int compare_indices(const void *a, const void *b)
{
    uint64_t x = ((const numbered *)a)->index, y = ((const numbered *)b)->index;
    return (x > y) - (x < y);
}

static void read_rows(verify_certificate *c, base_json_value list)
{
    uint32_t count = length_of(c, list);
    numbered *sorted = verify_alloc(c, count, sizeof *sorted);
    c->row = verify_alloc(c, count, sizeof *c->row);
    c->row_count = count;
    for (uint32_t i = 0; i < count && verify_is_ok(c); i++) {
        read_row(c, item(c, list, i), i);
        sorted[i] = (numbered){c->row[i].index, i};
    }
    if (verify_is_ok(c) && count > 0)
        qsort(sorted, count, sizeof *sorted, compare_indices);
    for (uint32_t i = 1; i < count && verify_is_ok(c); i++)
        if (sorted[i].index == sorted[i - 1].index)
            verify_refuse(c, "rows", sorted[i].row, "duplicate index");
}

/* ---- the trial ---- */

/* Without a universal memory no episode of such a trial is won. */
static void check_universal(verify_certificate *c)
{
    uint32_t i = 0;
    while (verify_is_ok(c) && i < c->automaton.states && !c->automaton.universal[i])
        i++;
    if (verify_is_ok(c) && i == c->automaton.states)
        verify_refuse(c, "trial", VERIFY_NONE, "the automaton has no universal memory to come to");
}

static void read_trial(verify_certificate *c, base_json_value trial)
{
    if (is_null(c, trial))
        return;
    if (c->is_free) {
        ONLY(c, trial, "index", "episodes", "wins", "steps");
        c->horizon = read_whole(c, member(c, trial, "steps"), 1, VERIFY_MOST_COUNT - 1);
        check_universal(c);
    } else if (c->horizon == 0) {
        ONLY(c, trial, "index", "episodes", "wins", "steps");
        c->trial_steps = read_whole(c, member(c, trial, "steps"), 1, VERIFY_MOST_COUNT - 1);
    } else
        ONLY(c, trial, "index", "episodes", "wins");
    c->trial = read_whole(c, member(c, trial, "index"), 1, VERIFY_MOST_COUNT);
    c->episodes = read_whole(c, member(c, trial, "episodes"), 1, VERIFY_MOST_COUNT);
    c->wins = read_whole(c, member(c, trial, "wins"), 0, c->episodes);
}

/* ---- nodes ---- */

static uint64_t read_marks(verify_certificate *c, base_json_value list, uint32_t i)
{
    uint64_t marks = 0;
    uint32_t count = length_of(c, list);
    for (uint32_t k = 0; k < count && verify_is_ok(c); k++) {
        uint64_t bit = UINT64_C(1) << read_whole(c, item(c, list, k), 0, 62);
        if (bit <= marks) /* a mark at least as high was listed before */
            verify_refuse(c, "nodes", i, "marks do not ascend");
        marks |= bit;
    }
    return marks;
}

/* action, next and marks name a choice, or are all null. */
static void read_choice(verify_certificate *c, base_json_value value, verify_node *node, uint32_t i)
{
    base_json_value marks = member(c, value, "marks");
    node->action = position(c, value, "action", VERIFY_UNIVERSAL);
    node->next = position(c, value, "next", c->automaton.states);
    if ((node->next == VERIFY_NONE) != is_null(c, marks))
        verify_refuse(c, "nodes", i, "next and marks must both be null or neither");
    else if (node->next == VERIFY_NONE && node->action != VERIFY_NONE)
        verify_refuse(c, "nodes", i, "an action without a next memory");
    else if (node->next != VERIFY_NONE)
        node->marks = read_marks(c, marks, i);
}

static void check_place(verify_certificate *c, const verify_node *node, uint32_t i)
{
    bool is_universal = node->memory != VERIFY_NONE && c->automaton.universal[node->memory];
    if ((node->state == VERIFY_NONE) != (node->memory == VERIFY_NONE))
        verify_refuse(c, "nodes", i, "state and memory must both be null or neither");
    if (is_universal && i > 0)
        verify_refuse(c, "nodes", i, "its memory is universal, so it must not be listed");
    if (is_universal && node->next != VERIFY_NONE)
        verify_refuse(c, "nodes", i, "its memory is universal, so it must have no choice");
}

static void check_values(verify_certificate *c, const verify_node *node, uint32_t i)
{
    bool is_one = node->upper == 1 && node->lower == 1 && node->rank == 0;
    bool is_universal = node->memory != VERIFY_NONE && c->automaton.universal[node->memory];
    if (is_universal && !node->wins)
        verify_refuse(c, "nodes", i, "its memory is universal, so it must win");
    if (node->lower > node->upper)
        verify_refuse(c, "nodes", i, "lower is above upper");
    if (node->wins && !is_one)
        verify_refuse(c, "nodes", i, "wins, but upper and lower are not 1 or the rank is not 0");
    if ((node->lower > 0) != (node->rank != VERIFY_NONE))
        verify_refuse(c, "nodes", i, "rank must be null if and only if lower is 0");
    bool has_values = node->lower == 0 || node->wins;
    if (c->trial > 0 && !has_values)
        verify_refuse(c, "nodes", i, "with a trial, lower must be 0 unless the node wins");
    if (c->trial == 0 && !is_universal && (node->lower > 0) != (node->next != VERIFY_NONE))
        verify_refuse(c, "nodes", i, "a choice must be given if and only if lower is above 0");
}

/* With T the checker computes all values itself. */
static void read_values(verify_certificate *c, base_json_value value, verify_node *node)
{
    if (c->horizon > 0) {
        ONLY(c, value, "state", "memory", "action", "next", "marks");
        return;
    }
    ONLY(c, value, "state", "memory", "upper", "lower", "wins", "rank", "action", "next", "marks");
    node->upper = read_fraction(c, value, "upper");
    node->lower = read_fraction(c, value, "lower");
    node->wins = read_flag(c, value, "wins");
    node->rank = position(c, value, "rank", VERIFY_UNIVERSAL);
}

static void read_node(verify_certificate *c, base_json_value value, uint32_t i)
{
    verify_node *node = &c->node[i];
    uint64_t *entry;
    read_values(c, value, node);
    node->state = position(c, value, "state", c->state_count);
    node->memory = position(c, value, "memory", c->automaton.states);
    node->chosen = VERIFY_NONE;
    read_choice(c, value, node, i);
    if (verify_is_ok(c) && c->horizon == 0)
        check_values(c, node, i);
    if (verify_is_ok(c))
        check_place(c, node, i);
    if (verify_is_ok(c))
        c->status =
            base_map_at(&c->node_at, (uint64_t)node->state << 32 | node->memory, &entry, c->error);
    if (verify_is_ok(c) && c->node_at.count != i + 1)
        verify_refuse(c, "nodes", i, "it is listed twice");
    else if (verify_is_ok(c))
        *entry = i;
}

/*
 * The first node is the start. It is the node before the reset if the reset is random or the automaton does
 * not have exactly one initial state. There is no other node of this kind.
 */
static void read_nodes(verify_certificate *c, base_json_value list)
{
    c->node_count = length_of(c, list);
    c->node = verify_alloc(c, c->node_count, sizeof *c->node);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        read_node(c, item(c, list, i), i);
    if (!verify_is_ok(c))
        return;
    bool before = c->start == VERIFY_NONE || c->automaton.initials != 1;
    uint32_t state = before ? VERIFY_NONE : c->start;
    uint32_t memory = before ? VERIFY_NONE : c->automaton.initial[0];
    if (c->node_count == 0 || c->node[0].state != state || c->node[0].memory != memory)
        verify_refuse(c, "nodes", 0,
                      before ? "must be the node before the reset" : "must be the start");
    if (!before && base_map_find(&c->node_at, UINT64_MAX) != NULL)
        verify_refuse(c, "nodes", VERIFY_NONE,
                      "a node before the reset is listed, but the reset is not random");
}

/* ---- what is to be computed with T ---- */

static void read_sweeps(verify_certificate *c, base_json_value sweeps)
{
    ONLY(c, sweeps, "upper", "risk");
    if (c->is_free && c->row_count > 0)
        verify_refuse(c, "rows", VERIFY_NONE, "are of no use if nothing is assumed");
    uint64_t most = c->is_free ? 0 : c->horizon;
    c->upper_sweeps = read_whole(c, member(c, sweeps, "upper"), 0, most);
    c->risk_sweeps = read_whole(c, member(c, sweeps, "risk"), 0, most);
}

/* ---- claim ---- */

static void read_claim(verify_certificate *c, base_json_value claim)
{
    ONLY(c, claim, "lower", "upper", "confidence", "value", "statement");
    c->claim_lower = read_fraction(c, claim, "lower");
    c->claim_upper = read_fraction(c, claim, "upper");
    c->claim_confidence = read_fraction(c, claim, "confidence");
    c->claim_statement = text(c, claim, "statement", true);
    bool has_value = !is_null(c, member(c, claim, "value"));
    c->claim_value = has_value ? read_fraction(c, claim, "value") : c->claim_lower;
}

void verify_read(verify_certificate *c, base_json_value root)
{
    const char *hoa = NULL;
    size_t length = 0;
    read_assumptions(c, member(c, root, "assumes"));
    read_epsilon(c, root);
    read_delta(c, member(c, root, "delta"));
    if (c->horizon > 0)
        ONLY(c, root, "schema", "version", "inputs", "assumes", "epsilon", "delta", "automaton",
             "states", "start", "rows", "nodes", "trial", "sweeps", "claim", "digest");
    else if (c->is_alike && c->episodes_delta > 0)
        ONLY(c, root, "schema", "version", "inputs", "assumes", "epsilon", "delta", "automaton",
             "states", "start", "classes", "rows", "nodes", "trial", "claim", "digest");
    else if (c->is_alike)
        ONLY(c, root, "schema", "version", "inputs", "assumes", "epsilon", "delta", "automaton",
             "states", "start", "classes", "rows", "nodes", "claim", "digest");
    else if (c->episodes_delta > 0)
        ONLY(c, root, "schema", "version", "inputs", "assumes", "epsilon", "delta", "automaton",
             "states", "start", "rows", "nodes", "trial", "claim", "digest");
    else
        ONLY(c, root, "schema", "version", "inputs", "assumes", "epsilon", "delta", "automaton",
             "states", "start", "rows", "nodes", "claim", "digest");
    text(c, root, "version", false);
    read_inputs(c, member(c, root, "inputs"));
    base_json_value automaton = member(c, root, "automaton");
    if (verify_is_ok(c))
        c->status = base_json_string(automaton, &hoa, &length, c->error);
    if (verify_is_ok(c))
        verify_read_automaton(c, hoa, length);
    read_states(c, member(c, root, "states"));
    c->start = position(c, root, "start", c->state_count);
    if (c->is_alike)
        read_classes(c, member(c, root, "classes"));
    read_rows(c, member(c, root, "rows"));
    if (c->episodes_delta > 0) /* what nodes must have depends on it */
        read_trial(c, member(c, root, "trial"));
    read_nodes(c, member(c, root, "nodes"));
    if (c->horizon > 0)
        read_sweeps(c, member(c, root, "sweeps"));
    read_claim(c, member(c, root, "claim"));
    text(c, root, "digest", false);
}
