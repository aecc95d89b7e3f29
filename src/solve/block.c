/* SPDX-License-Identifier: MIT */
/* The two sides take turns. Each sweeps its vector, estimates its error, and guesses the other bound. */
#include "solve/block.h"

#include <math.h>

#include "base/work.h"
#include "solve/prove.h"
#include "solve/slow_block.h"

enum {
    FIRST_TURN = 16,   /* sweeps in the first turn; each turn has twice as many as the one before */
    PROOF_SWEEPS = 32, /* sweeps to prove a guess, in addition to as many as led to it */
    FAILURES = 8,      /* failed guesses before the other side takes turns */
    MEMORY = 8,        /* number of last steps stored */
    STEADY_SWEEPS =
        1000, /* sweeps after which the steps are assumed to shrink by a constant factor */
    LEAST_ELIMINATION = 2000, /* cost that an elimination may always have */
    GUESS_SWEEPS = 8,         /* sweeps to prove the caller's guesses */
    MOST_SWEEPS = 1 << 20
};
#define BUDGET            (UINT64_C(1) << 38) /* for a block: cost of sweeps and elimination */
#define FINAL_ELIMINATION (UINT64_C(1) << 37) /* cost limit of the elimination at the end */
/* With intervals, where a wide bracket is useful, too. */
#define ROBUST_BUDGET            (UINT64_C(1) << 28)
#define ROBUST_FINAL_ELIMINATION (UINT64_C(1) << 30)
#define NEGLIGIBLE_STEP          1e-6 /* with intervals, as a share of the width */

typedef struct side {
    bool above;
    double *x;            /* the vector that this side sweeps; the other bound is guessed from it */
    double target;        /* estimated error at which the next guess is made */
    double steps[MEMORY]; /* relative steps of the last sweeps */
    uint64_t sweeps;
    uint32_t failures;
    bool stalled; /* sweeps no longer change x, or change it too slowly for the budget */
} side;

typedef struct run {
    solve_block_task *task;
    side below, above;
    double tried; /* cost of the sweeps when elimination was last tried */
    bool done;
} run;

/* The relative step `ago` sweeps ago. */
static double step(const side *s, uint64_t ago)
{
    return s->sweeps > ago ? s->steps[(s->sweeps - 1 - ago) % MEMORY] : HUGE_VAL;
}

/* Estimates the relative distance to the solution, assuming that the steps shrink geometrically. */
static double estimate_error(const side *s)
{
    double last = step(s, 0), before = step(s, 1);
    if (!(last > 0))
        return 0;
    if (s->sweeps == 1)
        return 8 * last; /* heuristic for vectors that begin close to the solution */
    if (!(last < before))
        return HUGE_VAL;
    double factor = last / before;
    return last * factor / (1 - factor);
}

/* Estimates the sweeps until the error is below the target, from the last steps; HUGE_VAL if they do not
 * shrink. */
static double sweeps_left(const side *s)
{
    double last = step(s, 0), factor = pow(last / step(s, MEMORY - 1), 1.0 / (MEMORY - 1));
    if (!(factor < 1))
        return HUGE_VAL;
    double wanted = s->target * (1 - factor) / factor;
    return last > wanted ? log(wanted / last) / log(factor) : 0;
}

/* Guesses the other bound from the vector of this side and tries to prove it. */
static void guess_other_bound(run *r, side *s)
{
    solve_block_task *task = r->task;
    bool robust = task->block.quotient->robust;
    double widened = 1 + 0.99 * task->width, distance = 0.75 * task->width;
    double factor = robust ? 1 : s->above ? 1 / widened : widened;
    double shift = !robust ? 0 : s->above ? -distance : distance;
    bool proven = solve_prove_bound(task, s->x + task->block.begin, factor, shift, !s->above,
                                    PROOF_SWEEPS + s->sweeps);
    r->done = proven && solve_task_is_narrow(task);
    s->failures++;
    s->target /= 4;
}

/* Sweeps one side, and guesses the other bound whenever the estimated error is small enough. */
static void take_turn(run *r, side *s, uint64_t sweeps)
{
    solve_sweep_kind kind = s->above ? SOLVE_ABOVE : SOLVE_BELOW;
    double negligible = r->task->block.quotient->robust ? NEGLIGIBLE_STEP * r->task->width : 0;
    for (uint64_t i = 0; i < sweeps && !s->stalled && !r->done && !r->task->cancelled; i++) {
        if (solve_should_stop(r->task->stop))
            return;
        solve_moves moves = solve_task_sweep(r->task, kind, s->x);
        double moved = s->above ? moves.fall : moves.rise;
        s->steps[s->sweeps++ % MEMORY] = moved;
        s->stalled = moved <= negligible;
        if (estimate_error(s) <= s->target)
            guess_other_bound(r, s);
    }
}

