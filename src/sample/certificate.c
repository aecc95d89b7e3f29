/* SPDX-License-Identifier: MIT */
/* Writes certificates: see certificate.h. */
#include "sample/certificate.h"

#include <math.h>
#include <stdlib.h>

#include <omegapac/number.h>
#include <omegapac/omegapac.h>
#include <omegapac/verification.h>

#include "base/output.h"
#include "base/sha256.h"
#include "base/text.h"
#include "sample/strategy.h"

enum {
    MOST_LINES = 1 << 15 /* of a certificate that every run checks: takes 0.2 s and 40 MB */
};

/* ---- members and lines ---- */

opac_json *sample_certificate_member(sample_certificate *w, const char *key)
{
    opac_output_print(w->out, ",\n\"%s\": ", key);
    opac_json_init(&w->json, w->out);
    return &w->json;
}

void sample_certificate_begin_list(sample_certificate *w, const char *key)
{
    sample_certificate_member(w, key);
    opac_output_text(w->out, "[");
}

/* Begins a line of a list, after a comma unless it is the first. */
opac_json *sample_certificate_line(sample_certificate *w, bool is_first)
{
    opac_output_text(w->out, is_first ? "\n  " : ",\n  ");
    opac_json_init(&w->json, w->out);
    return &w->json;
}

void sample_certificate_end_list(sample_certificate *w, bool is_empty)
{
    opac_output_text(w->out, is_empty ? "]" : "\n]");
}

void sample_put_text(opac_json *json, const char *key, const char *text)
{
    opac_json_key(json, key);
    if (text != NULL)
        opac_json_string(json, text);
    else
        opac_json_null(json);
}

void sample_put_number(opac_json *json, const char *key, uint32_t number)
{
    opac_json_key(json, key);
    if (number != SAMPLE_NONE)
        opac_json_uint(json, number);
    else
        opac_json_null(json);
}

void sample_put_bound(opac_json *json, const char *key, uint64_t bound)
{
    opac_json_key(json, key);
    if (bound > 0)
        opac_json_uint(json, bound);
    else
        opac_json_null(json);
}

void sample_put_probability(opac_json *json, const char *key, double value)
{
    opac_json_key(json, key);
    if (value > 0)
        opac_json_double(json, value);
    else
        opac_json_null(json);
}

void sample_put_double(opac_json *json, const char *key, double value)
{
    opac_json_key(json, key);
    opac_json_double(json, value);
}

/* ---- parts of all certificates ---- */

