/* SPDX-License-Identifier: MIT */
/*
 * From a positional policy on a product to a machine over the model.
 *
 * The pairs that the policy can reach are walked. In each, epsilon moves are
 * followed until a choice of the model; that choice, and the memory behind it,
 * is the decision of the pair that the moves began in. Where it no longer
 * matters what is done there is no decision, or the first action: in the sink,
 * where everything is accepted, and in pairs without choices, whose runs are
 * rejected. Linear in what is reached.
 */
#include <string.h>

#include "aut/hoa_order.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "policy/policy.h"

typedef struct lifting {
    const opac_model *model;
    const product_process *product;
    const uint32_t *choice;
    const policy_objective *objective;
    product_move_table *move_table; /* made when it is needed first */
    base_bitset seen;
    base_u32_vec waiting; /* pairs that were seen and not yet decided */
    policy_entry_vec drafts;
    uint32_t *memory; /* by initial state */
} lifting;

/* ---- the automaton ---- */

/* A copy that shares nothing, its states and edges in the order of HOA files. */
static opac_status copy_ordered(const opac_automaton *given, const hoa_order *order,
                                opac_automaton **copy, opac_error *error)
{
    aut_builder *builder;
    aut_condition condition = {0};
    TRY(aut_builder_like(given, &builder, error));
    aut_builder_add_states(builder, given->state_count);
    for (uint32_t i = 0; i < given->state_count; i++) {
        uint32_t state = order->state[i];
        const char *name = given->state_names != NULL ? given->state_names[state] : NULL;
        if (name != NULL)
            aut_builder_state_name(builder, i, name, strlen(name));
        for (uint32_t e = given->edge_begin[state]; e < given->edge_begin[state + 1]; e++)
            aut_builder_edge(builder, i, order->edges[e]);
    }
    for (uint32_t i = 0; i < given->initial_count; i++)
        aut_builder_initial(builder, order->number[given->initial[i]]);
    opac_status status = aut_condition_copy(&given->condition, &condition, error);
    if (status != OPAC_OK) {
        aut_builder_free(builder);
        return status;
    }
    aut_builder_condition(builder, &condition, given->mark_count);
    return aut_builder_finish(builder, copy, error);
}

static opac_status take_automaton(const opac_automaton *given, hoa_order *order,
                                  opac_policy *policy, opac_error *error)
{
    opac_automaton *own = NULL;
    opac_status status;
    TRY_OR(done, aut_copy(given, &own, error));
    TRY_OR(done, hoa_order_init(order, own, error));
    status = copy_ordered(own, order, &policy->automaton, error);
done:
    opac_automaton_free(own);
    policy->memory_count = given->state_count > 0 ? given->state_count : 1;
    return status;
}

/* ---- what it is for ---- */

static char *copy_string(const char *text)
{
    return base_copy_text(text, strlen(text));
}

static opac_status copy_objective(const policy_objective *objective, opac_policy *policy,
                                  opac_error *error)
{
    const char *text = objective->text != NULL ? objective->text : objective->formula;
    uint32_t states = policy_domain_states(&policy->domain);
    policy->complement = objective->complement;
    policy->objective = copy_string(text != NULL ? text : "");
    if (policy->objective == NULL)
        return base_fail_memory(error);
    if (objective->formula != NULL) {
        policy->formula = copy_string(objective->formula);
        if (policy->formula == NULL)
            return base_fail_memory(error);
    }
    if (objective->letters != NULL) {
        policy->letters = base_alloc(states, sizeof *policy->letters);
        if (policy->letters == NULL)
            return base_fail_memory(error);
        memcpy(policy->letters, objective->letters, states * sizeof *policy->letters);
    }
    return objective->definitions != NULL
               ? policy_definitions_copy(objective->definitions, &policy->definitions, error)
               : OPAC_OK;
}

/* ---- the walk ---- */

static bool is_sink(const lifting *lift, uint32_t pair)
{
    return lift->product->state[pair] == PRODUCT_NONE;
}

/* Whether there is anything to choose; a choice of another pair is taken for none. */
static bool has_choice(const lifting *lift, uint32_t pair)
{
    const uint32_t *begin = &lift->product->process.choice_begin[pair];
    uint32_t choice = lift->choice[pair];
    return choice >= begin[0] && choice < begin[1];
}

/*
 * The sink stands for several states of the automaton: the one that the choice
 * of a pair leads to is found from the number of the choice (product/state_index.h).
 */
static opac_status find_universal(lifting *lift, uint32_t pair, uint32_t *memory, opac_error *error)
{
    const product_process *product = lift->product;
    uint32_t class, moves, silent, q = product->memory[pair];
    uint32_t index = lift->choice[pair] - product->process.choice_begin[pair];
    if (lift->objective->automaton == NULL || lift->objective->letters == NULL)
        return OPAC_OK;
    if (lift->move_table == NULL)
        TRY(product_move_table_new(lift->objective->automaton, &lift->move_table, error));
    TRY(product_move_table_class(lift->move_table, lift->objective->letters[product->state[pair]],
                                 &class, error));
    const product_move *move = product_move_table_moves(lift->move_table, q, class, &moves);
    const product_move *epsilon = product_move_table_epsilons(lift->move_table, q, &silent);
    if (product->choice[lift->choice[pair]] != PRODUCT_NONE && moves > 0)
        *memory = move[index % moves].target;
    else if (silent > 0) /* they come last */
        *memory =
            epsilon[silent - (product->process.choice_begin[pair + 1] - lift->choice[pair])].target;
    return OPAC_OK;
}

