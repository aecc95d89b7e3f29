/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of statistics from random walks: reading restores what was written, and the run continues
 * as without an interruption. Files that do not exist, cannot be written, or belong to other runs are
 * errors.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checkpoints.h"
#include "support/checkpoint_memory.h"
#include "support/faults.h"
#include "support/temporary.h"

enum {
    ROUNDS = 120,
    NOBODY = 65534 /* a user who may do nothing */
};

/* ---- round trips ---- */

static void compare_states(const sample_statistics *a, const sample_statistics *b)
{
    assert_int_equal(a->states.count, b->states.count);
    for (uint32_t s = 0; s < a->states.count; s++) {
        const sample_state *x = &a->states.items[s], *y = &b->states.items[s];
        size_t length, other;
        const unsigned char *key = base_intern_key(&a->keys, s, &length);
        const unsigned char *same = base_intern_key(&b->keys, s, &other);
        assert_true(length == other);
        assert_true(memcmp(key, same, length) == 0);
        assert_true(x->letter == y->letter);
        assert_true(x->class == y->class);
        assert_true(x->actions == y->actions);
        assert_true(x->row == y->row);
        assert_true(x->product_state == y->product_state);
    }
}

static uint32_t target_of(const sample_statistics *stats, uint32_t row, uint32_t branch)
{
    const sample_row *r = &stats->rows.items[row];
    return branch < r->width ? stats->targets.items[r->begin + branch] : SAMPLE_NONE;
}

static void compare_rows(const sample_statistics *a, const sample_statistics *b)
{
    assert_int_equal(a->rows.count, b->rows.count);
    for (uint32_t r = 0; r < a->rows.count; r++) {
        const sample_row *x = &a->rows.items[r], *y = &b->rows.items[r];
        assert_true(x->state == y->state);
        assert_true(x->action == y->action);
        assert_true(x->seen == y->seen);
        for (uint32_t i = 0; i < x->width || i < y->width; i++)
            assert_int_equal(target_of(a, r, i), target_of(b, r, i));
    }
}

static void compare_counters(const sample_statistics *a, const sample_statistics *b)
{
    assert_int_equal(a->counters.count, b->counters.count);
    for (uint32_t c = 0; c < a->counters.count; c++) {
        const sample_counter *x = &a->counters.items[c], *y = &b->counters.items[c];
        assert_true(x->count == y->count);
        assert_true(x->row == y->row);
        assert_true(x->known == y->known);
        for (uint32_t i = 0; i < x->capacity || i < y->capacity; i++)
            assert_true(sample_statistics_observed(a, c, i) == sample_statistics_observed(b, c, i));
    }
}

static void compare_pairs(const sample_statistics *a, const sample_statistics *b)
{
    assert_int_equal(a->product_states.count, b->product_states.count);
    assert_int_equal(a->choices.count, b->choices.count);
    assert_int_equal(a->product_state_of.count, b->product_state_of.count);
    for (size_t p = 0; p < a->product_states.count; p++) {
        const sample_product_state *x = &a->product_states.items[p],
                                   *y = &b->product_states.items[p];
        assert_true(x->state == y->state);
        assert_true(x->memory == y->memory);
        assert_true(x->choice == y->choice);
        assert_true(x->choices == y->choices);
        assert_true(x->next == y->next);
    }
    for (size_t c = 0; c < a->choices.count; c++) {
        const sample_choice *x = &a->choices.items[c], *y = &b->choices.items[c];
        assert_true(x->marks == y->marks);
        assert_true(x->counter == y->counter);
        assert_true(x->action == y->action);
        assert_true(x->memory == y->memory);
        assert_true(x->target == y->target);
    }
    for (size_t i = 0; i < a->product_state_of.count; i++)
        assert_int_equal(a->product_state_of.items[i], b->product_state_of.items[i]);
}

static void compare_worlds(const sample_statistics *a, const sample_statistics *b)
{
    compare_states(a, b);
    compare_rows(a, b);
    compare_counters(a, b);
    compare_pairs(a, b);
    assert_true(a->k == b->k);
    assert_true(a->known == b->known);
    assert_true(a->closed == b->closed);
    assert_true(a->start == b->start);
    assert_true(a->initial == b->initial);
    assert_true(a->reject == b->reject);
    assert_true(a->reset_row == b->reset_row);
    assert_true(a->most.states == b->most.states);
    assert_true(a->most.actions == b->most.actions);
    assert_true(a->most.branching == b->most.branching);
    assert_int_equal(a->full.count, b->full.count);
    for (size_t i = 0; i < a->full.count; i++)
        assert_int_equal(a->full.items[i], b->full.items[i]);
}

