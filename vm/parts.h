// What a machine consists of, in the order in which the parts need each other.
//
// Private to the files of Machine.
#pragma once

#include "vm/machine.h"
#include "vm/pe/cores.h"
#include "vm/report/dot.h"
#include "vm/report/explain.h"

namespace wse::vm {

struct Machine::Parts {
  Parts(isa::Image program_image, const isa::Profile& machine_profile)
      : image(std::move(program_image)),
        profile(machine_profile),
        mesh(image.topology()),
        agenda(mesh.pes()),
        activity(mesh.pes(), counters),
        streams(image),
        channels(image, mesh),
        tracer(image, mesh) {}

  // Loads the image, with at most so many threads, and builds what depends on it.
  isa::Status load(std::uint32_t threads);

  Scene scene() const {
    return {image, mesh, loaded, channels, streams, transport->inspector(), *cores, history, now};
  }

  isa::Image image;
  isa::Profile profile;
  isa::Topology mesh;
  Agenda agenda;  // of the cores
  Counters counters;
  ActivityLog activity;
  FirstTrap trap;
  Notes notes;
  History history;
  Streams streams;
  ChannelMap channels;
  Tracer tracer;
  Loaded loaded;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Cores> cores;
  std::vector<MarkRecord> marks;
  Cycle now = 0;
};

}  // namespace wse::vm
