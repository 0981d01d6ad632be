// Copies what is about to change.
#include "vm/pe/stretch_log.h"

#include <algorithm>
#include <cstring>

namespace wse::vm {
namespace {

constexpr std::uint32_t kHalfWordShift = 1;  // nothing writes less
constexpr std::uint32_t kLineShift = 6;

std::uint32_t block_bytes(std::uint32_t shift, std::uint32_t memory_bytes, std::uint32_t block) {
  return std::min(1u << shift, memory_bytes - (block << shift));
}

}  // namespace

void StretchLog::take_back(isa::PeState& state) const {
  std::memcpy(state.r, r, sizeof r);
  state.pc = pc;
  state.random = random;
  state.left = left;
  if (!has_changes) return;
  const std::byte* from = changes->bytes.data();
  for (const std::uint32_t block : changes->blocks) {
    const std::uint32_t count = block_bytes(block_shift, state.memory_bytes, block);
    std::memcpy(state.memory + (block << block_shift), from, count);
    from += count;
  }
  for (const Held& held : changes->descriptors) {
    if (held.shared != nullptr) {
      state.d->share(held.number, *held.shared);
    } else {
      state.d->set(held.number, held.own);
    }
  }
}

void StretchRecorder::begin(StretchLog& log, const isa::PeState& state, Cycle now, bool alone) {
  log_ = &log;
  memory_ = state.memory;
  memory_bytes_ = state.memory_bytes;
  d_ = state.d;
  shift_ = alone ? kLineShift : kHalfWordShift;
  log.begin = now;
  log.block_shift = shift_;
  std::memcpy(log.r, state.r, sizeof log.r);
  log.pc = state.pc;
  log.random = state.random;
  log.left = state.left;
  log.has_changes = false;
  known_descriptors_ = 0;
  read_descriptors_ = 0;
}

void StretchRecorder::end(const isa::ScalarState& state) {
  log_->end = log_->begin + state.cycles_charged;
  log_->instructions = state.instructions;
  log_->flops = state.flops;
  log_->elements = state.elements;
  log_->stalls = state.stalls;
  log_->first_stall = log_->begin + state.first_stall;
  log_->passed = state.passed;
  if (!log_->has_changes) return;
  for (const std::uint32_t block : log_->changes->blocks) kept_[block] = 0;
}

void StretchRecorder::keep_all() {
  if (memory_bytes_ > 0) keep_blocks(0, memory_bytes_);
  if (d_ == nullptr) return;
  for (std::uint32_t number = 0; number < isa::kDescriptorRegisters; ++number) before_use(number);
}

void StretchRecorder::keep_blocks(std::uint32_t address, std::uint32_t bytes) {
  const bool inside = address < memory_bytes_ && memory_bytes_ - address >= bytes;
  if (!inside) return;  // it will trap
  const std::uint32_t last = (address + bytes - 1) >> shift_;
  if (kept_.size() <= last) kept_.resize((memory_bytes_ >> shift_) + 1);
  const std::uint32_t before = address >> shift_;
  if (std::memchr(&kept_[before], 0, last - before + 1) == nullptr) return;
  StretchLog::Changes& changes = log_->change();
  for (std::uint32_t block = address >> shift_; block <= last; ++block) {
    if (kept_[block] != 0) continue;
    const std::uint32_t first = block;
    for (; block <= last && kept_[block] == 0; ++block) {
      kept_[block] = 1;
      changes.blocks.push_back(block);
    }
    const std::byte* const from = memory_ + (first << shift_);
    const std::byte* const end =
        memory_ + ((block - 1) << shift_) + block_bytes(shift_, memory_bytes_, block - 1);
    changes.bytes.insert(changes.bytes.end(), from, end);
  }
}

void StretchRecorder::keep_descriptor(std::uint32_t number) {
  known_descriptors_ |= 1u << number;
  log_->change().descriptors.push_back(
      {.number = number, .shared = d_->shared(number), .own = (*d_)[number]});
}

}  // namespace wse::vm
