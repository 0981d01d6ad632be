// One random program on machines of which only one is traced, and every difference between that and
// the others: an untraced machine leaves PEs alone for many cycles where a traced one looks at
// each, and runs its strips on threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "vm/pe/jitter.h"

namespace wse::differential {

// How both machines run.
struct Limits {
  std::uint64_t max_cycles = 0;
  std::optional<vm::Jitter> jitter = {};
  bool in_part = true;  // transports: also a part of the cycles that the program takes
};

// Up to the limit of cycles, with each of these numbers of threads. Empty if all end alike, in
// records and in memory.
std::string compare_untraced(const isa::Image& image, const isa::Profile& profile,
                             const Limits& limits, std::span<const std::uint32_t> threads);

// The same of the two transports, neither traced: to the limit, and if wanted to a part of the
// cycles that the program takes. Where the mesh has several blocks
// of PEs, the wafer takes it on several threads too.
struct TransportComparison {
  std::string difference;
  std::string refused;       // why the wafer left the program to the stepper; empty: it did not
  std::uint32_t strips = 1;  // that the wafer had at most
};
TransportComparison compare_transports(const isa::Image& image, const isa::Profile& profile,
                                       const Limits& limits);

}  // namespace wse::differential
