/* SPDX-License-Identifier: MIT */
/* What it took, and what is needed to do it again. */
#include <string.h>

#include "report/sections.h"

static void put_again(report_page *page, const report_result *result)
{
    report_heading(page, "To do it again");
    if (!report_command(page, result))
        report_raw(page,
                   "<p>The result does not say enough to write the command that does it again "
                   "(standard input, say, is gone).</p>\n");
    else if (report_is(page, report_member(page, result->root, "guarantee"), "end",
                       "max-seconds") ||
             report_is(page, report_member(page, result->root, "guarantee"), "end", "stopped"))
        report_raw(page, "<p>The run was ended by a clock or by hand, so the same command may end "
                         "elsewhere.</p>\n");
    else
        report_raw(page, "<p>With the same version, and from the same directory, this gives the "
                         "same result, whatever the number of threads.</p>\n");
}

void report_parameters(report_page *page, const report_result *result)
{
    report_value root = result->root, certificate = report_member(page, root, "certificate");
    report_section(page, "parameters", "Parameters and costs");
    put_again(page, result);
    report_facts(page);
    report_fact(page, "seed", report_member(page, root, "seed"));
    if (strcmp(result->command, "bound") != 0)
        report_fact_members(page, report_member(page, root, "params"), NULL);
    report_fact(page, "certificate", report_member(page, certificate, "path"));
    report_fact(page, "its digest", report_member(page, certificate, "digest"));
    report_facts_end(page);
    report_heading(page, "What it took");
    report_facts(page);
    report_fact_members(page, report_member(page, root, "stats"), NULL);
    report_fact_members(page, report_member(page, root, "forecast"), NULL);
    report_fact(page, "version", report_member(page, root, "version"));
    report_fact_text(page, "result from", result->file);
    report_facts_end(page);
    report_section_end(page);
}
