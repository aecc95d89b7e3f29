/* SPDX-License-Identifier: MIT */
/*
 * Building products with 10^4 to 10^7 states, relative to one pass over the model that reads every edge and
 * writes a number for each state, which is the minimum for any algorithm; and relative to exploring the
 * model if it comes from a program. Our own family is a walk with short and long steps, numbered breadth
 * first, as the states of programs are. Also some published models, if available.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omegapac/omegapac.h>

#include "base/alloc.h"
#include "bench.h"
#include "product/letters.h"
#include "product/product.h"

#define LEAST_SECONDS 0.1

static void check(opac_status status, const opac_error *error)
{
    if (status == OPAC_OK)
        return;
    fprintf(stderr, "bench_product: %s\n", error->message);
    exit(1);
}

/* Two choices a state: one goes on by one, or stays; the other goes on by two, or back by half. */
static opac_model *walk(uint32_t states)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    check(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        check(opac_builder_state(builder, &error), &error);
        check(opac_builder_choice(builder, "near", &error), &error);
        check(opac_builder_branch(builder, (s + 1) % states, 0.5, &error), &error);
        check(opac_builder_branch(builder, s, 0.5, &error), &error);
        check(opac_builder_choice(builder, "far", &error), &error);
        check(opac_builder_branch(builder, (s + 2) % states, 0.75, &error), &error);
        check(opac_builder_branch(builder, s / 2, 0.25, &error), &error);
        if (s % 3 == 0)
            check(opac_builder_label(builder, "a", s, &error), &error);
        if (s % 7 == 0)
            check(opac_builder_label(builder, "b", s, &error), &error);
    }
    check(opac_builder_initial(builder, 0, &error), &error);
    check(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static opac_automaton *translate(const char *text, opac_automaton_kind kind)
{
    opac_automaton_options options = {.kind = kind,
                                      .acceptance = kind == OPAC_KIND_DETERMINISTIC
                                                        ? OPAC_ACCEPTANCE_RABIN
                                                        : OPAC_ACCEPTANCE_BUCHI};
    opac_formula *formula;
    opac_automaton *automaton;
    opac_error error;
    check(opac_formula_parse(text, NULL, &formula, &error), &error);
    check(opac_automaton_translate(formula, &options, &automaton, &error), &error);
    opac_formula_free(formula);
    return automaton;
}

/* Seconds for a pass: by state, the least expectation of its choices over the targets' numbers. */
static double seconds_of_pass(const graph_process *p)
{
    double *value = base_alloc(p->state_count, sizeof *value);
    double begin = bench_cpu_seconds(), rounds = 0;
    if (value == NULL)
        abort();
    for (uint32_t s = 0; s < p->state_count; s++)
        value[s] = 0.5;
    begin = bench_cpu_seconds();
    for (; rounds < 1 || bench_cpu_seconds() - begin < LEAST_SECONDS; rounds++)
        for (uint32_t s = 0; s < p->state_count; s++) {
            double least = 1;
            for (uint32_t c = p->choice_begin[s]; c < p->choice_begin[s + 1]; c++) {
                double sum = 0;
                for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++)
                    sum += p->prob[e] * value[p->target[e]];
                least = sum < least ? sum : least;
            }
            value[s] = least;
        }
    double seconds = (bench_cpu_seconds() - begin) / rounds;
    base_free(value);
    return seconds;
}

/* explored: seconds that the model took; 0: it comes from no program. */
static void measure(const char *name, const opac_model *model, const char *formula,
                    opac_automaton_kind kind, double explored, double *smallest)
{
    opac_automaton *automaton = translate(formula, kind);
    product_process product;
    uint64_t *letters;
    opac_error error;
    double rounds = 0;
    check(product_letters(model, NULL, automaton, &letters, &error), &error);
    double begin = bench_cpu_seconds();
    for (; rounds < 1 || bench_cpu_seconds() - begin < LEAST_SECONDS; rounds++) {
        if (rounds > 0)
            product_fini(&product);
        check(product_build(model, letters, automaton, NULL, &product, &error), &error);
    }
    double seconds = (bench_cpu_seconds() - begin) / rounds;
    double cost = seconds / product.process.state_count;
    double pass = seconds_of_pass(&product.process);
    printf("  %-18s %9u times %2u: %9u states  %5.2f passes", name,
           (unsigned)opac_model_states(model), (unsigned)opac_automaton_states(automaton),
           (unsigned)product.process.state_count, seconds / pass);
    if (explored > 0)
        printf("  %4.1f%% of exploring", 100 * seconds / explored);
    if (smallest != NULL) {
        *smallest = *smallest > 0 ? *smallest : cost;
        printf("  growth %.2f", cost / *smallest);
    }
    printf("\n");
    product_fini(&product);
    base_free(letters);
    opac_automaton_free(automaton);
}

static void own_models(void)
{
    static const struct {
        const char *name, *formula;
        opac_automaton_kind kind;
    } objectives[] = {
        {"G F a", "G F a", OPAC_KIND_DETERMINISTIC},
        {"G F a & G F b", "G F a & G F b", OPAC_KIND_DETERMINISTIC},
        {"F G !a, choosing", "F G !a", OPAC_KIND_LDBA},
    };
    static const uint32_t sizes[] = {10000, 100000, 1000000, 10000000};
    double smallest[3] = {0};
    for (size_t i = 0; i < bench_sizes(sizeof sizes / sizeof *sizes); i++) {
        opac_model *model = walk(sizes[i]);
        for (size_t k = 0; k < sizeof objectives / sizeof *objectives; k++)
            measure(objectives[k].name, model, objectives[k].formula, objectives[k].kind, 0,
                    &smallest[k]);
        opac_model_free(model);
    }
}

static void published_models(void)
{
    static const char *const models[][4] = {
        {"csma3_4", "csma3_4.nm", "", "!collision_max_backoff U all_delivered"},
        {"wlan5", "wlan5.nm", "COL=0", "F \"s1=12 & s2=12\""},
        {"wlan5", "wlan5.nm", "COL=0", "G F \"s1=12\" & G F \"s2=1\""},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[1024];
        opac_model_options options = {0};
        opac_model *model;
        opac_error error;
        snprintf(path, sizeof path, "%s/models/%s", PUBLISHED_MODELS, models[i][1]);
        if (access(path, R_OK) != 0)
            continue;
        check(opac_constants_new(&options.constants, &error), &error);
        if (models[i][2][0] != '\0')
            check(opac_constants_add(options.constants, models[i][2], &error), &error);
        double begin = bench_cpu_seconds();
        check(opac_model_read(path, &options, &model, &error), &error);
        measure(models[i][0], model, models[i][3], OPAC_KIND_DETERMINISTIC,
                bench_cpu_seconds() - begin, NULL);
        opac_model_free(model);
        opac_constants_free(options.constants);
    }
}

int main(void)
{
    printf("Building products. A pass reads every edge of the product once and writes a number a\n"
           "state; growth: cost a state over that of the smallest, 1 is linear.\n");
    own_models();
    published_models();
    return 0;
}
