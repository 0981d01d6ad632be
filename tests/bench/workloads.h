// What `./dev bench` measures. A workload that fails ends the program: a rate of something that did
// not work is no rate.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "tests/bench/measure.h"
#include "vm/run/machine.h"

namespace wse::bench {

using Values = std::vector<std::pair<std::string, std::string>>;

// What a row of a program counts, in a second; Seconds: how long it takes.
enum class Counted { PeCycles, Hops, Instructions, Elements, Seconds };

struct ProgramRow {
  std::string name;
  std::string file;  // below the checkout
  Values values;     // of its constants and parameters
  Counted counted = Counted::PeCycles;
  Yardstick against = steps();
  bool headline = false;
  std::uint32_t threads = 1;
  bool compiled = false;  // by --engine=jit, which keeps what it has compiled from run to run
  const isa::Profile* machine = nullptr;  // another one than measured_profile()
  vm::TransportChoice transport = vm::TransportChoice::Auto;
};

// Assembled once, before the first run; each run loads it and measures the run alone.
Row program(const ProgramRow& of);

// Assembling a program of a million lines.
Row assembly();

// Loading a program onto the full wafer in a process of its own: how fast, and the memory that it
// takes then. `self` is this executable, to be started with --load FILE.
std::array<Row, 2> loading(const std::string& what, const std::string& file,
                           const std::string& self);

// Whether wsevm was built with a compiler, and the engine of it, which keeps what it has compiled.
bool can_compile();
const vm::Engine& compiling_engine();

// Vector instructions of all lengths, beside the same loops in C++.
std::vector<Row> vector_rows();

// What that process does: prints seconds of loading, bytes of memory that it has taken, and PEs.
void load_and_tell(const std::string& file);

// Runs that keep a profile, beside runs that do not, and the writing of its file and its page.
std::vector<Row> profile_rows();

std::vector<Row> all_rows(const std::string& self);
std::vector<Row> wafer_rows();  // of runs that take long: whole wafers, dense traffic

// ---- what workloads share
[[noreturn]] void give_up(const std::string& why);
isa::Image assembled(const std::string& name, std::string text, const isa::Profile& profile,
                     const Values& values);
std::filesystem::path in_checkout(const std::string& file);
const isa::Profile& measured_profile();

// A run of an image that halts.
struct Run {
  vm::Record record;
  double seconds = 0;
};
Run run_of(const isa::Image& image, const vm::MachineOptions& options = {},
           const isa::Profile& profile = measured_profile());

}  // namespace wse::bench
