/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as a checkpoint: unchanged, and with a correct length and digest, so that the code after
 * these checks is reached. A run that is restored must be valid: its checkpoint has the same bytes, and the
 * run continues. It may fail because the simulator contradicts the states of the file, but not with an
 * internal error.
 *
 * There are two kinds of ω-PAC runs: a model with counters by state-action pair and a deterministic automaton;
 * and callbacks with random starts, counters by choice and a nondeterministic automaton with a rejecting and
 * a universal state. If the question in the file is that of a bracket, there are three kinds: the same two with
 * p_min, and the model with its graph.
 */
#include "base/hash.h"
#include "bracket/bracket.h"
#include "mutate_checkpoint.h"
#include "omega_pac/omega_pac.h"
#include "support/checkpoint_memory.h"

enum {
    LEAST = 22 + 16, /* a frame without sections */
    EPISODES = 3,
    STEPS = 12,
    HORIZON = 10,
    RING = 5 /* states of the simulator */
};

static const char model_text[] = "mdp\nmodule m\n  x : [0..3] init 0;\n"
                                 "  [a] x<3 -> 0.5:(x'=x+1) + 0.5:true;\n"
                                 "  [b] x<2 -> (x'=x+2);\n"
                                 "  [c] x=3 -> 0.1:(x'=0) + 0.9:(x'=1);\n"
                                 "endmodule\nlabel \"a\" = x>1;\nlabel \"b\" = x=3;\n";
static const char deterministic[] = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\n"
                                    "Acceptance: 1 Inf(0)\n--BODY--\n"
                                    "State: 0\n[0] 1 {0}\n[!0] 0\nState: 1\n[1] 0 {0}\n[!1] 1\n"
                                    "--END--\n";
static const char guessing[] = "HOA: v1\nStates: 3\nStart: 0\nStart: 1\nAP: 2 \"a\" \"b\"\n"
                               "Acceptance: 1 Inf(0)\n--BODY--\n"
                               "State: 0\n[0] 0\n[0] 1\n[1] 2 {0}\nState: 1\n[!0] 1 {0}\n[1] 1\n"
                               "State: 2\n[t] 2 {0}\n--END--\n";

/* ---- a simulator: a ring whose last place is terminal ---- */

typedef struct ring {
    uint64_t random;
    unsigned char place;
} ring;

static uint32_t draw(ring *r, uint32_t bound)
{
    r->random = base_hash_word(r->random + 1);
    return (uint32_t)(r->random % bound);
}

static void observe(const ring *r, opac_observation *seen)
{
    *seen = (opac_observation){.key = &r->place,
                               .length = 1,
                               .letter = r->place % 4u,
                               .actions = r->place == RING - 1 ? 0 : 1 + r->place % 2u};
}

static opac_status ring_reset(void *context, uint64_t seed, opac_observation *seen,
                              opac_error *error)
{
    ring *r = context;
    (void)error;
    r->random = seed;
    r->place = (unsigned char)draw(r, 2);
    observe(r, seen);
    return OPAC_OK;
}

static opac_status ring_step(void *context, uint32_t action, opac_observation *seen,
                             opac_error *error)
{
    ring *r = context;
    (void)error;
    r->place = (unsigned char)((r->place + action + draw(r, 2)) % RING);
    observe(r, seen);
    return OPAC_OK;
}

/* ---- runs ---- */

typedef enum subject_kind {
    CALLBACKS,
    MODEL,
    BRACKET_OF_CALLBACKS,
    BRACKET_OF_MODEL,
    BRACKET_BY_GRAPH
} subject_kind;

static const char plain_question[] = "asked=fuzz\n", bracket_question[] = "asked=bracket\n";

typedef struct subject {
    bool is_model, is_bracket;
    opac_environment *env;
    opac_automaton *automaton;
    sample_run run;
    sample_trace_vec trace;
    sample_checkpoint checkpoint;
} subject;

static opac_automaton *read_automaton(const char *text)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    fuzz_require(opac_hoa_reader_new(text, strlen(text), NULL, NULL, &reader, NULL) == OPAC_OK);
    fuzz_require(opac_hoa_reader_next(reader, &automaton, NULL) == OPAC_OK);
    opac_hoa_reader_free(reader);
    return automaton;
}

static void make_environment(subject *x)
{
    static opac_model *model; /* built once, since that takes longer than everything else */
    static const char *const names[] = {"a", "b"};
    opac_environment_callbacks calls = {.reset = ring_reset,
                                        .step = ring_step,
                                        .release = free,
                                        .propositions = names,
                                        .proposition_count = 2,
                                        .random_start = true};
    if (model == NULL)
        fuzz_require(opac_model_read_text(OPAC_FORMAT_PRISM, model_text, strlen(model_text), NULL,
                                          &model, NULL) == OPAC_OK);
    if (x->is_model)
        fuzz_require(opac_environment_of_model(model, NULL, &x->env, NULL) == OPAC_OK);
    else
        fuzz_require(opac_environment_new(&calls, calloc(1, sizeof(ring)), &x->env, NULL) ==
                     OPAC_OK);
}

