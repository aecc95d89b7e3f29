/* SPDX-License-Identifier: MIT */
/*
 * Checks that a program exits within a second when it reads "bye", and at the end of its input. Each is
 * tested in a new process after the greeting. A program that keeps running is not an error, since it is
 * ended by a signal; but each run has to wait for it.
 */
#include <string.h>
#include <unistd.h>

#include "base/work.h"
#include "env/channel.h"
#include "env/conformance.h"
#include "env/env_process.h"

enum {
    MAX_GREETING = 1 << 20
};

/* Reports whether the process has exited after it was asked to. */
static void report_exit(conf_session *session, const env_process *process, const char *check)
{
    char text[OPAC_MESSAGE_SIZE];
    bool is_bye = strcmp(check, "bye") == 0;
    if (env_process_has_ended(process, 1, text, sizeof text, NULL))
        conf_report(session, OPAC_FINDING_PASSED, check, "the program exits");
    else
        conf_report(session, OPAC_FINDING_WARNING, check,
                    "the program still runs a second after %s, and is then killed: make it %s",
                    is_bye ? "\"bye\"" : "the end of its input",
                    is_bye ? "exit when it reads \"bye\""
                           : "exit at the end of its input, else it keeps running when this "
                             "program is killed");
}

/* Waits for the greeting and tells the program to exit. Other events are reported by the other checks. */
static opac_status test_exit(conf_session *session, env_process *process, const char *check,
                             opac_error *error)
{
    env_channel channel = {.in = process->in, .out = process->out, .limit = MAX_GREETING};
    env_channel_begin(&channel);
    env_channel_event event =
        env_channel_await(&channel, session->options->timeout, session->options->cancel);
    if (event == ENV_CHANNEL_LINE) {
        env_channel_discard(&channel);
        if (strcmp(check, "bye") == 0) {
            env_channel_send(&channel, "bye\n");
        } else {
            close(process->in);
            process->in = -1;
        }
        report_exit(session, process, check);
    }
    env_channel_fini(&channel);
    if (event == ENV_CHANNEL_CANCELLED)
        return base_fail_stopped(error, session->options->cancel, "checking the simulator");
    return event == ENV_CHANNEL_MEMORY ? base_fail_memory(error) : OPAC_OK;
}

static opac_status check_exit(conf_session *session, const char *check, opac_error *error)
{
    env_process process;
    opac_error found = {0};
    opac_status status = env_process_start(&process, session->name + strlen("exec:"), NULL, &found);
    if (status != OPAC_OK)
        return conf_report_failure(session, check, "", &found, error);
    status = test_exit(session, &process, check, error);
    env_process_end(&process, false);
    return status;
}

opac_status conf_check_exit(conf_session *session, opac_error *error)
{
    if (strncmp(session->name, "exec:", 5) != 0)
        return OPAC_OK;
    TRY(check_exit(session, "bye", error));
    return check_exit(session, "end of input", error);
}
