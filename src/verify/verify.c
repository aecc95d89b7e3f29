/* SPDX-License-Identifier: MIT */
/*
 * Runs the steps of the checker, and turns a refusal into a verdict.
 *
 *     not JSON, no object, another schema       error: not a certificate
 *     a certificate of a later version          error: unsupported
 *     memory, files, limits of this program     error
 *     anything else                             verdict: the certificate holds or is refused
 */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/sha256.h"
#include "base/text.h"

static const char schema[] = "omegapac.certificate/";
enum {
    VERSION = 2 /* version 1 is also read */
};

/* ---- schema and digest ---- */

static opac_status check_schema(base_json_value root, uint32_t *version, opac_error *error)
{
    base_json_value value = {0};
    const char *found = NULL;
    size_t length = 0;
    char shown[60];
    if (base_json_kind_of(root) != BASE_JSON_OBJECT ||
        base_json_optional(root, "schema", &value, error) != OPAC_OK || value.node == NULL ||
        base_json_string(value, &found, &length, error) != OPAC_OK)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "not a certificate: expected an object with \"schema\": \"%s%d\"", schema,
                         VERSION);
    opac_text_show(found, length, shown, sizeof shown);
    if (strncmp(found, schema, strlen(schema)) != 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "not a certificate: its schema is '%s', not '%s%d'", shown, schema,
                         VERSION);
    const char *number = found + strlen(schema);
    if (strcmp(number, "1") != 0 && strcmp(number, "2") != 0)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "the certificate has the schema '%s'; this version of the program reads "
                         "'%s1' and '%s%d' only",
                         shown, schema, schema, VERSION);
    *version = number[0] == '1' ? 1 : VERSION;
    return OPAC_OK;
}

/* The last line of the text that begins with the word, after blanks; NULL if there is none. */
static const char *last_line(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = text + length; at-- > text;) {
        const char *next = at + 1;
        while (*at == '\n' && next < text + length && *next == ' ')
            next++;
        if (*at == '\n' && (size_t)(text + length - next) >= size && memcmp(next, word, size) == 0)
            return at + 1;
    }
    return NULL;
}

/*
 * The digest covers all bytes up to the line feed before its member, which must be the last one. It detects
 * accidental changes of the file.
 */
static void check_digest(verify_certificate *c, base_json_value root, const char *text,
                         size_t length)
{
    base_json_value value, member = {0}, last = {0};
    base_sha256 hash;
    const char *found = NULL, *line = last_line(text, length, "\"digest\"");
    char digest[BASE_SHA256_TEXT];
    if (verify_is_ok(c))
        c->status = base_json_member(root, "digest", &value, c->error);
    if (verify_is_ok(c))
        c->status = base_json_string(value, &found, NULL, c->error);
    if (text[0] != '{' || line == NULL || line - text < 2 || line[-2] != ',')
        verify_refuse(c, "digest", VERIFY_NONE,
                      "expected on the last line, after a comma and a line feed: the file must "
                      "not be reformatted");
    if (!verify_is_ok(c) || found == NULL)
        return;
    base_sha256_init(&hash);
    base_sha256_add(&hash, text, (size_t)(line - text));
    base_sha256_finish_text(&hash, digest);
    if (strcmp(digest, found) != 0)
        verify_refuse(c, "digest", VERIFY_NONE,
                      "the file was changed after it was written (every byte counts, also "
                      "blanks and ends of lines)");
    while (base_json_next(root, &member))
        last = member;
    if (last.key == NULL || strcmp(last.key, "digest") != 0)
        verify_refuse(c, "digest", VERIFY_NONE, "is not the last member");
}

static char *copy(verify_certificate *c, const char *text)
{
    char *made = text != NULL ? base_copy_text(text, strlen(text)) : NULL;
    if (text != NULL && made == NULL)
        c->status = base_fail_memory(c->error);
    return made;
}

static void check_model(verify_certificate *c, const char *digest)
{
    if (digest != NULL && c->digest == NULL)
        verify_refuse(c, "inputs", VERIFY_NONE, "the certificate has no digest of a model");
    else if (digest != NULL && strcmp(c->digest, digest) != 0)
        verify_refuse(c, "inputs", VERIFY_NONE,
                      "the model has another digest than the one in the certificate");
}

/* ---- the steps ---- */

