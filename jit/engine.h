// The engine that compiles: code that runs often becomes native code, by regions; the interpreter
// executes the rest. Results are the same to the bit and to the cycle, whichever moment a region
// becomes native.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "jit/object_cache.h"
#include "vm/contract/executor.h"

namespace wse::jit {

inline constexpr std::uint32_t kThreshold = 2000;
// The threshold of an engine that must not lose, for the first place of a program. The interpreter
// needs 1 to 2 ms for so many instructions of a loop, where native code is several times as fast;
// to load the compiler costs a run that ends soon after half a millisecond to two, and a region
// takes some 40 ms of another core.
inline constexpr std::uint32_t kCarefulThreshold = 500'000;
// The threshold of code that goes through its region once and stops, which gains less of it.
inline constexpr std::uint32_t kCarefulStraightThreshold = 8'000'000;
// Where a stretch has fewer instructions, what begins and ends it takes longer than they do, and
// native code gains nothing that can be measured.
inline constexpr std::uint32_t kCarefulStretch = 32;

// Takes the texts of what is compiled, each with the name of a file for it. Called by any thread.
using KeepText = std::function<void(const std::string& file, std::string_view text)>;

struct JitOptions {
  // Instructions that are interpreted from one place on before its region is compiled. 0: compiled
  // at first sight, and waited for; else by a thread of its own while the interpreter continues.
  // Nothing: as the engine thinks fit.
  std::optional<std::uint32_t> threshold = std::nullopt;
  // The same for places from which no loop is reached without a stop. Nothing: `threshold`.
  std::optional<std::uint32_t> straight_threshold = std::nullopt;
  // A place is not compiled from which fewer instructions are executed at a time, on average.
  std::uint32_t least_stretch = 0;
  std::size_t most_code_bytes = std::size_t{64} << 20;  // of native code; then nothing is compiled
  std::optional<ObjectCache> cache = std::nullopt;
  // The end of the engine waits for a region that is being compiled, instead of leaving its thread
  // behind: a library must, since nobody knows when its process ends.
  bool waits_at_end = false;
  KeepText keep_ir = {};  // nothing: nobody wants it
  KeepText keep_assembly = {};
};

class Workshop;

class JitEngine : public vm::Engine {
 public:
  // `name`: as it was chosen.
  JitEngine(std::string_view name, std::unique_ptr<Compiler> compiler, const JitOptions& options);
  ~JitEngine() override;

  std::string_view name() const override { return name_; }
  std::vector<std::unique_ptr<vm::Executor>> executors(const isa::Image& image,
                                                       const isa::Profile& profile,
                                                       std::span<const vm::LoadedProgram> programs,
                                                       std::size_t count) const override;

 private:
  std::string name_;
  std::shared_ptr<Workshop> workshop_;
};

}  // namespace wse::jit
