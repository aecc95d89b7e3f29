/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes the layout of a checkpoint:
 *
 *     ┌───────────────────────┬────────┬──────┬────────┬───────┬─ … ─┬────────┐
 *     │ omegapac checkpoint 5 │ length │ name │ length │ bytes │     │ digest │
 *     └───────────────────────┴────────┴──────┴────────┴───────┴─ … ─┴────────┘
 *       line                    of all   for each section              FNV-1a of everything before
 *
 * A file is read twice: first its layout and digest, so that a damaged file is reported as damaged; then
 * its sections, in their order. The digest detects accidental damage only, so each section is validated as
 * if there were none (checkpoint_read.c).
 *
 * Cost: linear in the file; a window of it is kept in memory.
 */
#include "sample/checkpoint.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/output.h"
#include "sample/checkpoint_sections.h"
#include "sample/strategy.h"

static const char magic[] = "omegapac checkpoint 5\n";

enum {
    MAGIC_SIZE = sizeof magic - 1,
    FAMILY_SIZE = sizeof "omegapac checkpoint " - 1, /* the common beginning of all versions */
    WORD_SIZE = 8,
    NAME_SIZE = 8,
    FRAME_SIZE = MAGIC_SIZE + 2 * WORD_SIZE, /* without sections */
    SECTION_SIZE = NAME_SIZE + WORD_SIZE     /* of the head of a section */
};

/* ---- writing ---- */

static uint64_t measure(const sample_section *section, const sample_transfer *transfer)
{
    sample_sink counter = {.out = NULL};
    section->write(transfer, &counter);
    return counter.length;
}

static void write_sections(const sample_transfer *transfer, opac_output *out)
{
    sample_sink sink = {.out = out};
    uint64_t lengths[SAMPLE_SECTIONS], total = FRAME_SIZE;
    for (size_t i = 0; i < SAMPLE_SECTIONS; i++) {
        lengths[i] = measure(&sample_sections[i], transfer);
        total += SECTION_SIZE + lengths[i];
    }
    sample_sink_bytes(&sink, magic, MAGIC_SIZE);
    sample_sink_word(&sink, total);
    for (size_t i = 0; i < SAMPLE_SECTIONS && !opac_output_failed(out); i++) {
        sample_sink_bytes(&sink, sample_sections[i].name, NAME_SIZE);
        sample_sink_word(&sink, lengths[i]);
        sample_sections[i].write(transfer, &sink);
    }
    sample_sink_flush(&sink);
    sample_sink_word(&sink, opac_output_digest(out));
    sample_sink_flush(&sink);
}

opac_status sample_checkpoint_print(const sample_checkpoint *checkpoint, opac_output *out,
                                    opac_error *error)
{
    sample_transfer transfer = {.checkpoint = checkpoint};
    opac_status status;
    TRY_OR(done, sample_run_take_names(checkpoint->run, error));
    TRY_OR(done, checkpoint->run->strategy->save(checkpoint->run, &transfer.policy, error));
    opac_output_keep_digest(out);
    write_sections(&transfer, out);
    status = opac_output_commit(out, error);
done:
    base_u64_vec_fini(&transfer.policy);
    return status;
}

/* Writes the checkpoint, or the bytes if it is NULL. */
static opac_status write_file(const sample_checkpoint *checkpoint, const char *bytes, size_t length,
                              const char *path, sample_lock *lock, opac_error *error)
{
    opac_output *out;
    TRY(opac_output_open_file(path, &out, error));
    opac_status status = OPAC_OK;
    if (checkpoint != NULL) {
        TRY_OR(done, sample_checkpoint_print(checkpoint, out, error));
    } else {
        opac_output_write(out, bytes, length);
        TRY_OR(done, opac_output_commit(out, error));
    }
    if (lock != NULL)
        sample_lock_renew(lock, base_output_take_lock(out));
done:
    opac_output_free(out);
    return status;
}

opac_status sample_checkpoint_write(const sample_checkpoint *checkpoint, const char *path,
                                    sample_lock *lock, opac_error *error)
{
    return write_file(checkpoint, NULL, 0, path, lock, error);
}

opac_status sample_checkpoint_write_bytes(const char *bytes, size_t length, const char *path,
                                          sample_lock *lock, opac_error *error)
{
    return write_file(NULL, bytes, length, path, lock, error);
}

/* ---- layout and digest ---- */