/*
 * With T the claim may be a little weaker than what follows, since the writer computes with other rounding
 * errors, which add up over T sweeps. A claim that is much weaker indicates numbers that were changed. Where not
 * all T sweeps are made, the writer may have made fewer, and a claim may be as weak as it likes.
 */
static void check_computed_bracket(verify_certificate *c)
{
    double lower = fmax(fmax(c->trial_lower, c->risk_lower), 0);
    bool is_short = (c->upper_sweeps > 0 && c->upper_sweeps < c->horizon) ||
                    (c->risk_sweeps > 0 && c->risk_sweeps < c->horizon);
    double tolerance = is_short ? 1 : 1e-6 + 4e-9 * (double)c->horizon;
    if (!(c->claim_lower <= lower))
        verify_refuse(c, "claim", VERIFY_NONE, "lower exceeds what the trial and the nodes show");
    if (!(c->claim_upper >= c->upper))
        verify_refuse(c, "claim", VERIFY_NONE, "upper is below what the nodes show");
    if (!(c->claim_lower >= lower - tolerance))
        verify_refuse(c, "claim", VERIFY_NONE,
                      "lower is far below what the trial and the nodes show");
    if (!(c->claim_upper <= c->upper + tolerance))
        verify_refuse(c, "claim", VERIFY_NONE, "upper is far above what the nodes show");
    if (!(c->claim_lower <= c->claim_upper))
        verify_refuse(c, "claim", VERIFY_NONE, "lower is above upper");
}

/* With a trial, and without T: the upper bound is that of the first node, and the lower one follows from the trial. A
 * claim that is much weaker indicates numbers that were changed. */
static void check_tried_bracket(verify_certificate *c)
{
    if (!(c->claim_lower <= c->trial_lower))
        verify_refuse(c, "claim", VERIFY_NONE, "lower exceeds what the trial shows");
    if (!(c->claim_lower >= c->trial_lower - 1e-6))
        verify_refuse(c, "claim", VERIFY_NONE, "lower is far below what the trial shows");
    if (c->claim_upper != c->node[0].upper)
        verify_refuse(c, "claim", VERIFY_NONE, "upper is not that of the first node");
    if (!(c->claim_lower <= c->claim_upper))
        verify_refuse(c, "claim", VERIFY_NONE, "lower is above upper");
}

/* The value of the policy is an estimate that must lie within the claimed bracket, up to rounding. */
static void check_claim(verify_certificate *c)
{
    if (c->horizon > 0)
        check_computed_bracket(c);
    else if (c->trial > 0)
        check_tried_bracket(c);
    else if (c->claim_lower != c->node[0].lower || c->claim_upper != c->node[0].upper)
        verify_refuse(c, "claim", VERIFY_NONE, "lower and upper are not those of the first node");
    if (c->claim_confidence != 1 - c->total)
        verify_refuse(c, "claim", VERIFY_NONE, "confidence is not 1 - delta.total");
    if (!(c->claim_value >= c->claim_lower - 1e-12 && c->claim_value <= c->claim_upper + 1e-12))
        verify_refuse(c, "claim", VERIFY_NONE, "value is not between lower and upper");
}

static void count(const verify_certificate *c, opac_verification *v)
{
    v->states = c->state_count;
    v->pairs = c->row_count;
    v->nodes = c->node_count;
    for (uint32_t i = 0; i < c->row_count; i++) {
        v->complete += c->row[i].is_complete;
        v->visits =
            v->visits > UINT64_MAX - c->row[i].visits ? UINT64_MAX : v->visits + c->row[i].visits;
    }
    v->winning = c->winning;
    for (uint32_t i = 0; i < c->node_count; i++)
        v->winning += c->node[i].wins; /* false with T */
    v->recurrence_time = c->horizon;
    v->episodes = c->episodes;
    v->wins = c->wins;
}

typedef void step(verify_certificate *);
static step *const bracket_steps[] = {
    verify_intervals,      verify_product, verify_winning, verify_bounds,
    verify_end_components, verify_trial,   check_claim,    NULL};
static step *const recurrence_steps[] = {verify_intervals, verify_product, verify_recurrence,
                                         verify_trial,     check_claim,    NULL};

