/* SPDX-License-Identifier: MIT */
/*
 * Certificates of real runs, for independent checkers:
 *
 *     certificates make MODELS FOLDER   runs each case, and writes FOLDER/NAME.cert
 *     certificates judge                reads texts, each after its length on a line, and prints a line
 *                                       for each: "holds" or "refused: reason" by the library's checker
 *
 * The cases have different assumptions, objectives and ways to run: chains, random starts, least
 * probabilities, automata with choices, runs that end early.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/omegapac.h>

typedef struct subject {
    const char *name;
    const char *file; /* in the folder of models; NULL: the text */
    const char *text;
    const char *constants;
    const char *property;
    const char *graph; /* "": the model's own; else a text; NULL: unknown */
    double pmin, pmin_start;
    bool by_row; /* pmin is a function: the least positive probability of each row */
    double epsilon, delta;
    uint64_t max_steps;
    uint64_t states, actions, branching;
    opac_automaton_kind kind;
    opac_learn_explore explore;
} subject;

/* Two paths through a maze of coins; the second is slightly better. */
static const char maze[] = "mdp\nmodule m\n s : [0..4] init 0;\n"
                           " [a] s=0 -> 0.5:(s'=1)+0.5:(s'=2);\n"
                           " [b] s=0 -> 0.3:(s'=1)+0.4:(s'=3)+0.3:(s'=4);\n"
                           " [a] s=1 -> 0.7:(s'=3)+0.3:(s'=0);\n"
                           " [b] s=1 -> 0.6:(s'=1)+0.4:(s'=4);\n"
                           " [a] s=2 -> 0.5:(s'=2)+0.5:(s'=0);\n"
                           " [a] s=3 -> 1:(s'=3);\n"
                           " [b] s=3 -> 0.5:(s'=3)+0.5:(s'=0);\n"
                           " [a] s=4 -> 1:(s'=4);\n"
                           "endmodule\n"
                           "label \"p\" = s=1;\nlabel \"q\" = s=3;\nlabel \"lost\" = s=4;\n";
/* Its graph, with other probabilities. */
static const char sketch[] = "mdp\nmodule m\n s : [0..4] init 0;\n"
                             " [a] s=0 -> 0.1:(s'=1)+0.9:(s'=2);\n"
                             " [b] s=0 -> 0.1:(s'=1)+0.1:(s'=3)+0.8:(s'=4);\n"
                             " [a] s=1 -> 0.1:(s'=3)+0.9:(s'=0);\n"
                             " [b] s=1 -> 0.1:(s'=1)+0.9:(s'=4);\n"
                             " [a] s=2 -> 0.1:(s'=2)+0.9:(s'=0);\n"
                             " [a] s=3 -> 1:(s'=3);\n"
                             " [b] s=3 -> 0.1:(s'=3)+0.9:(s'=0);\n"
                             " [a] s=4 -> 1:(s'=4);\n"
                             "endmodule\n"
                             "label \"p\" = s=1;\nlabel \"q\" = s=3;\nlabel \"lost\" = s=4;\n";
/* Three starts, all alike; from one of them nothing can be won. */
static const char starts[] = "mdp\nmodule m\n s : [0..4];\n"
                             " [a] s<2 -> 0.5:(s'=3)+0.5:(s'=4);\n"
                             " [b] s=1 -> 0.25:(s'=3)+0.75:(s'=2);\n"
                             " [a] s=2 -> (s'=4);\n"
                             " [a] s>=3 -> true;\n"
                             "endmodule\ninit s<3 endinit\nlabel \"q\" = s=3;\n";

