/* SPDX-License-Identifier: MIT */
/* How often the paper's chain is learned correctly. */
#ifndef TESTS_LEARN_CHAIN_H
#define TESTS_LEARN_CHAIN_H

#include "runs.h"

static inline opac_learning *
learn_chain_once(opac_environment *env, const opac_objective *objective, uint64_t k, uint64_t seed)
{
    opac_error error = {0};
    opac_learning *learning;
    opac_learn_options options = learning_options(7, k);
    options.epsilon = 1.0 / 60;
    options.seed = seed;
    assert_ok(opac_learn(env, objective, &options, &learning, &error), &error);
    return learning;
}

static inline double binomial(unsigned n, unsigned i, double p)
{
    return exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) +
               (n - i) * log1p(-p));
}

/* The probability that k samples of each pair yield a policy within 6 epsilon of the optimum of the chain:
 * Σ_{i≥1} P(B1 = i) · Π_{s=2…6} P(Bs <= i), with Bs ~ Bin(k, 2^-s). */
static inline double exact_share(unsigned k)
{
    double all = 0;
    for (unsigned i = 1; i <= k; i++) {
        double product = binomial(k, i, 0.5);
        for (int s = 2; s <= 6; s++) {
            double sum = 0;
            for (unsigned j = 0; j <= i; j++)
                sum += binomial(k, j, ldexp(1, -s));
            product *= sum;
        }
        all += product;
    }
    return all;
}

/*
 * The share of runs whose policy tries at once, which is the best, against its
 * exact probability, for the first values of k. Six comparisons at five standard deviations: a
 * false alarm in one of 280 000 seeds; four: in one of 430 000.
 */
static inline void check_chain(uint64_t runs, size_t count)
{
    static const unsigned ks[] = {1, 2, 3, 5, 10, 20};
    static const double published[] = {.5000, .7091, .7917, .8525, .9148, .9662};
    table_state states[8];
    uint32_t first = 0;
    chain_make(states);
    opac_environment *env = table_environment(states, 0, false);
    opac_formula *formula = learning_formula("G F a");
    const opac_objective objective = {.formula = formula};
    assert_true(count <= sizeof ks / sizeof *ks);
    for (size_t i = 0; i < count; i++) {
        unsigned good = 0;
        double exact = exact_share(ks[i]), deviation = sqrt(exact * (1 - exact) / (double)runs);
        assert_true(fabs(exact - published[i]) < 5.1e-5);
        for (uint64_t run = 0; run < runs; run++) {
            opac_learning *l = learn_chain_once(env, &objective, ks[i], 1000000 * (i + 1) + run);
            uint32_t memory = opac_learning_start(l, &first, sizeof first);
            good += opac_learning_act(l, &first, sizeof first, &memory) == 1;
            assert_int_equal(opac_learning_report(l)->end, OPAC_END_DONE);
            opac_learning_free(l);
        }
        double share = (double)good / (double)runs;
        if (fabs(share - exact) > 5 * deviation)
            fail_msg("k = %u: %g of the runs, expected %g", ks[i], share, exact);
    }
    opac_formula_free(formula);
    opac_environment_free(env);
}

#endif
