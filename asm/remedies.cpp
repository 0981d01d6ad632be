// Assembles the changed source again for each trial.
#include "asm/remedies.h"

#include <algorithm>
#include <utility>

namespace wse::assembler {
namespace {

constexpr std::size_t kTrials = 12;                          // of one assembly
constexpr std::size_t kBytesOnTrial = std::size_t{1} << 20;  // longer sources are not tried
constexpr std::uint32_t kSource = 0;                         // the file that may be changed

// Warnings, and errors: a warning may have been made one.
std::size_t findings_in(const isa::Diagnostics& diagnostics) {
  return static_cast<std::size_t>(std::ranges::count_if(diagnostics, [](const auto& diagnostic) {
    return diagnostic.severity != isa::Severity::Note;
  }));
}

}  // namespace

std::string with_edit(std::string_view text, const Edit& edit) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < edit.where.line; ++line) begin = text.find('\n', begin) + 1;
  begin += edit.where.column - 1;
  std::string changed(text.substr(0, begin));
  changed += edit.text;
  if (edit.closing) changed += text.substr(begin, edit.where.length);
  changed += edit.closing.value_or("");
  changed += text.substr(begin + edit.where.length);
  return changed;
}

void choose_remedies(Output& output, const Options& options) {
  std::size_t trials = kTrials;
  std::vector<Remedy> kept;
  for (Remedy& remedy : output.remedies) {
    if (!remedy.on_trial) {
      kept.push_back(std::move(remedy));
      continue;
    }
    const bool has_one = !kept.empty() && kept.back().diagnostic == remedy.diagnostic;
    const isa::SourceFile& source = output.files[kSource];
    const bool can_be_tried =
        remedy.edit.where.file == kSource && source.text.size() <= kBytesOnTrial && trials > 0;
    if (has_one || !can_be_tried) continue;
    --trials;
    const Output trial =
        assemble_as_written({source.name, with_edit(source.text, remedy.edit)}, options);
    if (findings_in(trial.diagnostics) >= findings_in(output.diagnostics)) continue;
    output.diagnostics[remedy.diagnostic].help = remedy.help;
    kept.push_back(std::move(remedy));
  }
  output.remedies = std::move(kept);
}

}  // namespace wse::assembler
