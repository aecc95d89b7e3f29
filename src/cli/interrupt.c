/* SPDX-License-Identifier: MIT */
/*
 * A signal handler can reach only what is global: the variables here are the
 * program's only ones. The library has none.
 */
#include "cli/interrupt.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

#include "cli/automata.h"

static opac_cancel *_Atomic asked; /* whom the handler asks; NULL: nobody */
static volatile sig_atomic_t caught;
static double began; /* when the command first began to wait, by opac_clock_seconds; 0: not yet */
static double until; /* likewise, when its time is up; 0: never */

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

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

static void wake(int number)
{
    (void)number;
}

/* A command may begin twice, to look at its input first: its time is counted once. */
static void set_deadline(double seconds, opac_cancel *cancel)
{
    const double least = 1e-9; /* 0 would be no deadline */
    double now = opac_clock_seconds();
    began = began > 0 ? began : now;
    until = began + seconds;
    double left = seconds - (now - began);
    opac_cancel_set_deadline(cancel, left > least ? left : least);
}

opac_status cli_interrupt_begin(const cli_arguments *arguments, opac_cancel **cancel,
                                opac_error *error)
{
    TRY(opac_cancel_new(cancel, error));
    if (arguments->values[CLI_MAX_SECONDS].given)
        set_deadline(arguments->values[CLI_MAX_SECONDS].number, *cancel);
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

void cli_interrupt_wait(void)
{
    const double longest = 1e8, margin = 2e-3;
    double left = fmax(0, until - opac_clock_seconds()) + margin;
    struct sigaction action = {.sa_handler = wake};
    struct itimerval timer = {.it_interval.tv_sec = 1};
    if (until == 0 || left > longest)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    timer.it_value.tv_sec = (time_t)left;
    timer.it_value.tv_usec = (suseconds_t)((left - (double)timer.it_value.tv_sec) * 999999);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_interrupt_go_on(void)
{
    static const struct itimerval none;
    if (until > 0)
        setitimer(ITIMER_REAL, &none, NULL);
}

bool cli_interrupt_is_late(void)
{
    return caught == 0 && opac_cancel_get_reason(atomic_load(&asked)) == OPAC_CANCEL_TIME;
}

cli_exit cli_interrupt_exit(void)
{
    if (caught == SIGHUP)
        return CLI_EXIT_HANGUP;
    if (cli_interrupt_is_late())
        return CLI_EXIT_RESOURCE;
    return caught == SIGTERM ? CLI_EXIT_TERMINATE : CLI_EXIT_INTERRUPT;
}
