/* SPDX-License-Identifier: MIT */
/*
 * PRISM's explicit files: a model that is written is read back bit for bit, for any order of the lines; and
 * variations in files of other programs.
 */
#include <omegapac/builder.h>

#include <unistd.h>

#include "model/explicit_read.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random_model.h"
#include "support/temporary.h"

static opac_error error;

/* ---- texts ---- */

typedef void (*write_function)(const opac_model *model, opac_output *out);

/* A copy that the caller frees. */
static char *text_of(const opac_model *model, write_function write, size_t *length)
{
    opac_output *out;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    write(model, out);
    const char *bytes = opac_output_bytes(out, length);
    assert_non_null(bytes);
    char *copy = malloc(*length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, *length + 1);
    opac_output_free(out);
    return copy;
}

typedef struct texts {
    char *tra, *lab, *sta;
    size_t tra_length, lab_length, sta_length;
} texts;

static void write_texts(const opac_model *model, texts *t)
{
    t->tra = text_of(model, opac_model_write_tra, &t->tra_length);
    t->lab = text_of(model, opac_model_write_lab, &t->lab_length);
    t->sta = text_of(model, opac_model_write_sta, &t->sta_length);
}

static void free_texts(texts *t)
{
    free(t->tra);
    free(t->lab);
    free(t->sta);
}

static opac_status read_texts(const texts *t, const opac_model_options *options, opac_model **model,
                              opac_error *err)
{
    bool has_initial;
    model_source tra = {.text = t->tra, .length = t->tra_length, .options = options};
    model_source lab = {.text = t->lab, .length = t->lab_length, .options = options};
    model_source sta = {.text = t->sta, .length = t->sta_length, .options = options};
    opac_status status = model_tra_read(&tra, model, &has_initial, err);
    if (status != OPAC_OK)
        return status;
    if (t->lab != NULL)
        status = model_lab_read(&lab, has_initial, *model, err);
    if (status == OPAC_OK && t->sta != NULL)
        status = model_sta_read(&sta, *model, err);
    if (status != OPAC_OK)
        opac_model_free(*model);
    return status;
}

static void refuse_messages(void *context, const opac_message *message)
{
    (void)context;
    fail_msg("unexpected: %s", message->text);
}

/* ---- round trips ---- */

static void test_round_trip(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (uint32_t round = 0; round < 600; round++) {
        random_model_shape shape = random_model_draw(&random, 70);
        opac_model *model = random_model(&random, shape), *again;
        opac_model_options options = {.exact = shape.exact, .listener = refuse_messages};
        texts t;
        write_texts(model, &t);
        assert_ok(read_texts(&t, &options, &again, &error), &error);
        assert_ok(model_check(again, &error), &error);
        assert_same_process(model, again);
        assert_same_labels(model, again);
        assert_same_values(model, again);
        opac_model_free(again);
        opac_model_free(model);
        free_texts(&t);
    }
}

/* ---- any order of lines ---- */

/* Shuffles all lines except the first. */
static char *shuffle(const char *text, uint64_t *random)
{
    enum {
        MOST = 2000
    };
    const char *lines[MOST];
    size_t lengths[MOST], count = 0;
    const char *at = strchr(text, '\n') + 1;
    char *made = malloc(strlen(text) + 1), *to = made;
    assert_non_null(made);
    for (; *at != '\0'; at = strchr(at, '\n') + 1) {
        assert_true(count < MOST);
        lines[count] = at;
        lengths[count++] = (size_t)(strchr(at, '\n') + 1 - at);
    }
    memcpy(to, text, (size_t)(strchr(text, '\n') + 1 - text));
    to += strchr(text, '\n') + 1 - text;
    for (size_t left = count; left > 0; left--) {
        size_t i = random_below(random, (uint32_t)left);
        memcpy(to, lines[i], lengths[i]);
        to += lengths[i];
        lines[i] = lines[left - 1];
        lengths[i] = lengths[left - 1];
    }
    *to = '\0';
    return made;
}

/* Compares branches by their targets, since their order in a choice is that of the file. */
static void assert_same_branches(const opac_model *a, const opac_model *b)
{
    assert_int_equal(opac_model_states(a), opac_model_states(b));
    assert_int_equal(opac_model_choices(a), opac_model_choices(b));
    assert_int_equal(opac_model_transitions(a), opac_model_transitions(b));
    for (uint32_t c = 0; c < opac_model_choices(a); c++) {
        uint32_t begin = opac_model_branch_begin(a, c), count = opac_model_branch_count(a, c);
        assert_int_equal(opac_model_branch_begin(b, c), begin);
        assert_int_equal(opac_model_branch_count(b, c), count);
        for (uint32_t i = begin; i < begin + count; i++) {
            uint32_t j = begin;
            while (j < begin + count &&
                   opac_model_branch_target(b, j) != opac_model_branch_target(a, i))
                j++;
            assert_true(j < begin + count);
            assert_true(opac_model_branch_probability(a, i) == opac_model_branch_probability(b, j));
            if (a->exact != NULL)
                assert_int_equal(base_ratio_compare(a->exact[i], b->exact[j]), 0);
        }
    }
}

