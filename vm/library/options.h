// Options as C gives them: "name=value" texts up to a NULL.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vm/contract/jitter.h"
#include "vm/front/program_source.h"
#include "vm/library/fault.h"

namespace wse::library {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Copies the texts. `what`: what they are, in errors. Errors: a text without "=", or without a name
// before it.
Fallible<Pairs> read_pairs(const char* const* texts, std::string_view what);

// The choices that make a machine of a program, and the demands on its runs.
struct Choices {
  front::ProgramSource source;         // engine, transport, threads, memory
  std::optional<std::string> machine;  // instead of the program's
  std::uint64_t max_cycles = UINT64_MAX;
  std::optional<std::uint64_t> tsc_skew;
  std::optional<vm::Jitter> jitter;
  bool profile = false;
  bool progress = false;
  bool expect = false;
  bool strict = false;
};

// Reads options. Errors: one that does not exist, a value that it cannot have; each names what it
// takes.
Fallible<Choices> read_choices(const char* const* options);

}  // namespace wse::library
