/* SPDX-License-Identifier: MIT */
/*
 * Converts a positional policy of a product to a policy with memory for the model.
 *
 * Visits the product states that are reachable under the policy. From each, it follows epsilon moves up to
 * a choice of the model; that choice, and the memory after it, is the decision. There is no decision, or
 * the first action, where the choice does not matter: in the sink, from which all runs are accepted, and in
 * product states without a choice, from which all runs are rejected. Cost: linear in the reachable part.
 */
#include <string.h>

#include "aut/hoa_order.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "policy/policy.h"

typedef struct conversion {
    const opac_model *model;
    const product_process *product;
    const uint32_t *choice;
    const policy_objective *objective;
    product_move_table *move_table; /* built on first use */
    base_bitset seen;
    base_u32_vec waiting; /* seen product states that are not decided yet */
    policy_entry_vec entries;
    uint32_t *memory; /* by initial state */
} conversion;

/* ---- the automaton ---- */

/* A deep copy with states and edges in the order of HOA files. */
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

static opac_status set_automaton(const opac_automaton *given, hoa_order *order, opac_policy *policy,
                                 opac_error *error)
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

/* ---- the objective ---- */

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

/* ---- the decisions ---- */

static bool is_sink(const conversion *c, uint32_t product_state)
{
    return c->product->state[product_state] == PRODUCT_NONE;
}

/* Whether a choice of this product state is given; a choice of another one counts as none. */
static bool has_choice(const conversion *c, uint32_t product_state)
{
    const uint32_t *begin = &c->product->process.choice_begin[product_state];
    uint32_t choice = c->choice[product_state];
    return choice >= begin[0] && choice < begin[1];
}

/*
 * The sink represents several states of the automaton. Finds the one that the choice of a product state leads
 * to, from the number of the choice (product/state_index.h).
 */
static opac_status find_universal(conversion *c, uint32_t product_state, uint32_t *memory,
                                  opac_error *error)
{
    const product_process *product = c->product;
    uint32_t class, moves, silent, q = product->memory[product_state];
    uint32_t index = c->choice[product_state] - product->process.choice_begin[product_state];
    if (c->objective->automaton == NULL || c->objective->letters == NULL)
        return OPAC_OK;
    if (c->move_table == NULL)
        TRY(product_move_table_new(c->objective->automaton, &c->move_table, error));
    TRY(product_move_table_class(
        c->move_table, c->objective->letters[product->state[product_state]], &class, error));
    const product_move *move = product_move_table_moves(c->move_table, q, class, &moves);
    const product_move *epsilon = product_move_table_epsilons(c->move_table, q, &silent);
    if (product->choice[c->choice[product_state]] != PRODUCT_NONE && moves > 0)
        *memory = move[index % moves].target;
    else if (silent > 0) /* epsilon moves are the last choices */
        *memory = epsilon[silent - (product->process.choice_begin[product_state + 1] -
                                    c->choice[product_state])]
                      .target;
    return OPAC_OK;
}

/* Follows the choice of a product state: one of the successors, and the memory, which is the same for all. */
static opac_status follow_choice(conversion *c, uint32_t product_state, uint32_t *target,
                                 uint32_t *memory, opac_error *error)
{
    const graph_process *process = &c->product->process;
    *target = process->target[process->edge_begin[c->choice[product_state]]];
    *memory = c->product->memory[*target];
    return is_sink(c, *target) ? find_universal(c, product_state, memory, error) : OPAC_OK;
}

static opac_status add_state(conversion *c, uint32_t product_state, opac_error *error)
{
    if (base_bitset_has(&c->seen, product_state))
        return OPAC_OK;
    base_bitset_add(&c->seen, product_state);
    return base_u32_vec_push(&c->waiting, product_state, error);
}

static bool is_epsilon(const conversion *c, uint32_t product_state)
{
    return !is_sink(c, product_state) && has_choice(c, product_state) &&
           c->product->choice[c->choice[product_state]] == PRODUCT_NONE;
}

/* Follows epsilon moves to their end. They have no cycles; the limit only guarantees termination. */
static opac_status follow_epsilons(conversion *c, uint32_t *product_state, uint32_t *memory,
                                   opac_error *error)
{
    uint32_t left = c->product->process.state_count;
    while (left-- > 0 && is_epsilon(c, *product_state))
        TRY(follow_choice(c, *product_state, product_state, memory, error));
    return OPAC_OK;
}

