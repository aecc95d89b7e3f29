/* SPDX-License-Identifier: MIT */
/*
 * Turns signals into requests to stop. A signal handler can only use global variables; these are the only
 * ones of the program, and the library has none.
 */
#include "cli/interrupt.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

#include "cli/automata.h"

static opac_cancel
    *_Atomic current_cancel; /* the handle that signals request to stop; may be NULL */
static volatile sig_atomic_t caught_signal;
static double start_time; /* when the time limit began, by opac_clock_seconds; 0 before */
static double stop_time;  /* when the time limit ends; 0 without a limit */

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

enum {
    STOP_SIGNALS = sizeof stop_signals / sizeof stop_signals[0]
};

static void request_stop(int number)
{
    opac_cancel *cancel = atomic_load(&current_cancel);
    caught_signal = number;
    if (cancel != NULL)
        opac_cancel_request(cancel);
}

static void wake(int number)
{
    (void)number;
}

/* A command may begin twice, if it examines its input first; the time limit begins at the first call. */
static void set_deadline(double seconds, opac_cancel *cancel)
{
    const double least = 1e-9; /* 0 would disable the deadline */
    double now = opac_clock_seconds();
    start_time = start_time > 0 ? start_time : now;
    stop_time = start_time + seconds;
    double left = seconds - (now - start_time);
    opac_cancel_set_deadline(cancel, left > least ? left : least);
}

opac_status cli_interrupt_begin(const cli_arguments *arguments, opac_cancel **cancel,
                                opac_error *error)
{
    TRY(opac_cancel_new(cancel, error));
    if (arguments->values[CLI_MAX_SECONDS].given)
        set_deadline(arguments->values[CLI_MAX_SECONDS].number, *cancel);
    atomic_store(&current_cancel, *cancel);
    for (int i = 0; i < STOP_SIGNALS; i++) {
        struct sigaction before;
        /* Without SA_RESTART, so that a signal also interrupts waiting for input. */
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
    atomic_store(&current_cancel, NULL);
    opac_cancel_free(cancel);
}

void cli_interrupt_begin_wait(void)
{
    const double longest = 1e8, margin = 2e-3;
    double left = fmax(0, stop_time - opac_clock_seconds()) + margin;
    struct sigaction action = {.sa_handler = wake};
    struct itimerval timer = {.it_interval.tv_sec = 1};
    if (stop_time == 0 || left > longest)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    timer.it_value.tv_sec = (time_t)left;
    timer.it_value.tv_usec = (suseconds_t)((left - (double)timer.it_value.tv_sec) * 999999);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_interrupt_end_wait(void)
{
    static const struct itimerval none;
    if (stop_time > 0)
        setitimer(ITIMER_REAL, &none, NULL);
}

bool cli_interrupt_is_late(void)
{
    return caught_signal == 0 &&
           opac_cancel_get_reason(atomic_load(&current_cancel)) == OPAC_CANCEL_TIME;
}

cli_exit cli_interrupt_exit(void)
{
    if (caught_signal == SIGHUP)
        return CLI_EXIT_HANGUP;
    if (cli_interrupt_is_late())
        return CLI_EXIT_RESOURCE;
    return caught_signal == SIGTERM ? CLI_EXIT_TERMINATE : CLI_EXIT_INTERRUPT;
}
