// Fills the rows of diagnostics.def with their arguments and puts them in order.
#include "asm/text/report.h"

#include <algorithm>
#include <tuple>

namespace wse::assembler {
namespace {

constexpr std::size_t kKeptErrors = 1000;    // the later ones are only counted
constexpr std::size_t kShownArgument = 160;  // characters of an argument in a message

struct Row {
  std::string_view code;
  isa::Severity severity;
  std::string_view message;
  std::string_view remedy;
  std::string_view otherwise;
};

constexpr Row kRows[] = {
#define DIAGNOSTIC(name, code, severity, message, remedy, otherwise) \
  {code, isa::Severity::severity, message, remedy, otherwise},
#define NOTE(name, message)
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
};

constexpr std::string_view kNotes[] = {
#define DIAGNOSTIC(...)
#define NOTE(name, message) message,
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
};

struct Filled {
  std::string text;
  bool complete = true;  // no argument that it mentions is empty
};

// Puts arguments for {0} {1} ... and braces for doubled ones.
Filled fill(std::string_view text, const std::vector<std::string>& arguments) {
  Filled filled;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char next = k + 1 < text.size() ? text[k + 1] : '\0';
    if ((text[k] == '{' || text[k] == '}') && next == text[k]) {
      filled.text += text[k++];
    } else if (text[k] == '{') {
      const auto index = static_cast<std::size_t>(next - '0');
      const std::string value = index < arguments.size() ? shortened(arguments[index]) : "";
      filled.complete &= !value.empty();
      filled.text += value;
      k += 2;
    } else {
      filled.text += text[k];
    }
  }
  return filled;
}

auto order_of(const isa::SourceRange& where) {
  const std::uint32_t line = where.line == 0 ? ~0u : where.line;  // without a place: last
  return std::tuple(line == ~0u, where.file, line, where.column);
}

}  // namespace

bool Reporter::is_said(Problem problem, const isa::SourceRange& where,
                       const std::vector<std::string>& arguments) {
  if (where.origin == 0 && !once_) return false;
  std::string key =
      fmt::format("{} {} {} {}", static_cast<int>(problem), where.file, where.line, where.column);
  // A warning says the same of another code of the program, perhaps with other numbers.
  const bool is_error = kRows[static_cast<int>(problem)].severity == isa::Severity::Error;
  if (is_error || !once_) {
    for (const std::string& argument : arguments) key += " " + shortened(argument);
  }
  if (said_.size() >= kKeptErrors) return said_.contains(key);
  return !said_.insert(std::move(key)).second;
}

void Reporter::add(Problem problem, const isa::SourceRange& where,
                   const std::vector<std::string>& arguments) {
  last_is_kept_ = false;
  const Row& row = kRows[static_cast<int>(problem)];
  if (is_said(problem, where, arguments)) {
    if (row.severity == isa::Severity::Error) ++repeated_;
    return;
  }
  ++(row.severity == isa::Severity::Error ? errors_ : warnings_);
  last_is_kept_ = groups_.size() < kKeptErrors;
  if (!last_is_kept_) return;
  Filled remedy = fill(row.remedy, arguments);
  if (!remedy.complete) remedy = fill(row.otherwise, arguments);
  isa::Diagnostic error{row.severity, std::string(row.code), where,
                        fill(row.message, arguments).text, std::move(remedy.text)};
  groups_.push_back({std::move(error), {}, errors_ + warnings_});
}

void Reporter::add_note(Remark remark, const isa::SourceRange& where,
                        const std::vector<std::string>& arguments) {
  if (!last_is_kept_) return;
  groups_.back().notes.push_back(
      {isa::Severity::Note, "", where, fill(kNotes[static_cast<int>(remark)], arguments).text, ""});
}

std::uint32_t Reporter::add_origin(Remark remark, const isa::SourceRange& where,
                                   std::string_view name) {
  origins_.push_back({remark, where, name});
  return static_cast<std::uint32_t>(origins_.size());
}

void Reporter::show_origins(std::uint32_t origin, isa::Diagnostics& diagnostics) const {
  while (origin != 0) {
    const Origin& cause = origins_[origin - 1];
    const std::string_view text = kNotes[static_cast<int>(cause.remark)];
    diagnostics.push_back(
        {isa::Severity::Note, "", cause.where, fill(text, {std::string(cause.name)}).text, ""});
    origin = cause.where.origin;
  }
}

// Warnings must not take the room of errors.
void Reporter::drop_warnings() {
  if (errors_ == 0 || groups_.size() <= kShownErrors) return;
  std::erase_if(groups_,
                [](const Group& group) { return group.error.severity != isa::Severity::Error; });
}

isa::Diagnostics Reporter::take() {
  drop_warnings();
  std::ranges::sort(groups_, {}, [](const Group& group) {
    return std::pair(order_of(group.error.where), group.number);
  });
  isa::Diagnostics diagnostics;
  std::uint32_t shown = 0;  // said once for errors of one origin that follow each other
  for (std::size_t k = 0; k < std::min(groups_.size(), kShownErrors); ++k) {
    diagnostics.push_back(std::move(groups_[k].error));
    for (isa::Diagnostic& note : groups_[k].notes) diagnostics.push_back(std::move(note));
    const std::uint32_t origin = groups_[k].error.where.origin;
    if (origin != shown) show_origins(origin, diagnostics);
    shown = origin;
  }
  const std::size_t found = errors_ > 0 ? errors_ : warnings_;
  if (found > kShownErrors) {
    const std::string more =
        counted(static_cast<std::int64_t>(found - kShownErrors), errors_ > 0 ? "error" : "warning");
    const Filled text = fill(kNotes[static_cast<int>(Remark::MoreErrors)], {more});
    diagnostics.push_back({isa::Severity::Note, "", {}, text.text, ""});
  }
  groups_.clear();
  return diagnostics;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kShownArgument) return text;
  return text.substr(0, kShownArgument) + "...";
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace wse::assembler
