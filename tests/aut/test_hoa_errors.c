/* SPDX-License-Identifier: MIT */
/*
 * Invalid HOA texts: each kind of error has a message of its own, with its position and what was expected.
 * The same texts are in the corpus of the fuzz target.
 */
#include <omegapac/automaton.h>

#include "support/check.h"

typedef struct wrong_text {
    const char *name;
    const char *text;
    size_t length;
    opac_status status;
    uint32_t line, column;
    const char *message;
} wrong_text;

#define TEXT(text) text, sizeof(text) - 1

static const wrong_text wrong_texts[] = {
    {"no_hoa",
     TEXT("States: 1\n"
          "--BODY--\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 1, 1, "expected 'HOA:' at the beginning of an automaton, found 'States:'"},
    {"word_first", TEXT("automaton\n"), OPAC_ERROR_SYNTAX, 1, 1,
     "expected 'HOA:' at the beginning of an automaton, found 'automaton'"},
    {"no_version", TEXT("HOA: States: 1\n"), OPAC_ERROR_SYNTAX, 1, 6,
     "expected the version 'v1', found 'States:'"},
    {"version_2",
     TEXT("HOA: v2\n"
          "Acceptance: 0 t\n"
          "--BODY--\n"
          "--END--\n"),
     OPAC_ERROR_UNSUPPORTED, 1, 6, "version 'v2' of HOA is not supported: expected 'v1' or 'v1.1'"},
    {"version_number", TEXT("HOA: 1\n"), OPAC_ERROR_SYNTAX, 1, 6,
     "expected the version 'v1', found '1'"},
    {"lower_case_hoa", TEXT("hoa: v1\n"), OPAC_ERROR_SYNTAX, 1, 1,
     "expected 'HOA:' at the beginning of an automaton, found 'hoa:'"},
    {"no_body",
     TEXT("HOA: v1\n"
          "Acceptance: 0 t\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected a header or '--BODY--', but the text ends here"},
    {"no_body_state",
     TEXT("HOA: v1\n"
          "Acceptance: 0 t\n"
          "State: 0\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected '--BODY--' at the end of the header, found 'State:'"},
    {"second_hoa",
     TEXT("HOA: v1\n"
          "Acceptance: 0 t\n"
          "HOA: v1\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected '--BODY--' at the end of the header, found 'HOA:'"},
    {"stray_in_header",
     TEXT("HOA: v1\n"
          "Acceptance: 0 t\n"
          "7\n"
          "--BODY--\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected a header or '--BODY--', found '7'"},
    {"no_end",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"),
     OPAC_ERROR_SYNTAX, 6, 1, "expected an edge, 'State:' or '--END--', but the text ends here"},
    {"no_end_empty",
     TEXT("HOA: v1\n"
          "Acceptance: 0 t\n"
          "--BODY--\n"),
     OPAC_ERROR_SYNTAX, 4, 1, "expected 'State:' or '--END--', but the text ends here"},
    {"garbage_after_end",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"
          "more\n"),
     OPAC_ERROR_SYNTAX, 7, 1,
     "expected 'HOA:' or the end of the text after '--END--', found 'more'"},
    {"end_twice",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 1,
     "expected 'HOA:' or the end of the text after '--END--', found '--END--'"},
    {"body_twice",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "--BODY--\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 4, 1, "expected 'State:' or '--END--', found '--BODY--'"},
    {"end_in_header",
     TEXT("HOA: v1\n"
          "Acceptance: 0 t\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected a header or '--BODY--', found '--END--'"},
    {"dashes",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "--BOD--\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 4, 1, "unexpected '-': expected '--BODY--', '--END--' or '--ABORT--'"},
    {"dash",
     TEXT("HOA: v1\n"
          "-1\n"),
     OPAC_ERROR_SYNTAX, 2, 1, "unexpected '-': expected '--BODY--', '--END--' or '--ABORT--'"},
    {"bad_character",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0 %\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 7, "unexpected character '%'"},
    {"bad_unicode",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] \342\206\222 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 5, "unexpected character '\342\206\222'"},
    {"bad_byte",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "--END--\n"
          "\377"),
     OPAC_ERROR_SYNTAX, 8, 1, "unexpected character '\\xFF'"},
    {"byte_order_mark", TEXT("\357\273\277HOA: v1\n"), OPAC_ERROR_SYNTAX, 1, 1,
     "the text begins with a byte order mark: expected 'HOA:'"},
    {"nul_byte",
     TEXT("HOA: v1\n"
          "\000"),
     OPAC_ERROR_SYNTAX, 2, 1, "unexpected character '\\x00'"},
    {"slash",
     TEXT("HOA: v1\n"
          "/ comment */\n"),
     OPAC_ERROR_SYNTAX, 2, 1, "unexpected character '/'"},
    {"unclosed_comment",
     TEXT("HOA: v1\n"
          "/* one /* two */\n"
          "States: 1\n"),
     OPAC_ERROR_SYNTAX, 2, 1, "this comment is not closed: expected '*/'"},
    {"unclosed_string",
     TEXT("HOA: v1\n"
          "name: \"abc\n"
          "States: 1\n"),
     OPAC_ERROR_SYNTAX, 2, 7, "this string is not closed: expected '\"'"},
    {"unclosed_escape",
     TEXT("HOA: v1\n"
          "name: \"abc\\"),
     OPAC_ERROR_SYNTAX, 2, 7, "this string is not closed: expected '\"'"},
    {"bad_escape",
     TEXT("HOA: v1\n"
          "name: \"\303\251\\q\"\n"),
     OPAC_ERROR_SYNTAX, 2, 9, "unknown escape in a string: backslash and 'q'"},
    {"bad_escape_unicode",
     TEXT("HOA: v1\n"
          "name: \"\\\303\251\"\n"),
     OPAC_ERROR_SYNTAX, 2, 8, "unknown escape in a string: backslash and '\303\251'"},
    {"bad_utf8_string",
     TEXT("HOA: v1\n"
          "name: \"\303\251\377\"\n"),
     OPAC_ERROR_SYNTAX, 2, 9, "invalid UTF-8 in a string: byte '\\xFF'"},
    {"nul_string",
     TEXT("HOA: v1\n"
          "name: \"a\000b\"\n"),
     OPAC_ERROR_SYNTAX, 2, 9, "a string cannot contain the character '\\x00'"},
    {"lone_at",
     TEXT("HOA: v1\n"
          "Alias: @ 0\n"),
     OPAC_ERROR_SYNTAX, 2, 8, "expected the name of an alias after '@'"},
    {"leading_zero",
     TEXT("HOA: v1\n"
          "States: 01\n"),
     OPAC_ERROR_SYNTAX, 2, 9, "a number must not begin with 0"},
    {"column_in_characters",
     TEXT("HOA: v1\n"
          "/* \303\251\303\251\303\251 */ name: \"\303\274\" %\n"),
     OPAC_ERROR_SYNTAX, 2, 21, "unexpected character '%'"},
    {"huge_states",
     TEXT("HOA: v1\n"
          "States: 4000000000\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 9,
     "the number 4000000000 is too large; the largest in HOA is 2147483647"},
    {"overflow",
     TEXT("HOA: v1\n"
          "States: 99999999999999999999999999999999\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 9,
     "the number 9999999999999999999999999999... is too large; the largest in HOA is 2147483647"},
    {"many_states",
     TEXT("HOA: v1\n"
          "States: 1000001\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 9, "1000001 states: a text of this length can have at most 1000000"},
    {"large_start",
     TEXT("HOA: v1\n"
          "Start: 1000000\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 8,
     "initial state 1000000: a text of this length can have at most 1000000 states"},
    {"large_state",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 1000000\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 4, 8,
     "state 1000000: a text of this length can have at most 1000000 states"},
    {"large_target",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 2000000000\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 5, 5,
     "state 2000000000: a text of this length can have at most 1000000 states"},
    {"many_propositions",
     TEXT("HOA: v1\n"
          "AP: 1000000 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 5, "1000000 propositions; at most 64 are supported"},
    {"propositions_65",
     TEXT("HOA: v1\n"
          "AP: 65 \"p0\" \"p1\" \"p2\" \"p3\" \"p4\" \"p5\" \"p6\" \"p7\" \"p8\" \"p9\" \"p10\" "
          "\"p11\" \"p12\" \"p13\" \"p14\" \"p15\" \"p16\" \"p17\" \"p18\" \"p19\" \"p20\" \"p21\" "
          "\"p22\" \"p23\" \"p24\" \"p25\" \"p26\" \"p27\" \"p28\" \"p29\" \"p30\" \"p31\" \"p32\" "
          "\"p33\" \"p34\" \"p35\" \"p36\" \"p37\" \"p38\" \"p39\" \"p40\" \"p41\" \"p42\" \"p43\" "
          "\"p44\" \"p45\" \"p46\" \"p47\" \"p48\" \"p49\" \"p50\" \"p51\" \"p52\" \"p53\" \"p54\" "
          "\"p55\" \"p56\" \"p57\" \"p58\" \"p59\" \"p60\" \"p61\" \"p62\" \"p63\" \"p64\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 5, "65 propositions; at most 64 are supported"},
    {"propositions_66",
     TEXT(
         "HOA: v1\n"
         "AP: 66 \"epsilon\" \"p0\" \"p1\" \"p2\" \"p3\" \"p4\" \"p5\" \"p6\" \"p7\" \"p8\" \"p9\" "
         "\"p10\" \"p11\" \"p12\" \"p13\" \"p14\" \"p15\" \"p16\" \"p17\" \"p18\" \"p19\" \"p20\" "
         "\"p21\" \"p22\" \"p23\" \"p24\" \"p25\" \"p26\" \"p27\" \"p28\" \"p29\" \"p30\" \"p31\" "
         "\"p32\" \"p33\" \"p34\" \"p35\" \"p36\" \"p37\" \"p38\" \"p39\" \"p40\" \"p41\" \"p42\" "
         "\"p43\" \"p44\" \"p45\" \"p46\" \"p47\" \"p48\" \"p49\" \"p50\" \"p51\" \"p52\" \"p53\" "
         "\"p54\" \"p55\" \"p56\" \"p57\" \"p58\" \"p59\" \"p60\" \"p61\" \"p62\" \"p63\" \"p64\"\n"
         "Acceptance: 1 Inf(0)\n"
         "--BODY--\n"
         "State: 0\n"
         "[t] 0\n"
         "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 5, "66 propositions; at most 64 are supported"},
    {"large_alias",
     TEXT("HOA: v1\n"
          "Alias: @a 65\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 11, "proposition 65; at most 64 propositions are supported"},
    {"sets_64",
     TEXT("HOA: v1\n"
          "Acceptance: 64 t\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 13, "64 acceptance sets; at most 63 are supported"},
    {"sets_huge",
     TEXT("HOA: v1\n"
          "Acceptance: 2147483647 t\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 13, "2147483647 acceptance sets; at most 63 are supported"},
    {"sets_with_complements",
     TEXT("HOA: v1\n"
          "Acceptance: 63 Inf(62) & Fin(!62)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 2, 13, "64 acceptance sets, counting complements; at most 63 are supported"},
    {"states_twice",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "States: 1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "duplicate header 'States:'"},
    {"states_word",
     TEXT("HOA: v1\n"
          "States: one\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 9, "expected the number of states, found 'one'"},
    {"states_missing",
     TEXT("HOA: v1\n"
          "States:\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected the number of states, found 'Acceptance:'"},
    {"start_missing",
     TEXT("HOA: v1\n"
          "Start:\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected the number of an initial state, found 'Acceptance:'"},
    {"start_range",
     TEXT("HOA: v1\n"
          "Start: 1\n"
          "States: 1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 8,
     "initial state 1 does not exist: 'States:' declares 1, numbered from 0"},
    {"start_universal",
     TEXT("HOA: v1\n"
          "States: 2\n"
          "Start: 0&1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_UNSUPPORTED, 3, 9,
     "universal branching is not supported: expected one initial state, found '&'"},
    {"ap_twice",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\"\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "duplicate header 'AP:'"},
    {"ap_missing",
     TEXT("HOA: v1\n"
          "AP:\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected the number of propositions, found 'Acceptance:'"},
    {"ap_few",
     TEXT("HOA: v1\n"
          "AP: 2 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1,
     "expected the name of proposition 1 of 2 in quotes, found 'Acceptance:'"},
    {"ap_many",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\" \"b\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 11, "'AP:' declares 1 propositions but has more names"},
    {"ap_double",
     TEXT("HOA: v1\n"
          "AP: 2 \"a\" \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 11, "duplicate proposition 'a'"},
    {"ap_double_epsilon",
     TEXT("HOA: v1\n"
          "AP: 2 \"epsilon\" \"epsilon\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 17, "duplicate proposition 'epsilon'"},
    {"ap_unquoted",
     TEXT("HOA: v1\n"
          "AP: 1 a\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 7, "expected the name of proposition 0 of 1 in quotes, found 'a'"},
    {"alias_missing",
     TEXT("HOA: v1\n"
          "Alias: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 8, "expected the name of an alias, as in 'Alias: @name 0&1', found '0'"},
    {"alias_empty",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\"\n"
          "Alias: @a\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 4, 1,
     "expected a proposition's number, an alias, t, f, '!' or '(', found 'Acceptance:'"},
    {"alias_twice",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\"\n"
          "Alias: @a 0\n"
          "Alias: @a !0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 4, 8, "duplicate alias '@a'"},
    {"alias_unknown",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\"\n"
          "Alias: @a @b\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 11, "unknown alias '@b'; it must be defined before it is used"},
    {"alias_of_itself",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\"\n"
          "Alias: @a @a\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 11, "unknown alias '@a'; it must be defined before it is used"},
    {"alias_range",
     TEXT("HOA: v1\n"
          "Alias: @a 0 | 1\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 15, "proposition 1 does not exist: 'AP:' declares 1, numbered from 0"},
    {"alias_range_after",
     TEXT("HOA: v1\n"
          "AP: 1 \"a\"\n"
          "Alias: @a 0 | 1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 15, "proposition 1 does not exist: 'AP:' declares 1, numbered from 0"},
    {"alias_without_ap",
     TEXT("HOA: v1\n"
          "Alias: @a 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 11, "proposition 0 does not exist: 'AP:' declares 0, numbered from 0"},
    {"acceptance_missing",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "--BODY--\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 4, 1, "expected the header 'Acceptance:' before '--BODY--'"},
    {"acceptance_twice",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "duplicate header 'Acceptance:'"},
    {"acceptance_empty",
     TEXT("HOA: v1\n"
          "Acceptance: 1\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected Inf, Fin, t, f or '(', found '--BODY--'"},
    {"acceptance_no_number",
     TEXT("HOA: v1\n"
          "Acceptance: Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 13, "expected the number of acceptance sets, found 'Inf'"},
    {"acceptance_word",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Often(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 15, "expected Inf, Fin, t, f or '(', found 'Often'"},
    {"acceptance_range",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0) | Fin(1)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 28,
     "acceptance set 1 does not exist: 'Acceptance:' declares 1, numbered from 0"},
    {"acceptance_no_parenthesis",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf 0\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 19, "expected '(' after Inf or Fin, found '0'"},
    {"acceptance_open",
     TEXT("HOA: v1\n"
          "Acceptance: 1 (Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected ')' for the '(' of line 2, column 15, found '--BODY--'"},
    {"acceptance_open_inf",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected ')' after the acceptance set, found '--BODY--'"},
    {"acceptance_not",
     TEXT("HOA: v1\n"
          "Acceptance: 1 !Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 15, "expected Inf, Fin, t, f or '(', found '!'"},
    {"acceptance_operator",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0) &\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected Inf, Fin, t, f or '(', found '--BODY--'"},
    {"acceptance_close",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0))\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 21,
     "expected '&', '|', a header or '--BODY--' after the acceptance condition, found ')'"},
    {"acceptance_without_operator",
     TEXT("HOA: v1\n"
          "Acceptance: 2 Fin(0) Inf(1)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 22,
     "expected '&', '|', a header or '--BODY--' after the acceptance condition, found 'Inf'"},
    {"another_format", TEXT("// a model\nmdp\n"), OPAC_ERROR_SYNTAX, 1, 1,
     "expected 'HOA:' at the beginning of an automaton, found '/'"},
    {"acc_name_missing",
     TEXT("HOA: v1\n"
          "acc-name: 1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 11, "expected the name of an acceptance condition, found '1'"},
    {"acc_name_twice",
     TEXT("HOA: v1\n"
          "acc-name: Buchi\n"
          "acc-name: Buchi\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "duplicate header 'acc-name:'"},
    {"name_missing",
     TEXT("HOA: v1\n"
          "name: abc\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 7, "expected a name in quotes, found 'abc'"},
    {"name_twice",
     TEXT("HOA: v1\n"
          "name: \"a\"\n"
          "name: \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "duplicate header 'name:'"},
    {"tool_missing",
     TEXT("HOA: v1\n"
          "tool:\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected the name of a tool in quotes, found 'Acceptance:'"},
    {"tool_twice",
     TEXT("HOA: v1\n"
          "tool: \"a\"\n"
          "tool: \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "duplicate header 'tool:'"},
    {"property_negated",
     TEXT("HOA: v1\n"
          "properties: !\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 3, 1, "expected a property after '!', found 'Acceptance:'"},
    {"property_string",
     TEXT("HOA: v1\n"
          "properties: \"deterministic\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 13, "expected a header or '--BODY--', found a string"},
    {"alphabet",
     TEXT("HOA: v1\n"
          "Alphabet: 2 \"a\" \"b\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_UNSUPPORTED, 2, 1,
     "'Alphabet:' is not supported: expected letters that are sets of propositions ('AP:')"},
    {"unknown_header_value",
     TEXT("HOA: v1\n"
          "Foo: [0]\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 2, 6, "expected a header or '--BODY--', found '['"},
    {"edge_before_state",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "[t] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 1, "expected 'State:' or '--END--', found '['"},
    {"number_before_state",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 1, "expected 'State:' or '--END--', found '0'"},
    {"header_in_body",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "States: 1\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 1, "expected an edge, 'State:' or '--END--', found 'States:'"},
    {"state_missing",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State:\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 1, "expected the number of a state, found '--END--'"},
    {"state_word",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: zero\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 8, "expected the number of a state, found 'zero'"},
    {"state_range",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 1\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 8, "state 1 does not exist: 'States:' declares 1, numbered from 0"},
    {"state_twice",
     TEXT("HOA: v1\n"
          "States: 2\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "State: 1\n"
          "State: 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 8, "state 0 is defined twice"},
    {"state_name_twice",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0 \"a\" \"b\"\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 14, "expected an edge, 'State:' or '--END--', found a string"},
    {"target_range",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 1\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 5, "state 1 does not exist: 'States:' declares 1, numbered from 0"},
    {"target_missing",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t]\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 1,
     "expected the number of the state that the edge leads to, found '--END--'"},
    {"target_universal",
     TEXT("HOA: v1\n"
          "States: 2\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0&1\n"
          "State: 1\n"
          "--END--\n"),
     OPAC_ERROR_UNSUPPORTED, 6, 6,
     "universal branching is not supported: expected one state, found '&'"},
    {"target_universal_implicit",
     TEXT("HOA: v1\n"
          "States: 2\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "0 & 1\n"
          "State: 1\n"
          "--END--\n"),
     OPAC_ERROR_UNSUPPORTED, 6, 3,
     "universal branching is not supported: expected one state, found '&'"},
    {"mark_range",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0 {1}\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 8,
     "acceptance set 1 does not exist: 'Acceptance:' declares 1, numbered from 0"},
    {"mark_range_state",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0 {0 1}\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 13,
     "acceptance set 1 does not exist: 'Acceptance:' declares 1, numbered from 0"},
    {"mark_word",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0 {a}\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 6, 11, "expected the number of an acceptance set or '}', found 'a'"},
    {"mark_open",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0 {0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 1, "expected the number of an acceptance set or '}', found '--END--'"},
    {"marks_twice",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0 {0} {0}\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 11, "expected an edge, 'State:' or '--END--', found '{'"},
    {"label_open",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 4, "expected an operator or ']' at the end of a label, found '0'"},
    {"label_empty",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 2,
     "expected a proposition's number, an alias, t, f, '!' or '(', found ']'"},
    {"label_range",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[1] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 2, "proposition 1 does not exist: 'AP:' declares 1, numbered from 0"},
    {"label_no_ap",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 2, "proposition 0 does not exist: 'AP:' declares 0, numbered from 0"},
    {"label_alias",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[@a] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 2, "unknown alias '@a'; it must be defined before it is used"},
    {"label_parenthesis",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[(0 | (0)] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 10, "expected ')' for the '(' of line 8, column 2, found ']'"},
    {"label_close",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0)] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 3, "expected an operator or ']' at the end of a label, found ')'"},
    {"label_operator",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0 & | 0] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 6,
     "expected a proposition's number, an alias, t, f, '!' or '(', found '|'"},
    {"label_word",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[a] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 2,
     "expected a proposition's number, an alias, t, f, '!' or '(', found 'a'"},
    {"label_two",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0 0] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 4, "expected an operator or ']' at the end of a label, found '0'"},
    {"label_not_behind",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0!] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 3, "expected an operator or ']' at the end of a label, found '!'"},
    {"mixed_state_label",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: [0] 0\n"
          "[0] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 1, "labels are mixed: state 0 has a label, so its edges must have none"},
    {"mixed_explicit",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0] 0\n"
          "0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 9, 1,
     "labels are mixed: previous edges of state 0 have labels; expected '['"},
    {"mixed_implicit",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "0\n"
          "[0] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 9, 1,
     "labels are mixed: previous edges of state 0 have no labels; expected a state number"},
    {"implicit_few",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 2 \"a\" \"b\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "0 0 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 9, 1,
     "state 0 has too few edges without labels: expected 2^2, one for each letter"},
    {"implicit_many",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 1 \"a\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "0 0\n"
          "0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 9, 1,
     "state 0 has too many edges without labels: expected 2^1, one for each letter"},
    {"implicit_none",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "0 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 3,
     "state 0 has too many edges without labels: expected 2^0, one for each letter"},
    {"epsilon_joined",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 2 \"a\" \"epsilon\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0&1] 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 1,
     "the label combines 'epsilon' with other propositions; 'epsilon' must be alone, since such an "
     "edge consumes no letter"},
    {"epsilon_joined_state",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 2 \"a\" \"epsilon\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: [!0&1] 0\n"
          "0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 7, 8,
     "the label combines 'epsilon' with other propositions; 'epsilon' must be alone, since such an "
     "edge consumes no letter"},
    {"epsilon_implicit",
     TEXT("HOA: v1\n"
          "States: 2\n"
          "Start: 0\n"
          "AP: 2 \"a\" \"epsilon\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "0 0 1 0\n"
          "--END--\n"),
     OPAC_ERROR_SYNTAX, 8, 1,
     "the label combines 'epsilon' with other propositions; 'epsilon' must be alone, since such an "
     "edge consumes no letter"},
    {"second_automaton",
     TEXT("HOA: v1\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[t] 0\n"
          "--END--\n"
          "HOA: v1\n"
          "Acceptance: 0 x\n"),
     OPAC_ERROR_SYNTAX, 8, 15, "expected Inf, Fin, t, f or '(', found 'x'"},
    {"wide_label",
     TEXT("HOA: v1\n"
          "States: 1\n"
          "Start: 0\n"
          "AP: 64 \"p0\" \"p1\" \"p2\" \"p3\" \"p4\" \"p5\" \"p6\" \"p7\" \"p8\" \"p9\" \"p10\" "
          "\"p11\" \"p12\" \"p13\" \"p14\" \"p15\" \"p16\" \"p17\" \"p18\" \"p19\" \"p20\" \"p21\" "
          "\"p22\" \"p23\" \"p24\" \"p25\" \"p26\" \"p27\" \"p28\" \"p29\" \"p30\" \"p31\" \"p32\" "
          "\"p33\" \"p34\" \"p35\" \"p36\" \"p37\" \"p38\" \"p39\" \"p40\" \"p41\" \"p42\" \"p43\" "
          "\"p44\" \"p45\" \"p46\" \"p47\" \"p48\" \"p49\" \"p50\" \"p51\" \"p52\" \"p53\" \"p54\" "
          "\"p55\" \"p56\" \"p57\" \"p58\" \"p59\" \"p60\" \"p61\" \"p62\" \"p63\"\n"
          "Acceptance: 1 Inf(0)\n"
          "--BODY--\n"
          "State: 0\n"
          "[0&32 | 1&33 | 2&34 | 3&35 | 4&36 | 5&37 | 6&38 | 7&39 | 8&40 | 9&41 | 10&42 | 11&43 | "
          "12&44 | 13&45 | 14&46 | 15&47 | 16&48 | 17&49 | 18&50 | 19&51 | 20&52 | 21&53 | 22&54 | "
          "23&55 | 24&56 | 25&57 | 26&58 | 27&59 | 28&60 | 29&61 | 30&62 | 31&63] 0\n"
          "--END--\n"),
     OPAC_ERROR_LIMIT, 8, 2, "the decision diagrams grow beyond 1048576 nodes"},
};

static void each_error_has_its_message(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof wrong_texts / sizeof wrong_texts[0]; i++) {
        const wrong_text *wrong = &wrong_texts[i];
        opac_hoa_reader *reader;
        opac_automaton *automaton;
        opac_error error = {0};
        opac_status status;
        assert_ok(opac_hoa_reader_new(wrong->text, wrong->length, NULL, NULL, &reader, &error),
                  &error);
        do { /* a valid automaton may come first */
            status = opac_hoa_reader_next(reader, &automaton, &error);
            opac_automaton_free(automaton);
        } while (status == OPAC_OK && automaton != NULL);
        if (status != wrong->status || error.line != wrong->line || error.column != wrong->column ||
            strcmp(error.message, wrong->message) != 0)
            fail_msg("%s: %s %u:%u %s", wrong->name, opac_status_name(status), error.line,
                     error.column, error.message);
        assert_null(automaton);
        assert_int_equal(error.code, status);
        /* The reader stays failed. The error may be NULL. */
        assert_status(opac_hoa_reader_next(reader, &automaton, NULL), OPAC_ERROR_ARGUMENT);
        opac_hoa_reader_free(reader);
    }
}

SUITE(hoa_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_error_has_its_message),
    };
    return cmocka_run_group_tests_name("hoa_errors", tests, NULL, NULL);
}
