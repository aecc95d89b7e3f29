/* SPDX-License-Identifier: MIT */
/* Semantic errors in models: all messages with their places, and no others. */
#include "reading.h"

typedef struct row {
    const char *text, *constants, *messages;
} row;

static const row rows[] = {
    {"const int N;\n"
     "const double p;\n"
     "const bool b;\n"
     "module m x:[0..N]; [] b & p>0.5 -> true; endmodule",
     NULL, "1:11 constants N, p and b have no values: give them with N=...,p=...,b=...\n"},
    {"const int N;\n"
     "module m x:[0..N]; endmodule",
     NULL, "1:11 constant N has no value: give it with N=...\n"},
    {"const int N;\n"
     "module m x:[0..N]; endmodule",
     "N=2.5", "1:11 the value 2.5 given for constant 'N' is not an int\n"},
    {"const int N;\n"
     "module m x:[0..N]; endmodule",
     "N=true", "1:11 the value true given for constant 'N' is not an int\n"},
    {"const bool b;\n"
     "module m x:bool init b; endmodule",
     "b=1", "1:12 the value 1 given for constant 'b' is not a Boolean\n"},
    {"const int a=b; const int b=c+1; const int c=a; const int d=a;\n"
     "module m x:[0..d]; endmodule",
     NULL, "1:11 constant 'a' is defined in terms of itself: a -> b -> c -> a\n"},
    {"const int a=b; const int b=a+c+a; const int c=b+a; const int d=1;\n"
     "module m x:[0..d]; endmodule",
     NULL,
     "1:11 constant 'a' is defined in terms of itself: a -> b -> a\n"
     "1:26 constant 'b' is defined in terms of itself: b -> c -> b\n"},
    {"const int a=a; module m x:[0..1]; endmodule", NULL,
     "1:11 constant 'a' is defined in terms of itself: a -> a\n"},
    {"const int a=2.5; const int b=7/2; const bool c=1; const double d=true;\n"
     "module m x:[0..1]; endmodule",
     NULL,
     "1:13 expected an int value for 'a', found a real; floor, ceil and round give ints\n"
     "1:31 expected an int value for 'b', found a real; '/' is real division, write floor(a/b) for "
     "integer division\n"
     "1:48 expected a Boolean value for 'c', found an int\n"
     "1:66 expected a real value for 'd', found a Boolean\n"},
    {"const int a=x; const int b=mod(1,0); const int c=true?1:mod(1,0);\n"
     "module m x:[0..1]; endmodule",
     NULL,
     "1:13 the value for 'a' may use only constants, but 'x' is a variable\n"
     "1:28 mod cannot be computed: the divisor is 0\n"},
    {"const double a=1/0; const int b=2^64; const int c=2^-1; const double d=log(0,2);\n"
     "const double e=pow(-1,0.5); const int f=floor(1e300);\n"
     "module m x:[0..1]; endmodule",
     NULL,
     "1:17 '/' cannot be computed: the divisor is 0\n"
     "1:34 pow cannot be computed: the result does not fit into an int of 64 bits\n"
     "1:52 pow cannot be computed: an int cannot have a negative exponent; multiply the base by "
     "1.0 to get a real\n"
     "1:72 log cannot be computed: the logarithm of this number to this base is undefined\n"
     "2:16 pow cannot be computed: a negative base requires an integral exponent\n"
     "2:41 floor cannot be computed: the result does not fit into an int of 64 bits\n"},
    {"const int a=f; formula f=x;\n"
     "module m x:[0..1]; endmodule",
     NULL, "1:26 the value for 'a' may use only constants, but 'x' is a variable\n"},
    {"formula f=g; formula g=f; formula h=f+1;\n"
     "module m x:[0..1]; [] h>1 -> true; endmodule",
     NULL, "1:9 formula 'f' is defined in terms of itself: f -> g -> f\n"},
    {"formula f=x+tru; formula g=f+1;\n"
     "module m x:[0..1]; [] g>1 -> true; [] f -> true; endmodule",
     NULL, "1:13 unknown name 'tru'\n"},
    {"formula f=x+1; formula g=f&true;\n"
     "module m x:[0..1]; [] f -> true; [] f=1 & f -> true; endmodule",
     NULL,
     "1:27 '&' takes Booleans, but an operand is an int\n"
     "2:23 expected a Boolean guard, found an int\n"
     "2:41 '&' takes Booleans, but an operand is an int\n"},
    {"const int N=1; formula N=2; global N:bool; global x:[0..1];\n"
     "module m x:[0..1]; endmodule\n"
     "module m y:bool; endmodule",
     NULL,
     "1:24 'N' is already a constant (line 1, column 11)\n"
     "1:36 'N' is already a constant (line 1, column 11)\n"
     "2:10 'x' is already a variable (line 1, column 51)\n"
     "3:8 there is already a module 'm' (line 2)\n"},
    {"module m x:[0..1]; [] foo=1 & bar=2 -> (x'=baz); [] xx=1 -> true; endmodule", NULL,
     "1:23 unknown name 'foo'\n"
     "1:31 unknown name 'bar'\n"
     "1:44 unknown name 'baz'\n"
     "1:53 unknown name 'xx'; did you mean 'x'?\n"},
    {"module m x:[0..1]; [] flor(x)=1 -> true; [] foo(x)=1 -> true; endmodule", NULL,
     "1:23 unknown function 'flor'; did you mean 'floor'?\n"
     "1:45 unknown function 'foo'\n"},
    {"module m x:[0..1]; [] floor(x,1)=1 & mod(x)=1 -> true; endmodule", NULL,
     "1:23 floor takes one argument, but is given 2\n"
     "1:38 mod takes two arguments, but is given 1\n"},
    {"module m x:[0..1]; b:bool;\n"
     "[] x -> true; [] x+1 -> true; [] !x -> true; [] b=x -> true; [] b<1 -> true;\n"
     "[] x & b -> true; [] x => b -> true; [] b <=> 1 -> true; endmodule",
     NULL,
     "2:4 expected a Boolean guard, found an int\n"
     "2:19 expected a Boolean guard, found an int\n"
     "2:34 '!' takes Booleans, but an operand is an int\n"
     "2:50 '=' cannot compare a Boolean and an int\n"
     "2:66 '<' takes numbers, but an operand is a Boolean\n"
     "3:6 '&' takes Booleans, but an operand is an int\n"
     "3:24 '=>' takes Booleans, but an operand is an int\n"
     "3:43 '<=>' takes Booleans, but an operand is an int\n"},
    {"module m x:[0..1]; b:bool;\n"
     "[] b -> b:(x'=x/2); [] b -> (x'=0.5) & (b'=x); [] b -> (x'=b?1:b);\n"
     "[] mod(x,0.5)=1 -> (x'=x*1.5); endmodule",
     NULL,
     "2:9 expected a real probability, found a Boolean\n"
     "2:16 expected an int value for 'x', found a real; '/' is real division, write floor(a/b) for "
     "integer division\n"
     "2:33 expected an int value for 'x', found a real; floor, ceil and round give ints\n"
     "2:44 expected a Boolean value for 'b', found an int\n"
     "2:61 '?' chooses between an int and a Boolean\n"
     "3:4 mod takes ints, but an operand is a real; floor, ceil and round give ints\n"
     "3:25 expected an int value for 'x', found a real; floor, ceil and round give ints\n"},
    {"module m x:[0..1]; [] min(x,true)=1 -> true; [] -true=1 -> true;\n"
     "[] floor(true)=1 -> true; [] (x?1:2)=1 -> true; endmodule",
     NULL,
     "1:23 min takes numbers, but an operand is a Boolean\n"
     "1:49 '-' takes numbers, but an operand is a Boolean\n"
     "2:4 floor takes numbers, but an operand is a Boolean\n"
     "2:32 '?' takes Booleans, but an operand is an int\n"},
    {"module m x:[2..1]; y:[0..3] init 7; z:[0.5..true]; b:bool init 1; w:[0..x]; endmodule", NULL,
     "1:10 the range of 'x' is empty: [2..1]\n"
     "1:34 the initial value 7 of 'y' is not in its range [0..3]\n"
     "1:40 expected an int lower bound of 'z', found a real; floor, ceil and round give ints\n"
     "1:45 expected an int upper bound of 'z', found a Boolean\n"
     "1:64 expected a Boolean initial value of 'b', found an int\n"
     "1:73 the upper bound of 'w' may use only constants, but 'x' is a variable\n"},
    {"const int N=3; global g:[0..1];\n"
     "module m x:[0..1]; [a] true -> (g'=1);\n"
     "[] true -> (y'=1) & (N'=1) & (zz'=1) & (x'=0) & (x'=1); endmodule\n"
     "module n y:[0..1]; endmodule",
     NULL,
     "2:33 'g' is global; a command with an action cannot assign to it\n"
     "3:13 'y' belongs to module 'n'; other modules cannot assign to it\n"
     "3:22 'N' is a constant; only variables can be assigned to\n"
     "3:31 unknown variable 'zz'\n"
     "3:50 'x' is assigned to twice in one update\n"},
    {"module m x:[0..1] init 1; endmodule\n"
     "init x=0 endinit",
     NULL,
     "1:24 'x' must not have an initial value, as the initial states are given by init ... endinit "
     "(line 2)\n"},
    {"module m x:[0..1]; endmodule\n"
     "init x endinit",
     NULL, "2:6 expected a Boolean condition of initial states, found an int\n"},
    {"module m x:[0..1]; endmodule\n"
     "label \"a\"=x; label \"a\"=true; label \"init\"=true; label \"deadlock\"=x=1;",
     NULL,
     "2:11 expected a Boolean label, found an int\n"
     "2:20 there is already a label \"a\" (line 2)\n"
     "2:36 the label \"init\" is built in and cannot be redefined\n"
     "2:55 the label \"deadlock\" is built in and cannot be redefined\n"},
    {"module m x:[0..1]; [] \"initt\" | done -> true; [] \"init\" -> (x'=\"done\"); endmodule\n"
     "label \"done\"=x=1; label \"five\"=5; const bool c=\"done\"; formula f=\"five\" & "
     "\"deadlock\";\n"
     "module n=m [x=y,done=dome] endmodule",
     NULL,
     "1:23 unknown label \"initt\"\n"
     "1:33 unknown name 'done'; did you mean \"done\"?\n"
     "1:50 the label \"init\" cannot be used in a model, as it is computed from the explored "
     "states\n"
     "1:64 expected an int value for 'x', found a Boolean\n"
     "2:32 expected a Boolean label, found an int\n"
     "2:48 the value for 'c' may use only constants, but \"done\" is a label\n"
     "2:75 the label \"deadlock\" cannot be used in a model, as it is computed from the explored "
     "states\n"
     "3:22 unknown name 'dome' (in module 'n')\n"},
    {"module m x:[0..1]; [] \"a\" & \"g\" -> true; endmodule\n"
     "label \"a\"=f | \"c\"; formula f=\"b\"; label \"b\"=!\"a\"; label \"c\"=\"c\"; formula "
     "g=\"a\";",
     NULL,
     "1:29 unknown label \"g\"\n"
     "2:28 formula 'f' is defined in terms of itself: f -> \"b\" -> \"a\" -> f\n"
     "2:57 label \"c\" is defined in terms of itself: \"c\" -> \"c\"\n"},
    {"module m x:[0..1]; endmodule\n"
     "rewards x:1; true:true; [a] foo:1; endrewards\n"
     "rewards \"r\" true:1; endrewards rewards \"r\" true:1; endrewards",
     NULL,
     "2:9 expected a Boolean guard, found an int\n"
     "2:19 expected a real reward, found a Boolean\n"
     "2:29 unknown name 'foo'\n"
     "3:40 there is already a reward structure \"r\" (line 3)\n"},
    {"module m x:[0..1]; endmodule\n"
     "module n=m [x=y,x=z] endmodule\n"
     "module o=k [x=q] endmodule\n"
     "module p=p [x=q] endmodule\n"
     "module r=m [a=b] endmodule module s=m[x=x] endmodule",
     NULL,
     "2:17 'x' is renamed twice\n"
     "3:10 unknown module 'k'\n"
     "4:8 module 'p' is a renaming of itself\n"
     "5:8 variable 'x' of module 'm' must also be renamed\n"
     "5:41 'x' is already a variable (line 1, column 10)\n"},
    {"formula f=x; const int K=1;\n"
     "module m x:[0..1]; [] x<K & f=0-> (x'=K); endmodule\n"
     "module n=m [x=y,f=g] endmodule\n"
     "module o=m [x=z,K=Q] endmodule module p=m[x=w,K=b] endmodule\n"
     "global b:bool;",
     NULL,
     "2:24 '<' takes numbers, but an operand is a Boolean (in module 'p')\n"
     "3:17 'f' is a formula and cannot be renamed: formulas are expanded before modules are "
     "renamed\n"
     "4:19 unknown name 'Q' (in module 'o')\n"
     "4:49 expected an int value for 'w', found a Boolean (in module 'p')\n"},
    {"module m x:[0..1]; [] q=1 -> true; endmodule\n"
     "module n=mm [x=q] endmodule",
     NULL, "2:10 unknown module 'mm'; did you mean 'm'?\n"},
    {"module m=n [x=y] endmodule module n=o [x=z] endmodule module o=n [x=w] endmodule", NULL,
     "1:35 module 'n' is a renaming of itself\n"},
    {"module m x:[0..1]; [] floor(x)=0 -> true; endmodule\n"
     "module n=m [x=y,floor=abs] endmodule",
     NULL, "2:23 unknown function 'abs' (in module 'n')\n"},
    {"module m x:[0..1]; [a] true->true; endmodule\n"
     "module n y:[0..1]; [b] true->true; endmodule\n"
     "system m || m || k |[c]| (m/{d}) endsystem",
     NULL,
     "2:8 module 'n' does not occur in system ... endsystem (line 3)\n"
     "3:13 module 'm' occurs twice in system ... endsystem\n"
     "3:18 unknown module 'k'\n"
     "3:22 no command has the action 'c'\n"
     "3:27 module 'm' occurs twice in system ... endsystem\n"
     "3:30 no command has the action 'd'\n"},
    {"module m x:[0..1]; [alpha] true->true; endmodule\n"
     "module n y:[0..1]; [b] true->true; endmodule\n"
     "system m{alpha<-c,alpha<-d,alfa<-b} endsystem",
     NULL,
     "2:8 module 'n' does not occur in system ... endsystem (line 3)\n"
     "3:19 'alpha' is renamed twice\n"
     "3:28 no command has the action 'alfa'\n"},
};