/*
 * Tries elimination if the side seems to need more than half of the work done so far. Its limit is twice
 * the cost of the sweeps so far, or the estimated cost of the remaining sweeps if that is less. Tries
 * again when the sweeps have cost three times as much.
 */
static opac_status try_elimination(run *r, const side *s, opac_error *error)
{
    solve_block_task *task = r->task;
    double swept = (double)task->sweeps * (double)task->block.cost;
    double ahead = sweeps_left(s) * (double)task->block.cost;
    if (2 * ahead < swept || swept < 3 * r->tried)
        return OPAC_OK;
    r->tried = swept;
    double limit = (ahead < 2 * swept ? ahead : 2 * swept) + LEAST_ELIMINATION;
    opac_status status = solve_slow_block_enclose(task, s->x, (uint64_t)limit, false, error);
    r->done = solve_task_is_narrow(task);
    return status;
}

static bool is_stopped(const solve_block_task *task)
{
    return task->stop != NULL && task->stop->stopped;
}

static uint64_t budget(const solve_block_task *task)
{
    return task->block.quotient->robust ? ROBUST_BUDGET : BUDGET;
}

static bool is_spent(const solve_block_task *task)
{
    return task->spent >= budget(task) || task->sweeps >= MOST_SWEEPS;
}

/* Whether this side will exceed the budget before it is close enough, once its steps shrink steadily. */
static bool is_too_slow(const run *r, const side *s)
{
    if (s->sweeps < STEADY_SWEEPS || step(s, 0) >= 0.01)
        return false;
    double left = sweeps_left(s);
    return left > MOST_SWEEPS || left * (double)r->task->block.cost > (double)budget(r->task);
}

/* The sides take turns until the enclosure is narrow, both stall, the budget is spent, or the caller stops
 * the block. */
static opac_status alternate(run *r, opac_error *error)
{
    const solve_quotient *q = r->task->block.quotient;
    bool below_only = q->robust && !q->greatest, both = r->task->warm, above = both;
    uint64_t turn = FIRST_TURN;
    while (!r->done && !r->task->cancelled) {
        side *s = above ? &r->above : &r->below;
        take_turn(r, s, turn);
        if (r->done || (r->below.stalled && (r->above.stalled || below_only)) ||
            is_spent(r->task) || is_stopped(r->task))
            break;
        both = !below_only && (both || r->below.stalled || r->below.failures >= FAILURES);
        turn = above || !both ? 2 * turn : turn;
        above = both && !above;
        r->done = solve_task_is_narrow(r->task);
        if (!r->done && !s->stalled)
            TRY(try_elimination(r, s, error));
        s->stalled = s->stalled || is_too_slow(r, s);
    }
    if (!r->done && !r->task->cancelled && !is_stopped(r->task))
        TRY(solve_slow_block_enclose(r->task, r->below.sweeps > 0 ? r->below.x : r->above.x,
                                     q->robust ? ROBUST_FINAL_ELIMINATION : FINAL_ELIMINATION, true,
                                     error));
    return OPAC_OK;
}

/* Tries to prove the caller's guesses. A guess from above that fails is tried again with a small shift. */
static void use_guesses(solve_block_task *task)
{
    uint32_t begin = task->block.begin;
    if (task->guess_lower != NULL)
        solve_prove_bound(task, task->guess_lower + begin, 1, 0, false, GUESS_SWEEPS);
    for (double more = 0; task->guess_upper != NULL && !task->warm && more <= 16 * task->width;
         more = more > 0 ? 16 * more : task->width)
        task->warm =
            solve_prove_bound(task, task->guess_upper + begin, 1, more, true, GUESS_SWEEPS);
}

opac_status solve_block_enclose(solve_block_task *task, opac_error *error)
{
    double target = 0.4 * task->width;
    run r = {
        .task = task,
        .below = {.x = task->lower, .target = target},
        .above = {.above = true, .x = task->upper, .target = target},
    };
    for (uint32_t n = task->block.begin; n < task->block.end; n++) {
        task->lower[n] = 0;
        task->choice[n] = GRAPH_NONE;
        if (!task->warm)
            task->upper[n] = 1;
    }
    if (task->block.quotient->robust)
        use_guesses(task);
    TRY(alternate(&r, error));
    if (task->cancelled)
        return base_fail_stopped(error, task->cancel, "solving");
    return OPAC_OK;
}