static void make_bracket(subject *x, bool has_graph)
{
    static const solve_rabin_pair buchi = {.inf = 1};
    const bracket_support_options support = {.pmin = has_graph     ? 0
                                                     : x->is_model ? 0.1
                                                                   : 0.5,
                                             .graph = has_graph ? x->env : NULL,
                                             .delta = 0.5};
    const bracket_model_options bracket = {.pairs = &buchi, .pair_count = 1, .precision = 1e-3};
    fuzz_require(bracket_attach(&x->run, &support, &bracket, NULL) == OPAC_OK);
}

static void make_omega_pac(subject *x)
{
    static const solve_rabin_pair buchi = {.inf = 1};
    const omega_pac_optimistic_model_options options = {.pairs = &buchi, .pair_count = 1};
    fuzz_require(omega_pac_attach(&x->run, &options, NULL) == OPAC_OK);
}

static void subject_begin(subject *x, subject_kind kind)
{
    static opac_automaton *automata[2];
    bool is_bracket = kind >= BRACKET_OF_CALLBACKS;
    bool is_model = kind != CALLBACKS && kind != BRACKET_OF_CALLBACKS;
    if (automata[is_model] == NULL)
        automata[is_model] = read_automaton(is_model ? deterministic : guessing);
    *x = (subject){.is_model = is_model,
                   .is_bracket = is_bracket,
                   .automaton = automata[is_model],
                   .run = {.seed = 1, .horizon = HORIZON}};
    x->checkpoint =
        (sample_checkpoint){is_bracket ? bracket_question : plain_question, &x->run, &x->trace};
    make_environment(x);
    sample_statistics_options stats = {.k = is_bracket ? SAMPLE_NEVER_FULL : 3,
                                       .count_pairs = kind == CALLBACKS};
    fuzz_require(sample_statistics_init(&x->run.stats, x->env, x->automaton, &stats, NULL) ==
                 OPAC_OK);
    if (is_bracket)
        make_bracket(x, kind == BRACKET_BY_GRAPH);
    else
        make_omega_pac(x);
}

static void subject_end(subject *x)
{
    sample_run_free_strategy(&x->run);
    sample_statistics_fini(&x->run.stats);
    sample_trace_vec_fini(&x->trace);
    opac_environment_free(x->env);
}

/* Executes the choice of the policy, and counts the successor. */
static opac_status take_choice(subject *x, uint32_t *product_state, opac_observation *seen,
                               opac_error *error)
{
    sample_statistics *stats = &x->run.stats;
    uint32_t number = sample_run_choice(&x->run, *product_state), state, branch;
    sample_choice choice = stats->choices.items[number];
    opac_status status = OPAC_OK;
    if (sample_choice_is_free(&choice)) {
        *product_state = choice.target;
        return OPAC_OK;
    }
    if (choice.action != SAMPLE_NONE)
        status = env_step(stats->env, choice.action, seen, error);
    if (status == OPAC_OK)
        status = sample_statistics_add_state(stats, seen, &state, error);
    if (status == OPAC_OK)
        status = sample_statistics_branch(stats, stats->counters.items[choice.counter].row, state,
                                          &branch, error);
    if (status == OPAC_OK)
        status = sample_statistics_observe(stats, choice.counter, branch, 1, error);
    return status == OPAC_OK ? sample_statistics_follow(stats, number, branch, product_state, error)
                             : status;
}

static opac_status run_episode(subject *x, uint64_t seed, opac_error *error)
{
    sample_statistics *stats = &x->run.stats;
    opac_observation seen;
    uint32_t state, product_state;
    opac_status status = env_reset(stats->env, seed, &seen, error);
    if (status == OPAC_OK)
        status = sample_statistics_add_state(stats, &seen, &state, error);
    if (status == OPAC_OK)
        status = sample_statistics_begin_episode(stats, state, error);
    product_state = stats->start;
    for (uint32_t i = 0; i < STEPS && status == OPAC_OK; i++) {
        if (sample_run_ends_at(&x->run, product_state))
            break;
        status = take_choice(x, &product_state, &seen, error);
    }
    return status;
}

/* Updates the bracket. After a refutation a run would end, so the rest is not called. */
static opac_status update_bracket(subject *x, opac_error *error)
{
    sample_run *run = &x->run;
    sample_refutation found;
    sample_chain chain;
    base_double_vec weights = {0};
    uint64_t changed;
    double value;
    opac_status status = bracket_support_refresh(bracket_support_of(run), &changed, error);
    if (status == OPAC_OK)
        status = bracket_support_check(bracket_support_of(run), &found, error);
    if (status != OPAC_OK || found.kind != OPAC_REFUTED_NONE)
        return status;
    status = bracket_model_update(bracket_model_of(run), error);
    bracket_bounds bounds = bracket_model_bounds(bracket_model_of(run));
    fuzz_require(status != OPAC_OK || (bounds.lower >= 0 && bounds.upper <= 1));
    if (status == OPAC_OK)
        status = bracket_model_weights(bracket_model_of(run), &weights, error);
    if (status == OPAC_OK)
        status = bracket_model_chain(bracket_model_of(run), &chain, &value, error);
    base_double_vec_fini(&weights);
    return status;
}

