// Reads "X,Y@CYCLE", or looks for a mark.
#include "vm/path/path_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace wse::vm {
namespace {

// Reads a number at the front of the text, and takes it away.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

isa::Result<PathTarget> path_target(const std::string& to, const isa::Image& image) {
  PathTarget target;
  if (to.empty()) return target;
  std::string_view rest = to;
  const std::optional<std::uint64_t> x = take_number(rest);
  if (x && take(rest, ',')) {
    const std::optional<std::uint64_t> y = take_number(rest);
    const bool has_cycle = take(rest, '@');
    const std::optional<std::uint64_t> cycle = has_cycle ? take_number(rest) : kNever;
    if (!y || !cycle || !rest.empty()) {
      return isa::fail("expected X,Y or X,Y@CYCLE, as in 3,0@120");
    }
    const isa::Topology mesh = image.topology();
    if (*x >= mesh.width() || *y >= mesh.height()) {
      return isa::fail(fmt::format("the grid has {} x {} PEs", mesh.width(), mesh.height()));
    }
    target.pe = mesh.pe_at(static_cast<std::uint32_t>(*x), static_cast<std::uint32_t>(*y));
    target.until = *cycle;
    return target;
  }
  const auto mark = std::ranges::find(image.marks, to);
  if (mark == image.marks.end()) {
    return isa::fail(fmt::format("neither X,Y, X,Y@CYCLE nor a mark of the program{}",
                                 image.marks.empty()
                                     ? ", which has none"
                                     : fmt::format(": {}", fmt::join(image.marks, ", "))));
  }
  target.mark = static_cast<std::uint32_t>(mark - image.marks.begin());
  return target;
}

}  // namespace wse::vm