static void test_any_order(void **state)
{
    (void)state;
    uint64_t random = random_seed(2);
    for (uint32_t round = 0; round < 300; round++) {
        random_model_shape shape = random_model_draw(&random, 70);
        opac_model *model = random_model(&random, shape), *again;
        opac_model_options options = {.exact = shape.exact, .listener = refuse_messages};
        texts t, mixed = {0};
        write_texts(model, &t);
        mixed = (texts){.tra = shuffle(t.tra, &random),
                        .lab = shuffle(t.lab, &random),
                        .sta = shuffle(t.sta, &random),
                        .tra_length = t.tra_length,
                        .lab_length = t.lab_length,
                        .sta_length = t.sta_length};
        assert_ok(read_texts(&mixed, &options, &again, &error), &error);
        assert_ok(model_check(again, &error), &error);
        assert_same_branches(model, again);
        assert_same_actions(model, again);
        assert_same_labels(model, again);
        assert_same_values(model, again);
        opac_model_free(again);
        opac_model_free(model);
        free_texts(&t);
        free_texts(&mixed);
    }
}

/* ---- files of other programs ---- */

typedef struct heard {
    unsigned count;
    opac_message last;
    char text[OPAC_MESSAGE_SIZE];
    char path[256];
    char excerpt[256];
} heard;

static void hear(void *context, const opac_message *message)
{
    heard *h = context;
    h->count++;
    h->last = *message;
    snprintf(h->text, sizeof h->text, "%s", message->text);
    snprintf(h->path, sizeof h->path, "%s", message->path != NULL ? message->path : "");
    snprintf(h->excerpt, sizeof h->excerpt, "%.*s", (int)message->excerpt_length,
             message->excerpt != NULL ? message->excerpt : "");
}

static opac_model *read_tra(const char *text, heard *h)
{
    opac_model *model;
    opac_model_options options = {.listener = hear, .listener_context = h};
    *h = (heard){0};
    assert_ok(model_read_tra_text(text, strlen(text), &options, &model, &error), &error);
    assert_ok(model_check(model, &error), &error);
    return model;
}

/* Blanks, comments, empty lines, CRLF, a byte-order mark, no final line end: the model is the same. */
static void test_layouts(void **state)
{
    (void)state;
    static const char *const layouts[] = {
        "2 3 4\n0 0 0 0.5 a\n0 0 1 0.5 a\n0 1 1 1 b\n1 0 1 1\n",
        "2 3 4\r\n0 0 0 0.5 a\r\n0 0 1 0.5 a\r\n0 1 1 1 b\r\n1 0 1 1\r\n",
        "2 3 4\n0 0 0 0.5 a\n0 0 1 0.5 a\n0 1 1 1 b\n1 0 1 1",
        "\xEF\xBB\xBF"
        "2 3 4\n0 0 0 .5 a\n0 0 1 5e-1 a\n0 1 1 1.0 b\n1 0 1 1/1\n",
        "# Transitions (MDP)\n\n  2\t3 4 \n# x\n 0  0 0 1/2   a \n0 0 1 0.50 a\n\n0 1 1 1 b\n1 0 1 "
        "1\n#",
        "2 3 4\n1 0 1 1\n0 1 1 1 b\n0 0 0 0.5 a\n0 0 1 0.5 a\n",
    };
    heard h;
    opac_model *first = read_tra(layouts[0], &h);
    assert_int_equal(h.count, 0);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        opac_model *model = read_tra(layouts[i], &h);
        assert_int_equal(h.count, 0);
        assert_same_process(first, model);
        assert_same_labels(first, model);
        opac_model_free(model);
    }
    assert_int_equal(opac_model_initial_count(first), 1);
    assert_int_equal(opac_model_initial(first, 0), 0);
    opac_model_free(first);
}

