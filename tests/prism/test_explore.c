/* SPDX-License-Identifier: MIT */
/* Tests each rule of the semantics on small programs: states, choices, branches, messages. */
#include "exploring.h"
#include "support/faults.h"
#include "support/invariants.h"

static void updates_are_simultaneous(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..2] init 1; y:[0..2] init 2;"
                    " [swap] x!=y -> (x'=y) & (y'=x); endmodule",
                    "x=1 y=2 swap>1:1\n"
                    "x=2 y=1 swap>0:1\n");
}

static void branches_to_same_target_are_merged(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..1];"
                    " [] x=0 -> 0.25:(x'=1) + 0.5:(x'=0) + 0.25:(x'=1); [] x=1 -> true;"
                    " endmodule",
                    "x=0 >1:0.5,0:0.5\n"
                    "x=1 >1:1\n");
    /* The sum of these doubles is more than 1. */
    opac_model *model = exploring_model("mdp module m x:[0..1]; [] true -> 0.05:(x'=0) + 0.55:true"
                                        " + 0.3:(x'=x) + 0.1:true; endmodule",
                                        "");
    assert_true(opac_model_branch_probability(model, 0) == 1);
    opac_model_free(model);
}

static void choices_are_not_merged(void **state)
{
    (void)state;
    exploring_gives(
        "mdp module m x:[0..1]; [] true -> (x'=1); [] x=0 -> (x'=1); [a] true -> (x'=1);"
        " endmodule",
        "x=0 >1:1 >1:1 a>1:1\n"
        "x=1 >1:1 a>1:1\n");
}

static void unlabelled_before_actions_by_first_occurrence(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..1]; [b] true -> true; [] true -> true; [a] true -> true;"
                    " [b] true -> (x'=1); endmodule"
                    " module n y:[0..1]; [] true -> (y'=0); [c] true -> true; endmodule",
                    "x=0 y=0 >0:1 >0:1 b>0:1 b>1:1 a>0:1 c>0:1\n"
                    "x=1 y=0 >1:1 >1:1 b>1:1 b>1:1 a>1:1 c>1:1\n");
}

static void all_combinations_of_synchronising_commands(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..2]; [a] x=0 -> (x'=1); [a] x=0 -> (x'=2); endmodule"
                    " module n y:[0..2]; [a] y=0 -> 0.5:(y'=1)+0.5:(y'=2); [a] y=0 -> true;"
                    " [] x>0 -> true; endmodule",
                    "x=0 y=0 a>1:0.5,2:0.5 a>3:1 a>4:0.5,5:0.5 a>6:1\n"
                    "x=1 y=1 >1:1\n"
                    "x=1 y=2 >2:1\n"
                    "x=1 y=0 >3:1\n"
                    "x=2 y=1 >4:1\n"
                    "x=2 y=2 >5:1\n"
                    "x=2 y=0 >6:1\n");
}

static void a_step_requires_all_its_modules(void **state)
{
    (void)state;
    /* The update of m would leave the range, but n never synchronises. */
    exploring_gives("mdp module m x:[0..1]; [a] true -> (x'=x+2); [] true -> true; endmodule"
                    " module n y:[0..1]; [a] y=1 -> true; endmodule",
                    "x=0 y=0 >0:1\n");
}

static void zero_branches_are_dropped_before_their_update(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..2]; [] x<2 -> x/2:(x'=x+7) + 1-x/2:(x'=x+2); [] x=2 -> "
                    "0:(x'=9)+1:true; endmodule",
                    "x=0 >1:1\n"
                    "x=2 >1:1\n");
}

/* (x=1 may begin a probability, or an update without its prime. */
static void probabilities_may_begin_with_a_parenthesis(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..1];"
                    " [] true -> (x=1 ? 0.5 : 0.25)+0.25:(x'=0) + (x=1 ? 0.25 : 0.5):(x'=1);"
                    " endmodule",
                    "x=0 >0:0.5,1:0.5\n"
                    "x=1 >0:0.75,1:0.25\n");
}

