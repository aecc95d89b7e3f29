/* SPDX-License-Identifier: MIT */
/* The members of a certificate of a bracket with p_min or a graph: docs/formats/certificate.md. */
#include "bracket/certificate_nodes.h"

#include "base/bitset.h"
#include "bracket/bracket.h"
#include "bracket/support_form.h"
#include "sample/certificate.h"

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
    opac_json_key(json, "graph");
    opac_json_bool(json, l->has_graph);
    sample_put_sizes(json, l);
    opac_json_end_object(json);
}

static void put_delta(sample_certificate *w)
{
    const opac_learning *l = w->l;
    opac_json_double(sample_certificate_member(w, "epsilon"), l->options.epsilon);
    opac_json *json = sample_certificate_member(w, "delta");
    opac_json_begin_object(json);
    sample_put_double(json, "total", l->options.delta);
    sample_put_double(json, "support", l->report.delta_support);
    sample_put_double(json, "interval", l->report.delta_interval);
    if (l->report.delta_episodes > 0)
        sample_put_double(json, "episodes", l->report.delta_episodes);
    opac_json_end_object(json);
}

/* ---- rows ---- */

/* The discoveries, and the k and j of docs/theory.md, Theorem 13, from which the start's bounds follow. */
static void put_discoveries(const sample_certificate *w, const bracket_start *start,
                            opac_json *json)
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
    opac_json_uint(json, start->quiet_after);
    opac_json_uint(json, start->quiet);
    opac_json_end_array(json);
}

static opac_status put_rows(sample_certificate *w, opac_error *error)
{
    bracket_support *support = bracket_support_of(&w->l->run);
    bracket_start start;
    bool is_first = true;
    TRY(bracket_support_get_start(support, &start, error));
    sample_certificate_begin_list(w, "rows");
    for (uint32_t i = 0; i < w->stats->rows.count; i++) {
        TRY(sample_gather_row(w, i, error));
        if (w->row.count == 0)
            continue;
        sample_put_row(w, bracket_support_index(support, i), i, is_first);
        if (bracket_support_is_start(support, i))
            put_discoveries(w, &start, &w->json);
        if (w->l->options.pmin_of != NULL && i != w->stats->reset_row)
            sample_put_probability(&w->json, "pmin", bracket_support_pmin(support, i));
        opac_json_end_object(&w->json);
        is_first = false;
    }
    sample_certificate_end_list(w, is_first);
    return OPAC_OK;
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
    TRY(put_rows(w, error));
    TRY(candidate != NULL ? put_tried_nodes(w, candidate, error) : put_nodes(w, error));
    if (own->budget.episodes > 0)
        put_trial(w, candidate);
    return sample_put_claim(w, own->lower, own->upper, error);
}
