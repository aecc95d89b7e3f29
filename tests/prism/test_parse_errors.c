/* SPDX-License-Identifier: MIT */
/*
 * Syntax errors in PRISM files: each is reported once, at its place, with what was expected. All independent
 * errors of a file are reported.
 */
#include "base/text.h"
#include "prism/syntax.h"
#include "support/check.h"

/* One line for each message: "7:3 text", with "!" before the place if something is not supported. */
static void collect_message(void *context, const opac_message *message)
{
    base_text *messages = context;
    base_text_format(messages, "%s%u:%u %s\n", message->code == OPAC_ERROR_UNSUPPORTED ? "!" : "",
                     message->line, message->column, message->text);
}

static void parse_messages(const char *text, size_t length, base_text *messages)
{
    model_report report;
    prism_file file;
    opac_error error = {0};
    base_text_clear(messages);
    model_report_init(&report, collect_message, messages, NULL, text, length);
    assert_ok(prism_parse(text, length, NULL, &report, &file, &error), &error);
    model_report_end(&report, &error);
    model_report_fini(&report);
    prism_file_fini(&file);
}

/* ---- lines of a model that are replaced by wrong ones ---- */

static const char *const model[] = {
    "mdp",                                                 /* 1 */
    "const int N = 3;",                                    /* 2 */
    "const double p = 0.5;",                               /* 3 */
    "formula f = x=1;",                                    /* 4 */
    "global g : [0..2] init 1;",                           /* 5 */
    "module m",                                            /* 6 */
    "  x : [0..N] init 0;",                                /* 7 */
    "  y : [0..N];",                                       /* 8 */
    "  b : bool;",                                         /* 9 */
    "  [a] x=0 -> p : (x'=1) + 1-p : (x'=2) & (b'=true);", /* 10 */
    "  [] x>0 & (b | f) -> (x'=0);",                       /* 11 */
    "  [c] b -> 0.5 : true + 0.5 : (b'=false);",           /* 12 */
    "  [] y=2 -> (y'=0);",                                 /* 13 */
    "endmodule",                                           /* 14 */
    "",                                                    /* 15 */
    "module n = m [x=z, y=w, b=c] endmodule",              /* 16 */
    "rewards \"r\"",                                       /* 17 */
    "  x=1 : 2;",                                          /* 18 */
    "  [a] true : 1;",                                     /* 19 */
    "endrewards",                                          /* 20 */
    "init x=0 & y=0 endinit",                              /* 21 */
    "label \"good\" = x=1 & b;",                           /* 22 */
    "label \"bad\" = y=1;",                                /* 23 */
    "system (m || n) / {a} endsystem",                     /* 24 */
};

enum {
    LINES = sizeof model / sizeof model[0]
};

typedef struct slip {
    unsigned line;
    const char *text;
    const char *messages; /* one message */
} slip;

