// Lines that were known in an earlier text, found again in one that has been edited since.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vm/cli/lsp/line_table.h"

namespace wse::lsp {

class MovedLines {
 public:
  // `table` must live longer.
  explicit MovedLines(const LineTable& table) : table_(table) {}

  // Returns the line, counted from 0, that line `number` of the earlier text, counted from 1, has
  // become: the nearest one with its words to where the line found last has moved. A line whose
  // text is unknown, which is an empty one, stays where it was. Lines are asked for in their order.
  std::optional<std::uint32_t> find(std::uint32_t number, std::string_view text);

 private:
  bool has_text(std::int64_t at, std::string_view text) const;

  const LineTable& table_;
  std::int64_t shift_ = 0;
};

}  // namespace wse::lsp