/* An update with a probability that underflows does not move other branches. */
static void tiny_branches_are_not_lost(void **state)
{
    (void)state;
    opac_model *model =
        exploring_model("mdp module m x:[0..1]; [a] true -> 1e-150:(x'=1)+1-1e-150:true; endmodule"
                        " module n y:[0..1]; [a] true -> 1e-150:(y'=1)+1-1e-150:true; endmodule",
                        "");
    assert_int_equal(opac_model_states(model), 4);
    assert_int_equal(opac_model_branch_count(model, 0), 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(opac_model_branch_probability(model, i) > 0);
    opac_model_free(model);
}

/* A positive value that is too small for a double is rejected in all contexts. */
static void underflow_is_an_error(void **state)
{
    const opac_model_options options = {0};
    (void)state;
    exploring_fails("mdp module m x:[0..1]; [a] true -> 1e-200:(x'=1)+1-1e-200:true; endmodule\n"
                    " module n y:[0..1];\n [a] true -> 1e-200:(y'=1)+1-1e-200:true; endmodule",
                    &options, OPAC_ERROR_ARGUMENT,
                    "3:2 the product of the probabilities of synchronised commands is not 0 but "
                    "too small for a double (below 2.3e-308), in state (x=0, y=0)");
    exploring_fails("mdp module m x:[0..1];\n [] true -> 2e-300/1e10:(x'=1) + 1:true; endmodule",
                    &options, OPAC_ERROR_ARGUMENT,
                    "2:13 the probability is not 0 but too small for a double (below 2.3e-308), "
                    "in state (x=0)");
    exploring_fails(
        "mdp module m x:[0..9];\n [] true -> pow(0.5,1100+x):(x'=1) + 1:true; endmodule", &options,
        OPAC_ERROR_ARGUMENT,
        "2:13 the probability is not 0 but too small for a double (below 2.3e-308), in "
        "state (x=0)");
    exploring_fails(
        "mdp module m x:[0..9];\n [] true -> 1/pow(10.0,330+x):(x'=1) + 1:true; endmodule",
        &options, OPAC_ERROR_ARGUMENT,
        "2:13 the probability is not 0 but too small for a double (below 2.3e-308), in "
        "state (x=0)");
    exploring_fails("dtmc module m x:[0..1];\n [] true -> 3e-308:(x'=1) + 1:true;\n"
                    " [] true -> true; endmodule",
                    &options, OPAC_ERROR_ARGUMENT,
                    "0:0 the average of the commands of state 0 has a probability that is not 0 "
                    "but too small for a double (below 2.3e-308)");
}

static void constant_out_of_range_fails_only_if_used(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[0..1]; [] x=5 -> (x'=7); [] x<1 -> (x'=1); [] x=1 -> true;"
                    " endmodule",
                    "x=0 >1:1\n"
                    "x=1 >1:1\n");
}

static void globals_and_bools(void **state)
{
    (void)state;
    exploring_gives(
        "mdp global g : bool init true; module m x:[3..4] init 4;"
        " [] g & x=4 -> (g'=!g) & (x'=3); [] !g -> (g'=x=3); [] g & x=3 -> true; endmodule",
        "g=1 x=4 >1:1\n"
        "g=0 x=3 >2:1\n"
        "g=1 x=3 >2:1\n");
}

static void ranges_of_one_value_and_no_variables(void **state)
{
    (void)state;
    exploring_gives("mdp module m x:[5..5]; [a] x=5 -> 0.5:(x'=5)+0.5:true; endmodule",
                    "x=5 a>0:1\n");
    exploring_gives("dtmc module m [] true -> true; endmodule", ">0:1\n");
}

static void states_of_several_words(void **state)
{
    /* 5 variables of 32 bits take more than two words. */
    base_text text = {0};
    (void)state;
    base_text_add(&text, "mdp module m ");
    for (int i = 0; i < 5; i++)
        base_text_format(&text, "x%d : [-7..4294967288];", i);
    base_text_add(&text, "[] x0<-5 -> (x0'=x0+1)&(x1'=x0)&(x2'=x1+4294967290)&(x3'=4294967288);"
                         " [] x0=-5 -> (x4'=max(x4,x2)); endmodule");
    exploring_gives(base_text_get(&text),
                    "x0=-7 x1=-7 x2=-7 x3=-7 x4=-7 >1:1\n"
                    "x0=-6 x1=-7 x2=4294967283 x3=4294967288 x4=-7 >2:1\n"
                    "x0=-5 x1=-6 x2=4294967283 x3=4294967288 x4=-7 >3:1\n"
                    "x0=-5 x1=-6 x2=4294967283 x3=4294967288 x4=4294967283 >3:1\n");
    base_text_fini(&text);
}

/* ---- deadlocks, overlaps, sums ---- */

static void deadlocks_get_self_loops(void **state)
{
    opac_model *model = exploring_model(
        "mdp module m x:[0..3]; [a] x=0 -> 0.5:(x'=1)+0.5:(x'=3); [b] x=1 -> (x'=2); endmodule",
        "0:0 warning: 2 states have no choices (deadlocks), the first is (x=3); a self-loop is "
        "added to each\n");
    base_text written = {0};
    (void)state;
    exploring_write(model, &written);
    assert_string_equal(base_text_get(&written), "x=0 a>1:0.5,2:0.5\n"
                                                 "x=1 b>3:1\n"
                                                 "x=3 >2:1\n"
                                                 "x=2 >3:1\n");
    assert_int_equal(opac_model_label_states(model, MODEL_LABEL_DEADLOCK), 2);
    assert_true(opac_model_has_label(model, 2, MODEL_LABEL_DEADLOCK));
    assert_int_equal(opac_model_label_states(model, MODEL_LABEL_INIT), 1);
    base_text_fini(&written);
    opac_model_free(model);
    model = exploring_model(
        "mdp module m x:[0..3]; endmodule",
        "0:0 warning: state (x=0) has no choices (a deadlock); a self-loop is added\n");
    assert_null(model->action);
    opac_model_free(model);
}

