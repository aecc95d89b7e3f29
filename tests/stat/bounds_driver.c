/* SPDX-License-Identifier: MIT */
/*
 * Answers questions about bounds, one a line, for bounds_oracle.py:
 *
 *     RULE N K T EPSILON DELTA M          k by rule, k N K, and steps of Theorem 2
 *     accuracy N K T EPSILON DELTA M C    k for accuracy C, and the accuracy of that k
 *     recurrence N P EPSILON              ours and the published one
 *     estimator EPSILON DELTA
 *
 * Counts are printed as value and decimal logarithm, doubles in hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/bound.h>

static void print_count(opac_count count)
{
    printf("%" PRIu64 " %.17g ", count.value, count.log10);
}

static opac_status answer_k(opac_k_rule rule, const opac_bound_params *params, opac_error *error)
{
    opac_count k, samples, steps;
    opac_status status = opac_bound_k(params, rule, &k, error);
    if (status == OPAC_OK)
        status = opac_bound_samples(params, &k, &samples, error);
    if (status == OPAC_OK)
        status = opac_bound_policy_steps(params, &k, &steps, error);
    if (status != OPAC_OK)
        return status;
    print_count(k);
    print_count(samples);
    print_count(steps);
    return OPAC_OK;
}

static opac_status answer_accuracy(const opac_bound_params *params, double c, opac_error *error)
{
    opac_count k;
    double reached;
    opac_status status = opac_bound_k_for_accuracy(params, c, &k, error);
    if (status == OPAC_OK)
        status = opac_bound_accuracy(params, k.value, &reached, error);
    if (status != OPAC_OK)
        return status;
    print_count(k);
    printf("%a ", reached);
    return OPAC_OK;
}

static opac_status answer_recurrence(uint64_t states, double p, double epsilon, opac_error *error)
{
    opac_count ours, published;
    opac_status status = opac_bound_recurrence(states, p, epsilon, &ours, error);
    if (status == OPAC_OK)
        status = opac_bound_recurrence_published(states, p, epsilon, &published, error);
    if (status != OPAC_OK)
        return status;
    print_count(ours);
    print_count(published);
    return OPAC_OK;
}

static opac_status answer_estimator(double epsilon, double delta, opac_error *error)
{
    opac_count count;
    opac_status status = opac_bound_estimator(epsilon, delta, &count, error);
    if (status == OPAC_OK)
        print_count(count);
    return status;
}

static opac_status answer(const char *line, opac_error *error)
{
    char word[32];
    opac_bound_params p;
    opac_k_rule rule;
    double c, least;
    if (sscanf(line, "estimator %la %la", &p.epsilon, &p.delta) == 2)
        return answer_estimator(p.epsilon, p.delta, error);
    if (sscanf(line, "recurrence %" SCNu64 " %la %la", &p.states, &least, &p.epsilon) == 3)
        return answer_recurrence(p.states, least, p.epsilon, error);
    int fields =
        sscanf(line, "%31s %" SCNu64 " %" SCNu64 " %" SCNu64 " %la %la %" SCNu64 " %la", word,
               &p.states, &p.actions, &p.horizon, &p.epsilon, &p.delta, &p.branching, &c);
    if (fields == 8)
        return answer_accuracy(&p, c, error);
    opac_status status = opac_k_rule_parse(word, &rule, error);
    return status == OPAC_OK ? answer_k(rule, &p, error) : status;
}

int main(void)
{
    char line[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        opac_error error;
        if (answer(line, &error) != OPAC_OK)
            printf("error: %s", error.message);
        putchar('\n');
    }
    return 0;
}
