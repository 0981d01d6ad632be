// Places, regions and their functions.
#include "jit/native_code.h"

#include <algorithm>
#include <cctype>

namespace wse::jit {
namespace {

// For symbols and files.
constexpr std::size_t kMostNameBytes = 200;  // names of files have 255 at most

std::string plain_name(std::string_view name) {
  std::string plain(name.substr(0, kMostNameBytes));
  for (char& letter : plain) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return plain;
}

// Of guarded stretches: beside instructions in flight no vector instruction, and no wait, is
// passed.
std::vector<Start> without_passes(std::span<const isa::Instruction> code,
                                  std::vector<Start> starts) {
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    if (vm::may_be_passed(code[pc])) starts[pc] = Start::Stops;
  }
  return starts;
}

}  // namespace

NativeProgram::NativeProgram(const vm::LoadedProgram& program)
    : name_(plain_name(program.program->name)),
      code_(program.code),
      size_(code_.size()),
      literals_(program.program->literals),
      begins_(program.begins),
      heads_(vm::kStretchKinds * code_.size()),
      places_(heads_.size()) {
  const std::vector<Start> guessed = guess_starts(code_, begins_, program.program->descriptors);
  for (std::size_t k = 0; k < vm::kStretchKinds; ++k) {
    const auto kind = static_cast<vm::StretchKind>(k);
    OfKind& of = of_[k];
    of.starts = kind == vm::StretchKind::Guarded ? without_passes(code_, guessed) : guessed;
    of.heads = region_heads(region_code(kind));
    for (const isa::Task& task : program.program->tasks) of.heads[task.entry] = 1;
    for (std::uint32_t pc = 0; pc < code_.size(); ++pc) {
      heads_[index(kind, pc)] = of.heads[pc];
      at(kind, pc).asked =
          begins_[pc] == 0 || always_stops(code_[pc]) || of.starts[pc] == Start::Stops;
    }
  }
}

Region NativeProgram::region_from(vm::StretchKind kind, std::uint32_t pc) const {
  std::vector<std::uint8_t> native(code_.size());
  for (std::uint32_t k = 0; k < native.size(); ++k) {
    native[k] = places_[index(kind, k)].function.load() != nullptr;
  }
  return find_region(region_code(kind), of_[static_cast<std::size_t>(kind)].heads, native, pc);
}

void NativeProgram::publish(vm::StretchKind kind, const Region& region, RegionFunction function) {
  has_native_.store(true, std::memory_order_relaxed);
  for (const RegionInstruction& member : region.instructions) {
    for (const std::uint32_t next : member.next) {
      if (region.find(next) == nullptr) heads_[index(kind, next)] = 1;
    }
    if (!member.is_entry) continue;
    Place& place = at(kind, member.pc);
    place.asked = true;
    RegionFunction none = nullptr;
    place.function.compare_exchange_strong(none, function, std::memory_order_release);
  }
}

}  // namespace wse::jit