static void compare_bytes(const scene *a, const scene *b)
{
    size_t length, other;
    unsigned char *first = scene_print(a, &length), *second = scene_print(b, &other);
    assert_true(length == other);
    assert_true(memcmp(first, second, length) == 0);
    free(first);
    free(second);
}

static void compare_scenes(const scene *a, const scene *b)
{
    compare_worlds(&a->run.stats, &b->run.stats);
    compare_bytes(a, b);
    assert_true(a->run.seed == b->run.seed);
    assert_true(a->run.horizon == b->run.horizon);
    assert_true(a->run.episodes == b->run.episodes);
    assert_true(a->run.steps == b->run.steps);
    assert_true(a->run.policies == b->run.policies);
    assert_true(a->run.limit == b->run.limit);
    assert_true(a->run.watch_begin == b->run.watch_begin);
    assert_true(a->run.watch_samples == b->run.watch_samples);
    assert_true(a->trace.count == b->trace.count);
    for (size_t i = 0; i < a->trace.count; i++) {
        const opac_trace_entry *x = &a->trace.items[i], *y = &b->trace.items[i];
        assert_true(x->episode == y->episode);
        assert_true(x->step == y->step);
        assert_true(x->known == y->known);
        assert_true(x->horizon == y->horizon);
        assert_true(x->value == y->value);
        assert_true(x->lower == y->lower);
        assert_true(x->upper == y->upper);
        assert_true(isnan(x->truth) ? isnan(y->truth) : x->truth == y->truth);
    }
}

/* Wander, write, read, and both go on alike; several times, each from the copy before. */
static void check_round_trips(uint64_t *random, bool callbacks)
{
    scene first, copies[3];
    opac_error error;
    if (!scene_draw(random, 20, callbacks, &first))
        return;
    for (size_t i = 0; i < 3; i++) {
        const scene *from = i > 0 ? &copies[i - 1] : &first;
        uint64_t same = *random;
        size_t length;
        unsigned char *bytes = scene_print(from, &length);
        scene_again(&first, callbacks, &copies[i]);
        copies[i].run.seed = 0;
        assert_ok(learn_checkpoint_parse(&copies[i].checkpoint, "f", bytes, length, &error),
                  &error);
        free(bytes);
        compare_scenes(&first, &copies[i]);
        scene_wander(&first, random, 7);
        scene_wander(&copies[i], &same, 7);
        compare_scenes(&first, &copies[i]);
    }
    for (size_t i = 0; i < 3; i++)
        scene_end(&copies[i]);
    scene_end(&first);
}

static void test_round_trips(void **state)
{
    (void)state;
    uint64_t random = random_seed(61);
    for (uint32_t i = 0; i < ROUNDS; i++)
        check_round_trips(&random, i % 2 == 0);
}

/* ---- files that are not what they should be ---- */

/* Small fixed statistics of a few states. */
static void make_small(bool callbacks, bool count_pairs, scene *x)
{
    static const char hoa[] = "HOA: v1\nStates: 2\nStart: 0\nAP: 3 \"a\" \"b\" \"c\"\n"
                              "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 1 {0}\n[!0] 0\n"
                              "State: 1\n[1] 0 {0}\n[!1] 1\n--END--\n";
    uint64_t random = 5;
    opac_hoa_reader *reader;
    opac_error error;
    *x = (scene){.options = {.k = 4, .count_pairs = count_pairs}};
    x->model = wander_model(&random, (wander_shape){.states = 4, .actions = 2, .branches = 2});
    assert_ok(opac_hoa_reader_new(hoa, strlen(hoa), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &x->automaton, &error), &error);
    opac_hoa_reader_free(reader);
    assert_ok(scene_begin(x, callbacks, &error), &error);
    scene_wander(x, &random, 8);
}

static opac_status parse_again(const scene *x, bool callbacks, const void *bytes, size_t length,
                               opac_error *error)
{
    scene copy;
    scene_again(x, callbacks, &copy);
    unsigned char *exact = malloc(length > 0 ? length : 1); /* reads beyond the end are detected */
    assert_non_null(exact);
    if (length > 0)
        memcpy(exact, bytes, length);
    opac_status status = learn_checkpoint_parse(&copy.checkpoint, "f", exact, length, error);
    free(exact);
    scene_end(&copy);
    return status;
}

