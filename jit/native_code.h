// Which places of the programs of a machine have native code, for all of its strips.
//
// Executors of several threads look things up while one thread compiles: an entry is written once.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "jit/compiler.h"
#include "vm/load/loaded_program.h"

namespace wse::jit {

enum class Shape : std::uint8_t { Unknown, Loop, Straight };

// A place of a program, in one kind of stretch.
struct Place {
  std::atomic<RegionFunction> function = nullptr;  // an entry of it, once there is one
  std::atomic<std::uint32_t> heat = 0;             // instructions interpreted from here on,
  std::atomic<std::uint32_t> visits = 0;           // and in how many pieces
  std::atomic<bool> asked = false;                 // somebody compiles it, or it cannot be
  std::atomic<Shape> shape = Shape::Unknown;       // of its region
};

class NativeProgram {
 public:
  explicit NativeProgram(const vm::LoadedProgram& program);

  Place& at(vm::StretchKind kind, std::uint32_t pc) { return places_[index(kind, pc)]; }
  // True where execution comes again and again: native code begins there, not where a limit
  // happened to cut a stretch.
  bool is_head(vm::StretchKind kind, std::uint32_t pc) const {
    return heads_[index(kind, pc)].load(std::memory_order_relaxed) != 0;
  }

  // Whether there is native code anywhere in it.
  bool has_native() const { return has_native_.load(std::memory_order_relaxed); }

  Region region_from(vm::StretchKind kind, std::uint32_t pc) const;
  // All of its entries lead to the function from now on.
  void publish(vm::StretchKind kind, const Region& region, RegionFunction function);

  const std::string& name() const { return name_; }
  std::span<const std::uint32_t> literals() const { return literals_; }

 private:
  // The kind decides what stops, and so where execution comes again.
  struct OfKind {
    std::vector<Start> starts;
    std::vector<std::uint8_t> heads;
  };

  std::size_t index(vm::StretchKind kind, std::uint32_t pc) const {
    return static_cast<std::size_t>(kind) * size_ + pc;
  }
  RegionCode region_code(vm::StretchKind kind) const {
    return {code_, begins_, of_[static_cast<std::size_t>(kind)].starts};
  }

  std::string name_;
  std::vector<isa::Instruction> code_;
  std::size_t size_;  // of the code, in words
  std::vector<std::uint32_t> literals_;
  std::vector<std::uint8_t> begins_;
  std::array<OfKind, vm::kStretchKinds> of_;      // heads: those of the code
  std::vector<std::atomic<std::uint8_t>> heads_;  // and those where regions leave, by kind and pc
  std::vector<Place> places_;
  std::atomic<bool> has_native_ = false;
};

}  // namespace wse::jit
