// Places, regions and their functions.
#include "jit/native_code.h"

#include <algorithm>
#include <cctype>

namespace wse::jit {
namespace {

// For symbols and files.
std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (char& letter : plain) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return plain;
}

}  // namespace

NativeProgram::NativeProgram(const vm::LoadedProgram& program)
    : name_(plain_name(program.program->name)),
      code_(program.code),
      literals_(program.program->literals),
      begins_(program.begins),
      starts_(guess_starts(code_, begins_, program.program->descriptors)),
      first_heads_(region_heads(region_code())),
      heads_(code_.size()),
      places_(vm::kStretchKinds * code_.size()) {
  for (const isa::Task& task : program.program->tasks) first_heads_[task.entry] = 1;
  std::ranges::copy(first_heads_, heads_.begin());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const std::size_t pc = k % code_.size();
    places_[k].asked = begins_[pc] == 0 || always_stops(code_[pc]) || starts_[pc] == Start::Stops;
  }
}

Region NativeProgram::region_from(std::uint32_t pc) const {
  return find_region(region_code(), first_heads_, pc);
}

void NativeProgram::publish(vm::StretchKind kind, const Region& region, RegionFunction function) {
  has_native_.store(true, std::memory_order_relaxed);
  for (const RegionInstruction& member : region.instructions) {
    for (const std::uint32_t next : member.next) {
      if (region.find(next) == nullptr) heads_[next] = 1;
    }
    if (!member.is_entry) continue;
    Place& place = at(kind, member.pc);
    place.asked = true;
    RegionFunction none = nullptr;
    place.function.compare_exchange_strong(none, function, std::memory_order_release);
  }
}

}  // namespace wse::jit
