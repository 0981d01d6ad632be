// Every tolerance of the test suite, each with its reason. Everything else is exact.
#pragma once

namespace wse::test_support {

// heat in f32 against double, up to 25 steps of values below 100: each step rounds 7 times, errors
// do not grow (the scheme is a weighted mean), so 25 * 7 * 2^-24 * 100 bounds them.
inline constexpr double kHeatTolerance = 1e-3;

// The wave equation in f32 against double, of the largest absolute value: a step rounds each of its
// 25 terms once, about 1e-7 of the largest, and waves carry that on without making it grow.
inline constexpr double kStencilTolerance = 1e-5;

// Fourier transforms of up to 512 numbers against double, of the largest result: each of the 9
// stages rounds three times, and so do the factors, relative to 2^-24 or 2^-11.
inline constexpr double kFftTolerance = 2e-6;
inline constexpr double kHalfFftTolerance = 4e-3;

// Elements below 5 of L in f32 against double: up to 17 products are taken off, each rounded once.
inline constexpr double kCholeskyTolerance = 1e-5;

// Means of f32 below 16 against double: sums of some hundred numbers, rounded each.
inline constexpr double kMeansTolerance = 1e-4;

// Cycles of programs whose code is known, against measured ones: within one or the other, since
// set-ups that happen once per run are known only together.
inline constexpr double kCloseCyclesPercent = 2;
inline constexpr double kCloseCycles = 2;

// Short vectors, of which a row is some ten cycles: one of them, or what a law leaves of its own
// rows.
inline constexpr double kShortCyclesPercent = 5;
inline constexpr double kShortCycles = 1;

// The same where the measured number is a round one, or its code was compiled and is not public.
inline constexpr double kRoughCyclesPercent = 15;

// Matrix products measured on WSE-3: rows with which constants of the machine were chosen, rows
// that they predict, and what a PE more takes in a chain whose ends are a library's.
inline constexpr double kFittedProductPercent = 10;
inline constexpr double kPredictedProductPercent = 12;
inline constexpr double kChainSlopePercent = 5;

}  // namespace wse::test_support
