// Threads that have issued all of their elements, or are cut, end: the rest of their elements is
// applied, their messages are closed, their cores are told.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vm/contract/boundary.h"
#include "vm/ledger/ledger.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/input_prefetch.h"
#include "vm/planes/words/fifos.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class EndingThreads {
 public:
  struct Parts {  // all must live longer
    Ledger& ledger;
    RouterTable& table;
    IssueTable& issue;
    Threads& threads;
    Fifos& fifos;
    const RunLists& run_lists;
    Words& words;
    TransportClient& client;
  };
  explicit EndingThreads(const Parts& parts)
      : parts_(parts), grid_(parts.table.grid()), prefetch_inputs_(parts.table, parts.run_lists) {}

  // Threads of the block end in this cycle.
  void add(std::uint32_t block) { blocks_.push_back(block); }
  // Ends the threads of those blocks that have issued all, when queues have taken and given.
  void finish(Cycle now);
  // Applies what the threads that still move have issued.
  void apply_issued();
  // Counts it; it is counted again when they end.
  void count_issued();
  // Another machine has counted so many elements of the thread.
  void has_counted(ThreadId thread, std::uint64_t elements) {
    counted_[parts_.threads.index(thread)] = elements;
  }

 private:
  void take_ended(std::uint32_t block);
  void end_all(Cycle now);
  void end(Thread& thread, Cycle now);
  void leave_fifos(const Thread& thread, std::uint64_t elements);
  // Counts the elements up to that one.
  void count(const Thread& thread, std::uint64_t elements);

  Parts parts_;
  const Grid& grid_;
  InputPrefetch prefetch_inputs_;
  std::vector<std::uint32_t> blocks_;  // in this cycle
  std::vector<std::uint32_t> ended_;   // threads, in this cycle
  // By thread that has not ended: elements that another machine has counted.
  std::unordered_map<std::uint32_t, std::uint64_t> counted_;
};

}  // namespace wse::vm::wafer
