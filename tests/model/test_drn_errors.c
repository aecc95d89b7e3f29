/* SPDX-License-Identifier: MIT */
/* Errors of the DRN reader with their positions, also several in one file. */
#include "model/explicit.h"
#include "model/model_report.h"
#include "support/check.h"
#include "support/faults.h"

#include <unistd.h>

#include "support/temporary.h"

enum {
    MOST = 32
};

typedef struct heard {
    unsigned count;
    char lines[MOST][OPAC_MESSAGE_SIZE + 64]; /* "line:column: text" */
    bool has_excerpts;
} heard;

static void listen(void *context, const opac_message *message)
{
    heard *said = context;
    assert_true(said->count < MOST);
    assert_int_not_equal(message->code, OPAC_OK);
    if (message->line > 0 && message->excerpt == NULL)
        said->has_excerpts = false;
    snprintf(said->lines[said->count++], sizeof said->lines[0], "%u:%u: %s", message->line,
             message->column, message->text);
}

typedef struct refusal {
    const char *text;
    opac_status code;        /* of the first */
    const char *messages[4]; /* all, in the order of their positions */
} refusal;

static void check_refusal(const refusal *expected, const opac_model_options *given)
{
    heard said = {.has_excerpts = true};
    opac_model_options options = *given;
    opac_model *model = NULL;
    opac_error error = {0};
    unsigned count = 0;
    options.listener = listen;
    options.listener_context = &said;
    opac_status status =
        model_read_drn_text(expected->text, strlen(expected->text), &options, &model, &error);
    if (status == OPAC_OK)
        fail_msg("accepted: %s", expected->text);
    assert_null(model);
    while (count < 4 && expected->messages[count] != NULL)
        count++;
    for (unsigned i = 0; i < count || i < said.count; i++) {
        const char *got = i < said.count ? said.lines[i] : "nothing";
        const char *due = i < count ? expected->messages[i] : "nothing";
        if (strcmp(got, due) != 0)
            fail_msg("\n%s\ngives   %s\nand not %s", expected->text, got, due);
    }
    assert_status(status, expected->code);
    assert_int_equal(error.code, status);
    assert_true(said.has_excerpts);
}

#define TYPE   "@type: MDP\n"
#define STATES "@nr_states\n2\n"
#define MODEL  "@model\n"
#define TWO    TYPE STATES MODEL
#define ZERO   "state 0 init\naction 0\n0 : 1\n"
#define ONE    "state 1\naction 0\n0 : 1\n"

