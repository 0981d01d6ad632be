// The waits of a machine that stands still as Graphviz text: `dot -Tsvg`.
#pragma once

#include <string>

#include "vm/report/scene.h"

namespace wse::vm {

// A node per thread that cannot continue, with its source line and what is odd there; an edge per
// wait, with colour and reason, to who should provide it or to a box that says why nobody does; the
// shortest circle in bold. At most some hundreds of nodes, chosen as for explanations; a note says
// how many more there are. `title` is above.
std::string deadlock_as_dot(const Scene& scene, std::string_view title);

// A graph without nodes, for a machine that does not stand still.
std::string empty_dot(std::string_view title);

}  // namespace wse::vm
