/* SPDX-License-Identifier: MIT */
/*
 * Writes certificates as JSON, omegapac.certificate/2 (docs/formats/certificate.md): one line for each
 * member, state, row and node. The text is built in memory first, because the digest is one of the text
 * itself, and because no certificate is written before opac_verify_text has accepted it.
 *
 * States and rows are in the order of their discovery, which is a function of the seed. Memory is numbered
 * as in the automaton's HOA text.
 */
#include "bracket/certificate.h"

#include <math.h>
#include <stdlib.h>

#include <omegapac/json.h>
#include <omegapac/number.h>
#include <omegapac/omegapac.h>
#include <omegapac/verification.h>

#include "aut/hoa_order.h"
#include "base/output.h"
#include "base/sha256.h"
#include "base/text.h"
#include "bracket/bracket.h"

enum {
    MOST_LINES = 1 << 15 /* of a certificate that every run checks: takes 0.2 s and 40 MB */
};

typedef struct successor {
    uint64_t state, count;
} successor;
BASE_VEC(successor_vec, successor);

typedef struct writer {
    const opac_learning *l;
    const sample_statistics *stats;
    const opac_certificate_inputs *inputs;
    opac_output *out; /* to memory */
    opac_json json;   /* of the current member or line */
    hoa_order order;
    successor_vec row; /* successors of the current row */
    bracket_start start;
    bracket_certificate_vec nodes;
} writer;

/* ---- members ---- */

static opac_json *begin_member(writer *w, const char *key)
{
    opac_output_print(w->out, ",\n\"%s\": ", key);
    opac_json_init(&w->json, w->out);
    return &w->json;
}

/* Begins a line of a list, after a comma unless it is the first. */
static opac_json *begin_line(writer *w, bool is_first)
{
    opac_output_text(w->out, is_first ? "\n  " : ",\n  ");
    opac_json_init(&w->json, w->out);
    return &w->json;
}

static void put_text(opac_json *json, const char *key, const char *text)
{
    opac_json_key(json, key);
    if (text != NULL)
        opac_json_string(json, text);
    else
        opac_json_null(json);
}

/* null for SAMPLE_NONE. */
static void put_number(opac_json *json, const char *key, uint32_t number)
{
    opac_json_key(json, key);
    if (number != SAMPLE_NONE)
        opac_json_uint(json, number);
    else
        opac_json_null(json);
}

/* null for 0. */
static void put_bound(opac_json *json, const char *key, uint64_t bound)
{
    opac_json_key(json, key);
    if (bound > 0)
        opac_json_uint(json, bound);
    else
        opac_json_null(json);
}

static void put_double(opac_json *json, const char *key, double value)
{
    opac_json_key(json, key);
    opac_json_double(json, value);
}

static void put_inputs(writer *w)
{
    opac_json *json = begin_member(w, "inputs");
    opac_json_begin_object(json);
    put_text(json, "model", w->inputs->model);
    put_text(json, "digest", w->inputs->model_digest);
    put_text(json, "constants", w->inputs->constants);
    put_text(json, "objective", w->l->objective);
    put_text(json, "formula", w->l->formula);
    opac_json_key(json, "least");
    opac_json_bool(json, w->l->least);
    opac_json_key(json, "seed");
    opac_json_uint(json, w->l->options.seed);
    opac_json_end_object(json);
}

/* The declared states, or 0 if the number of rows exceeds 64 bits: then the shares did not use it. */
static uint64_t declared_states(const opac_learning *l)
{
    const sample_limits *d = &l->declared;
    bool is_huge = d->states > 0 && d->actions > (UINT64_MAX - 1) / d->states;
    return is_huge ? 0 : d->states;
}

/* null for 0. */
static void put_probability(opac_json *json, const char *key, double value)
{
    opac_json_key(json, key);
    if (value > 0)
        opac_json_double(json, value);
    else
        opac_json_null(json);
}