static void test_every_byte(void **state)
{
    (void)state;
    scene x;
    opac_error error;
    size_t length;
    make_small(true, false, &x);
    unsigned char *bytes = scene_print(&x, &length);
    for (size_t at = 0; at < length; at++) {
        for (unsigned change = 1; change < 256; change = 2 * change + (change % 3 == 0)) {
            bytes[at] = (unsigned char)(bytes[at] ^ change);
            assert_status(parse_again(&x, true, bytes, length, &error), OPAC_ERROR_ARGUMENT);
            bool is_frame = at < CHECKPOINT_HEAD;
            if (!is_frame && strstr(error.message, "is damaged: it states the digest") == NULL)
                fail_msg("byte %zu: %s", at, error.message);
            bytes[at] = (unsigned char)(bytes[at] ^ change);
        }
    }
    assert_ok(parse_again(&x, true, bytes, length, &error), &error);
    free(bytes);
    scene_end(&x);
}

static void test_every_cut(void **state)
{
    (void)state;
    scene x;
    opac_error error;
    size_t length;
    make_small(false, true, &x);
    unsigned char *bytes = scene_print(&x, &length);
    for (size_t cut = 0; cut < length; cut++) {
        assert_status(parse_again(&x, false, bytes, cut, &error), OPAC_ERROR_ARGUMENT);
        if (strstr(error.message, "the checkpoint 'f' is truncated: it has ") == NULL)
            fail_msg("cut %zu: %s", cut, error.message);
    }
    unsigned char *longer = malloc(length + 8);
    assert_non_null(longer);
    memcpy(longer, bytes, length);
    memset(longer + length, 0, 8);
    for (size_t more = 1; more <= 8; more++) {
        assert_status(parse_again(&x, false, longer, length + more, &error), OPAC_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "is damaged: it has "));
    }
    free(longer);
    free(bytes);
    scene_end(&x);
}

static void test_no_checkpoint(void **state)
{
    (void)state;
    const char *texts[] = {"x", "HOA: v1\n", "omegapac result 1\n........................",
                           "omegapac checkpoint 1\n........................................"};
    const char *expected[] = {"'f' is not a checkpoint", "'f' is not a checkpoint",
                              "'f' is not a checkpoint",
                              "'f' is a checkpoint of another version of the format"};
    scene x;
    opac_error error;
    make_small(true, false, &x);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_status(parse_again(&x, true, texts[i], strlen(texts[i]), &error),
                      OPAC_ERROR_ARGUMENT);
        assert_string_equal(error.message, expected[i]);
    }
    scene_end(&x);
}

