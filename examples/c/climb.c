/* SPDX-License-Identifier: MIT */
/*
 * Learning with omega-PAC from a simulator in C. A climber is three camps below the top. In each camp the
 * climber goes on carefully, which is slow, or boldly, which is dangerous.
 *
 *                     up     fall   stay
 *     carefully      0.6     0.02   0.38
 *     boldly         0.9     0.1    0
 *
 * The objective is F top. The program prints the estimated probability, the guarantee, and the policy.
 *
 *     cc climb.c $(pkg-config --cflags --libs omegapac) -o climb && ./climb
 */
#include <stdio.h>

#include <omegapac/omegapac.h>

enum {
    TOP = 3,
    FALLEN = 4
};

struct climber {
    uint32_t camp;
    uint64_t random;
};

static opac_status observe(const struct climber *c, opac_observation *seen)
{
    *seen = (opac_observation){.key = &c->camp,
                               .length = sizeof c->camp,
                               .letter = c->camp == TOP, /* proposition 0 */
                               .actions = c->camp < TOP ? 2 : 0};
    return OPAC_OK;
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    struct climber *c = context;
    c->camp = 0;
    c->random = seed;
    (void)error; /* cannot fail */
    return observe(c, seen);
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    struct climber *c = context;
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    double u = (double)(c->random >> 11) * 0x1p-53;
    double up = action == 0 ? 0.6 : 0.9; /* carefully or boldly */
    double fall = action == 0 ? 0.02 : 0.1;
    if (u < up)
        c->camp++;
    else if (u < up + fall)
        c->camp = FALLEN;
    (void)error;
    return observe(c, seen);
}

int main(void)
{
    const char *names[] = {"top"};
    opac_environment_callbacks callbacks = {
        .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
    opac_learn_options options = opac_learn_defaults();
    options.horizon =
        10; /* T: after 10 steps the climber is at the top or has fallen, with probability 0.95 */
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.k_rule = OPAC_K_L1;
    options.states = 5;
    options.actions = 2;
    options.branching = 3;

    struct climber simulator;
    opac_formula *formula = NULL;
    opac_environment *environment = NULL;
    opac_learning *learning = NULL;
    opac_error error;
    if (opac_formula_parse("F top", NULL, &formula, &error) != OPAC_OK ||
        opac_environment_new(&callbacks, &simulator, &environment, &error) != OPAC_OK ||
        opac_learn(environment, &(opac_objective){.formula = formula}, &options, &learning,
                   &error) != OPAC_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%.3f: %s\n", opac_learning_report(learning)->value, opac_learning_statement(learning));
    for (uint32_t camp = 0, memory = opac_learning_start(learning, &camp, sizeof camp); camp < TOP;
         camp++)
        printf("camp %u: %s\n", camp,
               opac_learning_act(learning, &camp, sizeof camp, &memory) == 0 ? "careful" : "bold");
    opac_learning_free(learning);
    opac_environment_free(environment);
    opac_formula_free(formula);
    return 0;
}
