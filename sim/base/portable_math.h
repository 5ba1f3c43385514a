// Functions whose last bits differ from one standard library to the next, made of operations that IEEE 754
// fixes: the same bits on every machine. Right to 1e-13 of the result.
#pragma once

namespace smsim {

/// The natural logarithm of a number above 0.
double portable_log(double x);

/// e to the power of x; infinity above the largest double, 0 below the smallest normal one.
double portable_exp(double x);

/// The x that a standard normal variable stays below with probability p, in (0, 1).
double normal_quantile(double p);

}  // namespace smsim
