// Ways, colours and the code at both ends of messages in a hypercube.
#include "tests/support/hypercube_text.h"

#include <fmt/format.h>

#include <bit>

#include "isa/instruction/instruction.h"
#include "isa/support/limits.h"

namespace wse::test_support {
namespace {

std::string dimension_between(std::uint32_t a, std::uint32_t b) {
  return fmt::format("dim{}", std::countr_zero(a ^ b));
}

}  // namespace

HypercubeText::HypercubeText(std::uint32_t dimensions)
    : dimensions_(dimensions), nodes_(std::size_t{1} << dimensions) {}

std::vector<std::uint32_t> HypercubeText::way(std::uint32_t source, std::uint32_t target) {
  std::vector<std::uint32_t> way = {source};
  while (way.back() != target) {
    const std::uint32_t differ = way.back() ^ target;
    way.push_back(way.back() ^ (differ & (~differ + 1)));
  }
  return way;
}

bool HypercubeText::add_message(std::uint32_t source, std::uint32_t target, std::uint32_t words) {
  const std::vector<std::uint32_t> way = this->way(source, target);
  std::uint32_t taken = 0;
  for (const std::uint32_t node : way) taken |= nodes_[node].colours;
  const auto colour = static_cast<std::uint32_t>(std::countr_one(taken));
  Node& to = nodes_[target];
  if (colour >= isa::kMaxColours || to.receiving == isa::kMicrothreads) return false;
  for (const std::uint32_t node : way) nodes_[node].colours |= 1u << colour;
  colours_ |= 1u << colour;
  route(way, colour);
  hops_ += std::uint64_t{words} * (way.size() - 1);
  const std::uint32_t m = messages_++;
  Node& from = nodes_[source];
  from.data += fmt::format("  .i32 s{}[{}] = {} + i\n", m, words, 1000 * m);
  from.sends += fmt::format("    mov32 fabout(c{}), s{}\n", colour, m);
  to.data += fmt::format("  .i32 r{0}m[{1}]\n", m, words);
  to.receives += fmt::format("    mov32 r{}m, fabin(c{}) async {}\n", m, colour, to.receiving);
  to.waits += fmt::format("    wait {}\n", to.receiving++);
  expectations_ += fmt::format(".expect r{}m at ({}, 0) == {} + i\n", m, target, 1000 * m);
  return true;
}

void HypercubeText::route(const std::vector<std::uint32_t>& way, std::uint32_t colour) {
  for (std::size_t k = 0; k < way.size(); ++k) {
    const bool last = k + 1 == way.size();
    routes_ += fmt::format(".route c{} at ({}, 0): {} -> {}\n", colour, way[k],
                           k == 0 ? "ramp" : dimension_between(way[k - 1], way[k]),
                           last ? "ramp" : dimension_between(way[k], way[k + 1]));
  }
}

std::string HypercubeText::text() const {
  std::string all = fmt::format(".hypercube {}\n", dimensions_);
  for (std::uint32_t rest = colours_; rest != 0; rest &= rest - 1) {
    all += fmt::format(".colour c{0} = {0}\n", std::countr_zero(rest));
  }
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    all += fmt::format(".program n{}\n{}  task main:\n{}{}{}.place n{} at ({}, 0)\n", k, node.data,
                       node.receives, node.sends, node.waits, k, k);
  }
  return all + routes_ + expectations_;
}

}  // namespace wse::test_support