static void every_error_is_reported_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prism_program program;
        base_text messages = {0};
        opac_error error = {0};
        opac_status status =
            reading_resolve(rows[i].text, rows[i].constants, &program, &messages, &error);
        assert_string_equal(base_text_get(&messages), rows[i].messages);
        assert_true(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_ARGUMENT);
        assert_int_equal(status, error.code);
        assert_int_equal(program.module_count, 0);
        prism_program_fini(&program);
        base_text_fini(&messages);
    }
}

/* Exceeding a limit ends resolution immediately. */
static void limits_are_enforced(void **state)
{
    (void)state;
    prism_program program;
    opac_error error = {0};
    base_text text = {0};
    const char *wide = "module m\n  x:[0..4294967296]; endmodule";
    assert_status(reading_resolve(wide, NULL, &program, NULL, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3);
    prism_program_fini(&program);

    base_text_add(&text, "formula f0=x;\n");
    for (unsigned i = 1; i < 64; i++)
        base_text_format(&text, "formula f%u=f%u+f%u;\n", i, i - 1, i - 1);
    base_text_add(&text, "module m x:[0..1]; endmodule");
    assert_status(reading_resolve(base_text_get(&text), NULL, &program, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_true(error.line > 10);
    assert_true(error.line < 30);
    prism_program_fini(&program);

    base_text_clear(&text);
    base_text_add(&text, "label \"l0\"=x=1;\n");
    for (unsigned i = 1; i < 64; i++)
        base_text_format(&text, "label \"l%u\"=\"l%u\"|\"l%u\";\n", i, i - 1, i - 1);
    base_text_add(&text, "module m x:[0..1]; endmodule");
    assert_status(reading_resolve(base_text_get(&text), NULL, &program, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_true(error.line > 10);
    assert_true(error.line < 30);
    prism_program_fini(&program);
    base_text_fini(&text);
}

/* Each line has two modules, which double the number of synchronisations. */
static void too_many_synchronisations_are_an_error(void **state)
{
    (void)state;
    prism_program program;
    opac_error error = {0};
    base_text text = {0};
    for (unsigned i = 0; i < 80; i++)
        base_text_format(&text, "module m%u x%u:[0..1]; [a] true->true; endmodule\n", i, i);
    base_text_add(&text, "system (m0 ||| m1)");
    for (unsigned i = 2; i < 80; i += 2)
        base_text_format(&text, " || (m%u ||| m%u)", i, i + 1);
    base_text_add(&text, " endsystem");
    assert_status(reading_resolve(base_text_get(&text), NULL, &program, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_int_equal(error.line, 81);
    prism_program_fini(&program);
    base_text_fini(&text);
}

/* Of a thousand errors, the first twenty are stored, and the others are counted. */
static void most_of_many_errors_are_only_counted(void **state)
{
    (void)state;
    prism_program program;
    opac_error error = {0};
    base_text text = {0}, messages = {0};
    base_text_add(&text, "module m x:[0..1];\n");
    for (unsigned i = 0; i < 1000; i++)
        base_text_format(&text, "[] unknown%u -> true;\n", i);
    base_text_add(&text, "endmodule");
    assert_status(reading_resolve(base_text_get(&text), NULL, &program, &messages, &error),
                  OPAC_ERROR_SYNTAX);
    assert_non_null(strstr(base_text_get(&messages), "21:4 unknown name 'unknown19'"));
    assert_null(strstr(base_text_get(&messages), "unknown20"));
    assert_non_null(strstr(base_text_get(&messages), "980 more errors"));
    prism_program_fini(&program);
    base_text_fini(&text);
    base_text_fini(&messages);
}

SUITE(resolve_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_is_reported_once),
        cmocka_unit_test(limits_are_enforced),
        cmocka_unit_test(too_many_synchronisations_are_an_error),
        cmocka_unit_test(most_of_many_errors_are_only_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