static const slip wrong_lines[] = {
    {1, "ctmc", "!1:1 ctmc models are not supported"},
    {1, "stochastic", "!1:1 stochastic models are not supported"},
    {1, "pta", "!1:1 pta models are not supported"},
    {1, "pomdp", "!1:1 pomdp models are not supported"},
    {1, "popta", "!1:1 popta models are not supported"},
    {1, "smg", "!1:1 smg models are not supported"},
    {1, "imdp", "!1:1 imdp models are not supported"},
    {1, "mdp dtmc", "1:5 the type of the model is given a second time: 'dtmc'"},
    {1, "mdp;", "1:4 unexpected ';' after the type of the model"},
    {1, "mpd", "1:1 expected a section of a model, found 'mpd'; did you mean 'mdp'?"},
    {2, "const int N = 3", "3:1 expected ';' after the constant N, found 'const'"},
    {2, "const int N := 3;", "2:13 expected '=' after the name of a constant, found ':='"},
    {2, "const int = 3;", "2:11 expected the name of a constant, found '='"},
    {2, "const int N = ;", "2:15 expected a name, a number or '(', found ';'"},
    {2, "const int F = 3;", "2:11 'F' is a reserved word: expected the name of a constant"},
    {2, "const int init = 3;", "2:11 'init' is a reserved word: expected the name of a constant"},
    {2, "const integer N = 3;",
     "2:7 expected 'int', 'double' or 'bool' after 'const', found "
     "'integer'"},
    {2, "const int N = 3 4;", "2:17 expected ';' after the constant N, found '4'"},
    {2, "cnst int N = 3;",
     "2:1 expected a section of a model, found 'cnst'; did you mean "
     "'const'?"},
    {2, "const int N = 99999999999999999999;",
     "2:15 the number is larger than 9223372036854775807, the largest int"},
    {2, "x : bool;", "2:1 variables must be declared in a module or after 'global', found 'x'"},
    {2, "[] true -> true;", "2:1 commands must be inside a module, found '[' outside"},
    {2, "endmodule", "2:1 'endmodule' without 'module' before it"},
    {2, "endinit", "2:1 'endinit' without 'init' before it"},
    {2, "/* a comment */", "2:1 comments begin with '//' and end with the line, found '/*'"},
    {2, "observables x, y endobservables", "!2:1 observables are not supported"},
    {2, "observable \"o\" = x=1;", "!2:1 observables are not supported"},
    {2, "player p1 m, [a] endplayer", "!2:1 players of games are not supported"},
    {2, "}", "2:1 expected a section of a model (module, const, label, ...), found '}'"},
    {4, "formula f == x=1;", "4:11 expected '=' after the name of a formula, found '=='"},
    {4, "formula f = x==1;", "4:14 '==' is not an operator; write '='"},
    {4, "formula f = (x=1;", "4:17 expected an operator or ')' for the '(' at 4:13, found ';'"},
    {4, "formula f = x=1);", "4:16 expected ';' after the formula f, found ')'"},
    {4, "formula = x=1;", "4:9 expected the name of a formula, found '='"},
    {5, "global g : [0..2 init 1;", "5:18 expected ']' after the upper bound, found 'init'"},
    {6, "modul m", "6:1 expected a section of a model, found 'modul'; did you mean 'module'?"},
    {6, "module", "7:3 expected the name of a module, found 'x'"},
    {6, "module 3", "6:8 expected the name of a module, found '3'"},
    {6, "module U", "6:8 'U' is a reserved word: expected the name of a module"},
    {7, "  x : [0..N] init 0", "8:3 expected ';' after the declaration of x, found 'y'"},
    {7, "  x : [0.N] init 0;", "7:8 expected a digit or another '.' after '0.'"},
    {7, "  x : [0,N] init 0;", "7:9 expected '..' after the lower bound, found ','"},
    {7, "  x : 0..N init 0;", "7:7 expected a range such as [0..3], or 'bool', found '0'"},
    {7, "  x : int;",
     "!7:7 int variables without bounds are not supported: expected a range such "
     "as [0..3]"},
    {7, "  x : int init 0;",
     "!7:7 int variables without bounds are not supported: expected a "
     "range such as [0..3]"},
    {7, "  x : clock;", "!7:7 clocks are not supported"},
    {7, "  x : [0..N] init;", "7:18 expected a name, a number or '(', found ';'"},
    {7, "  x : [0..N] = 0;", "7:14 expected ';' after the declaration of x, found '='"},
    {7, "  x = [0..N];",
     "7:3 a command begins with '[]' or '[action]', a declaration with a name "
     "and ':'; found 'x'"},
    {7,
     "  gr\xC3\xB6\xC3\x9F"
     "e : [0..N];",
     "7:3 a command begins with '[]' or '[action]', a declaration with a name and ':'; found "
     "'gr'"},
    {7, "  const int k = 2;", "7:3 'const' is not allowed in a module"},
    {7, "  invariant x<=2 endinvariant", "!7:3 invariants are not supported"},
    {9, "  b : boolean;", "9:7 expected a range such as [0..3], or 'bool', found 'boolean'"},
    {9, "  b : bool", "10:3 expected ';' after the declaration of b, found '['"},
    {10, "  [a x=0 -> p : (x'=1) + 1-p : (x'=2);", "10:6 expected ']' after the action, found 'x'"},
    {10, "  [a,b] x=0 -> (x'=1);", "10:5 expected ']' after the action, found ','"},
    {10, "  [a] x=0 -> p (x'=1) + 1-p : (x'=2);",
     "10:16 expected an operator or ':' after a probability, found '('"},
    {10, "  [a] x=0 -> p ; (x'=1) + 1-p : (x'=2);",
     "10:16 expected an operator or ':' after a probability, found ';'"},
    {10, "  [a] x=0 -> p : x'=1 + 1-p : (x'=2);",
     "10:18 an assignment must be in parentheses: expected '(' before 'x'"},
    {10, "  [a] x=0 -> p : (x=1) + 1-p : (x'=2);",
     "10:20 expected a prime after x, as in (x'=1), found '='"},
    {10, "  [a] x=0 -> p : (x'=1 + 1-p : (x'=2);",
     "10:30 expected an operator or ')' for the '(' at 10:18, found ':'"},
    {10, "  [a] x=0 -> p : (x'=1)", "11:3 expected '+', '&' or ';' after an update, found '['"},
    {10, "  [a] x=0 -> p : (x'=1), (b'=true) + 1-p : true;",
     "10:24 expected '&' between assignments, found ','"},
    {10, "  [a] x=0 -> (x'=1) + 1-p : (x'=2);",
     "10:14 one of several updates has no probability: expected a probability and ':' before the "
     "update"},
    {10, "  [a] x=0 -> [0.1,0.2] : (x'=1) + [0.8,0.9] : (x'=2);",
     "!10:14 intervals of probabilities are not supported"},
    {11, "  x>0 & (b | f) -> (x'=0);",
     "11:3 a command begins with '[]' or '[action]', a "
     "declaration with a name and ':'; found 'x'"},
    {11, "  [] x>0 && (b | f) -> (x'=0);", "11:10 '&&' is not an operator; write '&'"},
    {11, "  [] x>0 & (b || f) -> (x'=0);", "11:15 '||' is not an operator; write '|'"},
    {11, "  [] x<>0 -> (x'=0);", "11:7 '<>' is not an operator; write '!='"},
    {11, "  [] x>0 & (b | f -> (x'=0);",
     "11:19 expected an operator or ')' for the '(' at 11:12, found '->'"},
    {11, "  [] x>0 & b) -> (x'=0);",
     "11:13 expected an operator or '->' after the guard, found "
     "')'"},
    {11, "  [] x>0 (x'=0);", "11:10 expected an operator or '->' after the guard, found '('"},
    {11, "  [] b (x'=0);", "11:8 expected an operator or '->' after the guard, found '('"},
    {11, "  [] x>0 => (x'=0);", "11:10 expected '->' after the guard, found '=>'"},
    {11, "  [] x>0;", "11:9 expected an operator or '->' after the guard, found ';'"},
    {11, "  [] x>0 -> ;", "11:13 expected a name, a number or '(', found ';'"},
    {11, "  [] x>0 -> (x=0);", "11:15 expected a prime after x, as in (x'=1), found '='"},
    {11, "  [] x>0 -> (x:=0);", "11:15 expected a prime after x, as in (x'=1), found ':='"},
    {11, "  [] x>0 -> (x=0) & (b'=true);",
     "11:15 expected a prime after x, as in (x'=1), found '='"},
    {11, "  [] x>0 -> (x':=0);",
     "11:16 expected '=' after the variable of an assignment, found "
     "':='"},
    {11, "  [] x>0 -> (x'==0);",
     "11:16 expected '=' after the variable of an assignment, found "
     "'=='"},
    {11, "  [] x>0 -> x'=0;",
     "11:13 an assignment must be in parentheses: expected '(' before 'x'"},
    {11, "  [] x>0 -> ((x'=0));",
     "11:16 a prime is only allowed after the variable of an assignment, as in (x'=1)"},
    {11, "  [] x'>0 -> (x'=0);",
     "11:7 a prime is only allowed after the variable of an assignment, as in (x'=1)"},
    {14, "endmodul", "14:1 expected 'endmodule', found 'endmodul'"},
    {14, "", "16:1 expected 'endmodule' for the module m at 6:1, found 'module'"},
    {14, "endmodule endmodule", "14:11 'endmodule' without 'module' before it"},
    {16, "module n = m [x=z, y] endmodule",
     "16:21 expected '=' after the name to replace, found "
     "']'"},
    {16, "module n = m endmodule",
     "16:14 expected '[' and the names to replace, found "
     "'endmodule'"},
    {16, "module n = m [x=z", "17:1 expected ',' or ']' after a renaming, found 'rewards'"},
    {16, "module n = m [x=z]", "17:1 expected 'endmodule' after the renamings, found 'rewards'"},
    {17, "reward \"r\"",
     "17:1 expected a section of a model, found 'reward'; did you mean "
     "'rewards'?"},
    {18, "  x=1 : 2", "19:3 expected ';' after a reward, found '['"},
    {18, "  x=1 = 2;", "18:10 expected ':' after the condition of a reward, found ';'"},
    {20, "", "21:1 expected 'endrewards' for the rewards at 17:1, found 'init'"},
    {20, "endmodule", "20:1 expected 'endrewards' for the rewards at 17:1, found 'endmodule'"},
    {21, "init x=0 & endinit", "21:12 expected a name, a number or '(', found 'endinit'"},
    {21, "init x=0 init", "21:10 expected 'endinit' after the initial states, found 'init'"},
    {21, "init x=0", "22:1 expected 'endinit' after the initial states, found 'label'"},
    {22, "label good = x=1 & b;",
     "22:7 the name of a label must be in quotes: expected \"good\", "
     "found 'good'"},
    {22, "label \"go od\" = x=1;",
     "22:7 the name of a label must consist of letters, digits and '_', found "
     "\"go od\""},
    {22, "label \"good = x=1;",
     "22:7 expected the name of a label in quotes, found \"good = x=1;; the quote is not closed on "
     "its line"},
    {22, "label \"good\" : x=1;", "22:14 expected '=' after the name of a label, found ':'"},
    {22, "labl \"good\" = x=1;",
     "22:1 expected a section of a model, found 'labl'; did you mean "
     "'label'?"},
    {22, "label \"good\" = x=1 & b", "23:1 expected ';' after the label good, found 'label'"},
    {24, "system (m || n / {a} endsystem",
     "24:22 expected an operator or ')' for the '(' at 24:8, found 'endsystem'"},
    {24, "system m || n) endsystem", "24:14 expected an operator or 'endsystem', found ')'"},
    {24, "system m n endsystem",
     "24:10 expected 'endsystem' after the composition of modules, found 'n'"},
    {24, "system m || endsystem", "24:13 expected the name of a module or '(', found 'endsystem'"},
    {24, "system m || n ||| o endsystem",
     "24:15 ambiguous composition of modules; write parentheses"},
    {24, "system m {a=b} endsystem", "24:12 expected '<-' after the action to rename, found '='"},
    {24, "system \"s\" m endsystem", "!24:8 named systems are not supported"},
    {24, "system m endsystem #\nconst int #i=1:3#x#i# = 2;",
     "!24:20 PRISM's preprocessor ('#') is not supported; run it on the file first"},
};

