// Adds what is about sweeps of scripts over several processes.
#include "vm/cli/command_line/option_kinds.h"

namespace wse::cli {

void add_ranks(CLI::App& run, Values& v) {
  add_number(
      run, "--ranks", "N", v.run.ranks,
      "N processes of mpirun or srun run one program together, or the points of a script's sweeps; "
      "without N, as without --ranks, as many as were started. Needs Open MPI")
      ->expected(0, 1)
      ->group("Machine");
}

void add_merge(CLI::App& command, Values& v) {
  command.add_option("FILE", v.merge.files, "rows of a share, as in out/name.3-of-10.csv")
      ->type_name("FILE.csv")
      ->required();
  command.add_option("-o,--output", v.merge.output, "write the rows of all points; - is stdout")
      ->type_name("FILE.csv")
      ->required()
      ->group("Outputs");
  add_memory_limit(command, v);
  command.footer("wsevm merge out/row.1-of-2.csv out/row.2-of-2.csv -o out/row.csv");
}

}  // namespace wse::cli
