/* SPDX-License-Identifier: MIT */
/* The experiments that there are, in the order in which they are best read. */
#include "experiment/record.h"

static const experiment_entry entries[] = {
    /* One line for each, in this order: gridworld, chain, robust, counterexample, samples,
     * sequence, speed. */
    {{"gridworld", "the paper's gridworld: k, time, and the recurrence time that T = 19 is not"},
     experiment_gridworld},
    {{"chain", "the paper's figure: how good the learned policies are, by k"}, experiment_chain},
    {{"robust", "Example 1: what must be known, and what that costs, by p"}, experiment_robust},
    {{"counterexample", "why every state twice is not enough for a recurrence time"},
     experiment_counterexample},
    {{"samples", "k by rule, and the samples that learners take, against N, T and epsilon"},
     experiment_samples},
    {{"sequence", "Theorem 2: for how many steps the policies are not good enough, beside C"},
     experiment_sequence},
    {{"speed", "steps a second: by counts, step by step, by threads, and a loop that bounds them"},
     experiment_speed},
};

size_t experiment_entry_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const experiment_entry *experiment_entry_at(size_t index)
{
    return index < experiment_entry_count() ? &entries[index] : NULL;
}

size_t opac_experiment_count(void)
{
    return experiment_entry_count();
}

const opac_experiment *opac_experiment_at(size_t index)
{
    return index < experiment_entry_count() ? &entries[index].listed : NULL;
}