static void overlapping_commands_of_a_dtmc_are_averaged(void **state)
{
    opac_model *model = exploring_model(
        "dtmc module m x:[0..2];\n[a] x<2 -> 0.5:(x'=1)+0.5:(x'=2);\n[b] x<2 -> (x'=1);\n"
        "[] x=0 -> (x'=0); [] x=2 -> true; endmodule",
        "2:1 warning: this command and another one are enabled in state (x=0) of a dtmc; "
        "one of them is chosen uniformly at random\n"
        "3:1 warning: this command and another one are enabled in state (x=0) of a dtmc; "
        "one of them is chosen uniformly at random\n");
    base_text written = {0};
    (void)state;
    exploring_write(model, &written);
    assert_string_equal(base_text_get(&written), "x=0 >0:0.3333333333,1:0.5,2:0.1666666667\n"
                                                 "x=1 >1:0.75,2:0.25\n"
                                                 "x=2 >2:1\n");
    assert_null(model->action);
    base_text_fini(&written);
    opac_model_free(model);
}

static void sums_near_1_are_normalised_with_a_warning(void **state)
{
    opac_model *model = exploring_model("mdp module m x:[0..1];\n"
                                        " [] true -> 0.500001:(x'=0) + 0.5:(x'=1);\n endmodule",
                                        "2:2 warning: the probabilities of this command sum to "
                                        "1.000001 in state (x=0); they are divided by their sum\n");
    (void)state;
    assert_true(model->process.prob[1] == 500000.0 / 1000001);
    opac_model_free(model);
    model = exploring_model("mdp module m x:[0..1];"
                            " [] true -> 0.5000000001:(x'=0) + 0.5:(x'=1); endmodule",
                            "");
    assert_true(model->process.prob[1] < 0.5);
    opac_model_free(model);
}

static void invalid_probabilities(void **state)
{
    (void)state;
    exploring_fails(
        "mdp module m x:[0..1];\n [] true -> 0.5:(x'=0) + 0.4:(x'=1); endmodule", NULL,
        OPAC_ERROR_ARGUMENT,
        "2:2 the probabilities of this command sum to 0.9 instead of 1, in state (x=0)");
    exploring_fails("mdp module m x:[0..1];\n [] x=0 -> (x'=1);\n"
                    " [] x=1 -> 1-2*x:(x'=0) + 2:(x'=1); endmodule",
                    NULL, OPAC_ERROR_ARGUMENT,
                    "3:12 the probability is -1, but must be between 0 and 1, in state (x=1)");
    exploring_fails("mdp module m x:[0..1];\n"
                    " [] true -> 1+x+1:(x'=0); endmodule",
                    NULL, OPAC_ERROR_ARGUMENT,
                    "2:13 the probability is 2, but must be between 0 and 1, in state (x=0)");
    exploring_fails("mdp module m x:[0..1];\n"
                    " [] true -> x/x:(x'=0); endmodule",
                    NULL, OPAC_ERROR_ARGUMENT,
                    "2:13 the probability is nan, but must be between 0 and 1, in state (x=0)");
    /* although the sum is accepted */
    exploring_fails(
        "mdp module m x:[0..1];\n"
        " [] true -> 1.000001:(x'=0); endmodule",
        NULL, OPAC_ERROR_ARGUMENT,
        "2:13 the probability is 1.000001, but must be between 0 and 1, in state (x=0)");
}

/* The exact value decides where doubles lose a branch or create one. */
static void terms_may_cancel_in_states(void **state)
{
    (void)state;
    exploring_gives("mdp const double q=1-1e-20; module m x:[0..1];"
                    " [] x=0 -> 1-q:(x'=1) + q:true; [] x=1 -> true; endmodule",
                    "x=0 >1:1e-20,0:1\n"
                    "x=1 >1:1\n");
    exploring_gives(
        "mdp const double p=0.73631878807954026308; const double q=0.26368121192045973692;"
        " module m x:[0..1]; [] true -> p+q:true + 1-p-q:(x'=1); endmodule",
        "x=0 >0:1\n");
    exploring_gives("mdp module m s:[0..1]; x:[0..10] init 7;"
                    " [] true -> x/10+0.3:true + 1-x/10-0.3:(s'=1); endmodule",
                    "s=0 x=7 >0:1\n");
    exploring_gives("mdp module m s:[0..1]; x:[0..10] init 8;"
                    " [] true -> x/10:true + 0.2:true + 1-x/10-0.2:(s'=1); endmodule",
                    "s=0 x=8 >0:1\n");
    exploring_gives("mdp module m s:[0..1]; x:[0..100] init 100;"
                    " [] true -> floor(0.29*x)/29:true + 1-floor(0.29*x)/29:(s'=1); endmodule",
                    "s=0 x=100 >0:1\n");
    exploring_gives("mdp module m x:[0..1]; [] true -> floor(0.29*100)/29:true; endmodule",
                    "x=0 >0:1\n");
    exploring_gives("mdp module m s:[0..1]; x:[0..1] init 1;"
                    " [] true -> (0.1*x+0.2*x=0.3?1:0):true + (0.1*x+0.2*x=0.3?0:1):(s'=1);"
                    " endmodule",
                    "s=0 x=1 >0:1\n");
}