static void compose(const slip *first, const slip *second, base_text *text)
{
    base_text_clear(text);
    for (unsigned line = 1; line <= LINES; line++) {
        const char *content = model[line - 1];
        if (first != NULL && first->line == line)
            content = first->text;
        if (second != NULL && second->line == line)
            content = second->text;
        base_text_format(text, "%s\n", content);
    }
}

static void the_model_has_no_errors(void **state)
{
    (void)state;
    base_text text = {0}, messages = {0};
    compose(NULL, NULL, &text);
    parse_messages(base_text_get(&text), text.length, &messages);
    assert_string_equal(base_text_get(&messages), "");
    base_text_fini(&text);
    base_text_fini(&messages);
}

static void each_error_is_reported_once(void **state)
{
    (void)state;
    base_text text = {0}, messages = {0};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof wrong_lines / sizeof wrong_lines[0]; i++) {
        char expected[512];
        compose(&wrong_lines[i], NULL, &text);
        parse_messages(base_text_get(&text), text.length, &messages);
        snprintf(expected, sizeof expected, "%s\n", wrong_lines[i].messages);
        if (strcmp(base_text_get(&messages), expected) != 0) {
            print_error("line %u: %s\n%s", wrong_lines[i].line, wrong_lines[i].text,
                        base_text_get(&messages));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    base_text_fini(&text);
    base_text_fini(&messages);
}

/* Of every two that lie apart, both are told as each is alone. */
static void independent_errors_are_all_reported(void **state)
{
    (void)state;
    base_text text = {0}, messages = {0};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof wrong_lines / sizeof wrong_lines[0]; i++)
        for (size_t k = i + 1; k < sizeof wrong_lines / sizeof wrong_lines[0]; k++) {
            char expected[1024];
            if (wrong_lines[k].line < wrong_lines[i].line + 3)
                continue;
            if (wrong_lines[i].line == 6 && strstr(wrong_lines[k].messages, "the module m") != NULL)
                continue; /* whose message then differs */
            compose(&wrong_lines[i], &wrong_lines[k], &text);
            parse_messages(base_text_get(&text), text.length, &messages);
            snprintf(expected, sizeof expected, "%s\n%s\n", wrong_lines[i].messages,
                     wrong_lines[k].messages);
            if (strcmp(base_text_get(&messages), expected) != 0 && wrong++ < 20)
                print_error("%s\n%s\n%s", wrong_lines[i].text, wrong_lines[k].text,
                            base_text_get(&messages));
        }
    assert_int_equal(wrong, 0);
    base_text_fini(&text);
    base_text_fini(&messages);
}

