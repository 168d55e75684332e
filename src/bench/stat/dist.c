/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dist.c - the normal distribution and Student's t */
#include <math.h>

#include "dist.h"

#define EPSILON 0x1p-52 /* of a double */

double stat_normal_cdf(double z)
{
	return 0.5 * erfc(-z / M_SQRT2);
}

/* The z below which p is, p at most 0.5: within 4.5e-4, then three steps that each triple the digits. */
static double lower_quantile(double p)
{
	double t = sqrt(-2 * log(p));
	double z =
		-t + (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int i = 0; i < 3; i++) {
		double step = (stat_normal_cdf(z) - p) * sqrt(2 * M_PI) * exp(z * z / 2);

		z -= step / (1 + z * step / 2);
	}
	return z;
}

double stat_normal_quantile(double p)
{
	return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

/* The n-th coefficient of the continued fraction, n >= 1. */
static double coefficient(int n, double a, double b, double x)
{
	int m = n / 2;

	if (n % 2)
		return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* I_x(a, b) for x < (a + 1) / (a + b + 2), where the fraction converges fast. */
static double beta_fraction(double x, double a, double b)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a;
	double c = 1, d = 0, value = 1;

	for (int n = 1; n < 10000; n++) {
		double k = coefficient(n, a, b, x);

		d = 1 / (1 + k * d);
		c = 1 + k / c;
		value *= c * d;
		if (fabs(c * d - 1) < EPSILON)
			break;
	}
	return front / value;
}

/* I_x(a, b); y is 1 - x, known better than by subtraction. */
static double beta(double x, double y, double a, double b)
{
	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	return x < (a + 1) / (a + b + 2) ? beta_fraction(x, a, b) : 1 - beta_fraction(y, b, a);
}

double stat_t_cdf(double t, double df)
{
	double tail = beta(df / (df + t * t), t * t / (df + t * t), df / 2, 0.5) / 2;

	return t > 0 ? 1 - tail : tail;
}

double stat_t_quantile(double p, double df)
{
	double low = -1, high = 0;

	if (p > 0.5)
		return -stat_t_quantile(1 - p, df);
	while (stat_t_cdf(low, df) > p)
		low *= 2;
	for (int i = 0; i < 200 && high - low > EPSILON * -low; i++) {
		double middle = (low + high) / 2;

		*(stat_t_cdf(middle, df) > p ? &high : &low) = middle;
	}
	return (low + high) / 2;
}
