// Assembles the changed source again for each trial.
#include "asm/remedies.h"

#include <algorithm>
#include <utility>

#include "asm/text/library_texts.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kTrials = 12;                          // of one assembly
constexpr std::size_t kBytesOnTrial = std::size_t{1} << 20;  // longer sources are not tried
constexpr std::size_t kEditTrials = 64;                      // of one call
constexpr std::uint32_t kSource = 0;                         // the file that may be changed

// Warnings, and errors: a warning may have been made one.
std::size_t findings_in(const isa::Diagnostics& diagnostics) {
  return static_cast<std::size_t>(std::ranges::count_if(diagnostics, [](const auto& diagnostic) {
    return diagnostic.severity != isa::Severity::Note;
  }));
}

// Returns whether a change of that file can be tried: it has been written by somebody.
bool can_change(const Output& output, std::uint32_t file) {
  if (file == kSource) return true;
  const std::string& path = output.paths[file];
  return !path.empty() && !path.starts_with(kLibraryFolder);
}

// Assembles the text with the change in it.
Output assemble_changed(const Output& before, const Change& change, const Options& options) {
  const std::uint32_t file = change.where.file;
  const isa::SourceFile& source = before.files[kSource];
  std::string changed = with_change(before.files[file].text, change);
  if (file == kSource) return assemble_as_written({source.name, std::move(changed)}, options);
  Options other = options;
  other.load = [&](const std::string& path) -> isa::Result<std::optional<std::string>> {
    if (path == before.paths[file]) return changed;
    return options.load(path);
  };
  return assemble_as_written(source, other);
}

// Returns whether the diagnostic is said again of the same place after the change.
bool is_repeated(const isa::Diagnostic& diagnostic, const Change& change, const Output& after) {
  const isa::SourceRange& where = diagnostic.where;
  const bool is_moved = where.file == change.where.file && where.line >= change.where.line;
  const auto lines = is_moved ? std::ranges::count(change.text, '\n') : 0;
  return std::ranges::any_of(after.diagnostics, [&](const isa::Diagnostic& other) {
    return other.code == diagnostic.code && other.where.file == where.file &&
           other.where.line == where.line + lines && other.message == diagnostic.message;
  });
}

// Returns whether the parser stops at the line of the change.
bool refuses_the_line(const Output& output, const Change& change) {
  return std::ranges::any_of(output.diagnostics, [&](const isa::Diagnostic& diagnostic) {
    return diagnostic.code == "E010" && diagnostic.where.file == change.where.file &&
           diagnostic.where.line == change.where.line;
  });
}

bool mends(const Output& before, const Change& change, const Options& options) {
  const isa::Diagnostic& diagnostic = before.diagnostics[change.diagnostic];
  const Output after = assemble_changed(before, change, options);
  return !is_repeated(diagnostic, change, after) &&
         (refuses_the_line(before, change) || !refuses_the_line(after, change));
}

}  // namespace

Change change_of(std::string_view text, const Edit& edit) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < edit.where.line; ++line) begin = text.find('\n', begin) + 1;
  begin += edit.where.column - 1;
  Change change{.where = edit.where, .text = edit.text};
  if (edit.closing) change.text += text.substr(begin, edit.where.length);
  change.text += edit.closing.value_or("");
  return change;
}

std::string with_change(std::string_view text, const Change& change) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < change.where.line; ++line) {
    begin = text.find('\n', begin) + 1;
  }
  begin += change.where.column - 1;
  std::string changed(text.substr(0, begin));
  changed += change.text;
  changed += text.substr(begin + change.where.length);
  return changed;
}

std::string with_edit(std::string_view text, const Edit& edit) {
  return with_change(text, change_of(text, edit));
}

std::vector<Change> tried_changes(const Output& output, const Options& options,
                                  const std::function<bool(std::size_t)>& wanted) {
  std::vector<Change> changes;
  std::size_t bytes = 0;
  for (const isa::SourceFile& file : output.files) bytes += file.text.size();
  if (bytes > kBytesOnTrial) return changes;
  std::size_t trials = kEditTrials;
  for (const Remedy& remedy : output.remedies) {
    const std::uint32_t file = remedy.edit.where.file;
    if (!wanted(remedy.diagnostic) || !can_change(output, file)) continue;
    if (trials-- == 0) break;
    Change change = change_of(output.files[file].text, remedy.edit);
    change.diagnostic = remedy.diagnostic;
    change.help = remedy.help;
    if (mends(output, change, options)) changes.push_back(std::move(change));
  }
  return changes;
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
