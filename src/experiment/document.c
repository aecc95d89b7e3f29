/* SPDX-License-Identifier: MIT */
/* An experiment as JSON: docs/formats/experiment.md. */
#include <omegapac/json.h>
#include <omegapac/version.h>

#include "experiment/record.h"

static void write_member(opac_json *json, const char *key, const char *text)
{
    opac_json_key(json, key);
    opac_json_string(json, text);
}

static void write_findings(const experiment_finding_vec *findings, opac_json *json)
{
    opac_json_begin_array(json);
    for (size_t i = 0; i < findings->count; i++) {
        const opac_experiment_finding *finding = &findings->items[i];
        opac_json_begin_object(json);
        write_member(json, "what", finding->what);
        write_member(json, "paper", finding->paper);
        write_member(json, "ours", finding->ours);
        write_member(json, "remark", finding->remark);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}

static void write_tables(const experiment_lab *lab, opac_json *json)
{
    opac_json_begin_array(json);
    for (size_t i = 0; i < lab->tables.count; i++)
        if (lab->tables.items[i]->is_given)
            experiment_table_write_json(lab->tables.items[i], json);
    opac_json_end_array(json);
}

void experiment_json_write(experiment_lab *lab, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    opac_json_begin_object(&json);
    write_member(&json, "schema", "omegapac.experiment/1");
    write_member(&json, "name", lab->experiment->name);
    write_member(&json, "version", OPAC_VERSION);
    opac_json_key(&json, "seed");
    opac_json_uint(&json, lab->options->seed);
    opac_json_key(&json, "params");
    opac_json_begin_object(&json);
    for (size_t i = 0; i < lab->params.count; i++)
        write_member(&json, lab->params.items[i].name, lab->params.items[i].value);
    opac_json_end_object(&json);
    opac_json_key(&json, "findings");
    write_findings(&lab->result->findings, &json);
    opac_json_key(&json, "tables");
    write_tables(lab, &json);
    opac_json_key(&json, "files");
    opac_json_begin_array(&json);
    for (size_t i = 0; i < lab->result->files.count; i++)
        opac_json_string(&json, lab->result->files.items[i]);
    opac_json_end_array(&json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}
