/* SPDX-License-Identifier: MIT */
/*
 * A simulator in C, and a program that learns from it. A gambler has a fortune of 2 and wants 5. In each game
 * the gambler chooses a stake, which is won with probability 0.4. The learner only knows that no positive
 * transition probability is below 0.4.
 *
 *     cc simulator.c $(pkg-config --cflags --libs omegapac) -o simulator && ./simulator
 *
 * prints
 *
 *     with confidence 0.9 the policy satisfies the objective with probability at least 0.271646,
 *     and no policy does with more than 0.321323: it is within 0.0496754 of the optimum
 *     with 1: stake 1
 *     with 2: stake 2
 *     with 3: stake 2
 *     with 4: stake 1
 */
#include <omegapac/omegapac.h>
#include <stdio.h>

struct game {
    uint32_t fortune;
    uint64_t random;
};

static opac_status observe(struct game *g, opac_observation *seen)
{
    uint32_t lacks = 5 - g->fortune;
    *seen = (opac_observation){.key = &g->fortune,
                               .length = sizeof g->fortune,
                               .letter = lacks == 0, /* bit 0: rich */
                               .actions = g->fortune < lacks ? g->fortune : lacks};
    return OPAC_OK;
}

static opac_status reset(void *game, uint64_t seed, opac_observation *seen, opac_error *error)
{
    *(struct game *)game = (struct game){.fortune = 2, .random = seed};
    return (void)error, observe(game, seen);
}

static opac_status step(void *game, uint32_t action, opac_observation *seen, opac_error *error)
{
    struct game *g = game;
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    bool wins = (double)(g->random >> 11) * 0x1p-53 < 0.4;
    g->fortune = wins ? g->fortune + (action + 1) : g->fortune - (action + 1);
    return (void)error, observe(g, seen);
}

int main(void)
{
    struct game game;
    opac_environment_callbacks calls = {.reset = reset, .step = step, .proposition_count = 1};
    calls.propositions = (const char *[]){"rich"};
    opac_learn_options options = opac_learn_defaults();
    options.pmin = 0.4, options.epsilon = 0.05, options.delta = 0.1;
    opac_formula *formula = NULL;
    opac_environment *environment = NULL;
    opac_learning *learning = NULL;
    opac_error error;
    if (opac_formula_parse("F rich", NULL, &formula, &error) != OPAC_OK ||
        opac_environment_new(&calls, &game, &environment, &error) != OPAC_OK ||
        opac_learn(environment, &(opac_objective){.formula = formula}, &options, &learning,
                   &error) != OPAC_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    printf("%s\n", opac_learning_statement(learning));
    for (uint32_t fortune = 1, memory = 0; fortune < 5; fortune++, memory = 0)
        printf("with %u: stake %u\n", fortune,
               opac_learning_act(learning, &fortune, sizeof fortune, &memory) + 1);
    opac_learning_free(learning);
    opac_environment_free(environment);
    opac_formula_free(formula);
}