/* The double of a constant is not the nearest to its exact value, which is used. */
static void terms_may_cancel_in_constants(void **state)
{
    opac_model *model =
        exploring_model("mdp const double p=1-0.999998; module m s:[0..1]; x:[0..20] init 16;"
                        " [] true -> p/x:(s'=1) + 1-p/x:true; endmodule",
                        "");
    (void)state;
    assert_true(model->process.prob[0] == 1.25e-7);
    opac_model_free(model);
}

/* Roots and logarithms have an error bound, which must be small. */
static void approximations(void **state)
{
    (void)state;
    exploring_gives("mdp module m s:[0..1]; x:[0..8] init 8;"
                    " [] true -> log(x,2)/6:true + 1-log(x,2)/6:(s'=1); endmodule",
                    "s=0 x=8 >0:0.5,1:0.5\n"
                    "s=1 x=8 >1:1\n");
    exploring_fails(
        "mdp module m s:[0..1]; x:[0..2] init 2;\n"
        " [] true -> pow(pow(0.3,1/x),2)-0.3:(s'=1) + 1:true; endmodule",
        NULL, OPAC_ERROR_ARGUMENT,
        "2:13 the probability is about 0, but cannot be computed precisely: write it as a "
        "shorter fraction, or without differences of nearly equal numbers, in state (s=0, x=2)");
    exploring_fails("mdp module m s:[0..1]; x:[0..2] init 2;\n"
                    " [] true -> (pow(pow(0.3,1/x),2)=0.3?1:0):true; endmodule",
                    NULL, OPAC_ERROR_ARGUMENT,
                    "2:33 the two numbers are too close to each other to be compared, as one of "
                    "them is not known exactly, in state (s=0, x=2)");
}

static void values_out_of_range(void **state)
{
    (void)state;
    exploring_fails("mdp module m x:[0..3] init 2; y:[0..1];\n [] true ->\n (x'=x+1); endmodule",
                    NULL, OPAC_ERROR_ARGUMENT,
                    "3:3 x becomes 4, outside its range [0..3], in state (x=3, y=0)");
    exploring_fails("mdp module m x:[0..3];\n [] true -> (x'=-1); endmodule", NULL,
                    OPAC_ERROR_ARGUMENT,
                    "2:14 x becomes -1, outside its range [0..3], in state (x=0)");
    exploring_fails("mdp module m x:[0..3];\n [] true -> (x'=3*x+2*(x+1)); endmodule", NULL,
                    OPAC_ERROR_ARGUMENT,
                    "2:14 x becomes 12, outside its range [0..3], in state (x=2)");
}

static void expressions_that_fail(void **state)
{
    (void)state;
    exploring_fails("mdp module m x:[0..3]; b:bool;\n"
                    " [] x<3 -> (x'=x+1) & (b'=!b);\n [] mod(7,3-x)=1 -> true; endmodule",
                    NULL, OPAC_ERROR_ARGUMENT, "3:5 mod by 0, in state (x=3, b=true)");
    exploring_fails("mdp module m x:[0..3]; endmodule label \"l\" = mod(7,x)=1;", NULL,
                    OPAC_ERROR_ARGUMENT, "1:46 mod by 0, in state (x=0)");
    /* x+c is evaluated without code unless it may overflow. */
    exploring_fails("mdp module m x:[0..3] init 1;\n [] true -> (x'=x+9223372036854775807);"
                    " endmodule",
                    NULL, OPAC_ERROR_ARGUMENT, "2:18 integer overflow, in state (x=1)");
    exploring_fails("mdp module m x:[9223372036854775806..9223372036854775807];\n"
                    " [] true -> (x'=x+1); endmodule",
                    NULL, OPAC_ERROR_ARGUMENT,
                    "2:18 integer overflow, in state (x=9223372036854775807)");
    /* Operands that are not needed are not evaluated. */
    exploring_gives("mdp module m x:[0..3]; [] x>0 & mod(7,x)=1 -> true; [] x=0 -> true; endmodule",
                    "x=0 >0:1\n");
}

