// Collects what differs between a machine and the oracle, as lines of text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace wse::differential {

class Differences {
 public:
  template <class Value>
  void note(std::string_view what, const Value& machine, const Value& oracle) {
    if (machine != oracle) add(what, machine, oracle);
  }
  // The name is put together only for what differs.
  template <class Value, class... Place>
  void note_at(const Value& machine, const Value& oracle, fmt::format_string<Place...> what,
               Place&&... place) {
    if (machine != oracle) {
      add(fmt::format(what, std::forward<Place>(place)...), machine, oracle);
    }
  }
  std::string text_;

 private:
  template <class Value>
  void add(std::string_view what, const Value& machine, const Value& oracle) {
    text_ += fmt::format("  {}: machine {}, oracle {}\n", what, machine, oracle);
  }
};

}  // namespace wse::differential
