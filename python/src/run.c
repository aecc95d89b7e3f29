/* SPDX-License-Identifier: MIT */
/*
 * Long computations that Ctrl-C can stop. Python runs signal handlers only in its main thread,
 * and only while this thread runs Python code. Therefore the computation runs in a new thread,
 * while the calling thread waits and handles signals.
 */
#include "core.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "gil.h"

static const long second = 1000L * 1000 * 1000; /* in nanoseconds */
static const long interval = 50L * 1000 * 1000; /* between two checks for signals */

typedef struct job {
    core_work work;
    void *context;
    opac_cancel *cancel;
    opac_error *error;
    opac_status status;
    pthread_mutex_t lock; /* guards is_done */
    pthread_cond_t done;
    bool is_done;
} job;

static void *work(void *context)
{
    job *j = context;
    j->status = j->work(j->context, j->cancel, j->error);
    pthread_mutex_lock(&j->lock);
    j->is_done = true;
    pthread_cond_signal(&j->done);
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/* Starts the thread with all signals blocked: Python's threads handle signals. */
static int start(job *j, pthread_t *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, work, j);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* Waits for at most one interval; returns whether the job is done. */
static bool wait_for_interval(job *j)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += interval;
    if (end.tv_nsec >= second) {
        end.tv_sec++;
        end.tv_nsec -= second;
    }
    pthread_mutex_lock(&j->lock);
    int timed_out = 0;
    while (!j->is_done && timed_out == 0)
        timed_out = pthread_cond_timedwait(&j->done, &j->lock, &end);
    bool is_done = j->is_done;
    pthread_mutex_unlock(&j->lock);
    return is_done;
}

/* Waits until the job is done; returns whether a signal handler raised an exception. */
static bool wait_for(job *j)
{
    bool is_done = false, raised = false;
    GIL_SUSPENSION outside = {.cancel = j->cancel};
    while (!is_done) {
        gil_suspend(&outside);
        is_done = wait_for_interval(j);
        gil_resume(&outside);
        if (!raised && PyErr_CheckSignals() != 0) {
            raised = true;
            opac_cancel_request(j->cancel);
        }
    }
    return raised;
}

opac_status core_report_deadline(opac_status status, const opac_cancel *cancel, opac_error *error)
{
    if (status != OPAC_ERROR_CANCELLED || opac_cancel_get_reason(cancel) != OPAC_CANCEL_TIME)
        return status;
    error->code = OPAC_ERROR_LIMIT;
    error->parameter = "max_seconds";
    return OPAC_ERROR_LIMIT;
}

opac_status core_run_with(core_work job_work, void *context, opac_cancel *cancel, opac_error *error)
{
    job j = {.work = job_work, .context = context, .cancel = cancel, .error = error};
    pthread_t thread;
    bool raised = false;
    pthread_mutex_init(&j.lock, NULL);
    pthread_cond_init(&j.done, NULL);
    if (start(&j, &thread) == 0) {
        raised = wait_for(&j);
        pthread_join(thread, NULL);
    } else { /* no thread could be created: run in this one, where Ctrl-C has no effect */
        GIL_SUSPENSION outside = {.cancel = cancel};
        gil_suspend(&outside);
        work(&j);
        gil_resume(&outside);
    }
    pthread_cond_destroy(&j.done);
    pthread_mutex_destroy(&j.lock);
    if (!raised)
        return core_report_deadline(j.status, cancel, error);
    error->code = OPAC_ERROR_CANCELLED;
    return OPAC_ERROR_CANCELLED;
}

opac_status core_run(core_work job_work, void *context, opac_error *error)
{
    return core_run_for(job_work, context, 0, error);
}

opac_status core_run_for(core_work job_work, void *context, double seconds, opac_error *error)
{
    opac_cancel *cancel;
    opac_status status = opac_cancel_new(&cancel, error);
    if (status != OPAC_OK)
        return status;
    opac_cancel_set_deadline(cancel, seconds);
    status = core_run_with(job_work, context, cancel, error);
    opac_cancel_free(cancel);
    return status;
}
