// Writes what fuzzing starts from: seeds FOLDER FILE.wsa... makes
//
//     FOLDER/text/NAME.wsa     the files
//     FOLDER/image/NAME        the payload of the image of each file that assembles
//     FOLDER/npy/NAME          an array of each type
//     FOLDER/messages/NAME     messages of an editor that are all fine
//     FOLDER/text.dict         the words of the tables of isa, and the directives of the files
//
// Must never name a mnemonic or a directive itself.
#include <cctype>
#include <cstdio>
#include <set>

#include "asm/assembler.h"
#include "tests/fuzz/sample_messages.h"
#include "tests/support/files.h"
#include "tests/unit/isa/image_samples.h"
#include "vm/numpy/npy.h"

namespace wse::fuzz {
namespace {

namespace fs = std::filesystem;

std::set<std::string> table_words() {
  std::set<std::string> words;
  for (const isa::InstructionInfo& row : isa::kInstructions) words.emplace(row.mnemonic);
  for (const std::string_view text : isa::kConditionTexts) words.emplace(text);
  for (const std::string_view text : isa::kPortTexts) words.emplace(text);
  for (const std::string_view text : isa::kBuiltinSlots) words.emplace(text);
  for (const isa::TypeInfo& type : isa::kTypes) words.emplace(type.text);
  for (const std::string& name : isa::profile_names()) words.insert(name);
  for (unsigned op = 0; op < 256; ++op) {
    const auto formula_op = static_cast<isa::FormulaOp>(op);
    if (op > static_cast<unsigned>(isa::FormulaOp::SquareRoot)) break;
    const isa::OperatorInfo* row = isa::operator_info(formula_op);
    words.emplace(row != nullptr ? row->text : isa::variable_text(formula_op));
  }
  words.erase("");
  return words;
}

// Words that begin with a dot.
void add_directives(const std::string& text, std::set<std::string>& words) {
  for (std::size_t at = text.find('.'); at != std::string::npos; at = text.find('.', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
    const bool starts = at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1]));
    if (starts && end > at + 1) words.insert(text.substr(at, end - at));
  }
}

void write_dictionary(const fs::path& file, const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += "\"" + word + "\"\n";
  test_support::write_text(file, text);
}

void write_bytes(const fs::path& file, std::span<const std::byte> bytes) {
  test_support::write_text(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void write_payload(const fs::path& file, const isa::Image& image) {
  const std::vector<std::byte> bytes = isa::write_image(image);
  write_bytes(file, std::span(bytes).subspan(isa::kImageHeaderBytes));
}

void write_arrays(const fs::path& folder) {
  for (const std::string dtype :
       {"|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"}) {
    numpy::NpyArray array{dtype, {2, 3}, {}};
    array.data.resize(*numpy::data_bytes(array.dtype, array.shape));
    write_bytes(folder / dtype.substr(1), *numpy::format_npy(array));
  }
}

void write_messages(const fs::path& folder) {
  std::size_t number = 0;
  for (const std::string& message : sample_messages()) {
    test_support::write_text(folder / std::to_string(number++), message + "\n");
  }
}

void write_seed(const fs::path& folder, const fs::path& source, const std::string& text) {
  const std::string name = source.parent_path().filename().string() + "-" + source.stem().string();
  test_support::write_text(folder / "text" / (name + ".wsa"), text);
  const assembler::Output output = assembler::assemble(
      {"seed.wsa", text}, {.overrides = {}, .profile = *isa::find_profile("wse2")});
  if (output.image) write_payload(folder / "image" / name, *output.image);
}

}  // namespace
}  // namespace wse::fuzz

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: seeds FOLDER FILE.wsa...\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::set<std::string> words = wse::fuzz::table_words();
  for (int k = 2; k < argc; ++k) {
    const std::string text = wse::test_support::read_text(argv[k]);
    wse::fuzz::add_directives(text, words);
    wse::fuzz::write_seed(folder, argv[k], text);
  }
  wse::fuzz::write_payload(folder / "image" / "rich", wse::isa::rich_image());
  wse::fuzz::write_arrays(std::filesystem::path(folder) / "npy");
  wse::fuzz::write_messages(std::filesystem::path(folder) / "messages");
  wse::fuzz::write_dictionary(folder / "text.dict", words);
}
