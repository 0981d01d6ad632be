// The reporter: collects diagnostics while the stages run, and knows no stage.
//
// Stages name a row of diagnostics.def and give its arguments; no text of a message is anywhere
// else. The number of them that are kept is bounded, so that a broken 16 MB source costs no more
// than its first errors.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "asm/text/warning_choice.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

enum class Problem : std::uint8_t {
#define DIAGNOSTIC(name, ...) name,
#define NOTE(name, message)
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
};

enum class Remark : std::uint8_t {
#define DIAGNOSTIC(...)
#define NOTE(name, message) name,
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
};

// A change of one line of a source that a remedy asks for: `text` in place of `where`, which may
// have the length 0. With `closing`, the old text stays, between `text` and `closing`.
struct Edit {
  isa::SourceRange where{};
  std::string text{};
  std::optional<std::string> closing{};
};

// A change that may mend what a diagnostic says, and the words for it.
struct Remedy {
  std::size_t diagnostic = 0;  // its index
  std::string help;
  Edit edit;
  bool on_trial = false;  // offered only if it has been tried
};

// Which warnings are shown, and of which places.
struct WarningRules {
  std::vector<WarningChoice> choices{};
  // Whether the file comes with wsevm: its users see no line of it.
  std::function<bool(std::uint32_t file)> is_library{};
};

class Reporter {
 public:
  // Before anything is reported.
  void set_rules(WarningRules rules) { rules_ = std::move(rules); }

  template <class... Arguments>
  void report(Problem problem, const isa::SourceRange& where, const Arguments&... arguments) {
    add(problem, where, {fmt::format("{}", arguments)...});
  }

  // Another place of the error reported last.
  template <class... Arguments>
  void note(Remark remark, const isa::SourceRange& where, const Arguments&... arguments) {
    add_note(remark, where, {fmt::format("{}", arguments)...});
  }

  // Takes the change that the help of what was reported last spells. A help with alternatives
  // spells several; each alone mends the mistake.
  void spells(const std::optional<Edit>& edit);

  // A change that may mend what was reported last, and the remedy of its row with these arguments.
  // If there are several, the first that helps is offered.
  template <class... Arguments>
  void offer(const Edit& edit, const Arguments&... arguments) {
    add_remedy(edit, {fmt::format("{}", arguments)...});
  }

  // Warnings with that code are silent in the line of `where`; if nothing else is there, also
  // in the next line. Reports a code that no warning has.
  void allow(std::string_view code, const isa::SourceRange& where, bool stands_alone);

  // A number for SourceRange::origin: the text holds it because of `where`. Errors show it
  // as a note, and then where that comes from. `name` must live as long as the reporter.
  std::uint32_t add_origin(Remark remark, const isa::SourceRange& where, std::string_view name);

  // From now on the same is said once of a place, wherever it comes from.
  void say_once() { once_ = true; }

  bool has_errors() const { return errors_ > 0; }
  // Also those that other expansions have said before.
  std::size_t mistakes() const { return errors_ + repeated_; }

  // Whether a further suggestion is worth its time.
  bool may_suggest() const { return errors_ < kShownErrors; }

  // Everything in the order of the source; at most kShownErrors, errors first, then how many more.
  isa::Diagnostics take();
  // Remedies of the diagnostics that take() has returned, in their order.
  std::vector<Remedy> take_remedies() { return std::move(remedies_); }

  static constexpr std::size_t kShownErrors = 50;

 private:
  struct Group {
    isa::Diagnostic error;
    isa::Diagnostics notes;
    Problem problem{};
    std::vector<Remedy> remedies;
    std::size_t number = 0;  // in the order of reporting
  };

  struct Allowance {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t code = 0;  // index in codes_
    bool stands_alone = false;

    auto operator<=>(const Allowance&) const = default;
  };

  struct Origin {
    Remark remark{};
    isa::SourceRange where{};
    std::string_view name{};
  };

  void add(Problem problem, const isa::SourceRange& place,
           const std::vector<std::string>& arguments);
  bool is_said(Problem problem, const isa::SourceRange& where,
               const std::vector<std::string>& arguments);
  void add_note(Remark remark, const isa::SourceRange& where,
                const std::vector<std::string>& arguments);

  void add_remedy(const Edit& edit, const std::vector<std::string>& arguments);
  // Whether the warning is to be shown; moves its place out of the files that come with wsevm.
  bool is_wanted(Problem problem, isa::SourceRange& where);
  bool leave_library(Problem problem, isa::SourceRange& where) const;
  bool is_allowed(std::string_view code, const isa::SourceRange& where);
  bool is_line_allowed(std::uint32_t file, std::uint32_t line, std::uint32_t code) const;
  const WarningChoice* choice_of(std::string_view code) const;

  void drop_warnings();
  void show_origins(std::uint32_t origin, isa::Diagnostics& diagnostics) const;

  std::vector<Group> groups_;
  std::vector<Origin> origins_;  // number k is element k - 1
  WarningRules rules_;
  std::vector<std::string> codes_;  // of warnings; empty until one is allowed
  std::vector<Allowance> allowances_;
  bool allowances_are_sorted_ = true;
  std::vector<Remedy> remedies_;
  std::unordered_set<std::string> said_;  // with an origin: another expansion says no more
  std::size_t errors_ = 0;
  std::size_t repeated_ = 0;
  std::size_t warnings_ = 0;
  std::size_t promoted_ = 0;  // warnings that are to be errors
  bool last_is_kept_ = false;
  bool once_ = false;
};

// At most 160 bytes of it: names can be as long as the source.
std::string shortened(const std::string& text);

// "1 element", "3 elements".
std::string counted(std::int64_t count, std::string_view noun);

}  // namespace wse::assembler
