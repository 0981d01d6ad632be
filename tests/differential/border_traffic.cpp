// Looks for {..."pe":[x,y],"event":"move",..."to":["south",...]...}.
#include "tests/differential/border_traffic.h"

#include <cstdlib>

namespace wse::differential {

void BorderTraffic::read(std::string_view line) {
  if (!line.contains(R"("event":"move")")) return;
  const std::string_view place = line.substr(line.find(R"("pe":[)") + 6);
  const auto row =
      static_cast<std::uint32_t>(std::strtoul(place.data() + place.find(',') + 1, nullptr, 10));
  const std::string_view to = line.substr(line.find(R"("to":[)"));
  const std::string_view sides = to.substr(0, to.find(']'));
  if (sides.contains("south")) crossed_.insert(row);
  if (sides.contains("north")) crossed_.insert(row - 1);
}

}  // namespace wse::differential
