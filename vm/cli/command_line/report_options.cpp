// The options that say what a run tells, and the command that shows runs on a page.
#include "vm/cli/command_line/option_kinds.h"

namespace wse::cli {

void add_memory_limit(CLI::App& command, Values& values) {
  add_number(command, "--max-memory", "SIZE", values.max_memory,
             "take no more memory than SIZE: bytes, or with K, M, G, as in 4G")
      ->group("Limits");
}

void add_reports(CLI::App& run, Values& v) {
  run.add_flag("--stats", v.run.stats, "print the record of the run for people")->group("Reports");
  run.add_option("--json", v.run.json,
                 "write the record as JSON; without a file stdout holds nothing else")
      ->type_name("FILE.json")
      ->expected(0, 1)
      ->group("Reports");
  run.add_option("--trace", v.run.trace,
                 "write what happened when, one JSON object per line; for https://ui.perfetto.dev "
                 "if FILE ends in .pftrace")
      ->type_name("FILE.jsonl FILE.pftrace")
      ->group("Reports");
  run.add_option("--trace-rect", v.rect, "trace these PEs only, inclusive, as in 0,0,7,7")
      ->type_name("X0,Y0,X1,Y1")
      ->group("Reports");
  run.add_option("--trace-cycles", v.cycles, "trace these cycles only, inclusive, as in 100..200")
      ->type_name("FIRST..LAST")
      ->group("Reports");
  run.add_option("--dot", v.run.dot,
                 "write who waits for whom in a deadlock, for Graphviz; else no nodes")
      ->type_name("FILE.dot")
      ->group("Reports");
  run.add_option("--list", v.run.list, "write the source with the cycles of each line")
      ->type_name("FILE")
      ->group("Reports");
  run.add_option("--path", v.run.path,
                 "write what the end of the run waited for, step by step; as JSON "
                 "if FILE ends in .json. The run looks at every cycle of each PE")
      ->type_name("FILE")
      ->group("Reports");
  run.add_option("--path-to", v.run.path_to,
                 "of --path: not to the end, but to the last passage of a mark, or "
                 "the last event of a PE, up to a cycle, as in 3,0@120")
      ->type_name("MARK|X,Y[@CYCLE]")
      ->group("Reports");
  run.add_option(
         "--profile", v.run.profile,
         "write what each PE, link and line did, as NumPy arrays; of a script: in its last run")
      ->type_name("FILE.npz")
      ->group("Reports");
  run.add_option(
         "--report", v.run.report,
         "write a page for a browser that says what holds the run back, with maps of all PEs")
      ->type_name("FILE.html")
      ->group("Reports");
  add_number(run, "--slices", "N", v.run.slices,
             "slices of time in a profile: from N to 2 N, as the run goes; 0: none")
      ->default_str("64")
      ->group("Reports");
  add_number(run, "--run", "K", v.run.profiled_run,
             "of a script: report on its K-th run, not the last; points of sweeps do not count")
      ->group("Reports");
  run.add_flag("--progress", v.run.progress,
               "progress on stderr after 2 s, even if it is no terminal")
      ->group("Reports");
  run.add_flag("--quiet", v.run.quiet, "no progress")->group("Reports");
}

void add_path(CLI::App& command, Values& v) {
  add_asked_run(command, v);
  command
      .add_option("--to", v.run.path_to,
                  "not to the end, but to the last passage of a mark, or the last event of a PE, "
                  "up to a cycle, as in 3,0@120")
      ->type_name("MARK|X,Y[@CYCLE]")
      ->group("Reports");
  command.add_flag("--steps", v.run.path_steps, "show all steps")->group("Reports");
  command
      .add_option("-o,--output", v.run.path,
                  "write the path; as JSON if FILE ends in .json; without it to stdout")
      ->type_name("FILE")
      ->group("Outputs");
  add_number(command, "--max-cycles", "N", v.run.max_cycles, "end after N cycles, such as 1000000")
      ->group("Limits");
  command.footer(
      "wsevm path programs/reduce-chain/reduce-chain.wsa --machine=model\n"
      "wsevm path programs/message/message.wsa --to=0,0@10 --steps\n"
      "wsevm path scripts/examples/row.lua P=8 -o path.json");
}

void add_report(CLI::App& command, Values& v) {
  command
      .add_option("FILE", v.report.files,
                  "profile that run --profile has written; several are compared; - is stdin")
      ->type_name("FILE.npz")
      ->required();
  command.add_option("-o,--output", v.report.output, "write the page; - is stdout")
      ->type_name("FILE.html")
      ->required()
      ->group("Outputs");
  command
      .add_option("--title", v.report.title, "the page's title; without it the names of the files")
      ->type_name("TEXT")
      ->group("Outputs");
  add_number(command, "--max-size", "SIZE", v.report.page_bytes,
             "of the page: where PEs do not fit, tiles of them are shown")
      ->default_str("5M")
      ->group("Outputs");
  add_memory_limit(command, v);
  command.footer(
      "wsevm report chain.npz -o chain.html\n"
      "wsevm report chain.npz tree.npz -o both.html --title='chain and tree'");
}

}  // namespace wse::cli