static void test_zero_and_repeated_branches(void **state)
{
    (void)state;
    heard h;
    opac_model *model = read_tra("3 6\n0 1 0\n0 2 0.25\n0 1 0.5\n0 2 0.25\n1 1 1\n2 0 1\n", &h);
    assert_int_equal(h.count, 0);
    assert_int_equal(opac_model_transitions(model), 4);
    assert_int_equal(opac_model_branch_target(model, 0), 2);
    assert_true(opac_model_branch_probability(model, 0) == 0.5);
    assert_int_equal(opac_model_branch_target(model, 1), 1);
    opac_model_free(model);
}

static void test_deadlocks(void **state)
{
    (void)state;
    heard h;
    opac_model *model = read_tra("4 2\n0 1 1\n2 3 1\n", &h);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.text, "2 states have no choices (deadlocks), the first is state 1; a "
                                "self-loop is added to each");
    assert_int_equal(opac_model_transitions(model), 4);
    assert_int_equal(opac_model_label_states(model, MODEL_LABEL_DEADLOCK), 2);
    assert_true(opac_model_has_label(model, 1, MODEL_LABEL_DEADLOCK));
    assert_true(opac_model_has_label(model, 3, MODEL_LABEL_DEADLOCK));
    assert_int_equal(opac_model_branch_target(model, 1), 1);
    assert_int_equal(opac_model_branch_target(model, 3), 3);
    opac_model_free(model);
}

static void test_warnings(void **state)
{
    (void)state;
    heard h;
    opac_model *model = read_tra("2 3\n0 0 0.5 a\n0 1 0.5 b\n1 1 1 c\n", &h);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.last.line, 3);
    assert_string_equal(h.excerpt, "0 1 0.5 b");
    assert_string_equal(h.text, "transitions from one state of a DTMC have different actions; the "
                                "actions of such states are ignored");
    assert_string_equal(opac_model_choice_action(model, 0), "");
    assert_string_equal(opac_model_choice_action(model, 1), "c");
    opac_model_free(model);

    model = read_tra("2 3\n1 1 1\n0 0 0.333333\n0 1 0.666666\n", &h);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.last.line, 3);
    assert_int_equal(h.last.code, OPAC_OK);
    assert_string_equal(h.text, "the probabilities of 1 choice do not sum to 1 and are divided by "
                                "their sum, which is 0.999999 in state 0");
    assert_true(opac_model_branch_probability(model, 0) == 0.333333 / 0.999999);
    opac_model_free(model);
}

/* Lines of initial states, which PRISM writes for some types and reads for all. */
static void test_initial_lines(void **state)
{
    (void)state;
    heard h;
    opac_model *model = read_tra("3 3\n- 2 -\n- 1 -\n0 0 1\n1 1 1\n2 2 1\n", &h);
    assert_int_equal(opac_model_initial_count(model), 2);
    assert_int_equal(opac_model_initial(model, 0), 1);
    assert_int_equal(opac_model_initial(model, 1), 2);
    opac_model_free(model);
    model = read_tra("2 2 2\n- - 1 -\n0 0 0 1\n1 0 1 1\n", &h);
    assert_int_equal(opac_model_initial(model, 0), 1);
    opac_model_free(model);
}

/* Many branches of a choice and many choices of a state in reverse order take no quadratic time. */
static void test_large(void **state)
{
    (void)state;
    enum {
        MANY = 200000
    };
    size_t size = MANY * 40, length;
    char *text = malloc(size);
    heard h;
    assert_non_null(text);
    length = (size_t)snprintf(text, size, "%d %d\n", MANY, 2 * MANY - 1);
    for (int i = MANY - 1; i >= 0; i--)
        length += (size_t)snprintf(text + length, size - length, "0 %d 1/%d\n", i, MANY);
    for (int i = 1; i < MANY; i++)
        length += (size_t)snprintf(text + length, size - length, "%d 0 1\n", i);
    opac_model *model = read_tra(text, &h);
    assert_int_equal(h.count, 0);
    assert_int_equal(opac_model_branch_count(model, 0), MANY);
    opac_model_free(model);

    length = (size_t)snprintf(text, size, "2 %d %d\n", MANY + 1, MANY + 1);
    for (int i = MANY - 1; i >= 0; i--)
        length += (size_t)snprintf(text + length, size - length, "0 %d 1 1 a%d\n", i, i);
    snprintf(text + length, size - length, "1 0 0 1\n");
    model = read_tra(text, &h);
    assert_int_equal(opac_model_choice_count(model, 0), MANY);
    assert_string_equal(opac_model_choice_action(model, 77), "a77");
    opac_model_free(model);
    free(text);
}

/* ---- labels and states ---- */