static opac_status examine(base_json_value root, uint32_t version, const char *text, size_t length,
                           const char *model_digest, opac_verification *v, opac_error *error)
{
    verify_certificate c = {.version = version, .length = length, .error = error};
    check_digest(&c, root, text, length);
    verify_read(&c, root);
    v->objective = copy(&c, c.objective);
    v->model = copy(&c, c.model);
    v->constants = copy(&c, c.constants);
    if (verify_is_ok(&c))
        check_model(&c, model_digest);
    step *const *steps = c.horizon > 0 ? recurrence_steps : bracket_steps;
    for (size_t i = 0; steps[i] != NULL && verify_is_ok(&c); i++)
        steps[i](&c);
    if (verify_is_ok(&c))
        verify_write_result(&c, v);
    if (verify_is_ok(&c))
        count(&c, v);
    base_map_fini(&c.node_at);
    base_map_fini(&c.row_at);
    verify_choices_fini(&c.choices);
    base_arena_fini(&c.arena);
    return c.status;
}

/* ---- verdicts ---- */

static bool is_verdict(opac_status status)
{
    return status == OPAC_ERROR_ARGUMENT || status == OPAC_ERROR_SYNTAX ||
           status == OPAC_ERROR_UNSUPPORTED;
}

/* Parses JSON and checks its schema. */
static opac_status parse(const char *text, size_t length, base_json **document, uint32_t *version,
                         opac_error *error)
{
    opac_error why = {0};
    opac_status status = base_json_parse(text, length, document, &why);
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    if (status != OPAC_OK) /* includes JSON that is nested too deep */
        return base_fail_at(error, OPAC_ERROR_SYNTAX, why.line, why.column,
                            "not a certificate (not JSON): %s", why.message);
    return check_schema(base_json_root(*document), version, error);
}

static opac_status give_reason(opac_verification *v, const opac_error *why, opac_error *error)
{
    base_text text = {0};
    if (why->line > 0)
        base_text_format(&text, "line %" PRIu32 ", column %" PRIu32 ": ", why->line, why->column);
    base_text_add(&text, why->message);
    opac_status status = base_text_check(&text, error);
    v->reason = base_text_take(&text);
    return status;
}

opac_status opac_verify_text(const char *text, size_t length, const char *model_digest,
                             opac_verification *verification, opac_error *error)
{
    base_json *document = NULL;
    opac_error why = {0};
    *verification = (opac_verification){.upper = 1};
    uint32_t version = 0;
    opac_status status = parse(text, length, &document, &version, error);
    if (status != OPAC_OK) {
        base_json_free(document);
        *verification = (opac_verification){0};
        return status;
    }
    status =
        examine(base_json_root(document), version, text, length, model_digest, verification, &why);
    base_json_free(document);
    verification->holds = status == OPAC_OK;
    if (is_verdict(status)) {
        opac_verification named = {.upper = 1,
                                   .objective = verification->objective,
                                   .model = verification->model,
                                   .constants = verification->constants};
        verification->objective = verification->model = verification->constants = NULL;
        opac_verification_fini(verification); /* a refusal proves nothing */
        *verification = named;
        status = give_reason(verification, &why, error);
    } else if (status != OPAC_OK && error != NULL)
        *error = why;
    if (status != OPAC_OK)
        opac_verification_fini(verification);
    return status;
}

opac_status opac_verify_file(const char *path, const char *model, opac_verification *verification,
                             opac_error *error)
{
    base_text text = {0};
    char digest[OPAC_DIGEST_SIZE];
    *verification = (opac_verification){0};
    if (model != NULL)
        TRY(opac_digest_file(model, digest, error));
    opac_status status =
        base_text_read_file(&text, path, " \t\r\n[{", error); /* JSON, not a binary file */
    if (status == OPAC_OK)
        status = opac_verify_text(base_text_get(&text), text.length, model != NULL ? digest : NULL,
                                  verification, error);
    base_text_fini(&text);
    return status;
}

void opac_verification_fini(opac_verification *verification)
{
    for (size_t i = 0; verification->assumes != NULL && verification->assumes[i] != NULL; i++)
        base_free(verification->assumes[i]);
    base_free(verification->assumes);
    base_free(verification->reason);
    base_free(verification->statement);
    base_free(verification->objective);
    base_free(verification->model);
    base_free(verification->constants);
    *verification = (opac_verification){0};
}
