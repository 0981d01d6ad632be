// The reporter: collects diagnostics while the stages run, and knows no stage.
//
// Stages name a row of diagnostics.def and give its arguments; no text of a message is anywhere
// else. What is kept is bounded, so that a broken 16 MB source costs no more than its first errors.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

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

class Reporter {
 public:
  template <class... Arguments>
  void report(Problem problem, const isa::SourceRange& where, const Arguments&... arguments) {
    add(problem, where, {fmt::format("{}", arguments)...});
  }

  // Another place of the error reported last.
  template <class... Arguments>
  void note(Remark remark, const isa::SourceRange& where, const Arguments&... arguments) {
    add_note(remark, where, {fmt::format("{}", arguments)...});
  }

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

  static constexpr std::size_t kShownErrors = 50;

 private:
  struct Group {
    isa::Diagnostic error;
    isa::Diagnostics notes;
    std::size_t number = 0;  // in the order of reporting
  };

  struct Origin {
    Remark remark{};
    isa::SourceRange where{};
    std::string_view name{};
  };

  void add(Problem problem, const isa::SourceRange& where,
           const std::vector<std::string>& arguments);
  bool is_said(Problem problem, const isa::SourceRange& where,
               const std::vector<std::string>& arguments);
  void add_note(Remark remark, const isa::SourceRange& where,
                const std::vector<std::string>& arguments);

  void drop_warnings();
  void show_origins(std::uint32_t origin, isa::Diagnostics& diagnostics) const;

  std::vector<Group> groups_;
  std::vector<Origin> origins_;           // number k is element k - 1
  std::unordered_set<std::string> said_;  // with an origin: another expansion says no more
  std::size_t errors_ = 0;
  std::size_t repeated_ = 0;
  std::size_t warnings_ = 0;
  bool last_is_kept_ = false;
  bool once_ = false;
};

// At most 160 bytes of it: names can be as long as the source.
std::string shortened(const std::string& text);

// "1 element", "3 elements".
std::string counted(std::int64_t count, std::string_view noun);

}  // namespace wse::assembler
