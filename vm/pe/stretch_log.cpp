// Copies what is about to change.
#include "vm/pe/stretch_log.h"

#include <algorithm>
#include <cstring>

namespace wse::vm {
namespace {

constexpr std::uint32_t kHalfWordShift = 1;  // nothing writes less
constexpr std::uint32_t kLineShift = 6;

std::uint32_t bytes_of(const StretchLog::Blocks& blocks, std::uint32_t shift,
                       std::uint32_t memory_bytes) {
  return std::min(blocks.end << shift, memory_bytes) - (blocks.first << shift);
}

}  // namespace

void StretchLog::take_back(isa::PeState& state) const {
  std::memcpy(state.r, r, sizeof r);
  state.pc = pc;
  state.random = random;
  state.left = left;
  if (!has_changes) return;
  put_memory(state, changes->bytes);
  for (const Held& held : changes->descriptors) held.put_into(*state.d);
}

std::size_t StretchLog::changed_bytes(std::span<const std::byte> memory) const {
  const auto all = static_cast<std::uint32_t>(memory.size());
  std::size_t bytes = 0;
  if (!has_changes) return bytes;
  for (const Blocks& blocks : changes->blocks) bytes += bytes_of(blocks, block_shift, all);
  return bytes;
}

void StretchLog::copy_changed(std::span<const std::byte> memory, std::byte* to) const {
  const auto all = static_cast<std::uint32_t>(memory.size());
  for (const Blocks& blocks : changes->blocks) {
    const std::uint32_t count = bytes_of(blocks, block_shift, all);
    std::memcpy(to, memory.data() + (blocks.first << block_shift), count);
    to += count;
  }
}

void StretchLog::take_places(const StretchLog& other) {
  if (std::exchange(keeps_all, false)) changes.reset();
  has_changes = false;  // of an earlier stretch
  Changes& mine = change();
  mine.blocks = other.changes->blocks;
  mine.descriptors = other.changes->descriptors;
}

std::vector<std::byte> StretchLog::changed_memory(const isa::PeState& state) const {
  const std::span<const std::byte> memory{state.memory, state.memory_bytes};
  std::vector<std::byte> bytes(changed_bytes(memory));
  if (!bytes.empty()) copy_changed(memory, bytes.data());
  return bytes;
}

void StretchLog::put_memory(isa::PeState& state, const std::vector<std::byte>& bytes) const {
  if (!has_changes) return;
  const std::byte* from = bytes.data();
  for (const Blocks& blocks : changes->blocks) {
    const std::uint32_t count = bytes_of(blocks, block_shift, state.memory_bytes);
    std::memcpy(state.memory + (blocks.first << block_shift), from, count);
    from += count;
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
  if (std::exchange(log.keeps_all, false)) log.changes.reset();
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
  for (const auto [first, end] : log_->changes->blocks) {
    std::memset(&kept_[first], 0, end - first);
  }
}

void StretchRecorder::keep_all() {
  log_->keeps_all = true;
  log_->change().bytes.reserve(memory_bytes_);
  if (memory_bytes_ > 0) keep_blocks(0, memory_bytes_);
  if (d_ == nullptr) return;
  for (std::uint32_t number = 0; number < isa::kDescriptorRegisters; ++number) before_use(number);
}

void StretchRecorder::keep_blocks(std::uint32_t address, std::uint32_t bytes) {
  const bool inside = address < memory_bytes_ && memory_bytes_ - address >= bytes;
  if (!inside) return;  // it will trap
  const std::uint32_t last = (address + bytes - 1) >> shift_;
  if (kept_.size() <= last) kept_.resize((memory_bytes_ >> shift_) + 1);
  // The next block from that one on which is kept, or is not.
  const auto next = [&](std::uint32_t block, int is_kept) {
    const void* const found = std::memchr(&kept_[block], is_kept, last - block + 1);
    if (found == nullptr) return last + 1;
    return static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(found) - kept_.data());
  };
  StretchLog::Blocks blocks;
  for (std::uint32_t block = address >> shift_; block <= last; block = blocks.end) {
    blocks.first = next(block, 0);
    if (blocks.first > last) return;
    blocks.end = next(blocks.first, 1);
    std::memset(&kept_[blocks.first], 1, blocks.end - blocks.first);
    StretchLog::Changes& changes = log_->change();
    changes.blocks.push_back(blocks);
    const std::byte* const from = memory_ + (blocks.first << shift_);
    changes.bytes.insert(changes.bytes.end(), from, from + bytes_of(blocks, shift_, memory_bytes_));
  }
}

void StretchRecorder::keep_descriptor(std::uint32_t number) {
  known_descriptors_ |= 1u << number;
  log_->change().descriptors.push_back(
      {.number = number, .shared = d_->shared(number), .own = (*d_)[number]});
}

}  // namespace wse::vm
