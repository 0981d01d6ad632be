// The instructions of the main thread that write into the router of its PE.
#include <fmt/format.h>

#include "vm/load/configuration.h"
#include "vm/pe/cores.h"

namespace wse::vm {

// Takes the cycles of a scalar instruction and acts from the cycle after its first on.
void Cores::configure(PeId pe, Core& core, Cycle now) {
  parts_.tape.spoil();
  const isa::Instruction& i = core.instruction();
  const isa::Program& program = *core.program->program;
  const std::uint32_t colour = configured_colour(i, core.state.view->slots);
  ConfigurationWrite write = configuration_write(i, core.state, program);
  write.channel = parts_.channels.find(pe, colour);
  const auto trap = [&](isa::Trap cause, std::string detail) {
    traps_.halt(pe, core, {cause, std::move(detail)}, now);
  };
  const auto [is_quiet, positions] = parts_.transport.writable(write.channel);
  if (i.op != isa::Op::TeardownExit && !is_quiet) {
    return trap(isa::Trap::ConfigurationInUse,
                fmt::format("colour {}; tear it down, or wait until its queues here are empty",
                            parts_.image.colour_name(colour)));
  }
  if (i.op == isa::Op::SetSwitchPosition && write.position >= positions) {
    return trap(isa::Trap::BadPosition,
                fmt::format("position {} of colour {}, which has {}", write.position,
                            parts_.image.colour_name(colour), positions));
  }
  parts_.transport.write(write);
  time_.pass_stop_point(pe, core, now);
}

}  // namespace wse::vm
