/* SPDX-License-Identifier: MIT */
/*
 * Learning from a simulator in C, with a certificate. A traveller crosses a river by way of an island:
 *
 *     bank --wade---> island 0.8, lost 0.2        island --swim---> home 0.75, lost 0.25
 *          --ferry--> island 0.5, bank 0.5               --raft---> home 0.9, lost 0.1
 *
 * The objective is F home. The program learns twice. First it knows only that no positive probability is
 * below 1/10, and writes pmin.cert. Then it knows the successors of each action, and writes graph.cert.
 *
 *     cc certify.c $(pkg-config --cflags --libs omegapac) -o certify && ./certify
 */
#include <stdio.h>

#include <omegapac/omegapac.h>

enum {
    BANK,
    ISLAND,
    HOME,
    LOST
};

static const struct way {
    uint32_t end[2];
    double first; /* the probability of end[0] */
} ways[][2] = {
    [BANK] = {{{ISLAND, LOST}, 0.8}, {{ISLAND, BANK}, 0.5}}, /* wade, ferry */
    [ISLAND] = {{{HOME, LOST}, 0.75}, {{HOME, LOST}, 0.9}},  /* swim, raft */
};

struct river {
    uint32_t place;
    uint64_t random;
};

static opac_observation observe(const uint32_t *place)
{
    return (opac_observation){.key = place,
                              .length = sizeof *place,
                              .letter = *place == HOME, /* proposition 0 */
                              .actions = *place < HOME ? 2 : 0};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    struct river *r = context;
    *r = (struct river){.place = BANK, .random = seed};
    *seen = observe(&r->place);
    (void)error; /* cannot fail */
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    struct river *r = context;
    const struct way *way = &ways[r->place][action];
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    r->place = way->end[(double)(r->random >> 11) * 0x1p-53 >= way->first];
    *seen = observe(&r->place);
    (void)error;
    return OPAC_OK;
}

/* The successors of a state and an action, or of the reset. They make the graph of options.graph. */
static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *ends, opac_error *error)
{
    static const uint32_t start = BANK;
    const uint32_t *place = key;
    opac_observation seen = observe(&start);
    (void)context, (void)length;
    if (key == NULL) /* the reset */
        return opac_draws_add(ends, &seen, 1, error);
    const struct way *way = &ways[*place][action];
    seen = observe(&way->end[0]);
    opac_status status = opac_draws_add(ends, &seen, 1, error);
    seen = observe(&way->end[1]);
    return status == OPAC_OK ? opac_draws_add(ends, &seen, 1, error) : status;
}

/* Learns, writes a certificate, and verifies it. */
static opac_status certify(opac_environment *environment, const opac_objective *objective,
                           const opac_learn_options *options, const char *path, opac_error *error)
{
    opac_learning *learning = NULL;
    opac_output *out = NULL;
    opac_verification found = {0};
    opac_status status = opac_learn(environment, objective, options, &learning, error);
    if (status == OPAC_OK)
        status = opac_output_open_file(path, &out, error);
    if (status == OPAC_OK)
        status =
            opac_learning_write_certificate(learning, &(opac_certificate_inputs){0}, out, error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, error);
    if (status == OPAC_OK)
        status = opac_verify_file(path, NULL, &found, error);
    if (status == OPAC_OK)
        printf("%s\n%s: %s\n", opac_learning_statement(learning), path,
               found.holds ? "holds" : found.reason);
    opac_verification_fini(&found);
    opac_output_free(out);
    opac_learning_free(learning);
    return status;
}

int main(void)
{
    const char *names[] = {"home"};
    opac_environment_callbacks callbacks = {.reset = reset,
                                            .step = step,
                                            .successors = successors,
                                            .propositions = names,
                                            .proposition_count = 1};
    opac_learn_options options = opac_learn_defaults();
    options.epsilon = 0.05;
    options.delta = 0.1;

    struct river river;
    opac_formula *formula = NULL;
    opac_environment *environment = NULL;
    opac_error error;
    opac_status status = opac_formula_parse("F home", NULL, &formula, &error);
    if (status == OPAC_OK)
        status = opac_environment_new(&callbacks, &river, &environment, &error);
    opac_objective objective = {.formula = formula};
    options.pmin = 0.1;
    if (status == OPAC_OK)
        status = certify(environment, &objective, &options, "pmin.cert", &error);
    options.pmin = 0;
    options.graph = environment;
    if (status == OPAC_OK)
        status = certify(environment, &objective, &options, "graph.cert", &error);
    if (status != OPAC_OK)
        fprintf(stderr, "%s\n", error.message);
    opac_environment_free(environment);
    opac_formula_free(formula);
    return status == OPAC_OK ? 0 : 1;
}
