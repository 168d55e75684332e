# SPDX-License-Identifier: GPL-2.0-or-later
# oracle.R - what R says about the numbers that oracle_test.c gives to src/bench/stat
#
#       Rscript tests/stat/oracle.R >tests/stat/oracle.txt
#
# Run once, with R 4.2.2 and mclust 6.0.0 (Debian 12: r-base-core, r-cran-mclust); its output is kept, so tests need no R.
# A case is a line "case KIND" and lines "name value value ...", with the digits that a double has. What goes in stands
# before what comes out. Where R has a function, that is the oracle (wilcox.test, psignrank, pwilcox, p.adjust, t.test,
# aov, Mclust); where it has none, the definition is written out in the slowest way.

suppressPackageStartupMessages(library(mclust))

line <- function(name, values) cat(paste(c(name, sprintf("%.17g", as.numeric(values))), collapse = " "), "\n", sep = "")
case <- function(kind, ...) {
	cat("case ", kind, "\n", sep = "")
	values <- list(...)
	for (name in names(values)) line(name, values[[name]])
}

p <- c(1e-300, 1e-20, 1e-6, 0.001, 0.0147, 0.025, 0.3, 0.5, 0.6, 0.975, 0.99999)
case("normal", p = p, quantile = qnorm(p), z = c(-30, -8, -1.96, 0, 0.5, 3), cdf = pnorm(c(-30, -8, -1.96, 0, 0.5, 3)))
for (df in c(1, 2, 6, 10, 14, 30, 998))
	case("t", df = df, p = p[3:11], quantile = qt(p[3:11], df), t = c(-40, -3, -0.1, 0, 0.7, 2.2, 9),
	     cdf = pt(c(-40, -3, -0.1, 0, 0.7, 2.2, 9), df))

for (n in c(1, 5, 6, 13, 40, 150))
	case("signed_cdf", n = n, cdf = psignrank(seq(0, n * (n + 1) / 2, length.out = 16) %/% 1, n))
for (n in list(c(1, 1), c(3, 5), c(4, 4), c(12, 7), c(30, 30), c(2, 45)))
	case("rank_cdf", n = n, cdf = pwilcox(seq(0, n[1] * n[2], length.out = 16) %/% 1, n[1], n[2]))

# Without ties and zeros: R's own exact test.
signed <- function(d, alpha) {
	r <- wilcox.test(d, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE)
	case("signed_rank", d = d, alpha = alpha, estimate = r$estimate, ci = r$conf.int, p = r$p.value)
}
# With them: the median of Walsh averages, the interval's ends counted off, zeros on the side of no shift.
signed_ties <- function(d, alpha) {
	walsh <- sort(outer(d, d, "+")[lower.tri(diag(length(d)), diag = TRUE)] / 2)
	n <- length(d)
	c <- max(which(psignrank(0:length(walsh), n) <= alpha / 2)) - 1
	p <- min(1, 2 * psignrank(sum(walsh <= 0), n), 2 * psignrank(sum(walsh >= 0), n))
	case("signed_rank", d = d, alpha = alpha, estimate = median(walsh), ci = walsh[c(c + 1, length(walsh) - c)], p = p)
}
set.seed(4711)
darwin <- c(49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48) # Darwin's maize, Fisher 1935
signed(darwin + seq(0.001, 0.015, 0.001), 0.05)
for (n in c(6, 7, 12, 24, 49)) for (alpha in c(0.05, 0.10)) signed(round(rnorm(n, 0.01, 0.03), 6), alpha)
signed(round(rnorm(8, 0.01, 0.03), 6), 0.01)
signed(round(rt(30, 2), 5), 0.0158)
signed_ties(darwin, 0.05)
signed_ties(c(0, 0, 1, 2, 2, 3, 3, 3, -1, 4), 0.05)
signed_ties(rep(0.02, 6), 0.05)
signed_ties(rep(0, 9), 0.05)
signed_ties(c(rep(-1, 10), rep(-2, 10), 0, 3), 0.10)

ranked <- function(a, b, alpha) {
	r <- wilcox.test(b, a, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE)
	case("rank_sum", a = a, b = b, alpha = alpha, estimate = r$estimate, ci = r$conf.int, p = r$p.value)
}
ranked_ties <- function(a, b, alpha) {
	d <- sort(as.vector(outer(b, a, "-")))
	m <- length(a)
	n <- length(b)
	c <- max(which(pwilcox(0:length(d), m, n) <= alpha / 2)) - 1
	p <- min(1, 2 * pwilcox(sum(d <= 0), m, n), 2 * pwilcox(sum(d >= 0), m, n))
	case("rank_sum", a = a, b = b, alpha = alpha, estimate = median(d), ci = d[c(c + 1, length(d) - c)], p = p)
}
for (n in list(c(4, 4), c(3, 8), c(10, 10), c(25, 14), c(49, 49)))
	ranked(round(rnorm(n[1], 100, 2), 5), round(rnorm(n[2], 101, 3), 5), 0.05)
ranked(round(rnorm(20), 5), round(rexp(20), 5), 0.10)
ranked_ties(c(1, 2, 2, 3, 3, 4), c(2, 3, 4, 4, 5, 9, 9), 0.05)
ranked_ties(rep(5, 6), rep(5, 6), 0.05)