static void test_foreign(void **state)
{
    (void)state;
    scene x, other;
    opac_error error;
    size_t length;
    make_small(true, false, &x);
    unsigned char *bytes = scene_print(&x, &length);
    scene_again(&x, true, &other);
    other.checkpoint.question = "epsilon=0.05\nT=10\n";
    assert_status(learn_checkpoint_parse(&other.checkpoint, "f", bytes, length, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "the checkpoint 'f' is of another run: epsilon is 0.1 there, "
                        "and 0.05 here");
    scene_end(&other);
    free(bytes);
    scene_end(&x);
}

/* The same question of another model, which tells by its transitions. */
static void test_other_model(void **state)
{
    (void)state;
    scene x, other;
    opac_error error;
    uint64_t random = 77;
    size_t length;
    make_small(false, false, &x);
    unsigned char *bytes = scene_print(&x, &length);
    opac_model *model =
        wander_model(&random, (wander_shape){.states = 4, .actions = 2, .branches = 2});
    other =
        (scene){.model = model, .automaton = x.automaton, .options = x.options, .is_copy = true};
    assert_ok(scene_begin(&other, false, &error), &error);
    assert_status(learn_checkpoint_parse(&other.checkpoint, "f", bytes, length, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "environment"));
    scene_end(&other);
    opac_model_free(model);
    free(bytes);
    scene_end(&x);
}

/* A state of the model with another letter than there. */
static void test_other_letter(void **state)
{
    (void)state;
    scene x;
    opac_error error;
    size_t length, size, refused = 0;
    make_small(false, false, &x);
    unsigned char *bytes = scene_print(&x, &length);
    size_t at = find_section(bytes, 2, &size);
    for (size_t s = 0; s < x.run.stats.states.count; s++) {
        size_t letter = at + 1 + 7 * s + 5; /* after a length and a key of four bytes */
        bytes[letter] ^= 4;                 /* the automaton does not read that one */
        seal(bytes, length);
        if (parse_again(&x, false, bytes, length, &error) != OPAC_OK) {
            assert_non_null(strstr(error.message, "another letter or number of actions"));
            refused++;
        }
        bytes[letter] ^= 4;
    }
    assert_true(refused > 0);
    free(bytes);
    scene_end(&x);
}

/* ---- crafted ones, with a right digest ---- */

/* Whatever it says, a run can go on with it: to an error that says why not, but to none of ours. */
static void go_on(scene *x, uint64_t random)
{
    opac_error error = {0};
    opac_status status = OPAC_OK;
    sample_chain chain;
    double risk;
    bool done;
    for (uint32_t i = 0; i < 5 && status == OPAC_OK; i++) {
        status = wander_episode(&x->run.stats, &random, 10, &error);
        if (status == OPAC_OK)
            status = scene_refresh(x, &error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_is_done(omega_pac_optimistic_model_of(&x->run), 10,
                                                        i % 2 == 0, &done, &error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_risk(omega_pac_optimistic_model_of(&x->run), 10,
                                                     &risk, &error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_chain(omega_pac_optimistic_model_of(&x->run),
                                                      &chain, &error);
    }
    if (status != OPAC_OK && status != OPAC_ERROR_SIMULATOR && status != OPAC_ERROR_ARGUMENT)
        fail_msg("%s: %s", opac_status_name(status), error.message);
}

/*
 * With any bytes of any sections changed, the checkpoint is refused, or the restored statistics are
 * possible and have this checkpoint.
 */
static void check_crafted(const scene *x, bool callbacks, const unsigned char *bytes, size_t length,
                          uint32_t *accepted)
{
    scene copy;
    opac_error error = {0};
    size_t again;
    scene_again(x, callbacks, &copy);
    opac_status status = learn_checkpoint_parse(&copy.checkpoint, "f", bytes, length, &error);
    if (status != OPAC_OK) {
        assert_status(status, OPAC_ERROR_ARGUMENT);
        assert_true(strlen(error.message) > 10);
    } else {
        unsigned char *printed = scene_print(&copy, &again);
        assert_true(again == length);
        assert_true(memcmp(bytes, printed, length) == 0);
        free(printed);
        go_on(&copy, length);
        ++*accepted;
    }
    scene_end(&copy);
}

static void craft(uint64_t *random, const scene *x, bool callbacks, uint32_t rounds)
{
    size_t size, length;
    uint32_t accepted = 0;
    unsigned char *bytes = scene_print(x, &size), *changed = malloc(size + 1);
    assert_non_null(changed);
    for (uint32_t i = 0; i < rounds; i++) {
        memcpy(changed, bytes, size);
        length = size;
        for (uint32_t changes = 1 + random_below(random, 3); changes > 0; changes--) {
            size_t at = CHECKPOINT_HEAD + random_below(random, (uint32_t)size - CHECKPOINT_HEAD);
            uint32_t delta = random_below(random, 4);
            changed[at] = delta == 0 ? (unsigned char)random_u32(random)
                                     : (unsigned char)(changed[at] + delta - 2 + (delta < 2));
        }
        seal(changed, length);
        check_crafted(x, callbacks, changed, length, &accepted);
    }
    free(changed);
    free(bytes);
    assert_true(accepted > 0); /* seeds, letters, counts: some changes are none of our business */
}

static void test_crafted(void **state)
{
    (void)state;
    uint64_t random = random_seed(62);
    scene x;
    for (uint32_t i = 0; i < 24; i++) {
        bool callbacks = i % 2 == 0;
        if (!scene_draw(&random, 6, callbacks, &x))
            continue;
        scene_wander(&x, &random, 10);
        craft(&random, &x, callbacks, 300);
        scene_end(&x);
    }
}

typedef struct mistake {
    size_t section, from, count;
    const char *bytes;
    size_t added;
    const char *expected;
} mistake;

/* k = 2, one action each, 0 ► 1 ► 0; one letter; the automaton has one state. */
static void make_tiny(scene *x)
{
    static const char hoa[] = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\n"
                              "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0\n"
                              "--END--\n";
    uint64_t random = 1;
    opac_hoa_reader *reader;
    opac_builder *builder;
    opac_error error;
    *x = (scene){.options = {.k = 2}};
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < 2; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, NULL, &error), &error);
        assert_ok(opac_builder_branch(builder, 1 - s, 1, &error), &error);
        assert_ok(opac_builder_declare_label(builder, s == 0 ? "a" : "b", &error), &error);
    }
    assert_ok(opac_builder_declare_label(builder, "c", &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &x->model, &error), &error);
    opac_builder_free(builder);
    assert_ok(opac_hoa_reader_new(hoa, strlen(hoa), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &x->automaton, &error), &error);
    opac_hoa_reader_free(reader);
    assert_ok(scene_begin(x, true, &error), &error);
    assert_ok(wander_episode(&x->run.stats, &random, 3, &error), &error);
    x->run.episodes = 1;
    x->run.steps = 3;
    x->run.policies = 1;
    x->run.watch_begin = 1;
    opac_trace_entry entry = {.episode = 1, .step = 3, .horizon = 10, .value = 1, .truth = 1};
    assert_ok(sample_trace_vec_push(&x->trace, entry, &error), &error);
    assert_ok(sample_trace_vec_push(&x->trace, entry, &error), &error);
}

/*
 * The tiny world, section by section:
 *     1 numbers   7 10 2 1 3 1, 1 1 (initial 0, start 0), 0 1 0 (the livelock detector)
 *     2 states    2: [0 bytes, letter 0, 1 action] [3 bytes "s" NUL "1", 0, 1]
 *     3 rows      2: [1: to 1] [1: to 0]
 *     4 pairs     2: (0, 0) (1, 0)
 *     5 counters  2: [one branch, not known: 2] [one branch: 1]; 1 full: 0; 0 closed
 *     6 policy    5 words: 0 pairs, 0 solves, 0 nodes, two doubles
 *     7 trace     2: [1 3 0 10 1.0 0.0 0.0 1.0] twice
 *     8 names     0
 */
static const mistake mistakes[] = {
    {1, 1, 1, "\0", 1, "T is 0"},
    {1, 2, 1, "\1", 1, "k must not decrease"},
    {1, 4, 1, "\x0b", 1, "1 episodes of 10 steps cannot have 11"},
    {1, 6, 1, "\3", 1, "initial state is not a possible one"},
    {1, 6, 1, "\0", 1, "initial state is not a possible one"},
    {1, 6, 1, "\2", 1, "not that of the initial state"},
    {1, 7, 1, "\2", 1, "not that of the initial state"},
    {1, 7, 1, "\0", 1, "there is no first product state"},
    {1, 9, 1, "\2", 1, "a mark is 2"},
    {1, 11, 0, "\0", 1, "1 bytes follow the last item"},
    {1, 10, 1, "", 0, "section ends too early"},
    {2, 0, 1, "\x7f", 1, "only 9 bytes follow"},
    {2, 0, 1, "\3", 1, "section ends too early"},
    {2, 0, 1, "\1", 1, "6 bytes follow the last item"},
    {2, 1, 1, "\x7f", 1, "the length of a key is 127"},
    {2, 2, 1, "\2", 1, "propositions that the automaton does not have"},
    {2, 3, 1, "\xff\x7f", 2, "the number of actions is 16383, but can be "},
    {2, 3, 1, "\2", 1, "there are 2 rows, but 3 actions"},
    {2, 4, 4, "\0", 1, "two states have the same key"},
    {3, 0, 1, "\1", 1, "there are 1 rows"},
    {3, 1, 1, "\2", 1, "but only 0 bytes follow"},
    {3, 1, 1, "\x0f", 1, "the number of branches is 15"},
    {3, 1, 2, "\2\1\1", 3, "lead to the same state"},
    {3, 2, 1, "\3", 1, "a target is 3, but can be at most 2"},
    {3, 2, 1, "\0", 1, "a branch has no target"},
    {3, 1, 2, "\0", 1, "can be at most 1"}, /* of the counter */
    {4, 0, 1, "\1", 1, "2 bytes follow the last item"},
    {4, 0, 5, "\0", 1, "the first product state does not exist"},
    {4, 1, 1, "\4", 1, "two product states are the same"},
    {4, 1, 1, "\5", 1, "the state of a product state is 5"},
    {4, 1, 2, "\0", 1, "not in the order of their discovery"},
    {4, 1, 2, "\1", 1, "nothing leads to the rejecting product state"},
    {4, 1, 1, "\2", 1, "not in the order of their discovery"},
    {4, 2, 1, "\1", 1, "a memory that the automaton does not have"},
    {5, 0, 1, "\3", 1, "there are 3 counters instead of 2"},
    {5, 1, 1, "\4", 1, "a counter's head is 4"},
    {5, 2, 1, "\3", 1, "a number of observations is 3, but can be at most 2"},
    {5, 2, 1, "\0", 1, "a counter ends in a zero"},
    {5, 2, 1, "\1", 1, "counters that became full are missing"},
    {5, 3, 1, "\3", 1, "a known counter has fewer than k observations"},
    {5, 5, 2, "\0", 1, "counters that became full are missing"},
    {5, 5, 2, "\2\0\0", 3, "counters that became full are missing"},
    {5, 6, 1, "\1", 1, "a counter is not full or a duplicate"},
    {5, 6, 1, "\2", 1, "a counter is not full or a duplicate"},
    {5, 1, 7, "\2\2\2\2\2\0\0\0", 8, "a counter is not full or a duplicate"},
    {5, 7, 1, "\3", 1, "the number of closed product states is 3"},
    {6, 0, 1, "\4", 1, "the policy does not match the observations"},
    {6, 1, 1, "\1", 1, "the policy does not match the observations"},
    {6, 1, 1, "\3", 1, "the policy does not match the observations"},
    {7, 0, 1, "\1", 1, "37 bytes follow the last item"},
    {7, 1, 1, "\2", 1, "an episode is 2"},
    {7, 2, 1, "\4", 1, "a step is 4"},
    {7, 4, 1, "\x0b", 1, "T is 11"},
    {7, 12, 2, "\xf1\x3f", 2, "not between 0 and 1"},
    {7, 12, 2, "\xf8\x7f", 2, "not between 0 and 1"},
    {7, 20, 2, "\xf1\x3f", 2, "not between 0 and 1"},
    {7, 20, 2, "\xf0\x3f", 2, "the bounds of a bracket are not in order"},
    {7, 20, 2, "\xf8\x7f", 2, "the bounds of a bracket are not in order"},
    {7, 28, 2, "\xf1\x3f", 2, "not between 0 and 1"},
    {7, 28, 2, "\xf8\x7f", 2, "the bounds of a bracket are not in order"},
    {7, 39, 1, "\2", 1, "order of time"},
    {7, 38, 1, "\0", 1, "order of time"},
    {8, 0, 1, "\1\0", 2, "a name of an action is empty or has a NUL"},
    {8, 0, 1, "\1\2a\0\0\0", 6, "a name of an action is empty or has a NUL"},
    {8, 0, 1, "\2\1a\1a\1\1", 7, "two names are the same"},
    {8, 0, 1, "\1\1a\2\0", 5, "a name is 2"},
    {8, 0, 1, "\1\1a\1", 4, "section ends too early"},
    {8, 0, 1, "\1\1a\0\0\0", 6, "1 bytes follow the last item"},
};

static void test_mistakes(void **state)
{
    (void)state;
    scene x;
    opac_error error;
    size_t size;
    make_tiny(&x);
    unsigned char *bytes = scene_print(&x, &size);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        size_t length = size;
        unsigned char *changed =
            edit(bytes, &length, m->section, m->from, m->count, m->bytes, m->added);
        opac_status status = parse_again(&x, true, changed, length, &error);
        if (status != OPAC_ERROR_ARGUMENT || strstr(error.message, m->expected) == NULL)
            fail_msg("mistake %zu: %s: %s", i, opac_status_name(status),
                     status == OPAC_OK ? "accepted" : error.message);
        free(changed);
    }
    free(bytes);
    scene_end(&x);
}

