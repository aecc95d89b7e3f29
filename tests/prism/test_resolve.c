/* SPDX-License-Identifier: MIT */
/* Programs without errors: constants, formulas, renaming and commands after resolution. */
#include "reading.h"
#include "support/faults.h"

static void expect(const prism_program *program, const prism_expression *expression,
                   const char *postfix)
{
    base_text text = {0};
    reading_show(program, expression, &text);
    assert_string_equal(base_text_get(&text), postfix);
    base_text_fini(&text);
}

/* ---- constants and variables ---- */

static void expect_high(const char *definitions, const char *constants, int64_t high)
{
    base_text text = {0};
    prism_program program;
    base_text_format(&text, "%s module m x:[-99..N]; endmodule", definitions);
    reading_program(base_text_get(&text), constants, &program);
    assert_int_equal(program.variables[0].high, high);
    prism_program_fini(&program);
    base_text_fini(&text);
}

static void constants_have_values(void **state)
{
    (void)state;
    expect_high("const int N=3;", NULL, 3);
    expect_high("const N=3;", NULL, 3);
    expect_high("const int N;", "N=4", 4);
    expect_high("const int N=3;", "N=4", 4);
    expect_high("const int N=M+1; const int M=K*2; const int K=5;", NULL, 11);
    expect_high("const int N=M+1; const int M=K*2; const int K=5;", "M=1", 2);
    expect_high("const int N=M; const int M=N;", "M=7", 7); /* an override breaks a cycle */
    expect_high("const double p=7; const int N=floor(p/2);", NULL, 3);
    expect_high("const double p; const int N=ceil(p*10);", "p=1/4", 3);
    expect_high("const bool b=true; const int N=b?1:mod(1,0);", NULL, 1);
    expect_high("const bool b; const int N=b?1:2;", "b=false", 2);
    expect_high("const int N=f; formula f=g*g; formula g=K; const int K=3;", NULL, 9);
    expect_high("const int N=mod(-7,3)+10*mod(7,3);", NULL, 12);
    expect_high("const int N=round(2.5)+10*round(-2.5);", NULL, -17);
    expect_high("const int N=2^3^2;", NULL, 512);
    expect_high("const int N=max(1,2.0)>1.5 ? min(3,1,2) : 9;", NULL, 1);
    expect_high("const int N=ceil(log(9,2));", NULL, 4);
}

static void variables_have_ranges(void **state)
{
    (void)state;
    prism_program program;
    reading_program("const int N=3; module m x:[-N..N*2] init N; b:bool init N>2; c:bool;\n"
                    "y:[2..2]; z:[0..4294967295]; endmodule global g:[1..2];",
                    NULL, &program);
    assert_int_equal(program.variable_count, 6);
    assert_string_equal(program.variables[0].name, "g");
    assert_int_equal(program.variables[0].module, PRISM_GLOBAL);
    assert_int_equal(program.variables[0].initial, 1);
    assert_string_equal(program.variables[1].name, "x");
    assert_int_equal(program.variables[1].low, -3);
    assert_int_equal(program.variables[1].high, 6);
    assert_int_equal(program.variables[1].initial, 3);
    assert_int_equal(program.variables[2].type, PRISM_TYPE_BOOL);
    assert_int_equal(program.variables[2].initial, 1);
    assert_int_equal(program.variables[3].initial, 0);
    assert_int_equal(program.variables[3].high, 1);
    assert_int_equal(program.variables[4].initial, 2);
    assert_int_equal(program.variables[5].module, 0);
    prism_program_fini(&program);
}

/* ---- formulas and renaming ---- */

static void formulas_are_expanded_before_renaming(void **state)
{
    (void)state;
    prism_program program;
    reading_program("mdp\n"
                    "formula even = mod(x,2)=0;\n"
                    "formula more = even & x<K;\n"
                    "const int K=3; const int L=5;\n"
                    "module a x:[0..K]; [go] more -> 0.5:(x'=x+1) + 0.5:(x'=min(x,K)); endmodule\n"
                    "module c=b [y=z,start=go] endmodule\n"
                    "module b=a [x=y,go=start,K=L,min=max] endmodule\n",
                    NULL, &program);
    const prism_module *a = &program.modules[0], *c = &program.modules[1], *b = &program.modules[2];
    expect(&program, &a->commands[0].guard, "x 2 mod 0 = x 3 < &");
    expect(&program, &b->commands[0].guard, "y 2 mod 0 = y 5 < &");
    expect(&program, &c->commands[0].guard, "z 2 mod 0 = z 5 < &");
    expect(&program, &a->commands[0].branches[1].assignments[0].value, "x 3 min");
    expect(&program, &b->commands[0].branches[1].assignments[0].value, "y 5 max");
    expect(&program, &c->commands[0].branches[0].probability, "0.500000");
    assert_int_equal(program.variable_count, 3);
    assert_string_equal(program.variables[1].name, "z");
    assert_int_equal(program.variables[1].high, 5);
    assert_int_equal(program.variables[1].module, 1);
    assert_int_equal(b->commands[0].branches[0].assignments[0].variable, 2);
    assert_string_equal(program.actions[a->commands[0].action], "go");
    assert_string_equal(program.actions[b->commands[0].action], "start");
    assert_int_equal(c->commands[0].action, a->commands[0].action);
    assert_int_equal(program.action_count, 3);
    prism_program_fini(&program);
}