/* 2^61 = 2305843009213693952. With x=2, each of these overflows 64 bits or has no value. */
static void false_conjunct_keeps_the_next_from_failing(void **state)
{
    static const char *const parts[] = {
        "x*4611686018427387904<5",
        "x*2305843009213693952+x*2305843009213693952>=0",
        "x*2305843009213693952-(0-x)*2305843009213693952>=0",
        "(0-x)*2305843009213693952*3<1",
        "(x>=0 ? x*4611686018427387904 : 1)+0<5",
        "max(x*2305843009213693952,1)+max(1,x*2305843009213693952)>0",
        "2^(x*40)>0",
        "floor(5/(2-x))<9",
    };
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "mdp module m x:[0..2]; [] x<1 & %s -> (x'=1); [] x=1 -> (x'=2);"
                 " [] x=2 -> true; endmodule",
                 parts[i]);
        exploring_gives(text, "x=0 >1:1\nx=1 >2:1\nx=2 >2:1\n");
        snprintf(text, sizeof text,
                 "mdp module m x:[0..2]; [] true -> true; endmodule init x<1 & %s endinit",
                 parts[i]);
        exploring_gives(text, "x=0 >0:1\n");
    }
}

/* ---- exact ---- */

static void exact_fractions(void **state)
{
    const opac_model_options options = {.exact = true};
    opac_model *model;
    opac_error error;
    base_text written = {0};
    (void)state;
    assert_ok(exploring_run("dtmc module m x:[0..3]; [] x=0 -> 1/3:(x'=1)+1/6:(x'=2)+1/2:(x'=1);"
                            " [] x>0 -> x/10:(x'=1) + 1-x/10:(x'=2);"
                            " [] x=2 -> true; [] x=1 -> true; [] x=1 -> (x'=2); endmodule",
                            &options, &model, NULL, &error),
              &error);
    exploring_write(model, &written);
    assert_string_equal(base_text_get(&written), "x=0 >1:5/6,2:1/6\n"
                                                 "x=1 >1:11/30,2:19/30\n"
                                                 "x=2 >1:1/10,2:9/10\n");
    assert_ok(model_check(model, &error), &error);
    base_text_fini(&written);
    opac_model_free(model);
}

static void exact_sums_are_normalised(void **state)
{
    const opac_model_options options = {.exact = true};
    (void)state;
    exploring_fails("mdp module m x:[0..1];\n [] true -> 0.3333:(x'=0) + 2/3:(x'=1); endmodule",
                    &options, OPAC_ERROR_ARGUMENT,
                    "2:2 the probabilities of this command sum to 29999/30000 instead of 1, in "
                    "state (x=0)");
    base_text written = {0};
    opac_model *model;
    opac_error error;
    assert_ok(exploring_run("mdp module m x:[0..1]; [] true -> 0.333333:(x'=0) + 2/3:(x'=1);"
                            " endmodule",
                            &options, &model, NULL, &error),
              &error);
    exploring_write(model, &written);
    assert_string_equal(base_text_get(&written), "x=0 >0:999999/2999999,1:2000000/2999999\n"
                                                 "x=1 >0:999999/2999999,1:2000000/2999999\n");
    base_text_fini(&written);
    opac_model_free(model);
    exploring_fails("mdp module m x:[1..2];\n [] true -> log(x+2,4):(x'=1) + 1/2:(x'=1); endmodule",
                    &options, OPAC_ERROR_ARGUMENT,
                    "2:13 the probability cannot be computed exactly, in state (x=1)");
}

/* ---- initial states and labels ---- */

static void all_states_that_satisfy_init(void **state)
{
    opac_model *model =
        exploring_model("mdp module m x:[0..3]; y:[0..3]; b:bool; [] true -> true; endmodule"
                        " init x+y=3 & b & x!=2 endinit label \"low\" = x<2;",
                        "");
    base_text written = {0};
    (void)state;
    exploring_write(model, &written);
    assert_string_equal(base_text_get(&written), "x=0 y=3 b=1 >0:1\n"
                                                 "x=1 y=2 b=1 >1:1\n"
                                                 "x=3 y=0 b=1 >2:1\n");
    assert_int_equal(opac_model_initial_count(model), 3);
    assert_int_equal(opac_model_label_states(model, 2), 2);
    assert_string_equal(opac_model_label(model, 2), "low");
    base_text_fini(&written);
    opac_model_free(model);
}