static void put_inputs(sample_certificate *w)
{
    opac_json *json = sample_certificate_member(w, "inputs");
    opac_json_begin_object(json);
    sample_put_text(json, "model", w->inputs->model);
    sample_put_text(json, "digest", w->inputs->model_digest);
    sample_put_text(json, "constants", w->inputs->constants);
    sample_put_text(json, "objective", w->l->objective);
    sample_put_text(json, "formula", w->l->formula);
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

void sample_put_sizes(opac_json *json, const opac_learning *l)
{
    sample_put_bound(json, "states", declared_states(l));
    sample_put_bound(json, "actions", l->declared.actions);
    sample_put_bound(json, "branching", l->declared.branching);
}

static opac_status put_automaton(sample_certificate *w, opac_error *error)
{
    opac_output *text = NULL;
    size_t length;
    TRY(opac_output_open_memory(&text, error));
    opac_automaton_write_hoa(w->l->automaton, text);
    opac_status status = opac_output_commit(text, error);
    const char *bytes = status == OPAC_OK ? opac_output_bytes(text, &length) : NULL;
    if (bytes != NULL)
        opac_json_bytes(sample_certificate_member(w, "automaton"), bytes, length);
    opac_output_free(text);
    return status;
}

static void put_key(sample_certificate *w, uint32_t state)
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
static void put_state(sample_certificate *w, uint32_t number)
{
    const sample_state *state = &w->stats->states.items[number];
    bool is_large = state->letter >> 53 != 0;
    put_key(w, number);
    opac_output_print(w->out, is_large ? "\", \"letter\": \"%llu\"" : "\", \"letter\": %llu",
                      (unsigned long long)state->letter);
    opac_output_print(w->out, ", \"actions\": %u}", (unsigned)state->actions);
}

static void put_states(sample_certificate *w)
{
    uint32_t count = (uint32_t)w->stats->states.count;
    sample_certificate_begin_list(w, "states");
    for (uint32_t i = 0; i < count && !opac_output_failed(w->out); i++) {
        sample_certificate_line(w, i == 0);
        put_state(w, i);
    }
    sample_certificate_end_list(w, count == 0);
    opac_json *json = sample_certificate_member(w, "start");
    if (w->stats->reset_row == SAMPLE_NONE)
        opac_json_uint(json, w->stats->initial);
    else
        opac_json_null(json);
}

opac_status sample_put_system(sample_certificate *w, opac_error *error)
{
    opac_status status = put_automaton(w, error);
    put_states(w);
    return status;
}

/* ---- rows and nodes ---- */

static int compare(const void *a, const void *b)
{
    const sample_successor *one = a, *other = b;
    return one->state < other->state ? -1 : one->state > other->state;
}

/*
 * Collects the successors of a row, in the order of states. Counters are by row and have its number. With a
 * graph, a reader takes every listed row for complete, so rows that were not explored are left out.
 */
opac_status sample_gather_row(sample_certificate *w, uint32_t number, opac_error *error)
{
    const sample_row *row = &w->stats->rows.items[number];
    w->row.count = 0;
    if (w->l->has_graph && !w->stats->counters.items[number].known)
        return OPAC_OK;
    for (uint32_t b = 0; b < row->width; b++) {
        uint32_t state = w->stats->targets.items[row->begin + b];
        uint64_t count = sample_statistics_observed(w->stats, number, b);
        if (state != SAMPLE_NONE && (count > 0 || w->l->has_graph))
            TRY(sample_successor_vec_push(&w->row, (sample_successor){state, count}, error));
    }
    if (w->row.count > 1)
        qsort(w->row.items, w->row.count, sizeof *w->row.items, compare);
    return OPAC_OK;
}

void sample_put_row(sample_certificate *w, uint64_t index, uint32_t number, bool is_first)
{
    const sample_row *row = &w->stats->rows.items[number];
    opac_json *json = sample_certificate_line(w, is_first);
    opac_json_begin_object(json);
    opac_json_key(json, "index");
    opac_json_uint(json, index);
    sample_put_number(json, "state", row->state);
    sample_put_number(json, "action", row->state == SAMPLE_NONE ? SAMPLE_NONE : row->action);
    opac_json_key(json, "counts");
    opac_json_begin_array(json);
    for (size_t i = 0; i < w->row.count; i++) {
        opac_json_begin_array(json);
        opac_json_uint(json, w->row.items[i].state);
        opac_json_uint(json, w->row.items[i].count);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
}

/* The number of a memory in the HOA text. */
static uint32_t memory_of(const sample_certificate *w, uint32_t memory)
{
    return memory != SAMPLE_NONE ? w->order.number[memory] : SAMPLE_NONE;
}

/* The universal sink has no state; only as the start it is a node. */
void sample_put_place(sample_certificate *w, uint32_t product_state)
{
    const sample_product_state *p = &w->stats->product_states.items[product_state];
    bool is_sink = product_state == w->stats->sink;
    sample_put_number(&w->json, "state", is_sink ? w->stats->initial : p->state);
    sample_put_number(&w->json, "memory", memory_of(w, p->memory));
}

static void put_marks(sample_certificate *w, uint64_t marks)
{
    opac_json_begin_array(&w->json);
    for (uint32_t i = 0; i < 64; i++)
        if (marks >> i & 1)
            opac_json_uint(&w->json, i);
    opac_json_end_array(&w->json);
}

void sample_put_choice(sample_certificate *w, uint32_t number)
{
    opac_json *json = &w->json;
    const sample_choice *choice = number != SAMPLE_NONE ? &w->stats->choices.items[number] : NULL;
    sample_put_number(json, "action", choice != NULL ? choice->action : SAMPLE_NONE);
    sample_put_number(json, "next", choice != NULL ? memory_of(w, choice->memory) : SAMPLE_NONE);
    opac_json_key(json, "marks");
    if (choice != NULL)
        put_marks(w, choice->marks & ~w->stats->always);
    else
        opac_json_null(json);
}

/* The move to REJECT is not a choice. */
uint32_t sample_certificate_choice(const sample_certificate *w, uint32_t product_state)
{
    const sample_statistics *stats = w->stats;
    uint32_t choice = sample_run_choice(&w->l->run, product_state);
    bool is_rejected =
        stats->reject != SAMPLE_NONE && stats->choices.items[choice].target == stats->reject;
    return is_rejected || product_state == stats->sink ? SAMPLE_NONE : choice;
}

void sample_put_trial(opac_json *json, const sample_candidate *candidate, bool has_steps)
{
    opac_json_begin_object(json);
    opac_json_key(json, "index");
    opac_json_uint(json, candidate->index);
    opac_json_key(json, "episodes");
    opac_json_uint(json, candidate->episodes);
    opac_json_key(json, "wins");
    opac_json_uint(json, candidate->wins);
    if (has_steps) {
        opac_json_key(json, "steps");
        opac_json_uint(json, candidate->horizon);
    }
    opac_json_end_object(json);
}

/* ---- claim and digest ---- */

/*
 * The checker compares the statement with its own, so the wording is fixed in docs/formats/certificate.md;
 * the numbers are those of the report. The confidence is below 1 even where 1 - delta rounds to 1.
 */
static opac_status put_statement(sample_certificate *w, opac_error *error)
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
                     "objective with probability %s %s",
                     confidence, least ? "at most" : "at least", own);
    if (!r->nothing_known)
        base_text_format(&text, ", and no policy with %s than %s", least ? "less" : "more", best);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK)
        sample_put_text(&w->json, "statement", base_text_get(&text));
    base_text_fini(&text);
    return status;
}