static void put_assumptions(writer *w)
{
    const opac_learning *l = w->l;
    opac_json *json = begin_member(w, "assumes");
    opac_json_begin_object(json);
    put_probability(json, "pmin", l->options.pmin);
    put_probability(json, "pmin_start", l->traits.random_start ? l->options.pmin_start : 0);
    opac_json_key(json, "graph");
    opac_json_bool(json, l->has_graph);
    put_bound(json, "states", declared_states(l));
    put_bound(json, "actions", l->declared.actions);
    put_bound(json, "branching", l->declared.branching);
    opac_json_end_object(json);
}

static void put_delta(writer *w)
{
    const opac_learning *l = w->l;
    opac_json_double(begin_member(w, "epsilon"), l->options.epsilon);
    opac_json *json = begin_member(w, "delta");
    opac_json_begin_object(json);
    put_double(json, "total", l->options.delta);
    put_double(json, "support", l->report.delta_support);
    put_double(json, "interval", l->options.delta - l->report.delta_support);
    opac_json_end_object(json);
}

static opac_status put_automaton(writer *w, opac_error *error)
{
    opac_output *text = NULL;
    size_t length;
    TRY(opac_output_open_memory(&text, error));
    opac_automaton_write_hoa(w->l->automaton, text);
    opac_status status = opac_output_commit(text, error);
    const char *bytes = status == OPAC_OK ? opac_output_bytes(text, &length) : NULL;
    if (bytes != NULL)
        opac_json_bytes(begin_member(w, "automaton"), bytes, length);
    opac_output_free(text);
    return status;
}

/* ---- states ---- */

static void put_key(writer *w, uint32_t state)
{
    static const char digits[] = "0123456789abcdef";
    size_t length;
    const unsigned char *key = base_intern_key(&w->stats->keys, state, &length);
    char hex[2];
    opac_output_text(w->out, "{\"key\": \"");
    for (size_t i = 0; i < length; i++) {
        hex[0] = digits[key[i] >> 4];
        hex[1] = digits[key[i] & 15];
        opac_output_write(w->out, hex, sizeof hex);
    }
}

/* The key is written directly to the output, because it may be long. */
static void put_state(writer *w, uint32_t number)
{
    const sample_state *state = &w->stats->states.items[number];
    bool is_large = state->letter >> 53 != 0;
    put_key(w, number);
    opac_output_print(w->out, is_large ? "\", \"letter\": \"%llu\"" : "\", \"letter\": %llu",
                      (unsigned long long)state->letter);
    opac_output_print(w->out, ", \"actions\": %u}", (unsigned)state->actions);
}

static void put_states(writer *w)
{
    uint32_t count = (uint32_t)w->stats->states.count;
    begin_member(w, "states");
    opac_output_text(w->out, "[");
    for (uint32_t i = 0; i < count && !opac_output_failed(w->out); i++) {
        begin_line(w, i == 0);
        put_state(w, i);
    }
    opac_output_text(w->out, count > 0 ? "\n]" : "]");
    opac_json *json = begin_member(w, "start");
    if (w->stats->reset_row == SAMPLE_NONE)
        opac_json_uint(json, w->stats->initial);
    else
        opac_json_null(json);
}

/* ---- rows ---- */

static int compare(const void *a, const void *b)
{
    const successor *one = a, *other = b;
    return one->state < other->state ? -1 : one->state > other->state;
}

/*
 * Collects the successors of a row, in the order of states. Counters are by row and have its number. With a
 * graph, a reader takes every listed row for complete, so rows that were not explored are left out.
 */
