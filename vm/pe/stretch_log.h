// The changes of a scalar stretch, so that it can be taken back.
//
// Scalar code runs ahead of the clock. Where the machine stops in the middle of a stretch - a trap
// elsewhere, the limit of cycles, an interrupt - the PE must be shown as it was then: what was is
// put back, and the stretch is run once more, up to there. Whatever happens in a PE while its
// stretch lasts must keep away from the memory that the stretch changes, as instructions in flight
// do. Registers that they write are not put back: nobody reads those of a machine that has stopped.
//
// Every store pays for this, so memory is kept in blocks: large ones where nothing else can write
// beside them, half-words where an instruction in flight may. A descriptor register that is loaded
// after the boundary keeps what was loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "isa/semantics/state.h"
#include "vm/support/time.h"

namespace wse::vm {

// Where a stretch of one PE began, and what it has done.
struct StretchFigures {
  Cycle begin = 0;  // of the stretch
  Cycle end = 0;
  std::uint32_t r[isa::kRegisters] = {};
  std::uint32_t pc = 0;
  std::uint32_t random = 0;
  std::uint32_t left = 0;
  std::uint32_t block_shift = 0;   // a block has 2^block_shift bytes, the last one of memory fewer
  std::uint64_t instructions = 0;  // that it did
  std::uint64_t flops = 0;
  // Counts of the vector instructions that it passed: elements, and cycles of memory stalls.
  std::uint64_t elements = 0;
  std::uint64_t stalls = 0;
  Cycle first_stall =
      0;                // if there are some: where the first of these instructions begins to issue
  bool passed = false;  // vector instructions or waits
  // Most stretches change nothing that is kept here: then it is of an earlier one, and nobody
  // looks.
  bool has_changes = false;
  bool keeps_all = false;  // all memory of the PE: that is given back with the next stretch
};

// The first values of what one stretch of one PE changed.
struct StretchLog : StretchFigures {
  // The former value of a register: what PEs share, or one of its own.
  struct Held {
    std::uint32_t number = 0;
    const isa::Descriptor* shared = nullptr;
    isa::Descriptor own;

    void put_into(isa::DescriptorRegisters& registers) const {
      if (shared != nullptr) {
        registers.share(number, *shared);
      } else {
        registers.set(number, own);
      }
    }
  };
  struct Blocks {  // of memory
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };
  struct Changes {
    std::vector<Blocks> blocks;
    std::vector<std::byte> bytes;  // theirs, in the same order
    std::vector<Held> descriptors;
  };
  std::unique_ptr<Changes> changes;

  Changes& change() {
    if (changes == nullptr) changes = std::make_unique<Changes>();
    if (!std::exchange(has_changes, true)) {
      changes->blocks.clear();
      changes->bytes.clear();
      changes->descriptors.clear();
    }
    return *changes;
  }
  // Bytes of memory, which is that of its PE or of one like it, that the stretch changed.
  std::size_t changed_bytes(std::span<const std::byte> memory) const;
  // Copies what those bytes are to `to`, which has room.
  void copy_changed(std::span<const std::byte> memory, std::byte* to) const;

  // ---- make it the log of a PE that does the same from the same registers
  // It keeps the same places; their bytes follow.
  void take_places(const StretchLog& other);
  // All else.
  void take_figures(const StretchFigures& other, const isa::PeState& state) {
    StretchFigures::operator=(other);
    random = state.random;
  }
  // Puts everything back to the start of the stretch.
  void take_back(isa::PeState& state) const;
  // Returns the memory that the stretch changed, as it is, and writes it back later.
  std::vector<std::byte> changed_memory(const isa::PeState& state) const;
  void put_memory(isa::PeState& state, const std::vector<std::byte>& bytes) const;
};

// Writes logs, one stretch at a time. Each place is kept once, however often it is written: a log
// is never larger than the memory of its PE.
class StretchRecorder {
 public:
  // `alone`: no instruction in flight can write memory of the PE while the stretch lasts.
  void begin(StretchLog& log, const isa::PeState& state, Cycle now, bool alone);
  // `state` is what it came to.
  void end(const isa::ScalarState& state);

  // Before `bytes` at `address` are written.
  void before_store(std::uint32_t address, std::uint32_t bytes) {
    const std::uint32_t first = address >> shift_;
    const std::uint32_t last = (address + bytes - 1) >> shift_;
    if (last < first) return;  // after the last address: it will trap
    const bool are_two = last - first <= 1 && last < kept_.size();
    if (are_two && (kept_[first] & kept_[last]) != 0) return;
    keep_blocks(address, bytes);
  }
  // Keeps descriptor register `number` before it is read, alone or to be changed. A register that
  // is written without being read needs no log: the repeated stretch writes it again first.
  void before_use(std::uint32_t number) {
    if ((known_descriptors_ & 1u << number) == 0) keep_descriptor(number);
  }
  void before_overwrite(std::uint32_t number) {
    if ((read_descriptors_ & 1u << number) != 0) return before_use(number);
    known_descriptors_ |= 1u << number;
  }
  // Before vector instructions read those of the mask. Mostly nothing overwrites them after that.
  void before_read(std::uint32_t numbers) { read_descriptors_ |= numbers & ~known_descriptors_; }

  // All that the rest of the stretch could change, so that it need not be told any more.
  void keep_all();

 private:
  void keep_blocks(std::uint32_t address, std::uint32_t bytes);
  void keep_descriptor(std::uint32_t number);

  StretchLog* log_ = nullptr;
  const std::byte* memory_ = nullptr;  // of its PE
  std::uint32_t memory_bytes_ = 0;
  const isa::DescriptorRegisters* d_ = nullptr;
  std::uint32_t shift_ = 0;
  std::vector<std::uint8_t> kept_;       // by block: 1 if the log has it
  std::uint32_t known_descriptors_ = 0;  // kept or overwritten, as bits
  std::uint32_t read_descriptors_ = 0;   // read before they were
};

}  // namespace wse::vm
