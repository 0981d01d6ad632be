// Programs, kinds of files, messages.
#include "tests/faults/faults.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/image/image.h"
#include "vm/numpy/npy.h"
#include "vm/profile/profile.h"

namespace wse::faults {
namespace {

std::vector<std::byte> as_bytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

bool is_array(const std::string& text) { return numpy::parse_npy(as_bytes(text)).has_value(); }

bool is_picture(const std::string& text) {
  return text.starts_with("\x89PNG") && text.ends_with(std::string("IEND\xae\x42\x60\x82"));
}

bool is_graph(const std::string& text) {
  return text.starts_with("digraph") && text.ends_with("}\n");
}

bool is_listing(const std::string& text) {
  return text.starts_with("program sender") && text.ends_with(" cycles each\n");
}

bool is_program_image(const std::string& text) {
  return isa::read_image(as_bytes(text)).has_value();
}

bool is_profile(const std::string& text) { return vm::parse_profile(as_bytes(text)).has_value(); }

bool is_page(const std::string& text) {
  return text.starts_with("<!doctype html>") && text.ends_with("</html>\n");
}

const std::vector<OutputKind> kKinds = {
    {"out", {"run", "program.wsa", "--out", "y=FILE"}, is_array},
    {"picture", {"run", "program.wsa", "--picture", "y=FILE"}, is_picture},
    {"json", {"run", "program.wsa", "--json=FILE"}, is_json},
    {"trace", {"run", "program.wsa", "--trace=FILE"}, is_trace},
    {"dot", {"run", "program.wsa", "--dot=FILE"}, is_graph},
    {"list", {"run", "program.wsa", "--list=FILE"}, is_listing},
    {"profile", {"run", "program.wsa", "--profile=FILE"}, is_profile},
    {"report", {"run", "program.wsa", "--report=FILE"}, is_page},
    {"image", {"asm", "program.wsa", "-o", "FILE"}, is_program_image},
};

}  // namespace

const std::string kProgram = R"(.grid 2, 1
.colour red
.program sender
  .i32 x[600] exported = i
  task main:
    mov32 fabout(red), x
.program receiver
  .i32 y[600] exported
  task main:
    mov32 y, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)";

const std::string kEndless = R"(.grid 1, 1
.colour red
.program p
  .i32 y[600] exported = i
  task main:
  next:
    mov32 y, y
    mark again
    jmp next
.place p at (0, 0)
)";

std::span<const OutputKind> output_kinds() { return kKinds; }

bool is_json(const std::string& text) {
  return text.ends_with('\n') && nlohmann::json::accept(text);
}

bool is_trace(const std::string& text) {
  return (text.empty() || text.ends_with('\n')) &&
         std::ranges::all_of(test_support::split_lines(text),
                             [](const std::string& line) { return nlohmann::json::accept(line); });
}

std::string record_member(const std::string& record, const std::string& member) {
  const auto json = nlohmann::json::parse(record, nullptr, false);
  if (json.is_discarded() || !json.contains(member) || !json[member].is_string()) return {};
  return json[member].get<std::string>();
}

std::string record_number(const std::string& record, const std::string& member) {
  const auto json = nlohmann::json::parse(record, nullptr, false);
  if (json.is_discarded() || !json.contains(member) || !json[member].is_number()) return {};
  return json[member].dump();
}

std::vector<std::string> Faults::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

Ending Faults::write_output(const OutputKind& kind, const std::string& file,
                            const ChildSetup& setup) const {
  write("program.wsa", kProgram);
  std::vector<std::string> words = kind.words;
  std::string& last = words.back();
  last.replace(last.find("FILE"), 4, file);
  return wsevm(words, setup);
}

void Faults::expect_message(const Ending& ending, const std::string& part) {
  EXPECT_EQ(std::ranges::count(ending.errors, '\n'), 1) << ending.errors;
  EXPECT_TRUE(ending.errors.contains(part)) << ending.errors;
}

}  // namespace wse::faults