static void few_initial_states_are_found_quickly(void **state)
{
    base_text text = {0};
    (void)state;
    base_text_add(&text, "mdp module m ");
    for (int i = 0; i < 40; i++)
        base_text_format(&text, "x%d:[0..4000000000];", i);
    base_text_add(&text, "[] true -> true; endmodule init true");
    for (int i = 0; i < 40; i++)
        base_text_format(&text, " & x%d=%d", 39 - i, 100000000 + i);
    base_text_add(&text, " endinit");
    opac_model *model = exploring_model(base_text_get(&text), "");
    assert_int_equal(opac_model_states(model), 1);
    assert_int_equal(opac_model_value(model, 0, 39), 100000000);
    opac_model_free(model);
    base_text_fini(&text);
}

static void init_conjuncts_that_can_fail_are_evaluated_last(void **state)
{
    (void)state;
    /* c is declared before b and could be evaluated first, but b guards it. */
    exploring_gives("mdp module m x:[0..1]; b:bool; [] true -> true; endmodule"
                    " init (b <=> x>0) & (b => mod(3,x)=0) & (!b | mod(5,x)=0) endinit",
                    "x=0 b=0 >0:1\n"
                    "x=1 b=1 >1:1\n");
    exploring_fails("mdp module m x:[0..1]; [] true -> true; endmodule\n init mod(3,x)=0 endinit",
                    NULL, OPAC_ERROR_ARGUMENT, "2:7 mod by 0");
    /* mod fails for y=0, but then the first conjunct is false for every x */
    exploring_gives("mdp module m x:[0..0]; y:[0..1]; z:[0..1]; [] true -> true; endmodule"
                    " init y+z>1 & x>=0 & mod(7,y)=0 endinit",
                    "x=0 y=1 z=1 >0:1\n");
}

static void no_initial_state(void **state)
{
    (void)state;
    exploring_fails("mdp module m x:[0..1]; endmodule\n init x>1 endinit", NULL,
                    OPAC_ERROR_ARGUMENT, "2:2 no state satisfies init ... endinit");
}

/* ---- limits ---- */

static void limits_on_states_and_memory(void **state)
{
    static const char text[] = "mdp module m x:[0..999999]; y:[0..999];"
                               " [] x<999999 -> (x'=x+1); [] y<999 -> (y'=y+1); endmodule";
    opac_model_options options = {.max_states = 1000};
    (void)state;
    exploring_fails(text, &options, OPAC_ERROR_LIMIT, "0:0 the model has more than 1000 states");
    options = (opac_model_options){.max_memory = 1 << 20};
    opac_model *model;
    opac_error error;
    assert_status(exploring_run(text, &options, &model, NULL, &error), OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "states need more memory than the limit of 1 MiB"));
    /* The limit itself is allowed, one more is not. */
    options = (opac_model_options){.max_states = 3};
    exploring_fails("mdp module m x:[0..3]; [] true -> (x'=mod(x+1,4)); endmodule", &options,
                    OPAC_ERROR_LIMIT, "0:0 the model has more than 3 states");
    options = (opac_model_options){.max_states = 4};
    assert_ok(exploring_run("mdp module m x:[0..3]; [] true -> (x'=mod(x+1,4)); endmodule",
                            &options, &model, NULL, &error),
              &error);
    opac_model_free(model);
}

/* Memory that is allocated for commands before the first state counts as well. */
static void limits_on_programs(void **state)
{
    enum {
        COUNT = 2000
    };
    const opac_model_options options = {.max_memory = 1 << 20};
    base_text text = {0};
    (void)state;
    base_text_add(&text, "mdp module m ");
    for (int i = 0; i < COUNT; i++)
        base_text_format(&text, "x%d:bool; ", i);
    for (int i = 0; i < COUNT; i++)
        base_text_format(&text, "[] x%d -> (x%d'=false); ", i, i);
    base_text_add(&text, "endmodule");
    exploring_fails(base_text_get(&text), &options, OPAC_ERROR_LIMIT,
                    "0:0 2000 updates of 2000 variables need more memory than the limit of 1 MiB");
    base_text_fini(&text);
}