/* Where the choice of a pair leads: one of the pairs, and the memory that they all have. */
static opac_status take(lifting *lift, uint32_t pair, uint32_t *target, uint32_t *memory,
                        opac_error *error)
{
    const graph_process *process = &lift->product->process;
    *target = process->target[process->edge_begin[lift->choice[pair]]];
    *memory = lift->product->memory[*target];
    return is_sink(lift, *target) ? find_universal(lift, pair, memory, error) : OPAC_OK;
}

static opac_status meet(lifting *lift, uint32_t pair, opac_error *error)
{
    if (base_bitset_has(&lift->seen, pair))
        return OPAC_OK;
    base_bitset_add(&lift->seen, pair);
    return base_u32_vec_push(&lift->waiting, pair, error);
}

static bool is_epsilon(const lifting *lift, uint32_t pair)
{
    return !is_sink(lift, pair) && has_choice(lift, pair) &&
           lift->product->choice[lift->choice[pair]] == PRODUCT_NONE;
}

/* Where the epsilon moves from a pair end. There are no cycles of them; if there were: anywhere. */
static opac_status skip_epsilons(lifting *lift, uint32_t *pair, uint32_t *memory, opac_error *error)
{
    uint32_t left = lift->product->process.state_count;
    while (left-- > 0 && is_epsilon(lift, *pair))
        TRY(take(lift, *pair, pair, memory, error));
    return OPAC_OK;
}

static opac_status decide(lifting *lift, uint32_t pair, opac_error *error)
{
    const product_process *product = lift->product;
    uint32_t state = product->state[pair], end = pair, next = product->memory[pair], target;
    TRY(skip_epsilons(lift, &end, &next, error));
    bool matters = !is_sink(lift, end) && has_choice(lift, end) && !is_epsilon(lift, end);
    if (!matters && end == pair)
        return OPAC_OK;
    policy_decision decision = {.memory = product->memory[pair]};
    if (matters) {
        uint32_t taken = lift->choice[end];
        decision.action = product->choice[taken] - opac_model_choice_begin(lift->model, state);
        TRY(take(lift, end, &target, &next, error));
        for (uint32_t e = product->process.edge_begin[taken];
             e < product->process.edge_begin[taken + 1]; e++)
            TRY(meet(lift, product->process.target[e], error));
    }
    decision.next = next;
    return policy_entry_add(&lift->drafts, state, decision, error);
}

static opac_status walk(lifting *lift, const uint32_t *start, opac_error *error)
{
    uint32_t count = opac_model_initial_count(lift->model);
    TRY(base_bitset_init(&lift->seen, lift->product->process.state_count, error));
    lift->memory = base_alloc(count, sizeof *lift->memory);
    if (lift->memory == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        lift->memory[i] = start[i] != PRODUCT_NONE ? lift->product->memory[start[i]] : PRODUCT_NONE;
        if (start[i] != PRODUCT_NONE)
            TRY(meet(lift, start[i], error));
    }
    while (lift->waiting.count > 0)
        TRY(decide(lift, lift->waiting.items[--lift->waiting.count], error));
    return OPAC_OK;
}

/* ---- the policy ---- */

/* Memory values are states of the automaton, of which there may be none; NULL: as it is. */
static uint32_t renumber(const opac_policy *policy, const hoa_order *order, uint32_t memory)
{
    bool is_state = order->number != NULL && memory < policy->automaton->state_count;
    return is_state ? order->number[memory] : memory;
}

static opac_status take_decisions(opac_policy *policy, const hoa_order *order,
                                  policy_entry_vec *drafts, const uint32_t *start,
                                  opac_error *error)
{
    size_t count = policy_domain_initial(&policy->domain)->count;
    policy->start = base_alloc_zeroed(count, sizeof *policy->start);
    if (policy->start == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (start[i] != PRODUCT_NONE)
            policy->start[i] = renumber(policy, order, start[i]);
    for (size_t i = 0; i < drafts->count; i++) {
        policy_decision *decision = &drafts->items[i].decision;
        decision->memory = renumber(policy, order, decision->memory);
        decision->next = renumber(policy, order, decision->next);
    }
    return policy_set_decisions(policy, drafts, NULL, error);
}

opac_status policy_fill(opac_policy *policy, const policy_objective *objective,
                        policy_entry_vec *drafts, const uint32_t *start, opac_error *error)
{
    hoa_order order = {0};
    opac_status status;
    if (objective->automaton != NULL)
        TRY_OR(done, take_automaton(objective->automaton, &order, policy, error));
    TRY_OR(done, copy_objective(objective, policy, error));
    status = take_decisions(policy, &order, drafts, start, error);
done:
    hoa_order_fini(&order);
    return status;
}

opac_status policy_from_product(const opac_model *model, const product_process *product,
                                const uint32_t *choice, const uint32_t *start,
                                const policy_objective *objective, opac_policy **policy,
                                opac_error *error)
{
    lifting lift = {.model = model, .product = product, .choice = choice, .objective = objective};
    opac_policy *made = NULL;
    opac_status status;
    TRY_OR(done, policy_new(model, &made, error));
    TRY_OR(done, walk(&lift, start, error));
    for (uint32_t p = 0; objective->automaton == NULL && p < product->process.state_count; p++)
        if (product->memory[p] >= made->memory_count)
            made->memory_count = product->memory[p] + 1;
    status = policy_fill(made, objective, &lift.drafts, lift.memory, error);
done:
    product_move_table_free(lift.move_table);
    base_bitset_fini(&lift.seen);
    base_u32_vec_fini(&lift.waiting);
    policy_entry_vec_fini(&lift.drafts);
    base_free(lift.memory);
    if (status == OPAC_OK)
        *policy = made;
    else
        opac_policy_free(made);
    return status;
}
