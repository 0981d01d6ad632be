// A table of the options, each with what it takes.
#include "vm/library/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "jit/engines.h"
#include "vm/run/transport_choice.h"

namespace wse::library {
namespace {

// Bounds as the command line has them.
constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostCycles = 1'000'000'000'000'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;

// Reads decimal digits of a number of `least` to `most`.
bool read_number(std::string_view text, std::uint64_t least, std::uint64_t most,
                 std::uint64_t& number) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return false;
  if (value < least || value > most) return false;
  number = value;
  return true;
}

bool read_size(std::string_view text, std::uint64_t& bytes) {
  constexpr std::string_view kSuffixes = "KMG";
  const std::size_t power = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
  const bool has_suffix = power != std::string_view::npos;
  const std::uint64_t factor = has_suffix ? std::uint64_t{1024} << 10 * power : 1;
  if (has_suffix) text.remove_suffix(1);
  if (!read_number(text, 1, kMostBytes / factor, bytes)) return false;
  bytes *= factor;
  return true;
}

bool set_flag(std::string_view text, bool& flag) {
  if (text != "0" && text != "1") return false;
  flag = text == "1";
  return true;
}

bool set_engine(Choices& choices, std::string_view value) {
  const auto known = jit::engine_choices();
  choices.source.engine.name = value;
  return std::ranges::find(known, value, &jit::EngineChoice::name) != known.end();
}

bool set_threads(Choices& choices, std::string_view value) {
  std::uint64_t threads = 0;
  if (!read_number(value, 1, kMostThreads, threads)) return false;
  choices.source.threads = static_cast<std::uint32_t>(threads);
  return true;
}

bool set_jitter(Choices& choices, std::string_view value) {
  vm::Jitter jitter;
  const std::size_t colon = value.find(':');
  if (colon != std::string_view::npos &&
      !read_number(value.substr(colon + 1), 0, vm::Jitter::kMost, jitter.cycles)) {
    return false;
  }
  if (!read_number(value.substr(0, colon), 0, UINT64_MAX, jitter.seed)) return false;
  choices.jitter = jitter;
  return true;
}

struct Option {
  std::string_view name;
  std::string_view takes;
  bool (*set)(Choices& choices, std::string_view value);  // false: it cannot have this value
};

constexpr Option kOptions[] = {
    {"machine", "the name of a profile, or FILE.lua",
     [](Choices& choices, std::string_view value) {
       choices.machine = value;
       return !value.empty();
     }},
    {"engine", "auto, interp, jit or lockstep", set_engine},
    {"transport", "auto, wafer or stepper",
     [](Choices& choices, std::string_view value) {
       choices.source.transport = value;
       return vm::transport_named(value).has_value();
     }},
    {"threads", "a whole number from 1 to 1024", set_threads},
    {"max-cycles", "a whole number from 0 to 10^18",
     [](Choices& choices, std::string_view value) {
       return read_number(value, 0, kMostCycles, choices.max_cycles);
     }},
    {"max-memory", "a size such as 65536, 512M or 4G",
     [](Choices& choices, std::string_view value) {
       return read_size(value, choices.source.max_memory.emplace());
     }},
    {"tsc-skew", "a seed, a whole number",
     [](Choices& choices, std::string_view value) {
       return read_number(value, 0, UINT64_MAX, choices.tsc_skew.emplace());
     }},
    {"jitter", "SEED or SEED:N, whole numbers, N up to 1000000", set_jitter},
    {"profile", "0 or 1",
     [](Choices& choices, std::string_view value) { return set_flag(value, choices.profile); }},
    {"progress", "0 or 1",
     [](Choices& choices, std::string_view value) { return set_flag(value, choices.progress); }},
    {"expect", "0 or 1",
     [](Choices& choices, std::string_view value) { return set_flag(value, choices.expect); }},
    {"strict", "0 or 1",
     [](Choices& choices, std::string_view value) { return set_flag(value, choices.strict); }},
};

std::unexpected<Fault> no_option(const std::string& name) {
  std::string names;
  for (const Option& option : kOptions) names += fmt::format(" {}", option.name);
  return bad_input(fmt::format("there is no option '{}'; the options are{}", name, names));
}

}  // namespace

Fallible<Pairs> read_pairs(const char* const* texts, std::string_view what) {
  Pairs pairs;
  for (; texts != nullptr && *texts != nullptr; ++texts) {
    const std::string text = *texts;
    const std::size_t at = text.find('=');
    if (at == 0 || at == std::string::npos) {
      return bad_input(fmt::format("{} '{}' has not the form name=value", what, text));
    }
    pairs.emplace_back(text.substr(0, at), text.substr(at + 1));
  }
  return pairs;
}

Fallible<Choices> read_choices(const char* const* options) {
  const Fallible<Pairs> pairs = read_pairs(options, "option");
  if (!pairs) return std::unexpected(pairs.error());
  Choices choices;
  for (const auto& [name, value] : *pairs) {
    const auto row = std::ranges::find(kOptions, name, &Option::name);
    if (row == std::end(kOptions)) return no_option(name);
    if (!row->set(choices, value)) {
      return bad_input(fmt::format("option {} is '{}'; it takes {}", name, value, row->takes));
    }
  }
  return choices;
}

}  // namespace wse::library
