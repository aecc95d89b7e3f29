/* SPDX-License-Identifier: MIT */
/* Uses tables and series, without log-gamma and without cancellation. */
#include "stat/density.h"

#include <assert.h>
#include <math.h>

enum {
    SMALL = 16 /* from this on, the error of five terms of Stirling's series is below 2e-16 */
};

static const double small_residue[SMALL] = {
    0,
    1,
    1.3068528194400546906,
    1.4959226032237259266,
    1.6328763858683831443,
    1.7403021806115441212,
    1.8286943966417709902,
    1.9037903176782211644,
    1.9690705693065628024,
    2.0268062840554951661,
    2.0785616431350584550,
    2.1254598450918098546,
    2.1683346982058824268,
    2.2078222061234453169,
    2.2444185681250608968,
    2.2785183673077405761,
};

static const double half_log_two_pi = 0.91893853320467274178;

/* Stirling's series; x >= SMALL. */
static double large_residue(double x)
{
    double y = 1 / x, z = y * y;
    double series = 1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)));
    return half_log_two_pi + 0.5 * log(x) + y * series;
}

double stat_residue(double x)
{
    assert(x >= 0);
    if (x >= SMALL)
        return large_residue(x);
    if (x == floor(x))
        return small_residue[(int)x];
    /* residue(x) = residue(x+1) + x ln(1 + 1/x) - 1, from x! = (x+1)! / (x+1). */
    double step = 0;
    for (; x < SMALL; x++)
        step += x * log1p(1 / x) - 1;
    return large_residue(x) + step;
}

/*
 * For x near m, let v = (x-m)/(x+m). Then ln(x/m) = 2 atanh v, whose first term cancels exactly against x -
 * m, which leaves (x-m) v + 2x (v³/3 + v⁵/5 + …).
 */
double stat_deviance(double x, double m, double difference)
{
    if (x == 0)
        return m;
    double v = difference / (x + m);
    if (fabs(v) >= 0.1) {
        double ratio = x / m; /* infinite if m is subnormal */
        return x * (isnormal(ratio) ? log(ratio) : log(x) - log(m)) - difference;
    }
    double sum = difference * v, power = 2 * x * v, square = v * v;
    for (int odd = 3;; odd += 2) {
        power *= square;
        double next = sum + power / odd;
        if (!(fabs(next - sum) > 0)) /* also true for NaN */
            return next;
        sum = next;
    }
}
