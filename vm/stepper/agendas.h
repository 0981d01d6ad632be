// Which PEs the stepper must look at: their issue slots, then their routers, in each cycle.
#pragma once

#include <algorithm>

#include "vm/agenda.h"

namespace wse::vm {

struct Agendas {
  explicit Agendas(std::size_t pes) : issue(pes), routers(pes) {}

  Cycle next() const { return std::min(issue.next(), routers.next()); }

  Agenda issue;
  Agenda routers;
};

}  // namespace wse::vm