/* Nested components: the value inside is that of the best choice that leaves them. */
static const char rooms[] = "mdp\nmodule m\n s : [0..6] init 0;\n"
                            " [on] s=0 -> (s'=1);\n"
                            " [out] s=0 -> 0.55:(s'=5)+0.45:(s'=6);\n"
                            " [back] s=1 -> (s'=0);\n"
                            " [on] s=1 -> 0.5:(s'=2)+0.5:(s'=0);\n"
                            " [back] s=2 -> (s'=1);\n"
                            " [on] s=2 -> (s'=3);\n"
                            " [out] s=2 -> 0.25:(s'=5)+0.75:(s'=6);\n"
                            " [on] s=3 -> 0.5:(s'=3)+0.5:(s'=4);\n"
                            " [back] s=3 -> (s'=2);\n"
                            " [back] s=4 -> (s'=3);\n"
                            " [out] s=4 -> 0.6:(s'=5)+0.4:(s'=6);\n"
                            " [stay] s>4 -> true;\n"
                            "endmodule\nlabel \"q\" = s=5;\nlabel \"p\" = s=4;\n";

static const subject subjects[] = {
    {.name = "gridworld",
     .file = "gridworld.prism",
     .property = "Pmax=? [ G F \"s\" & G F \"g\" ]",
     .pmin = 0.2,
     .epsilon = 0.05,
     .delta = 0.1},
    {.name = "gridworld_graph",
     .file = "gridworld.prism",
     .property = "Pmax=? [ G F \"s\" & G F \"g\" ]",
     .graph = "",
     .epsilon = 0.05,
     .delta = 0.1},
    {.name = "gridworld_trap",
     .file = "gridworld.prism",
     .property = "Pmax=? [ !\"trap\" U \"g\" ]",
     .pmin = 0.2,
     .epsilon = 0.1,
     .delta = 0.1},
    {.name = "gridworld_early",
     .file = "gridworld.prism",
     .property = "Pmax=? [ X X X \"g\" ]",
     .pmin = 0.2,
     .epsilon = 0.01,
     .delta = 0.1,
     .max_steps = 3000},
    {.name = "chain",
     .file = "chain.prism",
     .constants = "N=3",
     .property = "Pmax=? [ G F \"won\" ]",
     .pmin = 0.125,
     .epsilon = 0.1,
     .delta = 0.05},
    {.name = "coins",
     .file = "two-coins.prism",
     .constants = "p=1/2",
     .property = "P=? [ F \"both\" ]",
     .pmin = 0.3,
     .epsilon = 0.2,
     .delta = 0.1},
    {.name = "starts",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.2,
     .epsilon = 0.2,
     .delta = 0.1},
    {.name = "starts_graph",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .graph = "",
     .epsilon = 0.2,
     .delta = 0.1},
    {.name = "starts_ldba",
     .text = starts,
     .property = "Pmax=? [ F G \"q\" ]",
     .pmin = 0.2,
     .epsilon = 0.25,
     .delta = 0.1,
     .kind = OPAC_KIND_LDBA},
    {.name = "starts_bound",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.2,
     .pmin_start = 0.25,
     .epsilon = 0.2,
     .delta = 0.1},
    {.name = "starts_open",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.2,
     .epsilon = 0.25,
     .delta = 0.1,
     .branching = 4},
    {.name = "starts_drawn",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.2,
     .epsilon = 0.25,
     .delta = 0.1,
     .branching = 4,
     .explore = OPAC_EXPLORE_GENERATIVE},
    {.name = "starts_both",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .graph = "",
     .pmin = 0.2,
     .epsilon = 0.25,
     .delta = 0.1},
    {.name = "starts_early",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.2,
     .epsilon = 0.05,
     .delta = 0.1,
     .max_steps = 300,
     .branching = 4},
    {.name = "rooms",
     .text = rooms,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.2,
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "rooms_graph",
     .text = rooms,
     .property = "Pmax=? [ F \"p\" & F G \"q\" ]",
     .graph = "",
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "starts_by_row",
     .text = starts,
     .property = "Pmax=? [ F \"q\" ]",
     .by_row = true,
     .epsilon = 0.25,
     .delta = 0.1},
    {.name = "maze_by_row",
     .text = maze,
     .property = "Pmax=? [ G F \"p\" | F G \"q\" ]",
     .by_row = true,
     .epsilon = 0.1,
     .delta = 0.1},
    {.name = "maze_graph_by_row",
     .text = maze,
     .property = "Pmax=? [ F \"q\" ]",
     .graph = sketch,
     .by_row = true,
     .epsilon = 0.1,
     .delta = 0.1},
    {.name = "maze",
     .text = maze,
     .property = "Pmax=? [ G F \"p\" | F G \"q\" ]",
     .pmin = 0.25,
     .epsilon = 0.1,
     .delta = 0.1},
    {.name = "maze_least",
     .text = maze,
     .property = "Pmin=? [ X X !\"q\" ]",
     .pmin = 0.25,
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "maze_graph",
     .text = maze,
     .property = "Pmax=? [ !\"p\" U \"q\" ]",
     .graph = sketch,
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "maze_both",
     .text = maze,
     .property = "Pmax=? [ (!\"p\" U \"q\") & (G F \"p\") ]",
     .graph = sketch,
     .pmin = 0.3,
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "maze_ldba",
     .text = maze,
     .property = "Pmax=? [ (!\"p\" U \"q\") & (F G \"q\") ]",
     .pmin = 0.25,
     .epsilon = 0.15,
     .delta = 0.1,
     .kind = OPAC_KIND_LDBA},
    {.name = "maze_drawn",
     .text = maze,
     .property = "Pmin=? [ X X !\"q\" ]",
     .pmin = 0.25,
     .epsilon = 0.1,
     .delta = 0.1,
     .explore = OPAC_EXPLORE_GENERATIVE},
    {.name = "maze_declared",
     .text = maze,
     .property = "Pmax=? [ X X \"q\" ]",
     .pmin = 0.25,
     .epsilon = 0.15,
     .delta = 0.1,
     .states = 9,
     .actions = 3,
     .branching = 3},
    {.name = "maze_true",
     .text = maze,
     .property = "Pmax=? [ true ]",
     .pmin = 0.25,
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "maze_false",
     .text = maze,
     .property = "Pmax=? [ F (\"p\" & \"q\") ]",
     .pmin = 0.25,
     .epsilon = 0.15,
     .delta = 0.1},
    {.name = "maze_nothing",
     .text = maze,
     .property = "Pmax=? [ F \"q\" ]",
     .pmin = 0.25,
     .epsilon = 0.15,
     .delta = 0.1,
     .max_steps = 3},
};

