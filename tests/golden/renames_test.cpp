// Every name of every program of programs/ can be renamed: where all its words are replaced, the
// program assembles to the same image, but for the name. Must never rename what comes with wsevm.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "asm/analysis.h"
#include "asm/assembler.h"
#include "isa/image/disassembler.h"
#include "tests/support/files.h"

namespace wse::assembler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNewName = "renamed_by_a_test";
constexpr std::size_t kLeastRenames = 900;

// The texts of a program, by path: its own, and those of its folder that it includes.
using Texts = std::map<std::string, std::string>;

Options options_of(const fs::path& file, const Texts& changed) {
  const auto load = [&changed](const std::string& path) -> isa::Result<std::optional<std::string>> {
    const auto found = changed.find(path);
    if (found != changed.end()) return found->second;
    if (!fs::is_regular_file(path)) return std::nullopt;
    return test_support::read_text(path);
  };
  return {
      .overrides = {}, .profile = *isa::find_profile("wse3"), .path = file.string(), .load = load};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// Returns the assembled program as text, with the old name in the new one's place; or the errors.
std::string image_text(const fs::path& file, const Texts& texts, std::string_view old_name) {
  const Output output =
      assemble({file.filename().string(), texts.at(file.string())}, options_of(file, texts));
  if (!output.image) return isa::to_text(output.diagnostics, output.files);
  std::string text = isa::disassemble(*output.image);
  replace_all(text, kNewName, old_name);
  replace_all(text, "(x)", "x");  // a coordinate: in brackets where data have its name
  replace_all(text, "(y)", "y");
  return text;
}

// The texts with the new name at the places, which are in their order.
Texts renamed(const Analysis& analysis, const std::vector<TextPlace>& places) {
  Texts texts;
  for (std::size_t k = 0; k < analysis.files.size(); ++k) {
    if (!analysis.paths[k].empty()) texts[analysis.paths[k]] = analysis.files[k].text;
  }
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    texts[analysis.paths[place->file]].replace(place->offset, place->length, kNewName);
  }
  return texts;
}

std::size_t rename_all(const fs::path& file) {
  const Texts texts = {{file.string(), test_support::read_text(file)}};
  const Analysis analysis =
      analyse({file.filename().string(), texts.at(file.string())}, options_of(file, texts));
  EXPECT_TRUE(analysis.names.is_complete()) << file;
  const std::string before = image_text(file, texts, kNewName);
  if (!before.starts_with(".grid") && !before.starts_with(".hypercube")) return 0;  // a part
  std::set<std::uint32_t> seen;
  std::size_t tried = 0;
  for (const IndexedSymbol& symbol : analysis.names.symbols()) {
    if (!seen.insert(symbol.group).second) continue;
    const auto places = places_to_rename(analysis, symbol.group, kNewName);
    if (!places) continue;  // of a library
    ++tried;
    EXPECT_TRUE(image_text(file, renamed(analysis, *places), symbol.name) == before)
        << file << ": " << text(symbol.kind) << " " << symbol.name;
  }
  return tried;
}

TEST(Renames, ChangeNothingButTheName) {
  std::size_t renames = 0;
  for (const char* folder : {"programs", "asm/tutorial"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WSE_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".wsa") renames += rename_all(entry.path());
    }
  }
  EXPECT_GE(renames, kLeastRenames);
}

}  // namespace
}  // namespace wse::assembler