opac_status sample_put_claim(sample_certificate *w, double lower, double upper, opac_error *error)
{
    const opac_learn_report *r = &w->l->report;
    opac_json *json = sample_certificate_member(w, "claim");
    opac_json_begin_object(json);
    sample_put_double(json, "lower", lower);
    sample_put_double(json, "upper", upper);
    sample_put_double(json, "confidence", 1 - w->l->options.delta);
    sample_put_double(json, "value", w->l->least ? 1 - r->value : r->value);
    opac_status status = put_statement(w, error);
    opac_json_end_object(json);
    return status;
}

/* The last member: the digest of all bytes before it. */
static opac_status put_digest(sample_certificate *w, opac_error *error)
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

/* ---- the whole ---- */

static opac_status put_all(sample_certificate *w, opac_error *error)
{
    TRY(hoa_order_init(&w->order, w->l->automaton, error));
    opac_output_text(w->out, "{\n\"schema\": \"omegapac.certificate/2\"");
    opac_json_string(sample_certificate_member(w, "version"), opac_version());
    put_inputs(w);
    TRY(w->l->run.strategy->put_certificate(w, error));
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
    sample_certificate w = {.l = l, .stats = &l->run.stats, .inputs = inputs};
    opac_status status;
    TRY_OR(done, opac_output_open_memory(&w.out, error));
    TRY_OR(done, put_all(&w, error));
    const char *bytes = opac_output_bytes(w.out, &length);
    status = check_text(bytes, length, error);
done:
    hoa_order_fini(&w.order);
    sample_successor_vec_fini(&w.row);
    *text = w.out;
    return status;
}

static opac_status check_run(const opac_learning *l, opac_error *error)
{
    if (l->run.strategy->put_certificate == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "a run of ω-PAC has no certificate; only runs with a bracket have one");
    if (l->report.end == OPAC_END_REFUTED || l->report.end == OPAC_END_EXCEEDED)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "there is no certificate: an assumption was refuted");
    if (isnan(l->report.gap))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "there is no certificate: T was searched for, so there is no bracket");
    if (l->run.stats.start == SAMPLE_NONE || !l->run.strategy->has_bracket(&l->run))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "there is no certificate: the run ended before its first bracket");
    return OPAC_OK;
}

static const opac_certificate_inputs nothing = {0};

opac_status sample_certificate_check(const opac_learning *l, opac_error *error)
{
    const sample_statistics *stats = &l->run.stats;
    opac_output *text = NULL;
    if (check_run(l, NULL) != OPAC_OK ||
        stats->states.count + stats->rows.count + stats->product_states.count > MOST_LINES)
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
