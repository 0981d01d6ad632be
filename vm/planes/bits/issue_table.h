// The issue slots of a strip: planes of its blocks, and what they say of one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/thread_planes.h"
#include "vm/planes/bits/threads.h"
#include "vm/support/large_pages.h"

namespace wse::vm::wafer {

class IssueTable {
 public:
  explicit IssueTable(const Grid& grid) : grid_(grid), blocks_(grid.blocks()) {}

  std::size_t size() const { return blocks_.size(); }
  IssuePlanes& operator[](std::size_t block) { return blocks_[block]; }
  const IssuePlanes& operator[](std::size_t block) const { return blocks_[block]; }
  IssuePlanes& of(PeId pe) { return blocks_[grid_.block_of(pe)]; }
  const IssuePlanes& of(PeId pe) const { return blocks_[grid_.block_of(pe)]; }

  // Elements that the thread, which moves, has issued.
  // `uncounted`: issues of a steady block that its planes do not count yet.
  std::uint64_t issued(const Thread& thread, std::uint64_t uncounted = 0) const {
    const ThreadPlanes& planes = *of(thread.pe).threads[thread.number];
    const std::uint32_t lane = grid_.lane_of(thread.pe);
    const Flow& flow = *thread.flow;
    if (planes.ended.has(lane)) return flow.length;
    const std::uint64_t issues = steps(flow) - planes.left.left(lane) + uncounted;
    if (flow.group == 0) return issues * flow.elements_per_issue;
    const std::uint64_t round = steps_of_round(flow);
    const std::uint64_t begun = issues % round * flow.elements_per_issue;
    return issues / round * flow.group + begun;
  }
  // Returns how often the flow has issued when so many of its elements have.
  static std::uint64_t steps_of(const Flow& flow, std::uint64_t issued) {
    if (flow.group == 0) return issued / flow.elements_per_issue;
    return issued / flow.group * steps_of_round(flow) +
           issued % flow.group / flow.elements_per_issue;
  }
  // How often the flow issues.
  static std::uint64_t steps(const Flow& flow) {
    static_assert(isa::kMaxLength < DownCounter::kEndless);
    if (flow.length == kNoBound) return DownCounter::kEndless;
    if (flow.group != 0) return flow.length / flow.group * steps_of_round(flow);
    return (flow.length - 1) / flow.elements_per_issue + 1;
  }
  // The same for one scalar, of what is mapped.
  static std::uint32_t steps_of_round(const Flow& flow) {
    return (flow.group - 1) / flow.elements_per_issue + 1;
  }

 private:
  const Grid& grid_;
  LargeVector<IssuePlanes> blocks_;
};

}  // namespace wse::vm::wafer