/* ---- texts that are no models ---- */

#define TEXT(text) text, sizeof(text) - 1

static const struct {
    const char *text;
    size_t length;
    const char *messages;
} texts[] = {
    {TEXT(""), "1:1 the text is empty: expected a model with a module\n"},
    {TEXT("// nothing\n  "), "2:3 the text is empty: expected a model with a module\n"},
    {TEXT("mdp\n"), "2:1 the model has no module: expected 'module', but the text ends here\n"},
    {TEXT("HOA: v1\nStates: 3\n--BODY--\n"), "1:1 this looks like an automaton in the HOA format: "
                                             "expected a model in the PRISM language\n"},
    {TEXT("// Exported by storm\n// Original model type: MDP\n@type: MDP\n@parameters\n"),
     "3:1 this looks like a model in the DRN format: expected a model in the PRISM language\n"},
    {TEXT("3 4 5\n0 0 1 1\n"),
     "1:1 this looks like an explicit file of transitions (.tra): expected a model in the PRISM "
     "language\n"},
    {TEXT("{ \"jani-version\": 1 }"),
     "1:1 this looks like a JSON (JANI) file: expected a model in the PRISM language\n"},
    {TEXT("Pmax=? [ F \"goal\" ]\n"),
     "1:1 this looks like a property: expected a model in the PRISM language\n"},
    {TEXT("mdp\nmodule m\0endmodule\n"), "2:9 this is not a text: it contains a NUL character\n"},
    {TEXT("\xFF\xFEm\0d\0p\0"),
     "1:1 this is not a text in UTF-8: expected a model in the PRISM language\n"},
    {TEXT("\x7F"
          "ELF\2\1\1\0\0\0"),
     "1:1 this is not a text in UTF-8: expected a model in the PRISM language\n"},
    {TEXT("mdp // caf\xE9\nmodule m x : bool; endmodule"), ""}, /* Latin-1 in a comment */
    {TEXT("\xEF\xBB\xBFmdp module m endmodule"), ""},
    {TEXT("mdp\r\nmodule m\r\nx : bool\r\nendmodule\r\n"),
     "4:1 expected ';' after the declaration of x, found 'endmodule'\n"},
    {TEXT("mdp module m x : bool; const F = 1; [] F=1 & F=2 -> true; [] F -> (F'=F); endmodule"),
     "1:24 'const' is not allowed in a module\n"
     "1:30 'F' is a reserved word: expected the name of a constant\n"},
    {TEXT("mdp module m x : clock; y : clock; [] x=1 -> [0,1] : (y'=1); [] true -> [0,p] : true; "
          "endmodule"),
     "!1:18 clocks are not supported\n!1:46 intervals of probabilities are not supported\n"},
    {TEXT("mdp module m x : [0..1] init 0; [] x=0 -> (x'=1)"),
     "1:49 expected '+', '&' or ';' after an update, found the end of the text\n"},
};