/* The first action is known, and leads to a product state that was not added. */
static void test_open_pair(void **state)
{
    (void)state;
    scene x;
    opac_error error;
    size_t length;
    make_tiny(&x);
    unsigned char *bytes = scene_print(&x, &length);
    unsigned char *known = edit(bytes, &length, 5, 1, 7, "\3\2\2\1\0\1", 6);
    assert_ok(parse_again(&x, true, known, length, &error), &error);
    unsigned char *open = edit(known, &length, 4, 0, 5, "\1\3\0", 3);
    assert_status(parse_again(&x, true, open, length, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(
        strstr(error.message, "known choice leads to a product state that does not exist"));
    unsigned char *later = edit(open, &length, 5, 6, 1, "\0", 1);
    assert_ok(parse_again(&x, true, later, length, &error), &error);
    free(later);
    free(open);
    free(known);
    free(bytes);
    scene_end(&x);
}

/* The first action has a name, which the environment does not know. */
static void test_names(void **state)
{
    (void)state;
    scene x, copy;
    opac_error error;
    size_t length, again;
    make_tiny(&x);
    unsigned char *bytes = scene_print(&x, &length);
    unsigned char *named = edit(bytes, &length, 8, 0, 1, "\1\2go\1\0", 6);
    scene_again(&x, true, &copy);
    assert_ok(learn_checkpoint_parse(&copy.checkpoint, "f", named, length, &error), &error);
    assert_string_equal(sample_statistics_action_name(&copy.run.stats, 0), "go");
    assert_string_equal(sample_statistics_action_name(&copy.run.stats, 1), "");
    unsigned char *printed = scene_print(&copy, &again);
    assert_int_equal(again, length);
    assert_memory_equal(printed, named, length);
    free(printed);
    scene_end(&copy);
    free(named);
    free(bytes);
    scene_end(&x);
}

/* Sections that are not there, or one more. */
static void test_sections(void **state)
{
    (void)state;
    scene x;
    opac_error error;
    size_t length, size;
    make_tiny(&x);
    unsigned char *bytes = scene_print(&x, &length);
    size_t at = find_section(bytes, 3, &size);
    memcpy(bytes + at - CHECKPOINT_SECTION, "rowz", 4);
    seal(bytes, length);
    assert_status(parse_again(&x, true, bytes, length, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "'f' is not a valid checkpoint: the section 'rows' is missing");
    memcpy(bytes + at - CHECKPOINT_SECTION, "rows", 4);
    put_word(bytes + at - 8, UINT64_MAX);
    seal(bytes, length);
    assert_status(parse_again(&x, true, bytes, length, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'rows' is longer than the file"));
    put_word(bytes + at - 8, size);
    size_t end = find_section(bytes, 7, &size) - CHECKPOINT_SECTION + 8;
    unsigned char *shorter = malloc(end);
    assert_non_null(shorter);
    memcpy(shorter, bytes, end);
    seal(shorter, end);
    assert_status(parse_again(&x, true, shorter, end, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the section 'trace' is missing"));
    free(shorter);
    unsigned char *longer = malloc(length + 1);
    assert_non_null(longer);
    memcpy(longer, bytes, length);
    seal(longer, length + 1);
    assert_status(parse_again(&x, true, longer, length + 1, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "there are unknown sections"));
    free(longer);
    free(bytes);
    scene_end(&x);
}

/* ---- the file system ---- */

typedef struct place {
    char folder[2048], path[2100];
} place;

static void make_place(place *p)
{
    assert_true(temporary_folder(p->folder, sizeof p->folder));
    snprintf(p->path, sizeof p->path, "%s/run", p->folder);
}

static void remove_place(const place *p)
{
    unlink(p->path);
    assert_int_equal(rmdir(p->folder), 0); /* nothing else is left in it */
}

static void test_files(void **state)
{
    (void)state;
    scene x, copy;
    place p;
    opac_error error;
    make_place(&p);
    make_small(true, true, &x);
    scene_again(&x, true, &copy);
    assert_status(sample_checkpoint_read(&copy.checkpoint, p.path, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "cannot read the checkpoint"));
    assert_ok(sample_checkpoint_write(&x.checkpoint, p.path, NULL, &error), &error);
    uint64_t random = 3;
    scene_wander(&x, &random, 3);
    assert_ok(sample_checkpoint_write(&x.checkpoint, p.path, NULL, &error), &error);
    assert_ok(sample_checkpoint_read(&copy.checkpoint, p.path, &error), &error);
    compare_scenes(&x, &copy);
    assert_status(sample_checkpoint_write(&x.checkpoint, "/nowhere/run", NULL, &error),
                  OPAC_ERROR_IO);
    assert_status(sample_checkpoint_write(&x.checkpoint, p.folder, NULL, &error), OPAC_ERROR_IO);
    scene_end(&copy);
    scene_end(&x);
    remove_place(&p);
}

static void check_file_is(const scene *x, const scene *before, const char *path)
{
    scene copy;
    opac_error error;
    scene_again(x, true, &copy);
    assert_ok(sample_checkpoint_read(&copy.checkpoint, path, &error), &error);
    compare_scenes(before, &copy);
    scene_end(&copy);
}

/* If writing fails, the previous file is unchanged. */
static void test_full_disk(void **state)
{
    (void)state;
    scene x, before;
    place p;
    opac_error error;
    struct rlimit limit, small;
    uint64_t random = 3;
    make_place(&p);
    make_small(true, false, &x);
    assert_ok(sample_checkpoint_write(&x.checkpoint, p.path, NULL, &error), &error);
    scene_again(&x, true, &before);
    assert_ok(sample_checkpoint_read(&before.checkpoint, p.path, &error), &error);
    scene_wander(&x, &random, 5);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 50;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    opac_status status = sample_checkpoint_write(&x.checkpoint, p.path, NULL, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_true(status == OPAC_ERROR_IO || status == OPAC_ERROR_LIMIT);
    assert_true(strlen(error.message) > 0);
    check_file_is(&x, &before, p.path);
    if (access("/dev/full", W_OK) == 0) {
        assert_status(sample_checkpoint_write(&x.checkpoint, "/dev/full", NULL, &error),
                      OPAC_ERROR_LIMIT);
        assert_true(strlen(error.message) > 0);
    }
    scene_end(&before);
    scene_end(&x);
    remove_place(&p);
}

static void test_read_only(void **state)
{
    (void)state;
    scene x, before;
    place p;
    opac_error error;
    uint64_t random = 3;
    uid_t me = geteuid();
    make_place(&p);
    make_small(true, false, &x);
    assert_ok(sample_checkpoint_write(&x.checkpoint, p.path, NULL, &error), &error);
    scene_again(&x, true, &before);
    assert_ok(sample_checkpoint_read(&before.checkpoint, p.path, &error), &error);
    scene_wander(&x, &random, 5);
    assert_int_equal(chmod(p.folder, 0555), 0);
    if (me == 0)
        assert_int_equal(seteuid(NOBODY), 0); /* no folder is closed to the other */
    opac_status status = sample_checkpoint_write(&x.checkpoint, p.path, NULL, &error);
    assert_int_equal(seteuid(me), 0);
    assert_status(status, OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "Permission denied"));
    check_file_is(&x, &before, p.path);
    assert_int_equal(chmod(p.folder, 0700), 0);
    scene_end(&before);
    scene_end(&x);
    remove_place(&p);
}

/* ---- out of memory ---- */

typedef struct fault_context {
    const scene *from;
    const char *path;
    bool callbacks;
} fault_context;

static opac_status write_it(void *context, opac_error *error)
{
    fault_context *c = context;
    return sample_checkpoint_write(&c->from->checkpoint, c->path, NULL, error);
}

static opac_status read_it(void *context, opac_error *error)
{
    fault_context *c = context;
    scene copy = {.model = c->from->model,
                  .automaton = c->from->automaton,
                  .options = c->from->options,
                  .is_copy = true};
    opac_status status = opac_environment_of_model(copy.model, NULL, &copy.env, error);
    if (status != OPAC_OK)
        return status;
    copy.checkpoint = (sample_checkpoint){"epsilon=0.1\nT=10\n", &copy.run, &copy.trace};
    status =
        sample_statistics_init(&copy.run.stats, copy.env, copy.automaton, &copy.options, error);
    if (status != OPAC_OK) {
        opac_environment_free(copy.env);
        return status;
    }
    omega_pac_optimistic_model_options options = {.pairs = &scene_pair, .pair_count = 1};
    status = omega_pac_attach(&copy.run, &options, error);
    if (status == OPAC_OK)
        status = sample_checkpoint_read(&copy.checkpoint, c->path, error);
    scene_end(&copy);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    scene x;
    place p;
    make_place(&p);
    make_small(false, true, &x);
    fault_context context = {.from = &x, .path = p.path};
    assert_true(faults_sweep(write_it, &context) > 2);
    assert_true(faults_sweep(read_it, &context) > 10);
    scene_end(&x);
    remove_place(&p);
}

SUITE(checkpoint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),  cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_every_cut),    cmocka_unit_test(test_no_checkpoint),
        cmocka_unit_test(test_foreign),      cmocka_unit_test(test_other_model),
        cmocka_unit_test(test_other_letter), cmocka_unit_test(test_crafted),
        cmocka_unit_test(test_mistakes),     cmocka_unit_test(test_open_pair),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_files),        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_read_only),    cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
