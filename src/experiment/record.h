/* SPDX-License-Identifier: MIT */
/*
 * What an experiment has handed over, as it is kept until all of it is written: for the files of
 * this room that write it.
 *
 *     laboratory ──► parts of the page, in their order ──► tables, pictures
 *         │
 *         └──► result: findings, files          what the caller is given in the end
 *
 * Texts live in the arena of the result; tables and the laboratory die with the experiment.
 */
#ifndef EXPERIMENT_RECORD_H
#define EXPERIMENT_RECORD_H

#include <omegapac/json.h>

#include "base/arena.h"
#include "base/vec.h"
#include "experiment/lab.h"

enum {
    EXPERIMENT_ROWS_SHOWN = 40 /* of a table on a page; longer ones are files alone */
};

/* ---- tables ---- */

typedef enum experiment_cell_kind {
    EXPERIMENT_CELL_TEXT = 0,
    EXPERIMENT_CELL_UINT = 1,
    EXPERIMENT_CELL_DOUBLE = 2
} experiment_cell_kind;

typedef struct experiment_cell {
    experiment_cell_kind kind;
    union {
        const char *text;
        uint64_t whole;
        double number;
    } value;
} experiment_cell;

BASE_VEC(experiment_cell_vec, experiment_cell);

struct experiment_table {
    experiment_lab *lab;
    const char *name, *caption;
    const char *const *columns;
    size_t column_count;
    experiment_cell_vec cells; /* row by row */
    bool is_given;             /* experiment_lab_table was called */
};

size_t experiment_table_rows(const experiment_table *table);
/* As RFC 4180 has it: a line of heads, lines end with CR LF, quotes where they are needed. */
void experiment_table_write_csv(const experiment_table *table, opac_output *out);
/* {"name": …, "caption": …, "columns": […], "rows": [[…], …]} */
void experiment_table_write_json(const experiment_table *table, opac_json *json);
/* A cell as people read it; buffer of OPAC_NUMBER_SIZE. */
const char *experiment_cell_text(const experiment_cell *cell, char *buffer);

/* ---- pages ---- */

typedef enum experiment_part_kind {
    EXPERIMENT_PART_HEADING = 0,
    EXPERIMENT_PART_PARAGRAPH = 1,
    EXPERIMENT_PART_TABLE = 2,
    EXPERIMENT_PART_CHART = 3
} experiment_part_kind;

typedef struct experiment_part {
    experiment_part_kind kind;
    const char *name; /* of a chart */
    const char *text; /* of a heading or paragraph; the caption of a chart */
    const experiment_table *table;
    const char *picture; /* SVG */
    size_t picture_length;
} experiment_part;

typedef struct experiment_param {
    const char *name, *value;
} experiment_param;

BASE_VEC(experiment_part_vec, experiment_part);
BASE_VEC(experiment_param_vec, experiment_param);
BASE_VEC(experiment_table_vec, experiment_table *);
BASE_VEC(experiment_finding_vec, opac_experiment_finding);
BASE_VEC(experiment_text_vec, const char *);

struct opac_experiment_result {
    base_arena arena;
    const opac_experiment *experiment;
    experiment_finding_vec findings;
    experiment_text_vec files; /* without the folder, the page first */
    const char *note;
};

struct experiment_lab {
    const opac_experiment *experiment;
    const opac_experiment_options *options;
    opac_experiment_result *result;
    base_pool *pool;
    experiment_part_vec parts;
    experiment_param_vec params;
    experiment_table_vec tables;
    experiment_table spare; /* stands for those that there was no memory for */
    opac_status status;     /* the first problem */
    opac_error error;
};

opac_status experiment_lab_init(experiment_lab *lab, const opac_experiment *experiment,
                                const opac_experiment_options *options,
                                opac_experiment_result *result, opac_error *error);
void experiment_lab_fini(experiment_lab *lab);
/* The first problem is kept. */
void experiment_lab_fail(experiment_lab *lab, opac_status status, const char *message);
/* A copy in the arena of the result; NULL, and a failure of the lab: no memory. */
const char *experiment_lab_keep(experiment_lab *lab, const char *text);
/* "NAME-part.suffix", or "NAME.suffix" with part NULL; NULL as above. */
const char *experiment_lab_file_name(experiment_lab *lab, const char *part, const char *suffix);

/* Between tags: `code` between backquotes, and long numbers in groups. */
void experiment_prose_write(opac_output *out, const char *text);
/* NAME.html and NAME.json. The outputs are not committed. */
void experiment_page_write(experiment_lab *lab, opac_output *out);
void experiment_json_write(experiment_lab *lab, opac_output *out);
/* index.html: `is_there` says of each experiment whether its page is in the folder. */
void experiment_index_write(const opac_experiment_result *const *results, size_t count,
                            const bool *is_there, opac_output *out);

/* ---- the list ---- */

typedef struct experiment_entry {
    opac_experiment listed;
    experiment_function run;
} experiment_entry;

size_t experiment_entry_count(void);
const experiment_entry *experiment_entry_at(size_t index); /* NULL: no such index */
/* As opac_experiment_run does it, also for one that is not in the list. */
opac_status experiment_run_entry(const experiment_entry *entry,
                                 const opac_experiment_options *options,
                                 opac_experiment_result **result, opac_error *error);

/* ---- files ---- */

/* folder/name, for the caller, who frees it; NULL: no memory. */
char *experiment_path(const char *folder, const char *name);
/* The folder is there afterwards, and files can be made in it. */
opac_status experiment_folder_make(const char *folder, opac_error *error);

/* A program that makes PNG of SVG, found in PATH. */
typedef struct experiment_converter {
    char *path; /* NULL: there is none */
    int kind;
    bool hung; /* was killed since it took too long: it is not tried again */
} experiment_converter;

opac_status experiment_converter_find(const char *search, experiment_converter *converter,
                                      opac_error *error);
void experiment_converter_fini(experiment_converter *converter);
/* `svg` and `png` are paths. What goes wrong outside is no error: *made says whether the PNG is
 * there. Never longer than `seconds`, or than until `cancel`. */
opac_status experiment_converter_run(experiment_converter *converter, const char *svg,
                                     const char *png, double seconds, const opac_cancel *cancel,
                                     bool *made, opac_error *error);

#endif
