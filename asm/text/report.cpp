// Fills the rows of diagnostics.def with their arguments and puts them in order.
#include "asm/text/report.h"

#include <algorithm>
#include <optional>
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

// Warnings that only cost cycles interest nobody who uses the code and did not write it.
constexpr bool is_advice(Problem problem) {
  return problem == Problem::BankConflict || problem == Problem::LoopDescriptors;
}

// The argument that is the word to write in place of the wrong one, if the remedy says so.
std::optional<std::size_t> meant_argument(std::string_view remedy) {
  constexpr std::string_view kBegin = "did you mean '{";
  if (!remedy.starts_with(kBegin)) return std::nullopt;
  return static_cast<std::size_t>(remedy[kBegin.size()] - '0');
}

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

void Reporter::add(Problem problem, const isa::SourceRange& place,
                   const std::vector<std::string>& arguments) {
  last_is_kept_ = false;
  const Row& row = kRows[static_cast<int>(problem)];
  isa::SourceRange where = place;
  const bool is_warning = row.severity == isa::Severity::Warning;
  if (is_warning && !is_wanted(problem, where)) return;
  if (is_said(problem, where, arguments)) {
    if (row.severity == isa::Severity::Error) ++repeated_;
    return;
  }
  ++(row.severity == isa::Severity::Error ? errors_ : warnings_);
  const bool promoted = is_warning && choice_of(row.code) != nullptr;
  promoted_ += promoted ? 1 : 0;
  last_is_kept_ = groups_.size() < kKeptErrors;
  if (!last_is_kept_) return;
  Filled remedy = fill(row.remedy, arguments);
  if (!remedy.complete) remedy = fill(row.otherwise, arguments);
  isa::Diagnostic error{promoted ? isa::Severity::Error : row.severity, std::string(row.code),
                        where, fill(row.message, arguments).text, std::move(remedy.text)};
  groups_.push_back({std::move(error), {}, problem, {}, errors_ + warnings_});
  const std::optional<std::size_t> meant = meant_argument(row.remedy);
  if (!meant || *meant >= arguments.size() || arguments[*meant].empty()) return;
  groups_.back().remedies.push_back(
      {.help = groups_.back().error.help, .edit = {.where = where, .text = arguments[*meant]}});
}

void Reporter::spells(const std::optional<Edit>& edit) {
  if (!last_is_kept_ || !edit) return;
  groups_.back().remedies.push_back({.help = groups_.back().error.help, .edit = *edit});
}

void Reporter::add_remedy(const Edit& edit, const std::vector<std::string>& arguments) {
  if (!last_is_kept_) return;
  const Row& row = kRows[static_cast<int>(groups_.back().problem)];
  groups_.back().remedies.push_back(
      {.help = fill(row.remedy, arguments).text, .edit = edit, .on_trial = true});
}

void Reporter::allow(std::string_view code, const isa::SourceRange& where, bool stands_alone) {
  if (codes_.empty()) codes_ = warning_codes();
  const auto found = std::ranges::find(codes_, code);
  if (found == codes_.end()) {
    const bool may_be_typo = may_suggest() && !is_error_code(code);
    const std::string near = may_be_typo ? isa::nearest(code, codes_) : "";
    return report(Problem::UnknownWarning, where, code, near);
  }
  const auto index = static_cast<std::uint32_t>(found - codes_.begin());
  allowances_.push_back({where.file, where.line, index, stands_alone});
  allowances_are_sorted_ = false;
}

// nullptr if the caller wants nothing of that code.
const WarningChoice* Reporter::choice_of(std::string_view code) const {
  const auto last = std::find_if(rules_.choices.rbegin(), rules_.choices.rend(),
                                 [code](const WarningChoice& choice) {
                                   return choice.code == code || choice.code == kAllWarnings;
                                 });
  return last == rules_.choices.rend() ? nullptr : &*last;
}

bool Reporter::is_wanted(Problem problem, isa::SourceRange& where) {
  const std::string_view code = kRows[static_cast<int>(problem)].code;
  const WarningChoice* const choice = choice_of(code);
  if (choice != nullptr && !choice->is_error) return false;
  return leave_library(problem, where) && !is_allowed(code, where);
}

// To the line of the user that took the code from there.
bool Reporter::leave_library(Problem problem, isa::SourceRange& where) const {
  while (rules_.is_library && where.line != 0 && rules_.is_library(where.file)) {
    if (is_advice(problem) || where.origin == 0) return false;
    const Origin& cause = origins_[where.origin - 1];
    if (cause.remark == Remark::IncludedHere) return false;
    where = cause.where;
  }
  return true;
}

// Also in a line that brought the text there: a use of a macro.
bool Reporter::is_allowed(std::string_view code, const isa::SourceRange& where) {
  if (allowances_.empty()) return false;
  if (!allowances_are_sorted_) std::ranges::sort(allowances_);
  allowances_are_sorted_ = true;
  const auto found = std::ranges::find(codes_, code);
  const auto index = static_cast<std::uint32_t>(found - codes_.begin());
  isa::SourceRange place = where;
  while (!is_line_allowed(place.file, place.line, index)) {
    if (place.origin == 0) return false;
    place = origins_[place.origin - 1].where;
  }
  return true;
}

// Returns whether the line itself allows it, or pragmas right above it on lines of their own.
bool Reporter::is_line_allowed(std::uint32_t file, std::uint32_t line, std::uint32_t code) const {
  for (bool above = false;; above = true, --line) {
    const auto in_line = std::ranges::equal_range(
        allowances_, std::pair(file, line), {},
        [](const Allowance& allowance) { return std::pair(allowance.file, allowance.line); });
    const auto counts = [above](const Allowance& allowance) {
      return !above || allowance.stands_alone;
    };
    if (std::ranges::any_of(in_line, [&](const Allowance& allowance) {
          return allowance.code == code && counts(allowance);
        })) {
      return true;
    }
    if (line <= 1 || (above && std::ranges::none_of(in_line, counts))) return false;
  }
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
  if (errors_ + promoted_ == 0 || groups_.size() <= kShownErrors) return;
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
    for (Remedy& remedy : groups_[k].remedies) {
      remedy.diagnostic = diagnostics.size();
      remedies_.push_back(std::move(remedy));
    }
    diagnostics.push_back(std::move(groups_[k].error));
    for (isa::Diagnostic& note : groups_[k].notes) diagnostics.push_back(std::move(note));
    const std::uint32_t origin = groups_[k].error.where.origin;
    if (origin != shown) show_origins(origin, diagnostics);
    shown = origin;
  }
  const std::size_t errors = errors_ + promoted_;
  const std::size_t found = errors > 0 ? errors : warnings_;
  if (found > kShownErrors) {
    const std::string more =
        counted(static_cast<std::int64_t>(found - kShownErrors), errors > 0 ? "error" : "warning");
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