static void test_header(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"",
         OPAC_ERROR_SYNTAX,
         {"1:1: the file ends before @model, which must precede the states"}},
        {"// nothing\n" TYPE,
         OPAC_ERROR_SYNTAX,
         {"2:1: the file ends before @model, which must precede the states"}},
        {MODEL ZERO, OPAC_ERROR_SYNTAX, {"1:1: missing before @model: @type:, @nr_states"}},
        {TYPE MODEL ZERO, OPAC_ERROR_SYNTAX, {"2:1: missing before @model: @nr_states"}},
        {STATES MODEL ZERO, OPAC_ERROR_SYNTAX, {"3:1: missing before @model: @type:"}},
        {"@type: CTMC\n" STATES MODEL,
         OPAC_ERROR_UNSUPPORTED,
         {"1:8: ctmc models are not supported"}},
        {"@type: Markov Automaton\n" STATES MODEL,
         OPAC_ERROR_UNSUPPORTED,
         {"1:8: markov automaton models are not supported"}},
        {"@type: pomdp\n" STATES MODEL,
         OPAC_ERROR_UNSUPPORTED,
         {"1:8: pomdp models are not supported"}},
        {"@type: SMG\n@nr_players\n2\n" STATES MODEL,
         OPAC_ERROR_UNSUPPORTED,
         {"1:8: smg models are not supported"}},
        {"@type: MPD\n" STATES MODEL,
         OPAC_ERROR_SYNTAX,
         {"1:8: expected a model type, DTMC or MDP, found 'MPD'"}},
        {"@type:\n" STATES MODEL,
         OPAC_ERROR_SYNTAX,
         {"1:7: expected a model type, DTMC or MDP, found ''"}},
        {"@value_type: double-interval\n" TWO,
         OPAC_ERROR_UNSUPPORTED,
         {"1:14: double-interval models are not supported"}},
        {"@value_type: parametric\n" TWO,
         OPAC_ERROR_UNSUPPORTED,
         {"1:14: parametric models are not supported"}},
        {"@value_type: float\n" TWO,
         OPAC_ERROR_SYNTAX,
         {"1:14: expected a value type, double or rational, found 'float'"}},
        {"@parameters\np q\n" TWO,
         OPAC_ERROR_UNSUPPORTED,
         {"2:1: models with parameters are not supported (here: 'p q')"}},
        {TYPE TYPE STATES MODEL,
         OPAC_ERROR_SYNTAX,
         {"2:1: @type is repeated; line 1 already has it"}},
        {TYPE STATES STATES MODEL,
         OPAC_ERROR_SYNTAX,
         {"4:1: @nr_states is repeated; line 2 already has it"}},
        {TYPE "@nr_state\n2\n" MODEL,
         OPAC_ERROR_SYNTAX,
         {"2:1: expected an item of the header such as @type: or @model, found '@nr_state'; did "
          "you mean @nr_states?",
          "3:1: expected an item of the header such as @type: or @model, found '2'",
          "4:1: missing before @model: @nr_states"}},
        {TYPE "@nr_states\n" MODEL, OPAC_ERROR_SYNTAX, {"3:1: expected a number after @nr_states"}},
        {TYPE "@nr_states\n-1\n" MODEL,
         OPAC_ERROR_SYNTAX,
         {"3:1: expected a number after @nr_states, found '-1'"}},
        {TYPE "@nr_states\n99999999999999999999\n" MODEL,
         OPAC_ERROR_SYNTAX,
         {"3:1: expected a number after @nr_states, found '99999999999999999999'"}},
        {TYPE "@nr_states\n0\n" MODEL,
         OPAC_ERROR_ARGUMENT,
         {"3:1: a model must have at least one state"}},
        {TYPE "@nr_states\n50000001\n" MODEL,
         OPAC_ERROR_LIMIT,
         {"3:1: the model has 50000001 states, but the limit is 50000000"}},
        {TYPE "@nr_states 2\n" MODEL,
         OPAC_ERROR_SYNTAX,
         {"2:12: expected the end of the line after @nr_states",
          "3:1: expected a number after @nr_states"}},
        {"@placeholders\nx : 1\n$ : 1\n$y 1\n$z : p\n" TWO,
         OPAC_ERROR_SYNTAX,
         {"2:1: expected '$name : value', found 'x'", "3:1: expected '$name : value', found '$'",
          "4:1: expected '$name : value', found '$y'", "5:6: expected a probability, found 'p'"}},
        {"@placeholders\n$x : 1\n$x : 1\n" TWO,
         OPAC_ERROR_SYNTAX,
         {"3:1: the placeholder '$x' is defined twice"}},
        {"\x7F"
         "ELF\x01\n\xFF\n",
         OPAC_ERROR_SYNTAX,
         {"1:1: expected an item of the header such as @type: or @model, found "
          "'\\x7FELF\\x01'"}},
        {"mdp\nmodule m\nendmodule\n",
         OPAC_ERROR_SYNTAX,
         {"1:1: expected an item of the header such as @type: or @model, found 'mdp'"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refusal(&cases[i], &(opac_model_options){0});
}

static void test_states(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {TWO ZERO,
         OPAC_ERROR_ARGUMENT,
         {"3:1: @nr_states is 2, but the file has 1; is it truncated?"}},
        {TWO ZERO ONE "state 2\naction 0\n0 : 1\n",
         OPAC_ERROR_ARGUMENT,
         {"11:7: state 2 does not exist: line 3 declares 2 states"}},
        {TYPE STATES "@nr_choices\n3\n" MODEL ZERO ONE,
         OPAC_ERROR_ARGUMENT,
         {"5:1: @nr_choices is 3, but the file has 2"}},
        {TWO "state 1 init\naction 0\n0 : 1\nstate 2\naction 0\n0 : 1\n",
         OPAC_ERROR_ARGUMENT,
         {"5:7: expected state 0, found 1: states must be numbered 0, 1, 2 … in order",
          "8:7: state 2 does not exist: line 3 declares 2 states"}},
        {TWO ZERO ZERO,
         OPAC_ERROR_ARGUMENT,
         {"8:7: expected state 1, found 0: states must be numbered 0, 1, 2 … in order"}},
        {TWO "state\n", OPAC_ERROR_SYNTAX, {"5:6: expected the number of the state"}},
        {TWO "state x init\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:7: expected the number of the state, found 'x'"}},
        {TWO "state 0\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"4:1: there is no initial state: no state has the label 'init'"}},
        {TWO "state 0 !5 init\n",
         OPAC_ERROR_UNSUPPORTED,
         {"5:9: rates (continuous-time models) are not supported"}},
        {TWO "state 0 [1] {3} init\n",
         OPAC_ERROR_UNSUPPORTED,
         {"5:13: observations (POMDPs) are not supported"}},
        {TWO "state 0 [1, 2 init\n", OPAC_ERROR_SYNTAX, {"5:9: expected ']' after the rewards"}},
        {TWO "state 0 init \"a b\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:14: the closing quotation mark is missing"}},
        {TWO "state 0 init \"\"\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:14: the name of the label is empty"}},
        {TWO "state 0 init ä\"b\"\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:15: the label contains a quotation mark"}},
        {TWO "state 0 init // here\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:14: a comment must be on a line of its own; a label that begins with // must be in "
          "quotation marks"}},
        {TWO "state 0 init a\x01\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:14: the name of the label is invalid UTF-8 or has control characters"}},
        {TWO "state 0 init \xC3\naction 0\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"5:14: the name of the label is invalid UTF-8 or has control characters"}},
        {TWO "stat 0 init\n" ZERO ONE,
         OPAC_ERROR_SYNTAX,
         {"5:1: expected 'state', 'action' or a branch 'state : probability', found 'stat'; did "
          "you mean 'state'?"}},
        {TWO ZERO "@model\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"8:1: expected 'state', 'action' or a branch 'state : probability', found '@model'"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refusal(&cases[i], &(opac_model_options){0});
}

static void test_choices(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {TWO "action 0\n0 : 1\n" ZERO ONE,
         OPAC_ERROR_SYNTAX,
         {"5:1: an action before the first state"}},
        {TWO "0 : 1\n" ZERO ONE, OPAC_ERROR_SYNTAX, {"5:1: a branch before the first state"}},
        {TWO "state 0 init\naction\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"6:7: expected the name of the action"}},
        {TWO "state 0 init\n\taction a b\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"6:11: expected the end of the line, found 'b'"}},
        {TWO "state 0 init\n\taction a [1\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"6:11: expected ']' after the rewards"}},
        {TWO "state 0 init\n\taction a\x02\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"6:9: the name of the action is invalid UTF-8 or has control characters"}},
        {TWO "state 0 init\naction 0\n\taction 1\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"6:1: the action has no branches"}},
        {TWO "state 0 init\n0 : 1\naction 1\n0 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:1: an action after branches without an action"}},
        {"@type: DTMC\n" STATES MODEL "state 0 init\naction 0\n0 : 1\n action 1\n0 : 1\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"8:2: a state of a DTMC must not have more than one action"}},
        {TWO "state 0 init\n\taction 0\n\t\t2 : 1\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"7:3: state 2 does not exist: line 3 declares 2 states"}},
        {TWO "state 0 init\n\taction 0\n\t\t1x : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:3: expected a state, found '1x'"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:3: expected 'state : probability'"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 :\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:6: expected a probability"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : p*q\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:7: expected a probability, found 'p*q'"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : 1 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:7: expected a probability, found '1 1'"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : 1/0\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:7: the probability '1/0': division by zero"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : .\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:7: expected a probability, found '.'"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : [0.1, 0.2]\n" ONE,
         OPAC_ERROR_UNSUPPORTED,
         {"7:7: interval probabilities are not supported"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : $p\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:7: '$p' is not defined in @placeholders"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : -0.5\n\t\t0 : 1.5\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"7:7: the probability -0.5 is not in [0, 1]",
          "8:7: the probability 1.5 is not in [0, 1]"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : 0.5\n\t\t0 : 0.25\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"6:2: the probabilities sum to 0.75 instead of 1"}},
        {TWO "state 0 init\n\taction 0\n\t\t1 : 0\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"6:2: the probabilities sum to 0 instead of 1"}},
        {TWO "state 0 init\n0 : 1\nstate 1\n 1 : 0.5\n",
         OPAC_ERROR_ARGUMENT,
         {"8:2: the probabilities sum to 0.5 instead of 1"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refusal(&cases[i], &(opac_model_options){0});
}

/* Independent errors are reported together, in order. */
static void test_several(void **state)
{
    (void)state;
    static const refusal several = {
        TWO "state 0 init\naction 0\n0 : x\n1 : 0.1\naction 1\n7 : 1\naction 2\n0 : 0.5\nstate 1\n"
            "action 0\n0 : 2\n",
        OPAC_ERROR_SYNTAX,
        {"7:5: expected a probability, found 'x'",
         "10:1: state 7 does not exist: line 3 declares 2 states",
         "11:1: the probabilities sum to 0.5 instead of 1",
         "15:5: the probability 2 is not in [0, 1]"}};
    check_refusal(&several, &(opac_model_options){0});
    static const refusal headers = {"@type: CTMC\n@value_type: x\n@parameters\np\n" STATES MODEL,
                                    OPAC_ERROR_UNSUPPORTED,
                                    {"1:8: ctmc models are not supported",
                                     "2:14: expected a value type, double or rational, found 'x'",
                                     "4:1: models with parameters are not supported (here: 'p')"}};
    check_refusal(&headers, &(opac_model_options){0});
}

/* At most MODEL_MOST_ERRORS errors are reported; the rest of the file is not read. */
static void test_very_many(void **state)
{
    (void)state;
    static const char head[] = "@type: MDP\n@nr_states\n1\n@model\nstate 0 init\naction 0\n";
    size_t size = sizeof head + (size_t)100 * 6;
    char *text = malloc(size);
    heard said = {0};
    opac_model_options options = {.listener = listen, .listener_context = &said};
    opac_model *model;
    opac_error error = {0};
    assert_non_null(text);
    size_t length = (size_t)snprintf(text, size, "%s", head);
    for (int i = 0; i < 100; i++)
        length += (size_t)snprintf(text + length, size - length, "0 : x\n");
    assert_status(model_read_drn_text(text, length, &options, &model, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(said.count, MODEL_MOST_ERRORS);
    assert_int_equal(error.line, 7);
    free(text);
}

static void test_exact(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {TWO "state 0 init\naction 0\n0 : 0.3333\n1 : 2/3\n" ONE,
         OPAC_ERROR_ARGUMENT,
         {"6:1: the probabilities sum to 0.9999666666666667 instead of 1"}},
        {TWO "state 0 init\naction 0\n0 : 1e-400\n1 : 1\n" ONE,
         OPAC_ERROR_SYNTAX,
         {"7:5: the probability '1e-400': too small for a double, and not 0"}},
        {TWO "state 0 init\naction 0\n0 : 0.1234567890123456789012345\n1 : 1\n" ONE,
         OPAC_ERROR_LIMIT,
         {"7:5: '0.1234567890123456789012345' does not fit in a fraction of 64-bit numbers, which "
          "exact results need"}},
        {TWO "state 0 init\naction 0\n0 : 1/4611686018427387847\n1 : 1/4611686018427387817\n" ONE,
         OPAC_ERROR_LIMIT,
         {"6:1: the sum of the probabilities does not fit in a fraction of 64-bit numbers"}},
    };
    opac_model_options options = {.exact = true};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refusal(&cases[i], &options);
    static const refusal limit = {
        TWO ZERO ONE, OPAC_ERROR_LIMIT, {"3:1: the model has 2 states, but the limit is 1"}};
    check_refusal(&limit, &(opac_model_options){.max_states = 1});
    static const refusal huge = {
        TYPE "@nr_states\n4294967295\n" MODEL ZERO,
        OPAC_ERROR_LIMIT,
        {"3:1: the model has 4294967295 states, but the limit is 4294967294"}};
    check_refusal(&huge, &(opac_model_options){.max_states = UINT64_MAX});
}

/* The memory of the model is limited; the message has no position. */
static void test_memory(void **state)
{
    (void)state;
    static const char text[] = TWO ZERO ONE;
    opac_model *model;
    opac_error error = {0};
    opac_model_options options = {.max_memory =
                                      47}; /* two states, choices and branches, one label entry */
    assert_status(model_read_drn_text(text, strlen(text), &options, &model, &error),
                  OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "2 states need more memory than the limit of 0 MiB");
    assert_int_equal(error.line, 0);
    options.max_memory = 48;
    assert_ok(model_read_drn_text(text, strlen(text), &options, &model, &error), &error);
    opac_model_free(model);
}

/* A separate label for each of very many states would need too much memory for the size of the file. */
static void test_labels(void **state)
{
    (void)state;
    enum {
        STATES_COUNT = 60000
    };
    size_t size = (size_t)STATES_COUNT * 40, length;
    char *text = malloc(size);
    opac_model *model;
    opac_error error = {0};
    assert_non_null(text);
    length = (size_t)snprintf(text, size, "@type: MDP\n@nr_states\n%d\n@model\n", STATES_COUNT);
    for (int s = 0; s < STATES_COUNT; s++)
        length += (size_t)snprintf(text + length, size - length, "state %d init l%d\n0:1\n", s, s);
    assert_status(model_read_drn_text(text, length, NULL, &model, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "60000 labels are too many for 60000 states");
    free(text);
}

/* Each prefix of a file is an error. */
static void test_prefixes(void **state)
{
    (void)state;
    static const char text[] =
        "@type: MDP\n@parameters\n\n@reward_models\nr\n@nr_states\n2\n@nr_choices\n3\n@model\n"
        "state 0 [0] init \"a b\"\n//[x=1\t& b]\n\taction go [1]\n\t\t0 : 0.5\n\t\t1 : 1/2\n"
        "state 1\n//[x=1\t& b]\n\taction go\n\t\t0 : 1\n\taction a\n\t\t0 : 1";
    for (size_t length = 0; length < strlen(text); length++) {
        char *copy = malloc(length > 0 ? length : 1);
        opac_model *model = NULL;
        opac_error error = {0};
        assert_non_null(copy);
        memcpy(copy, text, length);
        if (model_read_drn_text(copy, length, NULL, &model, &error) == OPAC_OK)
            fail_msg("accepted: %.*s", (int)length, copy);
        assert_true(error.line > 0);
        free(copy);
    }
}

/* Messages about a file have its path and the line, even if the line was read long before. */
typedef struct file_messages {
    const char *path;
    unsigned count;
    char lines[2][40];
} file_messages;

static void hear_line(void *context, const opac_message *message)
{
    file_messages *said = context;
    assert_string_equal(message->path, said->path);
    assert_true(said->count < 2);
    assert_non_null(message->excerpt);
    snprintf(said->lines[said->count++], sizeof said->lines[0], "%u: %.*s", message->line,
             (int)message->excerpt_length, message->excerpt);
}

static void test_file(void **state)
{
    (void)state;
    char folder[200], path[250];
    opac_model *model;
    opac_error error = {0};
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/model.drn", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(TWO "state 0 init\naction 0\n  0 : x\n 3 : 1\n" ONE, file);
    fclose(file);
    file_messages said = {.path = path};
    opac_model_options options = {.listener = hear_line, .listener_context = &said};
    assert_status(model_read_drn(path, &options, &model, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(error.line, 7);
    assert_int_equal(said.count, 2);
    assert_string_equal(said.lines[0], "7:   0 : x");
    assert_string_equal(said.lines[1], "8:  3 : 1");
    unlink(path);
    rmdir(folder);
}

/* Reads a file with a listener, so that lines with errors are copied. */
static void ignore(void *context, const opac_message *message)
{
    (void)context;
    (void)message;
}

static opac_status refuse_file(void *context, opac_error *error)
{
    opac_model *model;
    opac_model_options options = {.listener = ignore};
    opac_status status = model_read_drn(context, &options, &model, error);
    return status == OPAC_ERROR_SYNTAX ? OPAC_OK : status;
}

static opac_status refuse(void *context, opac_error *error)
{
    const char *text = context;
    opac_model *model;
    opac_status status = model_read_drn_text(text, strlen(text), NULL, &model, error);
    return status == OPAC_ERROR_SYNTAX ? OPAC_OK : status;
}

static void test_faults(void **state)
{
    (void)state;
    static char text[] = TWO "state 0 init\naction 0\n0 : x\n1 : 0.1\naction 1\n7 : 1\n";
    char folder[200], path[250];
    assert_true(faults_sweep(refuse, text) > 3);
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/model.drn", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_true(faults_sweep(refuse_file, path) > 5);
    unlink(path);
    rmdir(folder);
}

SUITE(drn_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),    cmocka_unit_test(test_states),
        cmocka_unit_test(test_choices),   cmocka_unit_test(test_several),
        cmocka_unit_test(test_very_many), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_labels),
        cmocka_unit_test(test_prefixes),  cmocka_unit_test(test_file),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
