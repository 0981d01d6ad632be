// The options that say on which machine of this host a run takes place, and for how long.
#include "jit/engine.h"
#include "jit/engines.h"
#include "vm/cli/command_line/option_kinds.h"

namespace wse::cli {
namespace {

void add_engine(CLI::App& run, EngineSource& engine) {
  std::vector<std::string> names;
  for (const jit::EngineChoice& choice : jit::engine_choices()) names.emplace_back(choice.name);
  run.add_option(
         "--engine", engine.name,
         "what executes the instructions: interp looks at one after the other, jit compiles "
         "what runs often, auto what runs so often that it pays, lockstep does both and compares "
         "them. Where memory is limited, or the compiler is missing, auto looks at one after the "
         "other. Results never differ")
      ->type_name("ENGINE")
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->envname("WSEVM_ENGINE")
      ->group("Machine");
  add_number(run, "--jit-threshold", "N", engine.threshold,
             fmt::format("compile a place once N instructions from it on have been interpreted; 0 "
                         "compiles at first sight; without it {}, of auto {}",
                         jit::kThreshold, jit::kCarefulThreshold))
      ->envname("WSEVM_JIT_THRESHOLD")
      ->group("Machine");
  run.add_option("--jit-cache", engine.cache_folder,
                 "keep what is compiled in the folder DIR, for later runs; it must be yours alone")
      ->type_name("DIR")
      ->envname("WSEVM_JIT_CACHE")
      ->group("Machine");
  run.add_option("--dump-ir", engine.ir_folder, "write what is compiled as text of LLVM")
      ->type_name("DIR")
      ->group("Reports");
  run.add_option("--dump-asm", engine.assembly_folder, "write what is compiled as host assembly")
      ->type_name("DIR")
      ->group("Reports");
}

void add_transport(CLI::App& run, std::string& transport) {
  run.add_option("--transport", transport,
                 "what moves elements and wavelets: stepper looks at one PE after the other, wafer "
                 "at 512 at a time, where it can; auto takes the wafer for long messages of "
                 "many PEs. Results never differ")
      ->type_name("TRANSPORT")
      ->check(CLI::IsMember({"auto", "wafer", "stepper"}))
      ->capture_default_str()
      ->envname("WSEVM_TRANSPORT")
      ->group("Machine");
}

void add_cohorts(CLI::App& run, std::string& cohorts) {
  run.add_option("--cohorts", cohorts,
                 "on: what PEs of one state do in a cycle is worked out once for all of them; off: "
                 "for each. Results never differ")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->envname("WSEVM_COHORTS")
      ->group("Machine");
}

}  // namespace

void add_machine_options(CLI::App& run, Values& v) {
  add_engine(run, v.run.source.engine);
  add_transport(run, v.run.source.transport);
  add_cohorts(run, v.run.source.cohorts);
  add_number(
      run, "--threads", "N", v.run.source.threads,
      "at most N threads, 1 to 1024, and one for each processor: large arrays are loaded by so "
      "many, and a run gives each a strip of rows; without it loading takes one for each "
      "processor, a run one. Points of a sweep run in as many processes. Results never differ")
      ->group("Machine");
  run.add_flag("--oversubscribe", v.run.source.oversubscribe,
               "let --threads=N take more threads than there are processors: slow, for tests")
      ->group("Machine");
  add_number(run, "--tsc-skew", "SEED", v.run.tsc_skew,
             "cycle counters (tsc) of PEs start at values of their own, the same for the same "
             "number; without it at 0")
      ->group("Machine");
  run.add_option("--jitter", v.jitter,
                 "the begin of each PE and each asynchronous start are late by up to N cycles "
                 "(16), drawn from SEED: shows races of control and data. Lines .expect cycles are "
                 "skipped")
      ->type_name("SEED[:N]")
      ->group("Machine");
  add_number(
      run, "--max-cycles", "N", v.run.max_cycles,
      "end after N cycles, such as 1000000; without it once the cycles of all PEs add up to 2^63")
      ->group("Limits");
}

}  // namespace wse::cli
