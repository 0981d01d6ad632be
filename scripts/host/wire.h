// Values as bytes, from one process to another of the same program: numbers as they stand in
// memory, texts and lists with their length in front. Must never be used for a file.
//
//     Outgoing out;  pass(out, record);  send(out.bytes);
//     Incoming in(bytes);  pass(in, record);  if (in.failed()) ...
//
// pass() is one function for both ways, so that they cannot differ.
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "isa/support/input_list.h"
#include "scripts/host/script_result.h"
#include "vm/run/machine.h"

namespace wse::script {

class Outgoing {
 public:
  std::string bytes;

  void raw(const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  }
  // The number of what follows.
  std::size_t length(std::size_t count) {
    raw(&count, sizeof count);
    return count;
  }
};

class Incoming {
 public:
  explicit Incoming(std::string_view bytes) : left_(bytes) {}

  // Fills with zeros what is missing.
  void raw(void* to, std::size_t size);
  // Takes the number of what follows, at least a byte each; zero if that cannot be.
  std::size_t length(std::size_t);
  // There were too few bytes, or there are more.
  bool failed() const { return failed_ || !left_.empty(); }

 private:
  std::string_view left_;
  bool failed_ = false;
};

template <class Wire, class T>
  requires std::is_trivially_copyable_v<T>
void pass(Wire& wire, T& value) {
  wire.raw(&value, sizeof value);
}

// A byte that is neither 0 nor 1 is no bool.
inline void pass(Incoming& wire, bool& value) {
  std::uint8_t byte = 0;
  wire.raw(&byte, sizeof byte);
  value = byte != 0;
}

void pass(Outgoing& wire, const std::string& text);
void pass(Incoming& wire, std::string& text);
void pass(Outgoing& wire, const UserScalar& scalar);
void pass(Incoming& wire, UserScalar& scalar);
void pass(Outgoing& wire, isa::KnownFile& file);
void pass(Incoming& wire, isa::KnownFile& file);
void pass(Outgoing& wire, vm::TrapRecord& trap);
void pass(Incoming& wire, vm::TrapRecord& trap);
void pass(Outgoing& wire, vm::PositionRecord& position);
void pass(Incoming& wire, vm::PositionRecord& position);
void pass(Outgoing& wire, vm::Record& record);
void pass(Incoming& wire, vm::Record& record);

template <class T>
void pass(Outgoing& wire, std::vector<T>& list) {
  wire.length(list.size());
  for (T& value : list) pass(wire, value);
}

template <class T>
void pass(Incoming& wire, std::vector<T>& list) {
  list.clear();
  for (std::size_t left = wire.length(0); left > 0; --left) pass(wire, list.emplace_back());
}

// The words of an array, at once.
inline void pass(Outgoing& wire, std::vector<std::uint32_t>& words) {
  wire.raw(words.data(), wire.length(words.size()) * sizeof(std::uint32_t));
}
inline void pass(Incoming& wire, std::vector<std::uint32_t>& words) {
  words.resize(wire.length(0));
  wire.raw(words.data(), words.size() * sizeof(std::uint32_t));
}

template <class Wire>
void pass(Wire& wire, vm::SymbolValue& value) {
  auto& [type, is_array, words] = value;
  pass(wire, type);
  pass(wire, is_array);
  pass(wire, words);
}

template <class T>
void pass(Outgoing& wire, std::optional<T>& value) {
  const bool there = value.has_value();
  pass(wire, there);
  if (there) pass(wire, *value);
}

template <class T>
void pass(Incoming& wire, std::optional<T>& value) {
  bool there = false;
  pass(wire, there);
  value.reset();
  if (there) pass(wire, value.emplace());
}

template <class T>
void pass(Outgoing& wire, std::map<std::string, T>& table) {
  wire.length(table.size());
  for (auto& [name, value] : table) {
    pass(wire, name);
    pass(wire, value);
  }
}

template <class T>
void pass(Incoming& wire, std::map<std::string, T>& table) {
  table.clear();
  for (std::size_t left = wire.length(0); left > 0; --left) {
    std::string name;
    pass(wire, name);
    pass(wire, table[name]);
  }
}

}  // namespace wse::script