static texts texts_of(const char *tra, const char *lab, const char *sta)
{
    return (texts){.tra = (char *)tra,
                   .lab = (char *)lab,
                   .sta = (char *)sta,
                   .tra_length = strlen(tra),
                   .lab_length = lab != NULL ? strlen(lab) : 0,
                   .sta_length = sta != NULL ? strlen(sta) : 0};
}

static const char three[] = "3 3\n0 1 1\n1 2 1\n2 2 1\n";

static void test_labels(void **state)
{
    (void)state;
    heard h = {0};
    opac_model *model;
    opac_model_options options = {.listener = hear, .listener_context = &h};
    texts t = texts_of(three,
                       "# Labels\n  0=\"init\"   1=\"deadlock\" 2 = \"a b\"\t3=\"none\" \r\n"
                       "2: 1 2\r\n\n# more\n1:2 0\n1: 0\n0 :\n",
                       NULL);
    assert_ok(read_texts(&t, &options, &model, &error), &error);
    assert_ok(model_check(model, &error), &error);
    assert_int_equal(h.count, 0);
    assert_int_equal(opac_model_label_count(model), 4);
    assert_string_equal(opac_model_label(model, 2), "a b");
    assert_int_equal(opac_model_label_states(model, 2), 2);
    assert_int_equal(opac_model_label_states(model, 3), 0);
    assert_true(opac_model_has_label(model, 2, MODEL_LABEL_DEADLOCK));
    assert_int_equal(opac_model_initial_count(model), 1);
    assert_int_equal(opac_model_initial(model, 0), 1);
    opac_model_free(model);

    t = texts_of(three, "0=\"x\"\n2: 0\n", NULL);
    assert_ok(read_texts(&t, &options, &model, &error), &error);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.text, "there is no label \"init\"; state 0 is the initial state");
    assert_int_equal(opac_model_initial(model, 0), 0);
    assert_true(opac_model_has_label(model, 2, 2));
    opac_model_free(model);
}

static void test_states(void **state)
{
    (void)state;
    opac_model *model;
    opac_model_options options = {.listener = refuse_messages};
    texts t = texts_of(three, NULL,
                       " ( x , ok,k) \r\n2:( 5 ,true, 9)\n\n# no\n0 : (-7,false,9)\n1:(0,true,9)");
    int64_t low, high;
    assert_ok(read_texts(&t, &options, &model, &error), &error);
    assert_ok(model_check(model, &error), &error);
    assert_int_equal(opac_model_variable_count(model), 3);
    assert_string_equal(opac_model_variable(model, 0), "x");
    assert_int_equal(opac_model_variable_type(model, 1), OPAC_VALUE_BOOL);
    opac_model_variable_range(model, 0, &low, &high);
    assert_int_equal(low, -7);
    assert_int_equal(high, 5);
    assert_int_equal(opac_model_value(model, 0, 0), -7);
    assert_int_equal(opac_model_value(model, 1, 1), 1);
    assert_int_equal(opac_model_value(model, 2, 2), 9);
    opac_model_free(model);

    t = texts_of(three, NULL, "()\n0:()\n1:()\n2:()\n");
    assert_ok(read_texts(&t, &options, &model, &error), &error);
    assert_int_equal(opac_model_variable_count(model), 0);
    opac_model_free(model);
}

/* ---- files ---- */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static opac_status read_path(void *context, opac_error *err)
{
    opac_model *model;
    opac_status status = model_read_tra(context, NULL, &model, err);
    if (status == OPAC_OK)
        opac_model_free(model);
    return status;
}

