/* SPDX-License-Identifier: MIT */
/*
 * A signal handler can reach only what is global: the two variables here are
 * the program's only ones. The library has none.
 */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>

static opac_cancel *_Atomic asked; /* whom the handler asks; NULL: nobody */
static volatile sig_atomic_t caught;

static const int stop_signals[] = {SIGINT, SIGTERM};

enum {
    STOP_SIGNALS = sizeof stop_signals / sizeof stop_signals[0]
};

static void request_stop(int number)
{
    opac_cancel *cancel = atomic_load(&asked);
    caught = number;
    if (cancel != NULL)
        opac_cancel_request(cancel);
}

opac_status cli_interrupt_begin(opac_cancel **cancel, opac_error *error)
{
    opac_status status = opac_cancel_new(cancel, error);
    if (status != OPAC_OK)
        return status;
    atomic_store(&asked, *cancel);
    for (int i = 0; i < STOP_SIGNALS; i++) {
        struct sigaction before;
        /* Without SA_RESTART, so that waiting for input ends, too. */
        struct sigaction action = {.sa_flags = (int)SA_RESETHAND, .sa_handler = request_stop};
        sigemptyset(&action.sa_mask);
        if (sigaction(stop_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stop_signals[i], &action, NULL);
    }
    return OPAC_OK;
}

void cli_interrupt_end(opac_cancel *cancel)
{
    for (int i = 0; i < STOP_SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(stop_signals[i], NULL, &now) == 0 && now.sa_handler == request_stop)
            signal(stop_signals[i], SIG_DFL);
    }
    atomic_store(&asked, NULL);
    opac_cancel_free(cancel);
}

cli_exit cli_interrupt_exit(void)
{
    return caught == SIGTERM ? CLI_EXIT_TERMINATE : CLI_EXIT_INTERRUPT;
}