typedef struct scene {
    opac_model *model, *graph_model;
    opac_properties *properties;
    opac_environment *env, *graph;
    opac_constants *constants;
    opac_learning *learning;
    opac_output *out;
    char digest[OPAC_DIGEST_SIZE];
} scene;

static opac_status read_model(const subject *c, const char *folder, scene *s, opac_error *error)
{
    opac_model_options options = {0};
    char path[1024];
    opac_status status = opac_constants_new(&s->constants, error);
    if (status == OPAC_OK && c->constants != NULL)
        status = opac_constants_add(s->constants, c->constants, error);
    options.constants = s->constants;
    if (status != OPAC_OK)
        return status;
    if (c->file == NULL)
        return opac_model_read_text(OPAC_FORMAT_PRISM, c->text, strlen(c->text), &options,
                                    &s->model, error);
    snprintf(path, sizeof path, "%s/%s", folder, c->file);
    status = opac_digest_file(path, s->digest, error);
    return status == OPAC_OK ? opac_model_read(path, &options, &s->model, error) : status;
}

static opac_status make_graph(const subject *c, scene *s, opac_error *error)
{
    if (c->graph == NULL || c->graph[0] == '\0') {
        s->graph = c->graph != NULL ? s->env : NULL;
        return OPAC_OK;
    }
    opac_status status = opac_model_read_text(OPAC_FORMAT_PRISM, c->graph, strlen(c->graph), NULL,
                                              &s->graph_model, error);
    return status == OPAC_OK
               ? opac_environment_of_graph(s->graph_model, s->model, NULL, &s->graph, error)
               : status;
}