static void test_files(void **state)
{
    (void)state;
    char folder[256], path[512];
    opac_model *model;
    heard h = {0};
    opac_model_options options = {.listener = hear, .listener_context = &h};
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/m.tra", folder);
    assert_status(model_read_tra(path, &options, &model, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "m.tra"));
    assert_int_equal(h.count, 0);

    write_file(folder, "m.tra", three);
    assert_ok(model_read_tra(path, NULL, &model, &error), &error);
    assert_int_equal(opac_model_label_count(model), 2);
    opac_model_free(model);

    write_file(folder, "m.lab", "0=\"init\" 1=\"deadlock\" 2=\"x\"\n1: 0 2\n");
    write_file(folder, "m.sta", "(v)\n0:(0)\n1:(3)\n2:(5)\n");
    assert_ok(model_read_tra(path, &options, &model, &error), &error);
    assert_int_equal(opac_model_initial(model, 0), 1);
    assert_int_equal(opac_model_value(model, 2, 0), 5);
    assert_int_equal(h.count, 0);
    opac_model_free(model);
    assert_true(faults_sweep(read_path, path) > 20);

    write_file(folder, "m.sta", "(v)\n0:(0)\n1:(x)\n2:(5)\n");
    assert_status(model_read_tra(path, &options, &model, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.last.line, 3);
    assert_int_equal(h.last.column, 4);
    assert_string_equal(h.excerpt, "1:(x)");
    assert_string_equal(h.path + strlen(h.path) - 6, "/m.sta");
    remove_file(folder, "m.tra");
    remove_file(folder, "m.lab");
    remove_file(folder, "m.sta");
    rmdir(folder);
}

/* ---- names that cannot be written ---- */

static void assert_unwritable(const opac_model *model, write_function write, const char *message)
{
    opac_output *out;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    write(model, out);
    assert_status(opac_output_commit(out, &error), OPAC_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, message);
    opac_output_free(out);
}

static void test_unwritable(void **state)
{
    (void)state;
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    assert_ok(opac_builder_variable(builder, "a,b", OPAC_VALUE_INT, 0, 3, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    assert_ok(opac_builder_choice(builder, "go on", &error), &error);
    assert_ok(opac_builder_branch(builder, 0, 1, &error), &error);
    assert_ok(opac_builder_label(builder, "\"x", 0, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    assert_unwritable(model, opac_model_write_tra,
                      "the action 'go on' cannot be written to a .tra file: it contains a blank");
    assert_unwritable(model, opac_model_write_lab,
                      "the label '\"x' cannot be written to a .lab file: it contains a quotation "
                      "mark or a line break");
    assert_unwritable(
        model, opac_model_write_sta,
        "the variable 'a,b' cannot be written to a .sta file: it is empty, contains a "
        "comma, a closing parenthesis or a line break, or begins or ends with a "
        "blank");
    opac_model_free(model);
}

/* ---- limits, and running out of memory ---- */

static void test_limits(void **state)
{
    (void)state;
    opac_model *model;
    opac_cancel *cancel;
    opac_model_options options = {.max_states = 2};
    assert_status(model_read_tra_text(three, strlen(three), &options, &model, &error),
                  OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the model has 3 states, but the limit is 2");
    options = (opac_model_options){.max_memory = 50};
    assert_status(model_read_tra_text(three, strlen(three), &options, &model, &error),
                  OPAC_ERROR_LIMIT);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    options = (opac_model_options){.cancel = cancel};
    assert_status(model_read_tra_text(three, strlen(three), &options, &model, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
}

static opac_status read_all(void *context, opac_error *err)
{
    const texts *t = context;
    opac_model *model;
    opac_model_options options = {.exact = t->tra[0] == '4'};
    opac_status status = read_texts(t, &options, &model, err);
    if (status == OPAC_OK)
        opac_model_free(model);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    texts t = texts_of("4 4 5\n2 0 1 1 long_name\n0 0 1 1/2 a\n0 0 0 1/2 a\n0 1 2 1 b\n1 0 1 1\n",
                       "0=\"init\" 1=\"x\"\n0: 0\n2: 1\n",
                       "(x,y)\n0:(1,true)\n1:(2,false)\n2:(3,true)\n3:(9,true)\n");
    assert_true(faults_sweep(read_all, &t) > 20);
    t = texts_of("2 3\n0 1 0.5 a\n0 1 0.5 b\n1 1 1\n", NULL, NULL);
    assert_true(faults_sweep(read_all, &t) > 5);
    t = texts_of("2 1\n0 1 1\n", "0=\"init\"\n1: 0 0\n", "(x)\n0:(0)\n1:()\n");
    opac_model *model;
    opac_model_options options = {0};
    assert_status(read_texts(&t, &options, &model, &error), OPAC_ERROR_SYNTAX);
}

static opac_status write_all(void *context, opac_error *err)
{
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, err);
    if (status != OPAC_OK)
        return status;
    opac_model_write_tra(context, out);
    opac_model_write_lab(context, out);
    opac_model_write_sta(context, out);
    status = opac_output_commit(out, err);
    opac_output_free(out);
    return status;
}

static void test_write_faults(void **state)
{
    (void)state;
    uint64_t random = 5;
    opac_model *model = random_model(&random, random_model_draw(&random, 70));
    assert_true(faults_sweep(write_all, model) > 3);
    opac_model_free(model);
}

SUITE(tra)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_layouts),       cmocka_unit_test(test_zero_and_repeated_branches),
        cmocka_unit_test(test_deadlocks),     cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_initial_lines), cmocka_unit_test(test_large),
        cmocka_unit_test(test_labels),        cmocka_unit_test(test_states),
        cmocka_unit_test(test_files),         cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_limits),        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_write_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
