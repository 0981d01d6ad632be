// The table of scripts that people run.
#include "tests/script/main_scripts.h"

#include <filesystem>
#include <ranges>

#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostCycles = 100'000;
constexpr std::uint64_t kMostInstructions = 200'000'000;

const fs::path kScripts = fs::path(WSE_SOURCE_DIR) / "scripts";

}  // namespace

void PrintTo(const MainScript& script, std::ostream* out) { *out << script.file; }

const std::vector<MainScript>& main_scripts() {
  static const std::vector<MainScript> scripts = {
      {"collectives/reduce.lua", "reduce", "P=4 B=4",
       {"P=1 B=1", "P=2 B=1", "P=1 B=1 pattern=star", "P=2 B=1 pattern=two-phase",
        "P=2 B=1 pattern=tree code=paper", "tree={0} B=1"}},
      {"collectives/reduce.lua", "reduce_of_a_grid", "width=2 height=2 B=2 pattern=xy-chain",
       {"width=1 height=1 B=1 pattern=xy-star", "width=2 height=1 B=1 pattern=xy-tree",
        "width=1 height=2 B=1 pattern=snake"}},
      {"collectives/allreduce.lua", "allreduce", "P=4 B=4",
       {"P=1 B=1", "P=2 B=1", "width=1 height=1 B=1 pattern=xy-chain"}},
      {"collectives/allreduce.lua", "allreduce_ring", "P=4 B=4 pattern=ring-fold",
       {"P=1 B=1 pattern=ring-wrap", "P=2 B=1 pattern=ring-fold"}},
      {"collectives/broadcast.lua", "broadcast", "P=4 B=4",
       {"P=1 B=1", "P=2 B=1", "P=2 B=1 pattern=ping-pong", "width=1 height=1 B=1"}},
      {"collectives/clock.lua", "clock", "width=3 height=2 B=2 noops=0.0 noop_seed=1",
       {"width=2 height=1 B=1", "width=1 height=2 B=1 pattern=xy-chain", "width=2 B=1 out=out"}},
      {"alltoall/broadcast.lua", "alltoall_broadcast", "d=2 m=4",
       {"d=1 m=1", "d=2 m=1 steps=0", "d=1 m=1 topology=mesh algorithm=one-cycle"}},
      {"alltoall/reduce.lua", "alltoall_reduce", "d=2 m=4", {"d=1 m=1", "d=2 m=1 steps=0"}},
      {"alltoall/personalised.lua", "alltoall_personalised", "d=2 m=4",
       {"d=1 m=1", "d=2 m=1 steps=0"}},
      {"alltoall/matvec.lua", "matvec", "P=4 Q=4 d=2", {"P=2 Q=2 d=1", "P=2 Q=2 d=1 steps=1"}},
      {"gemm/gemm.lua", "gemm", "P=2 Mt=2 Kt=2 Nt=2",
       {"P=1 M=1 K=1 N=1", "P=1 M=1 K=1 N=1 multiply=0 moves=0", "P=4 multiply=0 moves=0",
        "P=2 multiply=0", "P=2 moves=0", "P=2 M=1 K=1 N=1 multiply=2 moves=2",
        "P=1 M=1 K=1 N=1 algorithm=2.5d layers=1"}},
      {"gemm/gemv.lua", "gemv", "P=2 M=4 N=4",
       {"P=1 M=1 N=1", "P=2 M=1 N=1", "P=1 M=1 N=1 algorithm=chain"}},
      {"gemm/message.lua", "gemm_message", "P=3", {"P=2 words=1"}},
      {"stencil/acoustic25.lua", "acoustic25", "nx=3 ny=3 nz=4 steps=1",
       {"nx=1 ny=1 nz=1 steps=1", "nx=1 ny=1 nz=1 steps=1 kernel=fused",
        "nx=2 ny=1 nz=1 steps=1 kernel=static", "nx=1 ny=1 nz=1 steps=1 source=none"}},
      {"stencil/star.lua", "star", "nx=3 ny=3 steps=1 coefficients=0,0.25",
       {"nx=1 ny=1 steps=1 coefficients=0,0.25",
        "nx=1 ny=1 steps=1 coefficients=1,2,1,2,4,2,1,2,1 shape=box"}},
      {"stencil/wave.lua", "wave", "side=5 nz=5 steps=2", {"side=1 nz=1 steps=1"}},
      {"mach/control.lua", "mach_control", "width=4 height=2 response=2 nz=4 rpcs=2",
       {"width=4 height=2 response=2 nz=1 rpcs=0", "width=4 height=2 response=2 nz=1 rpcs=1"}},
      {"mach/reduction.lua", "mach_reduction", "width=4 height=2 nz=2",
       {"width=4 height=2 nz=1", "width=4 height=2 nz=1 to=workers op=min"}},
      {"mach/exchange.lua", "mach_exchange", "width=4 height=2 nz=2", {"width=4 height=2 nz=1"}},
      {"mach/indirect.lua", "mach_indirect", "n=8", {"n=1"}},
      {"mach/message.lua", "mach_message", "width=4 height=2",
       {"width=2 height=1", "width=1 height=2 length=0", "width=2 height=1 length=31"}},
      {"mach/paint.lua", "mach_paint", "width=4 height=2 response=2",
       {"width=4 height=2 response=2"}},
      {"mach/cg.lua", "cg", "width=4 height=2 nz=2 most=2",
       {"width=4 height=2 nz=1", "width=4 height=2 nz=1 most=0",
        "width=4 height=2 nz=1 method=pipelined"}},
      {"mach/flow.lua", "flow", "width=4 height=4 nz=1 steps=2",
       {"width=4 height=2 nz=1 steps=1", "width=4 height=2 nz=1 steps=0",
        "width=4 height=4 nz=1 steps=2 amplitude=0"}},
      {"mach/heat.lua", "heat", "width=4 height=4 nz=4 steps=2",
       {"width=4 height=4 nz=3 steps=1", "width=4 height=4 nz=3 steps=0"}},
      {"mach/ising.lua", "ising", "width=4 height=2 nz=2 sweeps=1 warmup=1",
       {"width=4 height=2 nz=1 sweeps=0 warmup=0", "width=4 height=2 nz=1 sweeps=1 warmup=0"}},
      {"mach/listing1.lua", "listing1", "width=4 height=2 nz=4", {"width=4 height=2 nz=1"}},
      {"mach/particles.lua", "particles", "width=4 height=2 nz=2 steps=2",
       {"width=4 height=2 nz=1 steps=0 layers=1", "width=4 height=2 nz=1 steps=1 layers=1"}},
      {"mach/slices.lua", "slices", "width=4 height=2 nz=4", {"width=4 height=2 nz=1"}},
      {"mach/unstructured.lua", "unstructured", "width=4 height=2 nz=4 most=2 steps=1",
       {"width=4 height=2 nz=1 most=1 steps=0", "width=4 height=2 nz=1 most=1 steps=1"}},
      {"examples/row.lua", "example_row", "P=4", {"P=2"}},
      {"examples/ring.lua", "example_ring", "W=4 H=4", {"W=2 H=2"}},
      {"examples/exchange.lua", "example_exchange", "W=4 H=4 B=2", {"W=4 H=4 B=1"}},
      {"examples/broadcast-2d.lua", "example_broadcast_2d", "W=4 H=4 B=2", {"W=2 H=2 B=1"}},
      {"examples/gemv.lua", "example_gemv", "W=4 H=4 M=2 N=2", {"W=4 H=4 M=1 N=1"}},
      {"examples/heat.lua", "example_heat", "W=4 H=4 steps=4", {"W=4 H=4 steps=1"}},
      {"examples/reduce.lua", "example_reduce", "", {""}},
  };
  return scripts;
}

std::vector<std::pair<std::string, std::string>> arguments_of(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> arguments;
  for (const auto part : text | std::views::split(' ')) {
    const std::string word(part.begin(), part.end());
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos)
      arguments.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return arguments;
}

std::string text_of(const MainScript& script) {
  return test_support::read_text(kScripts / script.file);
}

Options options_of(const MainScript& script) {
  Options options = command_options(kScripts / script.file);
  options.defaults.max_cycles = kMostCycles;
  options.threads = 1;
  options.limits.memory_bytes = std::uint64_t{512} << 20;
  options.limits.instructions = kMostInstructions;
  return options;
}

}  // namespace wse::script
