// Over which borders between rows of a mesh wavelets went, from the lines of a trace.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>

namespace wse::differential {

class BorderTraffic {
 public:
  void read(std::string_view line);
  // There are so many rows or more, and some wavelet crossed between any two of them.
  bool crosses_all(std::uint32_t rows, std::uint32_t least_rows) const {
    return rows >= least_rows && crossed_.size() == rows - 1;
  }

 private:
  std::set<std::uint32_t> crossed_;  // the row above the border
};

}  // namespace wse::differential
