// Copies what is about to change.
#include "vm/pe/stretch_log.h"

#include <algorithm>
#include <cstring>

namespace wse::vm {
namespace {

constexpr std::uint32_t kHalfWordShift = 1;  // nothing writes less
constexpr std::uint32_t kLineShift = 6;

std::uint32_t block_bytes(std::uint32_t shift, const isa::ScalarState& state, std::uint32_t block) {
  return std::min(1u << shift, state.memory_bytes - (block << shift));
}

}  // namespace

void StretchLog::take_back(isa::ScalarState& state) const {
  std::ranges::copy(r, state.r);
  state.pc = pc;
  state.random = random;
  state.instructions = instructions;
  state.flops = flops;
  state.slots_charged = 0;
  state.cycles_charged = 0;
  if (changes == nullptr) return;
  const std::byte* from = changes->bytes.data();
  for (const std::uint32_t block : changes->blocks) {
    const std::uint32_t count = block_bytes(block_shift, state, block);
    std::memcpy(state.memory + (block << block_shift), from, count);
    from += count;
  }
  for (const auto& [number, descriptor] : changes->descriptors) state.d[number] = descriptor;
}

void StretchRecorder::begin(StretchLog& log, const isa::ScalarState& state, bool alone) {
  log_ = &log;
  shift_ = alone ? kLineShift : kHalfWordShift;
  log.block_shift = shift_;
  std::ranges::copy(state.r, log.r);
  log.pc = state.pc;
  log.random = state.random;
  log.instructions = state.instructions;
  log.flops = state.flops;
  known_descriptors_ = 0;
  if (log.changes == nullptr) return;
  log.changes->blocks.clear();
  log.changes->bytes.clear();
  log.changes->descriptors.clear();
  log.changes->written_since.clear();
}

void StretchRecorder::end(Cycle end) {
  log_->end = end;
  if (log_->changes == nullptr) return;
  for (const std::uint32_t block : log_->changes->blocks) kept_[block] = 0;
}

void StretchRecorder::keep_all(const isa::ScalarState& state) {
  if (state.memory_bytes > 0) keep_blocks(state, 0, state.memory_bytes);
  for (std::uint32_t number = 0; number < isa::kDescriptorRegisters; ++number) {
    before_use(state, number);
  }
}

void StretchRecorder::keep_blocks(const isa::ScalarState& state, std::uint32_t address,
                                  std::uint32_t bytes) {
  const bool inside = address < state.memory_bytes && state.memory_bytes - address >= bytes;
  if (!inside) return;  // it will trap
  const std::uint32_t last = (address + bytes - 1) >> shift_;
  if (kept_.size() <= last) kept_.resize((state.memory_bytes >> shift_) + 1);
  StretchLog::Changes& changes = log_->change();
  for (std::uint32_t block = address >> shift_; block <= last; ++block) {
    if (kept_[block] != 0) continue;
    kept_[block] = 1;
    const std::byte* const from = state.memory + (block << shift_);
    changes.blocks.push_back(block);
    changes.bytes.insert(changes.bytes.end(), from, from + block_bytes(shift_, state, block));
  }
}

void StretchRecorder::keep_descriptor(const isa::ScalarState& state, std::uint32_t number) {
  known_descriptors_ |= 1u << number;
  log_->change().descriptors.emplace_back(number, state.d[number]);
}

}  // namespace wse::vm
