/* SPDX-License-Identifier: MIT */
/*
 * Candidates and their trials: lower bounds by whole episodes (docs/theory.md, Theorem 16 and Theorem 17).
 *
 *     candidate j = 1, 2, …    a positional policy, fixed together with j before its first episode
 *     its episodes             T transitions each; the judged wins are counted, K of m
 *     its bound                p_π ≥ lower(K, m, δ_episodes/(j(j+1))) - ε at all times
 *
 * An episode is won if its last strongly connected component, of the edges that it took, satisfies the
 * condition, or if it reached a universal memory. If nothing is known, only the latter counts, and ε is not
 * subtracted: such a run is accepted, whatever T is. Episodes are judged in their order, after they are counted;
 * one that was broken off is not judged, and the run is not continued.
 *
 * The policy that is returned lists the product states that are known, and takes the first action and keeps its
 * memory in others. So an episode is lost where it takes anything else in a product state that was not known when
 * the candidate was fixed (sample_is_unlisted_choice): up to there the returned policy does the same, and afterwards
 * it may not.
 *
 * Some episodes, selected before they begin, run on to 2 T transitions. If the judgement at 2 T differs from
 * that at T too often, T is refuted (Theorem 18).
 */
#ifndef SAMPLE_CANDIDATE_H
#define SAMPLE_CANDIDATE_H

#include "aut/condition.h"
#include "sample/budget.h"
#include "sample/last_component.h"
#include "sample/positional.h"

typedef struct sample_candidate {
    uint64_t index; /* j; 0: there is no candidate */
    uint64_t
        horizon; /* transitions of an episode: T, or as fixed with the policy if nothing is known */
    uint64_t episodes, wins;
    uint64_t longer, changed; /* episodes of 2 T; those of them that were judged differently at T */
    sample_positional policy;
    /* Product states, ascending, fixed with the policy. goal: an episode is won as soon as it comes there. ends: it
     * ends there and is lost, because what was seen then did not lead to the goal from there. */
    base_u32_vec goal, ends;
} sample_candidate;

/* Whether its episodes end in a product state, since they are won or lost there. */
bool sample_candidate_ends_at(const sample_candidate *candidate, uint32_t product_state);
/* Whether a product state belongs to its goal. */
bool sample_candidate_wins_at(const sample_candidate *candidate, uint32_t product_state);
/* Whether its episodes are lost in a product state: they end there, or it was not known when the candidate was fixed,
 * and the first choice is not what the returned policy does there. */
bool sample_candidate_loses_at(const sample_candidate *candidate, const sample_statistics *stats,
                               uint32_t product_state);
/* Whether there may be such a product state. */
bool sample_candidate_may_lose(const sample_candidate *candidate, const sample_statistics *stats);
/* Empties the candidate for another policy, index and length, and keeps its memory. */
void sample_candidate_clear(sample_candidate *candidate);

void sample_candidate_fini(sample_candidate *candidate);
opac_status sample_candidate_copy(sample_candidate *candidate, const sample_candidate *other,
                                  opac_error *error);
/* The lower bound on the policy's probability, ε subtracted, rounded down; 0 if there is no candidate. */
double sample_candidate_lower(const sample_candidate *candidate, const sample_budget *budget,
                              double epsilon);
/* Whether the judgements refute T. */
bool sample_candidate_refutes(const sample_candidate *candidate, const sample_budget *budget,
                              double epsilon);

BASE_VEC(sample_visit_vec, sample_component_visit);

/* The judge of one episode at a time. */
typedef struct sample_judge {
    sample_components components;
    sample_visit_vec visits;  /* by product state */
    uint64_t horizon;         /* T */
    uint64_t taken;           /* transitions so far */
    size_t known;             /* number of product states for which the candidate was fixed */
    bool only_universal;      /* components do not count */
    const base_u32_vec *goal; /* of the candidate */
    bool has_won;             /* a universal memory was reached */
    bool is_lost;             /* the returned policy may have done something else */
    bool is_judged, won;      /* the judgement after T transitions */
} sample_judge;

void sample_judge_fini(sample_judge *judge);
/* The candidate is borrowed until the end of the episode. only_universal: an episode is won by coming to a universal
 * memory or to the goal only. */
void sample_judge_begin(sample_judge *judge, const sample_candidate *candidate,
                        bool only_universal);
/* The run takes a choice in a product state. */
opac_status sample_judge_step(sample_judge *judge, const sample_statistics *stats,
                              const aut_condition *condition, uint32_t product_state,
                              uint32_t choice, opac_error *error);
/*
 * The episode has ended in a product state after `taken` transitions; `left` more of them are free choices of
 * the policy, which are followed here. *won, *won_later: the judgements after T transitions and at the end.
 */
opac_status sample_judge_end(sample_judge *judge, const sample_statistics *stats,
                             const aut_condition *condition, const sample_positional *policy,
                             uint32_t product_state, uint64_t left, bool *won, bool *won_later,
                             opac_error *error);

#endif