static void limits_on_initial_states(void **state)
{
    opac_model *model;
    opac_error error;
    (void)state;
    const opac_model_options options = {.max_states = 5000};
    assert_status(exploring_run("mdp module m x:[0..999999]; y:[0..999999]; endmodule"
                                " init true endinit",
                                &options, &model, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "more than 5000 states satisfy init ... endinit");
    assert_status(exploring_run("mdp module m x:[0..999999]; y:[0..999999]; endmodule"
                                " init x+y>=0 endinit",
                                &options, &model, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the model has more than 5000 states");
    const opac_model_options little = {.max_memory = 1 << 20};
    assert_status(exploring_run("mdp module m x:[0..999999]; y:[0..999999]; endmodule"
                                " init x+y>=0 endinit",
                                &little, &model, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(
        strstr(error.message, "initial states need more memory than the limit of 1 MiB"));
    /* A product of ranges beyond the default limit is rejected before a state is stored. */
    assert_status(exploring_run("mdp module m x:[0..999999]; y:[0..999999]; b:bool; endmodule"
                                " init !b endinit",
                                NULL, &model, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "states satisfy init ... endinit"));
    assert_status(exploring_run("mdp module m x:[0..999999]; y:[0..999999]; endmodule"
                                " init x*y=-1 endinit",
                                NULL, &model, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "takes too long"));
}

static void limits_on_products(void **state)
{
    base_text text = {0};
    opac_model *model;
    opac_error error;
    (void)state;
    base_text_add(&text, "mdp\n");
    for (int i = 0; i < 40; i++)
        base_text_format(
            &text, "module m%d x%d:[0..1]; [a] true -> 0.5:(x%d'=0)+0.5:(x%d'=1); endmodule\n", i,
            i, i, i);
    assert_status(exploring_run(base_text_get(&text), NULL, &model, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "a state has more than"));
    base_text_clear(&text);
    base_text_add(&text, "mdp\n");
    for (int i = 0; i < 40; i++)
        base_text_format(
            &text, "module m%d x%d:[0..1]; [a] true -> (x%d'=0); [a] true -> true; endmodule\n", i,
            i, i);
    opac_cancel *cancel;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    const opac_model_options options = {.cancel = cancel};
    assert_status(exploring_run(base_text_get(&text), &options, &model, NULL, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    base_text_fini(&text);
}

/* ---- many ---- */

static void many_branches_are_merged(void **state)
{
    base_text text = {0};
    (void)state;
    base_text_add(&text, "dtmc module m x:[0..49]; [] true -> ");
    for (int i = 0; i < 400; i++)
        base_text_format(&text, "%s1/400:(x'=mod(%d+x,50))", i > 0 ? "+" : "", i * 7 % 50);
    base_text_add(&text, "; endmodule");
    opac_model *model = exploring_model(base_text_get(&text), "");
    assert_int_equal(opac_model_states(model), 50);
    assert_int_equal(opac_model_transitions(model), 50 * 50);
    opac_model_free(model);
    base_text_fini(&text);
}

/* As in generated models: one variable numbers the states, with two commands for each. */
static void many_commands(void **state)
{
    enum {
        COUNT = 20000
    };
    base_text text = {0};
    (void)state;
    base_text_format(&text, "mdp module m s:[0..%d];\n", COUNT - 1);
    for (int i = 0; i < COUNT; i++)
        base_text_format(&text, "[a] s=%d -> (s'=%d); [] %d=s & s!=7 -> true;\n", i,
                         i * 7919 % COUNT, i);
    base_text_add(&text, "[b] s>=100 & s<200 -> true; endmodule"
                         " init true endinit");
    opac_model *model = exploring_model(base_text_get(&text), "");
    assert_int_equal(opac_model_states(model), COUNT);
    assert_int_equal(opac_model_choices(model), 2 * COUNT - 1 + 100);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t choice = opac_model_choice_begin(model, i) + (i == 7 ? 0 : 1);
        uint32_t target = opac_model_branch_target(model, opac_model_branch_begin(model, choice));
        assert_int_equal(target, i * 7919 % COUNT);
    }
    opac_model_free(model);
    base_text_fini(&text);
}

/*
 * Each command has its own action. In each state several distant ones are enabled; some wait for another
 * module.
 */
static void many_actions(void **state)
{
    enum {
        COUNT = 5000,
        GAP = 1251
    };
    base_text text = {0};
    (void)state;
    base_text_format(&text, "mdp module m s:[0..%d];\n", COUNT - 1);
    for (int i = 0; i < COUNT; i++)
        base_text_format(&text, "[a%d] s=%d | s=%d -> (s'=%d);\n", i, i, (i + GAP) % COUNT,
                         (i + 1) % COUNT);
    base_text_add(&text, "endmodule module n ");
    for (int i = 0; i < COUNT; i += 100)
        base_text_format(&text, "[a%d] %s -> true;\n", i, i % 200 == 0 ? "true" : "false");
    base_text_add(&text, "endmodule init true endinit");
    opac_model *model = exploring_model(base_text_get(&text), "");
    assert_int_equal(opac_model_states(model), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t other = (i + COUNT - GAP) % COUNT, choice = opac_model_choice_begin(model, i);
        uint32_t pair[2] = {i < other ? i : other, i < other ? other : i};
        for (unsigned k = 0; k < 2; k++) {
            char name[16];
            if (pair[k] % 200 == 100)
                continue;
            snprintf(name, sizeof name, "a%u", pair[k]);
            assert_string_equal(opac_model_choice_action(model, choice), name);
            assert_int_equal(
                opac_model_branch_target(model, opac_model_branch_begin(model, choice)),
                (pair[k] + 1) % COUNT);
            choice++;
        }
        assert_int_equal(choice - opac_model_choice_begin(model, i),
                         opac_model_choice_count(model, i));
    }
    opac_model_free(model);
    base_text_fini(&text);
}

static void grids_of_many_sizes(void **state)
{
    static const unsigned sizes[] = {1, 7, 63, 64, 65, 300};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char text[300];
        unsigned n = sizes[i];
        snprintf(text, sizeof text,
                 "mdp module m x:[0..%u]; [r] x<%u -> (x'=x+1); [] x=%u -> true; endmodule"
                 " module n y:[0..%u]; [u] y<%u -> 0.5:(y'=y+1)+0.5:true; endmodule"
                 " label \"diagonal\" = x=y;",
                 n, n, n, n, n);
        opac_model *model = exploring_model(text, "");
        assert_int_equal(opac_model_states(model), (n + 1) * (n + 1));
        assert_int_equal(opac_model_label_states(model, 2), n + 1);
        opac_model_free(model);
    }
}

static opac_status explore_some(void *context, opac_error *error)
{
    const prism_program *program = context;
    const opac_model_options options = {.exact = true};
    opac_model *model;
    model_report report;
    model_report_init(&report, NULL, NULL, NULL, NULL, 0);
    opac_status status = prism_explore(program, &options, &report, &model, error);
    model_report_fini(&report);
    opac_model_free(model);
    return status;
}

static void allocation_failures(void **state)
{
    prism_program program;
    (void)state;
    reading_program("mdp global g:bool; module m x:[0..9]; [a] x<9 -> x/10:(x'=x+1) + 1-x/10:true;"
                    " [] x=9 & g -> 1/2:(g'=false)+1/2:(x'=0); endmodule"
                    " module n y:[0..30]; [a] mod(y,31)<30 -> (y'=min(y+1,30)); [a] y>3 -> true;"
                    " [b] x>y -> 1/20:(y'=0)+1/20:(y'=1)+1/20:(y'=2)+1/20:(y'=3)+1/20:(y'=4)"
                    " +1/20:(y'=5)+1/20:(y'=6)+1/20:(y'=7)+1/20:(y'=8)+1/20:(y'=9)+1/20:(y'=10)"
                    " +1/20:(y'=11)+1/20:(y'=12)+1/20:(y'=13)+6/20:(y'=14); endmodule"
                    " init g & x<=y & x<2 & y<3 endinit label \"l\" = x>5;",
                    NULL, &program);
    assert_true(faults_sweep(explore_some, &program) > 30);
    prism_program_fini(&program);
}

SUITE(explore)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_are_simultaneous),
        cmocka_unit_test(branches_to_same_target_are_merged),
        cmocka_unit_test(choices_are_not_merged),
        cmocka_unit_test(unlabelled_before_actions_by_first_occurrence),
        cmocka_unit_test(all_combinations_of_synchronising_commands),
        cmocka_unit_test(a_step_requires_all_its_modules),
        cmocka_unit_test(zero_branches_are_dropped_before_their_update),
        cmocka_unit_test(probabilities_may_begin_with_a_parenthesis),
        cmocka_unit_test(tiny_branches_are_not_lost),
        cmocka_unit_test(underflow_is_an_error),
        cmocka_unit_test(constant_out_of_range_fails_only_if_used),
        cmocka_unit_test(globals_and_bools),
        cmocka_unit_test(ranges_of_one_value_and_no_variables),
        cmocka_unit_test(states_of_several_words),
        cmocka_unit_test(deadlocks_get_self_loops),
        cmocka_unit_test(overlapping_commands_of_a_dtmc_are_averaged),
        cmocka_unit_test(sums_near_1_are_normalised_with_a_warning),
        cmocka_unit_test(invalid_probabilities),
        cmocka_unit_test(terms_may_cancel_in_states),
        cmocka_unit_test(terms_may_cancel_in_constants),
        cmocka_unit_test(approximations),
        cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(expressions_that_fail),
        cmocka_unit_test(false_conjunct_keeps_the_next_from_failing),
        cmocka_unit_test(exact_fractions),
        cmocka_unit_test(exact_sums_are_normalised),
        cmocka_unit_test(all_states_that_satisfy_init),
        cmocka_unit_test(few_initial_states_are_found_quickly),
        cmocka_unit_test(init_conjuncts_that_can_fail_are_evaluated_last),
        cmocka_unit_test(no_initial_state),
        cmocka_unit_test(limits_on_states_and_memory),
        cmocka_unit_test(limits_on_programs),
        cmocka_unit_test(limits_on_initial_states),
        cmocka_unit_test(limits_on_products),
        cmocka_unit_test(many_branches_are_merged),
        cmocka_unit_test(many_commands),
        cmocka_unit_test(many_actions),
        cmocka_unit_test(grids_of_many_sizes),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
