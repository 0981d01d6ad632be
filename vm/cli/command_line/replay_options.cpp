// The options of commands that ask a run about its past.
#include "vm/cli/command_line/option_kinds.h"

namespace wse::cli {
void add_why(CLI::App& command, Values& v) {
  add_asked_run(command, v);
  add_number(command, "--at", "CYCLE", v.why.at,
             "stop when so many cycles are done, and look at who waits")
      ->required()
      ->group("Question");
  command
      .add_option("--pe", v.why_pe,
                  "of this PE; without it of all that are not done, those that are alike once")
      ->type_name("X,Y")
      ->group("Question");
  command.add_option("--rect", v.why_rect, "of these PEs, inclusive, as in 0,0,7,7")
      ->type_name("X0,Y0,X1,Y1")
      ->group("Question");
  add_number(command, "--class", "K", v.why.class_number,
             "of the class of threads that has this number in the answer without it")
      ->group("Question");
  command.add_option("-o,--output", v.why.output, "write the answer; without it to stdout")
      ->type_name("FILE")
      ->group("Outputs");
  command.footer(
      "wsevm why programs/reduce-chain/reduce-chain.wsa --at=60\n"
      "wsevm why programs/message/message.wsa --at=10 --pe=3,0\n"
      "wsevm why scripts/examples/row.lua P=8 --at=10");
}

void add_events(CLI::App& command, Values& v) {
  add_asked_run(command, v);
  command
      .add_option("--rect", v.events_rect, "of these PEs, inclusive, as in 0,0,7,7; without it all")
      ->type_name("X0,Y0,X1,Y1")
      ->group("Question");
  command.add_option("--cycles", v.events_cycles, "of these cycles, inclusive, as in 100..200")
      ->type_name("FIRST..LAST")
      ->required()
      ->group("Question");
  command
      .add_option("-o,--output", v.events.output,
                  "write the events: one JSON object per line; for https://ui.perfetto.dev if FILE "
                  "ends in .pftrace; without it to stdout")
      ->type_name("FILE.jsonl FILE.pftrace")
      ->group("Outputs");
  command.footer(
      "wsevm events programs/heat/heat.wsa --rect=30,30,33,33 --cycles=400..500 -o heat.pftrace\n"
      "wsevm events programs/message/message.wsa --cycles=0..9");
}

}  // namespace wse::cli
