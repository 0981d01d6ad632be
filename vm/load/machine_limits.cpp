// Collects what isa/image/machine_limits.h finds.
#include "vm/load/machine_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "isa/image/machine_limits.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShown = 20;

}  // namespace

isa::Status check_machine_limits(const isa::Image& image, const isa::Profile& profile) {
  std::vector<isa::MachineBreach> breaches = isa::machine_breaches(image, profile);
  std::ranges::move(isa::placed_breaches(image, profile), std::back_inserter(breaches));
  if (breaches.empty()) return {};
  std::string all;
  for (std::size_t k = 0; k < std::min(breaches.size(), kShown); ++k) {
    all += (k == 0 ? "" : "\n") + isa::text(breaches[k], image, profile);
  }
  if (breaches.size() > kShown) all += fmt::format("\n{} more", breaches.size() - kShown);
  return isa::fail(std::move(all));
}

}  // namespace wse::vm