# Above the limits of the exact distributions.
normal_signed <- function(n) {
	d <- round(rnorm(n, 0.003, 0.05), 7)
	walsh <- sort(outer(d, d, "+")[lower.tri(diag(n), diag = TRUE)] / 2)
	w <- sum(walsh > 0)
	p <- wilcox.test(d, exact = FALSE, correct = TRUE)$p.value
	sd <- sqrt(n * (n + 1) * (2 * n + 1) / 24)
	c <- floor(n * (n + 1) / 4 + qnorm(0.025) * sd - 0.5)
	case("signed_rank", d = d, alpha = 0.05, estimate = median(walsh), ci = walsh[c(c + 1, length(walsh) - c)], p = p)
}
normal_signed(401)
normal_ranked <- function(m, n) {
	a <- round(rnorm(m), 7)
	b <- round(rnorm(n, 0.2), 7)
	d <- sort(as.vector(outer(b, a, "-")))
	p <- wilcox.test(b, a, exact = FALSE, correct = TRUE)$p.value
	c <- floor(m * n / 2 + qnorm(0.025) * sqrt(m * n * (m + n + 1) / 12) - 0.5)
	case("rank_sum", a = a, b = b, alpha = 0.05, estimate = median(d), ci = d[c(c + 1, length(d) - c)], p = p)
}
normal_ranked(80, 130)

# Pocock: the z at which K looks at a random walk, at equal steps, find in all `overall`; by recursion over a grid
# (Armitage, McPherson, Rowe 1969).
found <- function(z, looks) {
	step <- 0.005
	grid <- seq(-z * sqrt(looks), z * sqrt(looks), by = step)
	density <- dnorm(grid) * (abs(grid) < z)
	total <- 2 * pnorm(-z)
	for (k in seq_len(looks - 1) + 1) {
		inside <- abs(grid) < z * sqrt(k - 1)
		from <- grid[inside]
		weight <- density[inside] * step
		limit <- z * sqrt(k)
		total <- total + sum(weight * (pnorm(-limit - from) + pnorm(limit - from, lower.tail = FALSE)))
		density <- numeric(length(grid))
		for (i in which(abs(grid) < limit)) density[i] <- sum(weight * dnorm(grid[i] - from))
	}
	total
}
for (overall in c(0.01, 0.05, 0.10)) {
	z <- sapply(2:5, function(k) uniroot(function(z) found(z, k) - overall, c(1.6, 3.2), tol = 1e-5)$root)
	case("looks", overall = overall, alpha = 2 * pnorm(-z))
}

for (p in list(c(0.01, 0.04, 0.03, 0.005), c(0.5), c(0.02, 0.02, 0.02), c(0.9, 0.001, 1, 0, 0.04, 0.04), round(runif(40)^3, 6)))
	case("adjust", p = p, holm = p.adjust(p, "holm"), bh = p.adjust(p, "BH"))

# The best cut by trying all; least is the shortest segment.
best_cut <- function(x, least) {
	best <- c(-1, 0)
	n <- length(x)
	d <- abs(outer(x, x, "-"))
	for (at in least:(n - least)) for (end in (at + least):n) {
		i <- 1:at
		j <- (at + 1):end
		q <- length(i) * length(j) / end * (2 * mean(d[i, j]) - mean(d[i, i]) - mean(d[j, j]))
		if (q > best[1]) best <- c(q, at)
	}
	best
}
cuts <- function(x, least) {
	best <- best_cut(x, least)
	case("cut", series = x, at = best[2])
}
cuts(c(143, 152, 147, 148, 149, 151, 214, 259, 255, 261), 3)
cuts(round(c(rnorm(25, 100), rnorm(35, 103)), 4), 5)
cuts(round(c(rnorm(60, 100, 1), rnorm(60, 100, 8)), 4), 5)
cuts(round(c(rnorm(20, 100), rnorm(20, 110), rnorm(40, 100)), 4), 5)

modes <- function(x) {
	control <- emControl(tol = c(1e-14, 1e-14), itmax = c(100000, 100000))
	two <- Mclust(x, G = 2, modelNames = "V", control = control, verbose = FALSE)
	one <- Mclust(x, G = 1, modelNames = "X", verbose = FALSE)
	s <- order(two$parameters$mean)
	case("modes", series = x, mean = two$parameters$mean[s], sd = sqrt(two$parameters$variance$sigmasq[s]),
	     weight = two$parameters$pro[s], likelihood = two$loglik, bic = two$bic - one$bic)
}
modes(round(c(rnorm(40, 148, 4), rnorm(25, 258, 5)), 4))
modes(round(sample(c(rnorm(60, 100, 2), rnorm(60, 108, 3))), 4))
modes(round(sample(c(rnorm(190, 940, 1), rnorm(20, 900, 9))), 4))
modes(faithful$eruptions)

layouts <- function(a, b) {
	values <- c(unlist(a), unlist(b))
	lengths <- sapply(c(a, b), length)
	layout <- factor(rep(seq_along(lengths), lengths))
	means <- sapply(a, mean)
	means_b <- sapply(b, mean)
	test <- t.test(means_b, means, var.equal = TRUE)
	within <- sum((values - ave(values, layout))^2) / (length(values) - length(lengths))
	between <- (sum((means - mean(means))^2) + sum((means_b - mean(means_b))^2)) / test$parameter
	case("layout", a_runs = sapply(a, length), a = unlist(a), b_runs = sapply(b, length), b = unlist(b),
	     difference = mean(means_b) - mean(means), ci = test$conf.int, p = test$p.value, df = test$parameter,
	     sd_run = sqrt(within), sd_layout = sqrt(max(0, between - within * mean(1 / lengths))))
}
side <- function(n, runs, mean) lapply(seq_len(n), function(i) round(rnorm(runs, rnorm(1, mean, 0.025), 0.01), 6))
layouts(side(8, 3, 0), side(8, 3, -0.04))
layouts(side(4, 5, 0), side(6, 2, 0))
layouts(list(c(1, 5), c(2, 4), c(0, 6)), list(c(3, 9), c(5, 7), c(6, 6.5))) # less between than the runs explain
