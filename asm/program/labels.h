// The labels of a program: what a name means where it is written, and where each lies.
//
// Labels of an expansion or of a turn of a loop have a scope of their own; what is not there is
// looked for around it, in the end in the program itself, which is scope 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asm/names/names.h"

namespace wse::assembler {

class Labels {
 public:
  // By number: code words; nothing before the code there is written.
  using Places = std::vector<std::optional<std::uint32_t>>;

  // `parents`: the scopes around those of turns, see Unit::scope_parents.
  explicit Labels(const std::unordered_map<std::uint32_t, std::uint32_t>& parents)
      : parents_(parents) {}

  // Numbers, in the order of these calls: of a name, which is reported if the scope has it, and of
  // a place without a name.
  std::uint32_t define(const Named& name, std::uint32_t scope, Reporter& reporter);
  std::uint32_t add();

  std::optional<std::uint32_t> find(std::string_view name, std::uint32_t scope) const;
  // The names of the scope and of the program.
  void offer_all(std::uint32_t scope, Suggestion& suggestion) const;

  // The first place stays: who defines a name twice means that one.
  void place(std::uint32_t label, std::uint32_t position);
  // 0 without a place, which only a program with errors has.
  std::uint32_t place_of(std::uint32_t label) const { return places_[label].value_or(0); }
  const Places& places() const { return places_; }

  // Where the labels lay when the same code was written before.
  void remember(Places places) { earlier_ = std::move(places); }
  // 0 if it was not written before.
  std::uint32_t earlier_place_of(std::uint32_t label) const;
  bool have_moved() const { return !earlier_.empty() && earlier_ != places_; }

 private:
  const Meaning* find_in(std::uint32_t scope, std::string_view name) const;

  const std::unordered_map<std::uint32_t, std::uint32_t>& parents_;
  std::unordered_map<std::uint32_t, NameTable> names_;  // by scope
  Places places_;
  Places earlier_;
};

}  // namespace wse::assembler
