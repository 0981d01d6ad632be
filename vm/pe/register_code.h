// Knows which stretches of scalar code depend on nothing but registers, and change nothing else but
// what vector instructions write that they pass: no word of memory, no clock, no random number
// decides what they come to.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vm/load/loaded_program.h"

namespace wse::vm {

class RegisterCode {
 public:
  // True if that holds of all that a stretch may come to which begins at the instruction at `pc`.
  bool begins_at(const LoadedProgram& program, std::uint32_t pc) {
    std::vector<Known>& known = known_[&program];
    if (known.empty()) known.resize(program.code.size());
    if (known[pc] == Known::Nothing) known[pc] = look(program, pc) ? Known::Holds : Known::Fails;
    return known[pc] == Known::Holds;
  }

 private:
  enum class Known : std::uint8_t { Nothing, Holds, Fails };

  static bool look(const LoadedProgram& program, std::uint32_t pc);

  std::unordered_map<const LoadedProgram*, std::vector<Known>> known_;
};

}  // namespace wse::vm