static opac_status decide(conversion *c, uint32_t product_state, opac_error *error)
{
    const product_process *product = c->product;
    uint32_t state = product->state[product_state], end = product_state,
             next = product->memory[product_state], target;
    TRY(follow_epsilons(c, &end, &next, error));
    bool matters = !is_sink(c, end) && has_choice(c, end) && !is_epsilon(c, end);
    if (!matters && end == product_state)
        return OPAC_OK;
    policy_decision decision = {.memory = product->memory[product_state]};
    if (matters) {
        uint32_t taken = c->choice[end];
        decision.action = product->choice[taken] - opac_model_choice_begin(c->model, state);
        TRY(follow_choice(c, end, &target, &next, error));
        for (uint32_t e = product->process.edge_begin[taken];
             e < product->process.edge_begin[taken + 1]; e++)
            TRY(add_state(c, product->process.target[e], error));
    }
    decision.next = next;
    return policy_entry_add(&c->entries, state, decision, error);
}

static opac_status visit_all(conversion *c, const uint32_t *start, opac_error *error)
{
    uint32_t count = opac_model_initial_count(c->model);
    TRY(base_bitset_init(&c->seen, c->product->process.state_count, error));
    c->memory = base_alloc(count, sizeof *c->memory);
    if (c->memory == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        c->memory[i] = start[i] != PRODUCT_NONE ? c->product->memory[start[i]] : PRODUCT_NONE;
        if (start[i] != PRODUCT_NONE)
            TRY(add_state(c, start[i], error));
    }
    while (c->waiting.count > 0)
        TRY(decide(c, c->waiting.items[--c->waiting.count], error));
    return OPAC_OK;
}

/* ---- the policy ---- */

/* Renumbers a memory value that is a state of the automaton; others, and all without an order, stay the
 * same. */
static uint32_t renumber(const opac_policy *policy, const hoa_order *order, uint32_t memory)
{
    bool is_state = order->number != NULL && memory < policy->automaton->state_count;
    return is_state ? order->number[memory] : memory;
}

static opac_status set_decisions(opac_policy *policy, const hoa_order *order,
                                 policy_entry_vec *entries, const uint32_t *start,
                                 opac_error *error)
{
    size_t count = policy_domain_initial(&policy->domain)->count;
    policy->start = base_alloc_zeroed(count, sizeof *policy->start);
    if (policy->start == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (start[i] != PRODUCT_NONE)
            policy->start[i] = renumber(policy, order, start[i]);
    for (size_t i = 0; i < entries->count; i++) {
        policy_decision *decision = &entries->items[i].decision;
        decision->memory = renumber(policy, order, decision->memory);
        decision->next = renumber(policy, order, decision->next);
    }
    return policy_set_decisions(policy, entries, NULL, error);
}

opac_status policy_fill(opac_policy *policy, const policy_objective *objective,
                        policy_entry_vec *entries, const uint32_t *start, opac_error *error)
{
    hoa_order order = {0};
    opac_status status;
    if (objective->automaton != NULL)
        TRY_OR(done, set_automaton(objective->automaton, &order, policy, error));
    TRY_OR(done, copy_objective(objective, policy, error));
    status = set_decisions(policy, &order, entries, start, error);
done:
    hoa_order_fini(&order);
    return status;
}

opac_status policy_from_product(const opac_model *model, const product_process *product,
                                const uint32_t *choice, const uint32_t *start,
                                const policy_objective *objective, opac_policy **policy,
                                opac_error *error)
{
    conversion c = {.model = model, .product = product, .choice = choice, .objective = objective};
    opac_policy *made = NULL;
    opac_status status;
    TRY_OR(done, policy_new(model, &made, error));
    TRY_OR(done, visit_all(&c, start, error));
    for (uint32_t p = 0; objective->automaton == NULL && p < product->process.state_count; p++)
        if (product->memory[p] >= made->memory_count)
            made->memory_count = product->memory[p] + 1;
    status = policy_fill(made, objective, &c.entries, c.memory, error);
done:
    product_move_table_free(c.move_table);
    base_bitset_fini(&c.seen);
    base_u32_vec_fini(&c.waiting);
    policy_entry_vec_fini(&c.entries);
    base_free(c.memory);
    if (status == OPAC_OK)
        *policy = made;
    else
        opac_policy_free(made);
    return status;
}
