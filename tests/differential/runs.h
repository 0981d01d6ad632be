// Machines that run one program in many ways, and every difference between how two of them end: an
// untraced machine leaves PEs alone for many cycles where a traced one looks at each, and runs its
// strips on threads; the wafer moves bits where the stepper moves wavelets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "tests/differential/generator.h"
#include "tests/oracle/routers.h"
#include "vm/run/machine.h"

namespace wse::differential {

// A program and what it begins with.
struct Setup {
  const isa::Image& image;
  const isa::Profile& profile;
  std::optional<vm::Jitter> jitter;
  oracle::StreamWords words;  // that streams bring
  bool counts_lines = false;
  std::uint32_t slices = 0;  // of RunOptions
};

// How a machine runs it.
struct Way {
  std::uint64_t max_cycles = 0;
  std::uint32_t threads = 1;
  vm::TransportChoice transport = vm::TransportChoice::Auto;
  const vm::Medium* medium = nullptr;          // null: strips are threads
  bool cohorts = true;                         // of MachineOptions
  std::vector<std::string>* prints = nullptr;  // gets what is printed, unless it is null
  std::string text() const;
};

struct Run {
  std::unique_ptr<vm::TraceLines> lines;  // of its trace; null: nobody reads one
  std::unique_ptr<vm::Machine> machine;
  vm::Record record;
};

// Returns how many slices of time runs of a program keep: none of every second program, since those
// who keep some run otherwise; and few or many.
std::uint32_t slices_of(std::string_view text);

// Returns what the streams of the image bring: numbers that look alike nowhere.
oracle::StreamWords stream_words(const isa::Image& image);
// Returns what a generated program begins with; lines and slices are not kept.
Setup setup_of(const Generated& program, const isa::Image& image);

// Gives these words to the streams of a machine that has not run.
void feed(vm::Machine& machine, const oracle::StreamWords& words);

using Trace = std::function<void(std::string_view line)>;

// Makes a machine on the engine of the tests that is about to begin; its record is empty.
isa::Attempt<Run> begin(const Setup& setup, const Way& way, const Trace& trace = {});

// Makes a machine on the engine of the tests and runs it. Errors: those of loading. `trace` may be
// empty: then nothing is traced.
isa::Attempt<Run> run(const Setup& setup, const Way& way, const Trace& trace = {});

// Runs it on one thread of the stepper, with the path to what ends last: PathTarget::window.
isa::Attempt<Run> run_with_path(const Setup& setup, std::uint64_t max_cycles,
                                std::optional<std::size_t> window = {});

// Returns the differences of two runs in their records, with all texts, and in memory; empty if
// there are none. `way` names the second one.
std::string compare_runs(const Run& expected, const Run& found, const std::string& way);

}  // namespace wse::differential