/* Renaming may replace a constant by a variable, by a variable of another module, or by a formula. */
static void renaming_is_textual(void **state)
{
    (void)state;
    prism_program program;
    reading_program("const int K=3; formula f=g+1; global g:[0..3];\n"
                    "module a x:[0..9]; [] x<K -> (x'=K); endmodule\n"
                    "module b=a [x=y,K=x,unused=thing] endmodule\n"
                    "module c=a [x=z,K=f] endmodule\n",
                    NULL, &program);
    expect(&program, &program.modules[1].commands[0].guard, "y x <");
    expect(&program, &program.modules[2].commands[0].guard, "z g 1 + <");
    prism_program_fini(&program);
}

/* ---- the rest ---- */

static void commands_and_labels(void **state)
{
    (void)state;
    prism_program program;
    reading_program(
        "dtmc const double p=0.25;\n"
        "module m x:[0..3]; b:bool; [] !b & x!=2 | false -> p:(x'=1)&(b'=true) + 1-p:true;\n"
        "[] x=3 -> true; endmodule\n"
        "label \"l\" = b => x>=1.5; init b | x=1 endinit\n"
        "rewards \"r\" x>1 : x*0.5; [] true : 1; endrewards",
        NULL, &program);
    const prism_command *command = &program.modules[0].commands[0];
    assert_int_equal(program.type, OPAC_MODEL_DTMC);
    expect(&program, &command->guard, "b ! x 2 != &");
    expect(&program, &command->branches[1].probability, "0.750000");
    assert_int_equal(prism_root(&command->branches[1].probability)->exact.numerator, 3);
    assert_int_equal(prism_root(&command->branches[1].probability)->exact.denominator, 4);
    assert_int_equal(command->branches[0].assignment_count, 2);
    assert_int_equal(command->branches[0].assignments[1].variable, 1);
    assert_int_equal(command->branches[1].assignment_count, 0);
    assert_int_equal(program.modules[0].commands[1].branches[0].probability.count, 0);
    assert_int_equal(program.label_count, 1);
    assert_string_equal(program.labels[0].name, "l");
    expect(&program, &program.labels[0].states, "b x 1.50000 >= =>");
    expect(&program, &program.initial, "b x 1 = |");
    assert_int_equal(program.modules[0].alphabet.count, 0);
    prism_program_fini(&program);
}

/* Errors in operands that are never evaluated are not reported. */
static void operands_never_evaluated_cause_no_errors(void **state)
{
    (void)state;
    prism_program program;
    reading_program("const int N=0; module m x:[0..1];\n"
                    "[] N>0 & mod(x,N)=1 -> 7/N:(x'=mod(x,N)) + 1.5:(x'=9) + 0:(x'=-1);\n"
                    "[] x=0 & mod(1,N)=0 -> true; endmodule",
                    NULL, &program);
    expect(&program, &program.modules[0].commands[0].guard, "false");
    expect(&program, &program.modules[0].commands[0].branches[0].probability, "7 0 /");
    expect(&program, &program.modules[0].commands[1].guard, "x 0 = 1 0 mod 0 = &");
    prism_program_fini(&program);
}

/* ---- out of memory ---- */

static const char *const whole =
    "mdp const int N; const double p=1/N; formula f=x<N & g; formula g=x>0|b;\n"
    "global q:[0..N] init 1;\n"
    "module m x:[0..N]; b:bool; [a] f -> p:(x'=0) + 1-p:(b'=!b); [] q=1 -> (q'=0); endmodule\n"
    "module n=m [x=y,b=c,a=d] endmodule\n"
    "label \"l\"=f; label \"k\"=\"l\"&h; formula h=\"l\"|b; rewards f|\"k\":1; endrewards system "
    "(m ||| n)/{a}{d<-e} endsystem";

static opac_status read_whole(void *context, opac_error *error)
{
    prism_program program;
    opac_status status = reading_resolve(context, "N=3", &program, NULL, error);
    prism_program_fini(&program);
    return status;
}

static const char *const wrong = "const int N; module m x:[0..N]; [] xx=1 & flor(x)=1 -> (y'=1);\n"
                                 "[] x -> true; endmodule module n=k [x=y] endmodule\n"
                                 "system m || q || n/{a} endsystem";

static opac_status read_wrong(void *context, opac_error *error)
{
    opac_status status = read_whole(context, error);
    return status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_ARGUMENT ? OPAC_OK : status;
}

static void allocation_failures(void **state)
{
    (void)state;
    assert_true(faults_sweep(read_whole, (void *)whole) > 30);
    assert_true(faults_sweep(read_wrong, (void *)wrong) > 20);
}

SUITE(resolve)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_have_values),
        cmocka_unit_test(variables_have_ranges),
        cmocka_unit_test(formulas_are_expanded_before_renaming),
        cmocka_unit_test(renaming_is_textual),
        cmocka_unit_test(commands_and_labels),
        cmocka_unit_test(operands_never_evaluated_cause_no_errors),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
