// A trap as a value: where and why the machine stopped.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/image/image.h"
#include "isa/instruction/traps.h"
#include "vm/support/cone.h"
#include "vm/support/time.h"

namespace wse::vm {

inline constexpr std::uint32_t kNoPc = ~0u;

struct TrapReport {
  isa::Trap trap = isa::Trap::BadInstruction;
  Cycle cycle = 0;
  PeId pe = 0;
  std::uint32_t pc = kNoPc;  // code word index, kNoPc for a router
  std::string detail;        // what exactly, in words
  // Of a router: what its wavelet followed, and the stream that did not take it.
  const isa::Routing* routing = nullptr;
  const isa::Stream* stream = nullptr;
};

// Keeps the trap with the smallest (cycle, PE) of all that were raised, and where others of its
// cycle were.
class FirstTrap {
 public:
  // A trap beside the first one.
  struct Other {
    isa::Trap trap = isa::Trap::BadInstruction;
    PeId pe = 0;
    std::uint32_t pc = kNoPc;
    const isa::Routing* routing = nullptr;
    const isa::Stream* stream = nullptr;
  };

  // Where most PEs stand still: ignores traps of those that are not exact any more.
  void keep_to(const Cone& cone) { cone_ = cone; }

  void raise(TrapReport report) {
    if (cone_ && !cone_->is_exact(report.pe, report.cycle)) return;
    if (first_ && report.cycle > first_->cycle) return;
    if (first_ && report.cycle < first_->cycle) all_.clear();
    all_.push_back({report.trap, report.pe, report.pc, report.routing, report.stream});
    const bool earlier =
        !first_ || std::pair(report.cycle, report.pe) < std::pair(first_->cycle, first_->pe);
    if (earlier) first_ = std::move(report);
  }
  const std::optional<TrapReport>& first() const { return first_; }
  // Returns all traps of that cycle, the first included, as they were raised.
  std::span<const Other> all() const { return all_; }

 private:
  std::optional<TrapReport> first_;
  std::vector<Other> all_;
  std::optional<Cone> cone_;
};

}  // namespace wse::vm
