/* SPDX-License-Identifier: MIT */
/* The members of a certificate of a bracket with p_min or a graph: docs/formats/certificate.md. */
#include <stdlib.h>

#include "base/bitset.h"
#include "bracket/bracket.h"
#include "bracket/certificate_nodes.h"
#include "bracket/support_form.h"
#include "sample/certificate.h"
#include "sample/row_sets.h"

/* ---- assumptions ---- */

static void put_assumptions(sample_certificate *w)
{
    const opac_learning *l = w->l;
    opac_json *json = sample_certificate_member(w, "assumes");
    opac_json_begin_object(json);
    if (l->options.pmin_of != NULL)
        sample_put_text(json, "pmin", "rows");
    else
        sample_put_probability(json, "pmin", l->options.pmin);
    sample_put_probability(json, "pmin_start", l->traits.random_start ? l->options.pmin_start : 0);
    if (l->options.alike)
        sample_put_probability(json, "pmin_outcome", l->options.pmin_outcome);
    opac_json_key(json, "graph");
    opac_json_bool(json, l->has_graph);
    sample_put_sizes(json, l);
    opac_json_end_object(json);
}

static void put_delta(sample_certificate *w)
{
    const opac_learning *l = w->l;
    const sample_budget budget = ((const bracket_state *)l->run.own)->budget;
    opac_json_double(sample_certificate_member(w, "epsilon"), l->options.epsilon);
    opac_json *json = sample_certificate_member(w, "delta");
    opac_json_begin_object(json);
    sample_put_double(json, "total", l->options.delta);
    sample_put_double(json, "support", budget.support);
    sample_put_double(json, "interval", budget.interval);
    if (!l->has_graph) {
        sample_put_double(json, "unseen", budget.unseen);
        sample_put_double(json, "discovery", budget.discovery);
    }
    if (budget.episodes > 0)
        sample_put_double(json, "episodes", budget.episodes);
    opac_json_end_object(json);
}

/* ---- rows alike ---- */

/* The discovered classes by index; their positions in the list, and those of outcomes in their class. */
typedef struct class_order {
    base_u32_vec classes;   /* by position */
    base_u32_vec positions; /* by outcome: in its class */
} class_order;

static void fini_classes(class_order *order)
{
    base_u32_vec_fini(&order->classes);
    base_u32_vec_fini(&order->positions);
}

static opac_status order_classes(const sample_classes *c, class_order *order, opac_error *error)
{
    TRY(base_u32_vec_reserve(&order->classes, (size_t)c->discovered + 1, error));
    TRY(base_u32_vec_reserve(&order->positions, c->outcomes.count + 1, error));
    order->classes.count = (size_t)c->discovered;
    for (uint32_t i = 0; i < c->classes.count; i++) {
        uint32_t position = 0;
        if (c->classes.items[i].draws > 0)
            order->classes.items[c->classes.items[i].index - 1] = i;
        for (uint32_t o = c->classes.items[i].first; o != SAMPLE_NO_OUTCOME;
             o = c->outcomes.items[o].next)
            order->positions.items[o] = position++;
    }
    return OPAC_OK;
}

static opac_status put_hex(opac_json *json, const unsigned char *bytes, size_t length,
                           opac_error *error)
{
    static const char digits[] = "0123456789abcdef";
    base_text text = {0};
    for (size_t i = 0; i < length; i++) {
        base_text_add_char(&text, digits[bytes[i] >> 4]);
        base_text_add_char(&text, digits[bytes[i] & 15]);
    }
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK)
        opac_json_bytes(json, text.bytes, text.length);
    base_text_fini(&text);
    return status;
}

