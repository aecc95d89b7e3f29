/* SPDX-License-Identifier: MIT */
/*
 * The members of a certificate of a bracket from T: docs/formats/certificate.md.
 *
 * If nothing is known, nothing follows from rows: none are listed, and L is that of the trial.
 *
 * The nodes are all product states of the seen graph, with the choices of the policy. They contain no bounds:
 * a reader computes U_T and R_T by the numbers of sweeps that are stated, and the bound of the trial from its
 * counts.
 */
#include "graph/process.h"
#include "horizon/horizon_bracket.h"
#include "sample/certificate.h"

/* ---- assumptions ---- */

static void put_assumptions(sample_certificate *w)
{
    static const char *const sizes[] = {"states", "actions", "branching"};
    const opac_learning *l = w->l;
    opac_json *json = sample_certificate_member(w, "assumes");
    opac_json_begin_object(json);
    sample_put_probability(json, "pmin", 0);
    sample_put_probability(json, "pmin_start", 0);
    opac_json_key(json, "graph");
    opac_json_bool(json, false);
    opac_json_key(json, "T");
    if (horizon_state_of(&l->run)->is_free)
        opac_json_null(json);
    else
        opac_json_uint(json, l->report.horizon);
    if (!horizon_state_of(&l->run)->is_free)
        sample_put_sizes(json, l);
    else
        for (int i = 0; i < 3; i++) {
            opac_json_key(json, sizes[i]);
            opac_json_null(json);
        }
    opac_json_end_object(json);
}

static void put_delta(sample_certificate *w)
{
    const opac_learn_report *r = &w->l->report;
    opac_json_double(sample_certificate_member(w, "epsilon"), w->l->options.epsilon);
    opac_json *json = sample_certificate_member(w, "delta");
    opac_json_begin_object(json);
    sample_put_double(json, "total", w->l->options.delta);
    sample_put_double(json, "support", r->delta_support);
    sample_put_double(json, "interval", r->delta_interval);
    sample_put_double(json, "episodes", r->delta_episodes);
    opac_json_end_object(json);
}

/* ---- rows ---- */

/* Successors are discovered one at a time, so that one draw led to each up to its discovery. */
static opac_status put_discoveries(sample_certificate *w, uint32_t row, sample_found_vec *found,
                                   opac_error *error)
{
    opac_json *json = &w->json;
    const sample_row *r = &w->stats->rows.items[row];
    uint32_t width;
    const uint32_t *order = sample_statistics_order(w->stats, row, &width);
    TRY(sample_row_discoveries(w->stats, row, found, error));
    opac_json_key(json, "discovered");
    opac_json_begin_array(json);
    for (size_t k = 0; k < found->count; k++) {
        const sample_found *f = &found->items[k];
        opac_json_begin_array(json);
        opac_json_uint(json, w->stats->targets.items[r->begin + order[f->position]]);
        opac_json_uint(json, f->draw);
        opac_json_uint(json, 1);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    return OPAC_OK;
}

static opac_status put_row(sample_certificate *w, uint32_t row, bool is_first,
                           sample_found_vec *found, opac_error *error)
{
    sample_row_set set;
    opac_json *json = &w->json;
    TRY(sample_row_sets_get(horizon_state_of(&w->l->run)->sets, row, &set, error));
    sample_put_row(w, sample_row_sets_index(row), row, is_first);
    TRY(put_discoveries(w, row, found, error));
    opac_json_key(json, "quiet");
    opac_json_begin_array(json);
    opac_json_uint(json, set.quiet_after);
    opac_json_uint(json, set.quiet);
    opac_json_end_array(json);
    opac_json_end_object(json);
    return OPAC_OK;
}

static opac_status put_rows(sample_certificate *w, opac_error *error)
{
    sample_found_vec found = {0};
    bool is_first = true;
    opac_status status = OPAC_OK;
    sample_certificate_begin_list(w, "rows");
    size_t count = horizon_state_of(&w->l->run)->is_free ? 0 : w->stats->rows.count;
    for (uint32_t i = 0; i < count && status == OPAC_OK; i++) {
        TRY_OR(done, sample_gather_row(w, i, error));
        if (w->row.count == 0)
            continue;
        TRY_OR(done, put_row(w, i, is_first, &found, error));
        is_first = false;
    }
    sample_certificate_end_list(w, is_first);
done:
    sample_found_vec_fini(&found);
    return status;
}

/* ---- nodes ---- */

static void put_nodes(sample_certificate *w)
{
    const horizon_model *model = horizon_state_of(&w->l->run)->model;
    sample_certificate_begin_list(w, "nodes");
    bool is_first = true;
    for (uint32_t i = 0; i < horizon_model_size(model) && !opac_output_failed(w->out); i++) {
        uint32_t product_state = horizon_model_product_state(model, i);
        bool is_listed =
            i == 0 || w->stats->product_states.items[product_state].state != SAMPLE_NONE;
        if (!is_listed)
            continue;
        opac_json *json = sample_certificate_line(w, is_first);
        opac_json_begin_object(json);
        sample_put_place(w, product_state);
        sample_put_choice(w, sample_certificate_choice(w, product_state));
        opac_json_end_object(json);
        is_first = false;
    }
    sample_certificate_end_list(w, is_first);
}

/* ---- what the bracket follows from ---- */

static void put_trial(sample_certificate *w)
{
    const horizon_state *own = horizon_state_of(&w->l->run);
    const sample_candidate *c = own->source == HORIZON_FROM_CURRENT ? &own->current
                                : own->source == HORIZON_FROM_BEST  ? &own->best
                                                                    : NULL;
    opac_json *json = sample_certificate_member(w, "trial");
    if (c == NULL) {
        opac_json_null(json);
        return;
    }
    sample_put_trial(json, c, own->is_free);
}

/*
 * Where sweeps ended early, the bound has the rate of the last one, which depends on rounding in both
 * directions. Further sweeps only reduce the bound (Lemma 25), so a reader is asked for more of them; the solver
 * leaves at least as many (solve/horizon.c).
 */
static uint64_t sweeps_to_check(uint64_t sweeps, uint64_t horizon)
{
    uint64_t more = sweeps / 4 + 8;
    return horizon - sweeps > more ? sweeps + more : horizon;
}

static void put_sweeps(sample_certificate *w)
{
    const horizon_state *own = horizon_state_of(&w->l->run);
    uint64_t upper = horizon_model_upper(own->model).sweeps, horizon = w->l->report.horizon;
    bool has_risk = own->source == HORIZON_FROM_FREQUENCIES;
    opac_json *json = sample_certificate_member(w, "sweeps");
    opac_json_begin_object(json);
    opac_json_key(json, "upper");
    opac_json_uint(json, own->upper < 1 ? sweeps_to_check(upper, horizon) : 0);
    opac_json_key(json, "risk");
    opac_json_uint(json, has_risk ? sweeps_to_check(own->risk.sweeps, horizon) : 0);
    opac_json_end_object(json);
}

opac_status horizon_put_certificate(sample_certificate *w, opac_error *error)
{
    const horizon_state *own = horizon_state_of(&w->l->run);
    put_assumptions(w);
    put_delta(w);
    TRY(sample_put_system(w, error));
    TRY(put_rows(w, error));
    put_nodes(w);
    put_trial(w);
    put_sweeps(w);
    return sample_put_claim(w, own->lower, own->upper, error);
}