static opac_status gather(writer *w, uint32_t number, opac_error *error)
{
    const sample_row *row = &w->stats->rows.items[number];
    w->row.count = 0;
    if (w->l->has_graph && !w->stats->counters.items[number].known)
        return OPAC_OK;
    for (uint32_t b = 0; b < row->width; b++) {
        uint32_t state = w->stats->targets.items[row->begin + b];
        uint64_t count = sample_statistics_observed(w->stats, number, b);
        if (state != SAMPLE_NONE && (count > 0 || w->l->has_graph))
            TRY(successor_vec_push(&w->row, (successor){state, count}, error));
    }
    if (w->row.count > 1)
        qsort(w->row.items, w->row.count, sizeof *w->row.items, compare);
    return OPAC_OK;
}

/* The discoveries, and the k and j of docs/theory.md, Theorem 13, from which the start's bounds follow. */
static void put_discoveries(const writer *w, opac_json *json)
{
    const sample_row *row = &w->stats->rows.items[w->stats->reset_row];
    opac_json_key(json, "discovered");
    opac_json_begin_array(json);
    for (size_t i = 0; i < w->stats->discoveries.count; i++) {
        const sample_discovery *d = &w->stats->discoveries.items[i];
        opac_json_begin_array(json);
        opac_json_uint(json, w->stats->targets.items[row->begin + d->branch]);
        opac_json_uint(json, d->from);
        opac_json_uint(json, d->hits);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    opac_json_key(json, "quiet");
    opac_json_begin_array(json);
    opac_json_uint(json, w->start.quiet_after);
    opac_json_uint(json, w->start.quiet);
    opac_json_end_array(json);
}

static void put_row(writer *w, uint32_t number, bool is_first)
{
    const sample_row *row = &w->stats->rows.items[number];
    opac_json *json = begin_line(w, is_first);
    opac_json_begin_object(json);
    opac_json_key(json, "index");
    opac_json_uint(json, bracket_support_index(bracket_support_of(&w->l->run), number));
    put_number(json, "state", row->state);
    put_number(json, "action", row->state == SAMPLE_NONE ? SAMPLE_NONE : row->action);
    opac_json_key(json, "counts");
    opac_json_begin_array(json);
    for (size_t i = 0; i < w->row.count; i++) {
        opac_json_begin_array(json);
        opac_json_uint(json, w->row.items[i].state);
        opac_json_uint(json, w->row.items[i].count);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    if (bracket_support_is_start(bracket_support_of(&w->l->run), number))
        put_discoveries(w, json);
    opac_json_end_object(json);
}

static opac_status put_rows(writer *w, opac_error *error)
{
    bool is_first = true;
    TRY(bracket_support_get_start(bracket_support_of(&w->l->run), &w->start, error));
    begin_member(w, "rows");
    opac_output_text(w->out, "[");
    for (uint32_t i = 0; i < w->stats->rows.count; i++) {
        TRY(gather(w, i, error));
        if (w->row.count == 0)
            continue;
        put_row(w, i, is_first);
        is_first = false;
    }
    opac_output_text(w->out, is_first ? "]" : "\n]");
    return OPAC_OK;
}

/* ---- nodes ---- */

/* The number of a memory in the HOA text. */
static uint32_t memory_of(const writer *w, uint32_t memory)
{
    return memory != SAMPLE_NONE ? w->order.number[memory] : SAMPLE_NONE;
}

/* Whether a node is the universal sink, which has no state; the start may be it. */
static bool is_sink(const writer *w, const bracket_model_node *node)
{
    return node->product_state == w->stats->sink;
}

static void put_place(writer *w, const bracket_model_node *node)
{
    const sample_product_state *product_state =
        &w->stats->product_states.items[node->product_state];
    uint32_t state = is_sink(w, node) ? w->stats->initial : product_state->state;
    put_number(&w->json, "state", state);
    put_number(&w->json, "memory", memory_of(w, product_state->memory));
}

static void put_marks(writer *w, uint64_t marks)
{
    opac_json_begin_array(&w->json);
    for (uint32_t i = 0; i < 64; i++)
        if (marks >> i & 1)
            opac_json_uint(&w->json, i);
    opac_json_end_array(&w->json);
}

static void put_choice(writer *w, const bracket_model_node *node)
{
    opac_json *json = &w->json;
    bool has_one = node->lower > 0 && node->choice != SAMPLE_NONE && !is_sink(w, node);
    const sample_choice *choice = has_one ? &w->stats->choices.items[node->choice] : NULL;
    put_number(json, "action", has_one ? choice->action : SAMPLE_NONE);
    put_number(json, "next", has_one ? memory_of(w, choice->memory) : SAMPLE_NONE);
    opac_json_key(json, "marks");
    if (has_one)
        put_marks(w, choice->marks & ~w->stats->always);
    else
        opac_json_null(json);
}

static void put_node(writer *w, const bracket_model_node *node, bool is_first)
{
    opac_json *json = begin_line(w, is_first);
    bool wins = node->lower > 0 && node->wins;
    opac_json_begin_object(json);
    put_place(w, node);
    put_double(json, "upper", node->upper);
    put_double(json, "lower", node->lower);
    opac_json_key(json, "wins");
    opac_json_bool(json, wins);
    put_number(json, "rank", node->lower > 0 ? node->rank : SAMPLE_NONE);
    put_choice(w, node);
    opac_json_end_object(json);
}

static opac_status put_nodes(writer *w, opac_error *error)
{
    TRY(bracket_certificate_nodes(w->stats, bracket_model_of(&w->l->run), &w->nodes, error));
    begin_member(w, "nodes");
    opac_output_text(w->out, "[");
    for (size_t i = 0; i < w->nodes.count && !opac_output_failed(w->out); i++)
        put_node(w, &w->nodes.items[i], i == 0);
    opac_output_text(w->out, "\n]");
    return OPAC_OK;
}

/* ---- claim and digest ---- */

/*
 * The checker compares the statement with its own, so the wording is fixed in docs/formats/certificate.md;
 * the numbers are those of the report. The confidence is below 1 even where 1 - delta rounds to 1.
 */
static opac_status put_statement(writer *w, opac_error *error)
{
    const opac_learn_report *r = &w->l->report;
    bool least = w->l->least;
    char confidence[OPAC_NUMBER_SIZE], own[OPAC_NUMBER_SIZE], best[OPAC_NUMBER_SIZE];
    base_text text = {0};
    opac_number_format(fmin(r->confidence, nextafter(1, 0)), confidence);
    opac_number_format(least ? r->upper : r->lower, own);
    opac_number_format(least ? r->lower : r->upper, best);
    base_text_format(&text,
                     "with probability at least %s over what was sampled, the policy meets the "
                     "objective with probability %s %s, and no policy with %s than %s",
                     confidence, least ? "at most" : "at least", own, least ? "less" : "more",
                     best);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK)
        put_text(&w->json, "statement", base_text_get(&text));
    base_text_fini(&text);
    return status;
}

static opac_status put_claim(writer *w, opac_error *error)
{
    const opac_learn_report *r = &w->l->report;
    bracket_bounds bounds = bracket_model_bounds(bracket_model_of(&w->l->run));
    opac_json *json = begin_member(w, "claim");
    opac_json_begin_object(json);
    put_double(json, "lower", bounds.lower);
    put_double(json, "upper", bounds.upper);
    put_double(json, "confidence", 1 - w->l->options.delta);
    put_double(json, "value", w->l->least ? 1 - r->value : r->value);
    opac_status status = put_statement(w, error);
    opac_json_end_object(json);
    return status;
}

/* The last member: the digest of all bytes before it. */
static opac_status put_digest(writer *w, opac_error *error)
{
    size_t length = 0;
    base_sha256 hash;
    char digest[BASE_SHA256_TEXT];
    opac_output_text(w->out, ",\n");
    const char *bytes = opac_output_bytes(w->out, &length);
    if (bytes == NULL)
        return opac_output_commit(w->out, error);
    base_sha256_init(&hash);
    base_sha256_add(&hash, bytes, length);
    base_sha256_finish_text(&hash, digest);
    opac_output_print(w->out, "\"digest\": \"%s\"\n}\n", digest);
    return opac_output_commit(w->out, error);
}

static opac_status put_all(writer *w, opac_error *error)
{
    TRY(hoa_order_init(&w->order, w->l->automaton, error));
    opac_output_text(w->out, "{\n\"schema\": \"omegapac.certificate/2\"");
    opac_json_string(begin_member(w, "version"), opac_version());
    put_inputs(w);
    put_assumptions(w);
    put_delta(w);
    TRY(put_automaton(w, error));
    put_states(w);
    TRY(put_rows(w, error));
    TRY(put_nodes(w, error));
    TRY(put_claim(w, error));
    return put_digest(w, error);
}

/* Fails with an internal error if the checker refuses the certificate. */
static opac_status check_text(const char *text, size_t length, opac_error *error)
{
    opac_verification found;
    opac_status status = opac_verify_text(text, length, NULL, &found, error);
    if (status == OPAC_OK && !found.holds)
        status = base_fail(error, OPAC_ERROR_INTERNAL,
                           "the library's own checker refuses the certificate of this run (%s), so "
                           "the run has no result; please report this as a bug",
                           found.reason);
    opac_verification_fini(&found);
    return status;
}

/* Writes the certificate to memory and checks it. *text must be freed, whatever the status is. */
static opac_status make(const opac_learning *l, const opac_certificate_inputs *inputs,
                        opac_output **text, opac_error *error)
{
    size_t length;
    writer w = {.l = l, .stats = &l->run.stats, .inputs = inputs};
    opac_status status;
    TRY_OR(done, opac_output_open_memory(&w.out, error));
    TRY_OR(done, put_all(&w, error));
    const char *bytes = opac_output_bytes(w.out, &length);
    status = check_text(bytes, length, error);
done:
    hoa_order_fini(&w.order);
    successor_vec_fini(&w.row);
    bracket_certificate_vec_fini(&w.nodes);
    *text = w.out;
    return status;
}

static opac_status check_run(const opac_learning *l, opac_error *error)
{
    if (l->run.strategy != &bracket_strategy)
        return base_fail(
            error, OPAC_ERROR_ARGUMENT,
            "a run with T has no certificate; only runs with pmin or a graph have one");
    if (l->report.end == OPAC_END_REFUTED || l->report.end == OPAC_END_EXCEEDED)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "there is no certificate: an assumption was refuted");
    if (l->run.stats.start == SAMPLE_NONE || bracket_model_count(bracket_model_of(&l->run)) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "there is no certificate: the run ended before its first bracket");
    return OPAC_OK;
}

static const opac_certificate_inputs nothing = {0};

opac_status bracket_certificate_check(const opac_learning *l, opac_error *error)
{
    const sample_statistics *stats = &l->run.stats;
    opac_output *text = NULL;
    if (check_run(l, NULL) != OPAC_OK ||
        stats->states.count + stats->rows.count + bracket_model_count(bracket_model_of(&l->run)) >
            MOST_LINES)
        return OPAC_OK;
    opac_status status = make(l, &nothing, &text, error);
    opac_output_free(text);
    return status == OPAC_ERROR_LIMIT ? OPAC_OK : status; /* too large for the checker */
}

opac_status opac_learning_write_certificate(const opac_learning *learning,
                                            const opac_certificate_inputs *inputs, opac_output *out,
                                            opac_error *error)
{
    opac_output *text = NULL;
    size_t length;
    opac_status status;
    TRY_OR(done, check_run(learning, error));
    TRY_OR(done, make(learning, inputs != NULL ? inputs : &nothing, &text, error));
    const char *bytes = opac_output_bytes(text, &length);
    opac_output_write(out, bytes, length);
done:
    opac_output_free(text);
    return status;
}