static void texts_in_other_formats(void **state)
{
    (void)state;
    base_text messages = {0};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        parse_messages(texts[i].text, texts[i].length, &messages);
        if (strcmp(base_text_get(&messages), texts[i].messages) != 0) {
            print_error("%s\n%s", texts[i].text, base_text_get(&messages));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    base_text_fini(&messages);
}

static unsigned lines_of(const base_text *text)
{
    unsigned lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

/* A model that is truncated anywhere has at most one error, at its end. */
static void truncated(void **state)
{
    (void)state;
    base_text text = {0}, messages = {0};
    compose(NULL, NULL, &text);
    for (size_t length = 0; length < text.length; length++) {
        parse_messages(base_text_get(&text), length, &messages);
        if (lines_of(&messages) > 1)
            fail_msg("cut at %zu:\n%s", length, base_text_get(&messages));
    }
    base_text_fini(&text);
    base_text_fini(&messages);
}

/* Beyond a limit, errors are counted but not stored. */
static void many_errors(void **state)
{
    (void)state;
    base_text text = {0}, messages = {0};
    base_text_add(&text, "mdp module m x : bool;\n");
    for (unsigned i = 0; i < 1000; i++)
        base_text_add(&text, "[] x -> (x=true);\n");
    base_text_add(&text, "endmodule\n");
    parse_messages(base_text_get(&text), text.length, &messages);
    assert_int_equal(lines_of(&messages), MODEL_MOST_ERRORS + 1);
    assert_non_null(strstr(base_text_get(&messages), "980 more errors are not shown"));
    base_text_fini(&text);
    base_text_fini(&messages);
}

SUITE(parse_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_has_no_errors),
        cmocka_unit_test(each_error_is_reported_once),
        cmocka_unit_test(independent_errors_are_all_reported),
        cmocka_unit_test(texts_in_other_formats),
        cmocka_unit_test(truncated),
        cmocka_unit_test(many_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