/* Checks that the file is a checkpoint of this version and not truncated. */
static opac_status check_frame(sample_source *source, uint64_t length, opac_error *error)
{
    char head[MAGIC_SIZE];
    uint64_t stated;
    size_t begins = length < MAGIC_SIZE ? (size_t)length : MAGIC_SIZE;
    TRY(sample_source_bytes(source, head, begins, error));
    if (memcmp(head, magic, begins < FAMILY_SIZE ? begins : FAMILY_SIZE) != 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "'%s' is not a checkpoint", source->name);
    if (memcmp(head, magic, begins) != 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "'%s' is a checkpoint of another version of the format", source->name);
    if (length < FRAME_SIZE)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the checkpoint '%s' is truncated: it has only %" PRIu64 " bytes",
                         source->name, length);
    TRY(sample_source_word(source, &stated, error));
    if (length < stated)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the checkpoint '%s' is truncated: it has %" PRIu64 " of %" PRIu64
                         " bytes",
                         source->name, length, stated);
    if (length > stated)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the checkpoint '%s' is damaged: it has %" PRIu64
                         " bytes instead of %" PRIu64,
                         source->name, length, stated);
    return OPAC_OK;
}

static opac_status check_digest(sample_source *source, uint64_t length, opac_error *error)
{
    uint64_t digest = BASE_FNV_BEGIN, left = length - WORD_SIZE, stated;
    TRY(sample_source_rewind(source, error));
    while (left > 0) {
        const unsigned char *bytes;
        size_t got;
        TRY(sample_source_window(source, left, &bytes, &got, error));
        if (got == 0)
            return sample_source_refuse(source, error, "the file ends too early");
        digest = base_hash_fnv(digest, bytes, got);
        left -= got;
    }
    TRY(sample_source_word(source, &stated, error));
    if (digest != stated)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the checkpoint '%s' is damaged: it states the digest %016" PRIx64
                         ", but its bytes have %016" PRIx64,
                         source->name, stated, digest);
    return OPAC_OK;
}

/* ---- reading ---- */

static opac_status read_section(const sample_section *section, sample_transfer *transfer,
                                sample_source *source, opac_error *error)
{
    char name[NAME_SIZE] = "";
    uint64_t length = 0, end = source->limit;
    if (sample_source_left(source) >= SECTION_SIZE) {
        TRY(sample_source_bytes(source, name, NAME_SIZE, error));
        TRY(sample_source_word(source, &length, error));
    }
    if (memcmp(name, section->name, NAME_SIZE) != 0)
        return sample_source_refuse(source, error, "the section '%.*s' is missing",
                                    (int)strcspn(section->name, " "), section->name);
    if (length > sample_source_left(source))
        return sample_source_refuse(source, error, "the section '%.*s' is longer than the file",
                                    (int)strcspn(section->name, " "), section->name);
    source->section = section->name;
    source->limit = sample_source_place(source) + length;
    TRY(section->read(transfer, source, error));
    if (sample_source_left(source) > 0)
        return sample_source_refuse(source, error, "%" PRIu64 " bytes follow the last item",
                                    sample_source_left(source));
    source->section = NULL;
    source->limit = end;
    return OPAC_OK;
}

static opac_status read_sections(sample_transfer *transfer, sample_source *source, uint64_t length,
                                 opac_error *error)
{
    char head[MAGIC_SIZE];
    uint64_t stated;
    TRY(sample_source_rewind(source, error));
    source->limit = length - WORD_SIZE;
    TRY(sample_source_bytes(source, head, MAGIC_SIZE, error));
    TRY(sample_source_word(source, &stated, error));
    for (size_t i = 0; i < SAMPLE_SECTIONS; i++)
        TRY(read_section(&sample_sections[i], transfer, source, error));
    if (sample_source_left(source) > 0)
        return sample_source_refuse(source, error, "there are unknown sections");
    return OPAC_OK;
}

opac_status sample_checkpoint_read_source(sample_checkpoint *checkpoint, sample_source *source,
                                          uint64_t length, opac_error *error)
{
    sample_transfer transfer = {.checkpoint = checkpoint, .length = length};
    source->limit = length;
    opac_status status;
    TRY_OR(done, check_frame(source, length, error));
    TRY_OR(done, check_digest(source, length, error));
    status = read_sections(&transfer, source, length, error);
done:
    base_u64_vec_fini(&transfer.policy);
    base_u32_vec_fini(&transfer.targets);
    base_u32_vec_fini(&transfer.last);
    base_u64_vec_fini(&transfer.observed);
    return status;
}

opac_status sample_checkpoint_read(sample_checkpoint *checkpoint, const char *path,
                                   opac_error *error)
{
    sample_source source;
    uint64_t length;
    TRY(sample_source_open(&source, path, &length, error));
    opac_status status = sample_checkpoint_read_source(checkpoint, &source, length, error);
    sample_source_fini(&source);
    return status;
}
