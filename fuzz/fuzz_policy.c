/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as a policy, for a model with variables, for one without, and for a simulator. Accepted
 * policies are valid: they can be run, the induced chain is a model, and they are unchanged when they are
 * written and read again.
 */
#include <omegapac/policy.h>

#include "policy/policy.h"
#include "support/invariants.h"
#include "target.h"

enum {
    STEPS = 50
};

static const char with_variables[] = "mdp\n"
                                     "module m\n"
                                     "  x : [0..2] init 0;\n"
                                     "  done : bool init false;\n"
                                     "  [a] x<2 & !done -> 0.5:(x'=x+1) + 0.5:true;\n"
                                     "  [b] x<2 & !done -> (x'=x+1);\n"
                                     "  [b] x<2 & !done -> (done'=true);\n"
                                     "  [] x=2 | done -> true;\n"
                                     "endmodule\n"
                                     "label \"two\" = x=2;\n";
static const char without[] = "3 4 5\n0 0 1 0.5 go\n0 0 2 0.5 go\n0 1 0 1 stay\n1 0 1 1\n2 0 0 1\n";

static void check_error(opac_status status, const opac_error *error)
{
    fuzz_require(status == error->code);
    fuzz_require(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_LIMIT ||
                 status == OPAC_ERROR_UNSUPPORTED || status == OPAC_ERROR_ARGUMENT);
    fuzz_require((error->line > 0) == (error->column > 0));
    fuzz_require_message(error->message);
}

static opac_output *print(const opac_policy *policy)
{
    opac_output *out;
    fuzz_require(opac_output_open_memory(&out, NULL) == OPAC_OK);
    opac_policy_write(policy, out);
    fuzz_require(opac_output_commit(out, NULL) == OPAC_OK);
    return out;
}

static void check_round_trip(const opac_policy *policy, const opac_model *model)
{
    opac_output *first = print(policy), *second;
    opac_policy *again;
    size_t length, other;
    const char *text = opac_output_bytes(first, &length);
    fuzz_require(opac_policy_is_file(text, length));
    fuzz_require(opac_policy_parse(text, length, model, &again, NULL) == OPAC_OK);
    fuzz_require(policy_check(again, NULL) == OPAC_OK);
    second = print(again);
    fuzz_require(opac_policy_decisions(again) == opac_policy_decisions(policy));
    const char *repeated = opac_output_bytes(second, &other);
    fuzz_require(length == other && memcmp(text, repeated, length) == 0);
    opac_policy_free(again);
    opac_output_free(first);
    opac_output_free(second);
}

static void check_runs(const opac_policy *policy, const opac_model *model)
{
    opac_model *chain;
    for (uint32_t begin = 0; begin < opac_model_states(model); begin++) {
        uint32_t state = begin, memory = opac_policy_start(policy, state);
        for (uint32_t i = 0; i < STEPS; i++) {
            uint32_t choice = opac_policy_act(policy, state, &memory);
            uint32_t first = opac_model_choice_begin(model, state);
            fuzz_require(memory < opac_policy_memory(policy) && choice >= first &&
                         choice < first + opac_model_choice_count(model, state));
            state = opac_model_branch_target(model, opac_model_branch_begin(model, choice) +
                                                        i % opac_model_branch_count(model, choice));
        }
    }
    fuzz_require(opac_policy_induce(policy, NULL, &chain, NULL) == OPAC_OK);
    fuzz_require(model_check(chain, NULL) == OPAC_OK);
    opac_model_free(chain);
}

/* By key, in all states and with all memories, and in a state that it does not know. */
static void check_keys(const opac_policy *policy)
{
    opac_model *chain;
    fuzz_require(opac_policy_has_keys(policy));
    for (uint32_t s = 0; s < opac_policy_states(policy); s++) {
        size_t length;
        const void *key = opac_policy_key(policy, s, &length);
        fuzz_require(key != NULL);
        fuzz_require(opac_policy_start_at(policy, key, length) < opac_policy_memory(policy));
        for (uint32_t m = 0; m < opac_policy_memory(policy) && m < STEPS; m++) {
            uint32_t memory = m, action = opac_policy_act_at(policy, key, length, &memory);
            fuzz_require(memory < opac_policy_memory(policy));
            fuzz_require(opac_policy_action_name(policy, s, action) != NULL);
            fuzz_require(action < policy_domain_choices(&policy->domain, s));
        }
    }
    fuzz_require(opac_policy_induce(policy, NULL, &chain, NULL) == OPAC_ERROR_UNSUPPORTED);
}

static opac_model *read_model(opac_model_format format, const char *text)
{
    opac_model *model;
    fuzz_require(opac_model_read_text(format, text, strlen(text), NULL, &model, NULL) == OPAC_OK);
    return model;
}

static void check_policy(const opac_model *model, const char *text, size_t length)
{
    opac_policy *policy;
    opac_error error = {0};
    opac_status status = opac_policy_parse(text, length, model, &policy, &error);
    if (status != OPAC_OK) {
        check_error(status, &error);
        return;
    }
    fuzz_require(policy_check(policy, &error) == OPAC_OK);
    if (model != NULL)
        check_runs(policy, model);
    else
        check_keys(policy);
    check_round_trip(policy, model);
    opac_policy_free(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static opac_model *models[2]; /* built once, since that takes longer than everything else */
    if (models[0] == NULL) {
        models[0] = read_model(OPAC_FORMAT_PRISM, with_variables);
        models[1] = read_model(OPAC_FORMAT_TRA, without);
    }
    /* A copy of exactly this size, so that reading after its end is detected. */
    char *text = malloc(size > 0 ? size : 1);
    fuzz_require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    opac_policy_is_file(text, size);
    check_policy(models[0], text, size);
    check_policy(models[1], text, size);
    check_policy(NULL, text, size);
    free(text);
    return 0;
}