static opac_status update_policy(subject *x, opac_error *error)
{
    base_u32_vec changed = {0};
    omega_pac_optimistic_model *model = omega_pac_optimistic_model_of(&x->run);
    sample_chain chain;
    double risk;
    bool done;
    opac_status status = sample_statistics_refresh(&x->run.stats, &changed, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_update(
            model, omega_pac_optimistic_model_solves(model) > 0 ? &changed : NULL, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_is_done(model, HORIZON, false, &done, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_risk(model, HORIZON, &risk, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_chain(model, &chain, error);
    base_u32_vec_fini(&changed);
    return status;
}

static opac_status continue_run(subject *x, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint64_t i = 0; i < EPISODES && status == OPAC_OK; i++) {
        status = run_episode(x, i, error);
        if (status == OPAC_OK)
            status = x->is_bracket ? update_bracket(x, error) : update_policy(x, error);
    }
    return status;
}

/* ---- files ---- */

static opac_output *print(const subject *x)
{
    opac_output *out;
    fuzz_require(opac_output_open_memory(&out, NULL) == OPAC_OK);
    fuzz_require(sample_checkpoint_print(&x->checkpoint, out, NULL) == OPAC_OK);
    return out;
}

static void check_accepted(subject *x, const unsigned char *bytes, size_t size)
{
    opac_error error = {0};
    opac_output *out = print(x);
    size_t length;
    const char *again = opac_output_bytes(out, &length);
    fuzz_require(length == size && memcmp(again, bytes, size) == 0);
    opac_output_free(out);
    opac_status status = continue_run(x, &error);
    fuzz_require(status == OPAC_OK || status == OPAC_ERROR_SIMULATOR ||
                 status == OPAC_ERROR_ARGUMENT);
    if (status != OPAC_OK)
        fuzz_require_message(error.message);
}

static void check_bytes(subject_kind kind, const unsigned char *bytes, size_t size)
{
    subject x;
    opac_error error = {0};
    subject_begin(&x, kind);
    opac_status status = learn_checkpoint_parse(&x.checkpoint, "f", bytes, size, &error);
    if (status == OPAC_OK) {
        check_accepted(&x, bytes, size);
    } else {
        fuzz_require(status == OPAC_ERROR_ARGUMENT && error.code == status);
        fuzz_require_message(error.message);
    }
    subject_end(&x);
}

static bool asks_for_bracket(const unsigned char *bytes, size_t size)
{
    size_t length = sizeof bracket_question - 1;
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, bracket_question, length) == 0)
            return true;
    return false;
}

static void check_all(const unsigned char *bytes, size_t size)
{
    bool is_bracket = asks_for_bracket(bytes, size);
    for (subject_kind kind = CALLBACKS; kind <= BRACKET_BY_GRAPH; kind++)
        if ((kind >= BRACKET_OF_CALLBACKS) == is_bracket)
            check_bytes(kind, bytes, size);
}

/* Whether one of the kinds of runs accepts the bytes. */
bool fuzz_accepts(const uint8_t *data, size_t size)
{
    bool is_bracket = asks_for_bracket(data, size), is_accepted = false;
    for (subject_kind kind = CALLBACKS; kind <= BRACKET_BY_GRAPH && !is_accepted; kind++) {
        subject x;
        if ((kind >= BRACKET_OF_CALLBACKS) != is_bracket)
            continue;
        subject_begin(&x, kind);
        is_accepted = learn_checkpoint_parse(&x.checkpoint, "f", data, size, NULL) == OPAC_OK;
        subject_end(&x);
    }
    return is_accepted;
}

/* Writes the checkpoint of a new run, so that there is an accepted input for every version of the format. */
static size_t make_fresh(uint8_t *data, size_t size, size_t most, fuzz_random *random)
{
    subject x;
    size_t length;
    subject_begin(&x, (subject_kind)fuzz_below(random, BRACKET_BY_GRAPH + 1));
    for (uint32_t i = fuzz_below(random, 3); i > 0; i--)
        if (continue_run(&x, NULL) != OPAC_OK)
            break;
    opac_output *out = print(&x);
    const char *bytes = opac_output_bytes(out, &length);
    if (length <= most) {
        memcpy(data, bytes, length);
        size = length;
    }
    opac_output_free(out);
    subject_end(&x);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    fuzz_random random = {.state = seed};
    if (fuzz_below(&random, 8) == 0 || !fuzz_accepts(data, size))
        size = make_fresh(data, size, most, &random);
    return fuzz_mutate(data, size, most, seed, fuzz_change_checkpoint, fuzz_accepts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = calloc(size > 0 ? size : 1, 1); /* of the exact size: see driver.c */
    fuzz_require(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    check_all(bytes, size);
    if (size >= LEAST) {
        fuzz_seal_checkpoint(bytes, size);
        check_all(bytes, size);
    }
    free(bytes);
    return 0;
}
