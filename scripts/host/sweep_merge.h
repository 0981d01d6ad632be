// Joins the CSV files of points=K/N (sweep_share.h) into the file that one run of the whole sweep
// writes, byte for byte.
//
//     sweep_point,sweep_points,sweep_inputs,P,cycles
//     3,120,h0f3a...,16,98                              point 3 of 120
//
// Must never give a file that lacks a point or holds rows of two different sweeps.
#pragma once

#include <span>
#include <string>

#include "isa/support/result.h"

namespace wse::script {

struct SweepPart {
  std::string name;  // of the file, as messages call it
  std::string text;
};

// Returns the whole file: the points in their order, without the first three columns. Errors: a
// file that is no part, a line that is cut off or damaged, other columns, other inputs, a point
// twice or in no file; each names the files.
isa::Result<std::string> merged_parts(std::span<const SweepPart> parts);

}  // namespace wse::script
