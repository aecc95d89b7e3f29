/* SPDX-License-Identifier: MIT */
/*
 * How a program ends: at "bye", and at the end of its input, each in a process
 * of its own, which has greeted and is given a second. Staying is no error, since it
 * is then ended by a signal; but each run waits for it.
 */
#include <string.h>
#include <unistd.h>

#include "env/channel.h"
#include "env/conformance.h"
#include "env/env_process.h"

enum {
    LONGEST_GREETING = 1 << 20
};

/* It was told to go; has it? */
static void judge(conf_session *session, const env_process *process, const char *check)
{
    char text[OPAC_MESSAGE_SIZE];
    bool is_bye = strcmp(check, "bye") == 0;
    if (env_process_has_ended(process, 1, text, sizeof text, NULL))
        conf_report(session, OPAC_FINDING_PASSED, check, "it ends");
    else
        conf_report(session, OPAC_FINDING_WARNING, check,
                    "it is still there a second after %s, and is then ended by a signal: let it %s",
                    is_bye ? "\"bye\"" : "the end of its input",
                    is_bye ? "exit when it reads \"bye\""
                           : "exit when there is nothing more to read, or it stays when this "
                             "program is killed");
}

/* Waits for the greeting, and tells it to go. What else comes was judged by others. */
static opac_status dismiss(conf_session *session, env_process *process, const char *check,
                           opac_error *error)
{
    env_channel channel = {.in = process->in, .out = process->out, .limit = LONGEST_GREETING};
    env_channel_begin(&channel);
    env_channel_event event =
        env_channel_await(&channel, session->options->timeout, session->options->cancel);
    if (event == ENV_CHANNEL_LINE) {
        env_channel_take(&channel);
        if (strcmp(check, "bye") == 0) {
            env_channel_tell(&channel, "bye\n");
        } else {
            close(process->in);
            process->in = -1;
        }
        judge(session, process, check);
    }
    env_channel_fini(&channel);
    if (event == ENV_CHANNEL_CANCELLED)
        return base_fail(error, OPAC_ERROR_CANCELLED, "stopped");
    return event == ENV_CHANNEL_MEMORY ? base_fail_memory(error) : OPAC_OK;
}

static opac_status part(conf_session *session, const char *check, opac_error *error)
{
    env_process process;
    opac_error found = {0};
    opac_status status = env_process_start(&process, session->name + strlen("exec:"), NULL, &found);
    if (status != OPAC_OK)
        return conf_report_failure(session, check, "", &found, error);
    status = dismiss(session, &process, check, error);
    env_process_end(&process, false);
    return status;
}

opac_status conf_check_exit(conf_session *session, opac_error *error)
{
    if (strncmp(session->name, "exec:", 5) != 0)
        return OPAC_OK;
    TRY(part(session, "bye", error));
    return part(session, "end of input", error);
}
