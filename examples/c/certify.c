/* SPDX-License-Identifier: MIT */
/*
 * Learning from a simulator of one's own, with a certificate. A traveller crosses a river, first to
 * an island; some ways are quick, some are safe. Of them is known, at first, that nothing has a
 * probability below 1/10; then, where each may end.
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

/* Either of two ends. */
static const struct way {
    uint32_t end[2];
    double first;
} ways[][2] = {
    [BANK] = {{{ISLAND, LOST}, 0.8}, {{ISLAND, BANK}, 0.5}}, /* wade, or wait for the ferry */
    [ISLAND] = {{{HOME, LOST}, 0.75}, {{HOME, LOST}, 0.9}},  /* swim, or build a raft */
};

struct river {
    uint32_t place;
    uint64_t random;
};

static opac_observation look(const uint32_t *place)
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
    *seen = look(&r->place);
    (void)error; /* nothing can go wrong here */
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    struct river *r = context;
    const struct way *way = &ways[r->place][action];
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    r->place = way->end[(double)(r->random >> 11) * 0x1p-53 >= way->first];
    *seen = look(&r->place);
    (void)error;
    return OPAC_OK;
}

/* The graph, for who wants it. */
static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *ends, opac_error *error)
{
    static const uint32_t start = BANK;
    const uint32_t *place = key;
    opac_observation seen = look(&start);
    (void)context, (void)length;
    if (key == NULL) /* the reset */
        return opac_draws_add(ends, &seen, 1, error);
    const struct way *way = &ways[*place][action];
    seen = look(&way->end[0]);
    opac_status status = opac_draws_add(ends, &seen, 1, error);
    seen = look(&way->end[1]);
    return status == OPAC_OK ? opac_draws_add(ends, &seen, 1, error) : status;
}

/* Learns, writes what proves the result, and has it checked. */
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