static opac_status put_class(sample_certificate *w, const sample_classes *c, uint32_t class,
                             bool is_first, opac_error *error)
{
    opac_json *json = sample_certificate_line(w, is_first);
    size_t length;
    opac_json_begin_object(json);
    opac_json_key(json, "index");
    opac_json_uint(json, c->classes.items[class].index + w->l->traits.random_start);
    opac_json_key(json, "key");
    const unsigned char *name = sample_classes_name(c, class, &length);
    TRY(put_hex(json, name, length, error));
    opac_json_key(json, "outcomes");
    opac_json_begin_array(json);
    for (uint32_t o = c->classes.items[class].first; o != SAMPLE_NO_OUTCOME;
         o = c->outcomes.items[o].next) {
        opac_json_begin_array(json);
        name = sample_classes_outcome_name(c, o, &length);
        TRY(put_hex(json, name, length, error));
        opac_json_uint(json, c->outcomes.items[o].count);
        opac_json_uint(json, c->outcomes.items[o].from);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    opac_json_end_object(json);
    return OPAC_OK;
}

static opac_status put_classes(sample_certificate *w, const class_order *order, opac_error *error)
{
    sample_certificate_begin_list(w, "classes");
    for (size_t i = 0; i < order->classes.count; i++)
        TRY(put_class(w, w->stats->classes, order->classes.items[i], i == 0, error));
    sample_certificate_end_list(w, order->classes.count == 0);
    return OPAC_OK;
}

static int compare_shown(const void *a, const void *b)
{
    const sample_shown *one = a, *other = b;
    return one->next < other->next ? -1 : one->next > other->next;
}

/* class and shown of a row; `next` of the copies is the position of the outcome. */
static opac_status put_shown(sample_certificate *w, uint32_t row, const class_order *order,
                             opac_error *error)
{
    const sample_classes *c = w->stats->classes;
    uint32_t class = sample_classes_of_row(c, row);
    sample_shown_vec shown = {0};
    opac_json *json = &w->json;
    opac_status status = OPAC_OK;
    for (uint32_t s = sample_classes_first_shown(c, row); s != SAMPLE_NO_OUTCOME;
         s = c->shown.items[s].next) {
        sample_shown copy = c->shown.items[s];
        copy.next = order->positions.items[copy.outcome];
        TRY_OR(done, sample_shown_vec_push(&shown, copy, error));
    }
    if (shown.count > 1)
        qsort(shown.items, shown.count, sizeof *shown.items, compare_shown);
    sample_put_number(json, "class",
                      class != SAMPLE_NO_OUTCOME ? (uint32_t)(c->classes.items[class].index - 1)
                                                 : SAMPLE_NONE);
    opac_json_key(json, "shown");
    opac_json_begin_array(json);
    for (size_t i = 0; i < shown.count; i++) {
        const sample_row *r = &w->stats->rows.items[row];
        opac_json_begin_array(json);
        opac_json_uint(json, shown.items[i].next);
        opac_json_uint(json, w->stats->targets.items[r->begin + shown.items[i].branch]);
        opac_json_uint(json, shown.items[i].count);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    opac_json_key(json, "complete");
    opac_json_bool(json, w->stats->counters.items[row].complete);
done:
    sample_shown_vec_fini(&shown);
    return status;
}

/* ---- rows ---- */

/*
 * The discoveries, and the k and j of docs/theory.md, Theorem 13, from which the bounds of an open row follow, or
 * that it is complete. They are those of all observations, also if the run ended before an update.
 */
static opac_status put_discoveries(sample_certificate *w, uint32_t number, sample_found_vec *found,
                                   opac_error *error)
{
    bracket_support *support = bracket_support_of(&w->l->run);
    const sample_row *row = &w->stats->rows.items[number];
    uint64_t after, quiet;
    opac_json *json = &w->json;
    TRY(sample_branch_discoveries(w->stats, number, found, error));
    bracket_support_find_quiet(support, number, found, &after, &quiet);
    opac_json_key(json, "discovered");
    opac_json_begin_array(json);
    for (size_t i = 0; i < found->count; i++) {
        const sample_found *f = &found->items[i];
        opac_json_begin_array(json);
        opac_json_uint(json, w->stats->targets.items[row->begin + f->position]);
        opac_json_uint(json, f->draw);
        opac_json_uint(json, f->hits);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    opac_json_key(json, "quiet");
    opac_json_begin_array(json);
    opac_json_uint(json, after);
    opac_json_uint(json, quiet);
    opac_json_end_array(json);
    return OPAC_OK;
}

static opac_status put_row(sample_certificate *w, uint32_t row, bool is_first,
                           const class_order *order, sample_found_vec *found, opac_error *error)
{
    bracket_support *support = bracket_support_of(&w->l->run);
    sample_put_row(w, bracket_support_index(support, row), row, is_first);
    if (!bracket_support_is_plain(support, row))
        TRY(put_discoveries(w, row, found, error));
    if (order != NULL && row != w->stats->reset_row)
        TRY(put_shown(w, row, order, error));
    if (w->l->options.pmin_of != NULL && row != w->stats->reset_row)
        sample_put_probability(&w->json, "pmin", bracket_support_pmin(support, row));
    opac_json_end_object(&w->json);
    return OPAC_OK;
}

/* order: of the classes, if rows are alike; else NULL. */
static opac_status put_rows(sample_certificate *w, const class_order *order, opac_error *error)
{
    sample_found_vec found = {0};
    bool is_first = true;
    opac_status status = OPAC_OK;
    sample_certificate_begin_list(w, "rows");
    for (uint32_t i = 0; i < w->stats->rows.count; i++) {
        TRY_OR(done, sample_gather_row(w, i, error));
        if (w->row.count == 0)
            continue;
        TRY_OR(done, put_row(w, i, is_first, order, &found, error));
        is_first = false;
    }
    sample_certificate_end_list(w, is_first);
done:
    sample_found_vec_fini(&found);
    return status;
}

/* The classes, if rows are alike, and the rows. */
static opac_status put_observations(sample_certificate *w, opac_error *error)
{
    class_order order = {0};
    bool can_certify;
    opac_status status;
    if (!w->l->options.alike)
        return put_rows(w, NULL, error);
    TRY(bracket_support_can_certify(bracket_support_of(&w->l->run), &can_certify, error));
    if (!can_certify)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "a state-action pair was complete by earlier counts, which a certificate "
                         "does not contain: more samples are needed");
    TRY_OR(done, order_classes(w->stats->classes, &order, error));
    TRY_OR(done, put_classes(w, &order, error));
    status = put_rows(w, &order, error);
done:
    fini_classes(&order);
    return status;
}

/* ---- nodes ---- */

static void put_node(sample_certificate *w, const bracket_model_node *node, bool is_first)
{
    opac_json *json = sample_certificate_line(w, is_first);
    bool has_choice = node->lower > 0 && node->product_state != w->stats->sink;
    opac_json_begin_object(json);
    sample_put_place(w, node->product_state);
    sample_put_double(json, "upper", node->upper);
    sample_put_double(json, "lower", node->lower);
    opac_json_key(json, "wins");
    opac_json_bool(json, node->lower > 0 && node->wins);
    sample_put_number(json, "rank", node->lower > 0 ? node->rank : SAMPLE_NONE);
    sample_put_choice(w, has_choice ? node->choice : SAMPLE_NONE);
    opac_json_end_object(json);
}

static opac_status put_nodes(sample_certificate *w, opac_error *error)
{
    bracket_certificate_vec nodes = {0};
    opac_status status =
        bracket_certificate_nodes(w->stats, bracket_model_of(&w->l->run), &nodes, error);
    sample_certificate_begin_list(w, "nodes");
    for (size_t i = 0; i < nodes.count && status == OPAC_OK && !opac_output_failed(w->out); i++)
        put_node(w, &nodes.items[i], i == 0);
    sample_certificate_end_list(w, false);
    bracket_certificate_vec_fini(&nodes);
    return status;
}

/* ---- with a trial ---- */

/*
 * With a trial, the nodes are all product states: those of the model in their order, then others. The policy is that
 * of the candidate, and the winning nodes are its goal. Lower is 1 there and 0 elsewhere.
 */
static void put_tried_node(sample_certificate *w, const sample_candidate *c, uint32_t product_state,
                           double upper, bool is_first)
{
    opac_json *json = sample_certificate_line(w, is_first);
    bool wins = sample_candidate_wins_at(c, product_state);
    opac_json_begin_object(json);
    sample_put_place(w, product_state);
    sample_put_double(json, "upper", wins ? 1 : upper);
    sample_put_double(json, "lower", wins ? 1 : 0);
    opac_json_key(json, "wins");
    opac_json_bool(json, wins);
    sample_put_number(json, "rank", wins ? 0 : SAMPLE_NONE);
    sample_put_choice(w, sample_certificate_choice(w, product_state));
    opac_json_end_object(json);
}

static opac_status put_tried_nodes(sample_certificate *w, const sample_candidate *c,
                                   opac_error *error)
{
    const bracket_model *bracket = bracket_model_of(&w->l->run);
    base_bitset listed;
    TRY(base_bitset_init(&listed, w->stats->product_states.count, error));
    sample_certificate_begin_list(w, "nodes");
    for (uint32_t i = 0; i < bracket_model_count(bracket) && !opac_output_failed(w->out); i++) {
        bracket_model_node node = bracket_model_get(bracket, i);
        base_bitset_add(&listed, node.product_state);
        if (i == 0 || w->stats->product_states.items[node.product_state].state != SAMPLE_NONE)
            put_tried_node(w, c, node.product_state, node.upper, i == 0);
    }
    for (uint32_t i = 0; i < w->stats->product_states.count && !opac_output_failed(w->out); i++)
        if (!base_bitset_has(&listed, i) && w->stats->product_states.items[i].state != SAMPLE_NONE)
            put_tried_node(w, c, i, 1, false);
    sample_certificate_end_list(w, false);
    base_bitset_fini(&listed);
    return OPAC_OK;
}

static void put_trial(sample_certificate *w, const sample_candidate *c)
{
    opac_json *json = sample_certificate_member(w, "trial");
    if (c == NULL)
        opac_json_null(json);
    else
        sample_put_trial(json, c, true);
}

opac_status bracket_put_certificate(sample_certificate *w, opac_error *error)
{
    const bracket_state *own = w->l->run.own;
    const sample_candidate *candidate = bracket_candidate(own);
    put_assumptions(w);
    put_delta(w);
    TRY(sample_put_system(w, error));
    TRY(put_observations(w, error));
    TRY(candidate != NULL ? put_tried_nodes(w, candidate, error) : put_nodes(w, error));
    if (own->budget.episodes > 0)
        put_trial(w, candidate);
    return sample_put_claim(w, own->lower, own->upper, error);
}
