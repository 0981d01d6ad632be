// Explanations of a deadlock and of wavelets that nobody took, in plain words.
#pragma once

#include <string>

#include "vm/pe/cores.h"

namespace wse::vm {

struct Scene {
  const isa::Image& image;
  const isa::Topology& mesh;
  const Loaded& loaded;
  const Fabric& fabric;
  const Issuer& issuer;
  const Cores& cores;
  Cycle now;
};

// Which PEs wait for what, at which source line, and who should have acted: several lines.
std::string explain_deadlock(const Scene& scene);

// Where the wavelets lie that were left over: one line per queue, the first ones only.
std::string explain_leftovers(const Scene& scene);

// "PE(3, 0)".
std::string pe_text(const isa::Topology& mesh, PeId pe);

}  // namespace wse::vm
