// The few words that all explanations share.
#include "vm/report/scene.h"

#include <fmt/format.h>

namespace wse::vm {

std::string pe_text(const isa::Topology& mesh, PeId pe) {
  return fmt::format("PE({}, {})", mesh.x_of(pe), mesh.y_of(pe));
}

std::string wavelets_text(std::uint64_t count) {
  return fmt::format("{} wavelet{}", count, count == 1 ? "" : "s");
}

}  // namespace wse::vm