static opac_status least_of_row(void *context, const void *key, size_t length, uint32_t action,
                                double *pmin, opac_error *error)
{
    const opac_model *m = context;
    uint32_t state;
    (void)length;
    (void)error;
    memcpy(&state, key, sizeof state);
    uint32_t choice = opac_model_choice_begin(m, state) + action;
    uint32_t begin = opac_model_branch_begin(m, choice);
    *pmin = 1;
    for (uint32_t b = begin; b < begin + opac_model_branch_count(m, choice); b++)
        *pmin = fmin(*pmin, opac_model_branch_probability(m, b));
    return OPAC_OK;
}

static opac_status run(const subject *c, scene *s, opac_error *error)
{
    opac_learn_options options = opac_learn_defaults();
    opac_objective objective = opac_objective_of(s->properties, 0);
    options.pmin = c->pmin;
    if (c->by_row)
        options.pmin_of = least_of_row;
    options.pmin_context = s->model;
    options.pmin_start = c->pmin_start;
    options.graph = s->graph;
    options.epsilon = c->epsilon;
    options.delta = c->delta;
    options.max_steps = c->max_steps;
    options.kind = c->kind;
    options.explore = c->explore;
    options.states = c->states;
    options.actions = c->actions;
    options.branching = c->branching;
    options.threads = 1;
    return opac_learn(s->env, &objective, &options, &s->learning, error);
}

static opac_status write(const subject *c, const char *folder, scene *s, opac_error *error)
{
    const opac_certificate_inputs inputs = {.model = c->file,
                                            .model_digest = c->file != NULL ? s->digest : NULL,
                                            .constants = c->constants};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.cert", folder, c->name);
    opac_status status = opac_output_open_file(path, &s->out, error);
    if (status == OPAC_OK)
        status = opac_learning_write_certificate(s->learning, &inputs, s->out, error);
    return status == OPAC_OK ? opac_output_commit(s->out, error) : status;
}

static opac_status certify(const subject *c, const char *models, const char *folder,
                           opac_error *error)
{
    scene s = {0};
    opac_status status = read_model(c, models, &s, error);
    if (status == OPAC_OK)
        status = opac_properties_parse(c->property, s.model, NULL, &s.properties, error);
    if (status == OPAC_OK)
        status = opac_environment_of_model(s.model, s.properties, &s.env, error);
    if (status == OPAC_OK)
        status = make_graph(c, &s, error);
    if (status == OPAC_OK)
        status = run(c, &s, error);
    if (status == OPAC_OK)
        status = write(c, folder, &s, error);
    if (status == OPAC_OK)
        printf("%s: %s\n", c->name, opac_learning_statement(s.learning));
    opac_output_free(s.out);
    opac_learning_free(s.learning);
    if (s.graph != s.env)
        opac_environment_free(s.graph);
    opac_environment_free(s.env);
    opac_properties_free(s.properties);
    opac_model_free(s.graph_model);
    opac_model_free(s.model);
    opac_constants_free(s.constants);
    return status;
}

static int make(const char *models, const char *folder)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        opac_error error = {0};
        if (certify(&subjects[i], models, folder, &error) != OPAC_OK) {
            fprintf(stderr, "%s: %s\n", subjects[i].name, error.message);
            failed = 1;
        }
    }
    return failed;
}

static int judge(void)
{
    size_t length;
    while (scanf("%zu", &length) == 1 && getchar() == '\n') {
        opac_verification verification = {0};
        opac_error error = {0};
        char *text = malloc(length + 1);
        if (text == NULL || fread(text, 1, length, stdin) != length)
            return 1;
        if (opac_verify_text(text, length, NULL, &verification, &error) != OPAC_OK)
            printf("refused: %s\n", error.message);
        else if (verification.holds)
            puts("holds");
        else
            printf("refused: %s\n", verification.reason);
        fflush(stdout);
        opac_verification_fini(&verification);
        free(text);
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "make") == 0)
        return make(arguments[2], arguments[3]);
    if (count == 2 && strcmp(arguments[1], "judge") == 0)
        return judge();
    fprintf(stderr, "usage: certificates make MODELS FOLDER | certificates judge\n");
    return 2;
}
