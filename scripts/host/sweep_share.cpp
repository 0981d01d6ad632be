// Reads the argument and hashes what rows depend on.
#include "scripts/host/sweep_share.h"

#include <fmt/format.h>

#include <charconv>

#include "isa/support/hash.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kMostParts = 1'000'000;
constexpr std::uint64_t kInstructionsPerDigest = 10'000;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || text.empty()) return std::nullopt;
  return number;
}

// The last one counts, as for wse.argument.
const std::string* share_argument(const Options& options) {
  const std::string* found = nullptr;
  for (const auto& [name, value] : options.arguments) {
    if (name == kShareArgument) found = &value;
  }
  return found;
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "none";
}

}  // namespace

std::expected<PointShare, std::string> read_share(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto part = whole_number(text.substr(0, slash));
  const auto parts =
      slash == std::string_view::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  if (part && parts && 1 <= *part && *part <= *parts && *parts <= kMostParts) {
    return PointShare{*part, *parts};
  }
  return std::unexpected(
      fmt::format("points={}: K/N is wanted, the K-th of N shares, such as points=3/10, with "
                  "1 <= K <= N <= {}",
                  text, kMostParts));
}

Returned share_of_points(lua_State* L) {
  Session& session = session_of(L);
  const std::string* const text = share_argument(session.options);
  const bool is_inner = session.sweeps > 0 || session.workers > 1;
  if (text == nullptr || is_inner || session.options.capture != 0) return 0;
  const auto share = read_share(*text);
  const bool is_known = session.asked.contains(std::string(kShareArgument));
  if (!share && is_known) return 0;  // the script has an argument of that name
  if (!share) return problem("wse.sweep: " + share.error());
  session.asked.insert(std::string(kShareArgument));
  lua_pushinteger(L, static_cast<lua_Integer>(share->part));
  lua_pushinteger(L, static_cast<lua_Integer>(share->parts));
  return 2;
}

std::string inputs_text(const Session& session) {
  const Options& options = session.options;
  const RunDefaults& defaults = options.defaults;
  std::string text = fmt::format("code={:016x}\n", session.code_digest);
  for (const auto& [name, value] : options.arguments) {
    if (name == kShareArgument || name == "out") continue;
    text += fmt::format("argument {}={}\n", name, value);
  }
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    text += fmt::format("{}={}\n", parameter.name, defaults.machine.profile.*parameter.member);
  }
  for (const auto& [name, interval] : defaults.machine.intervals) {
    text += fmt::format("interval {}={}..{}\n", name, interval.low, interval.high);
  }
  text +=
      fmt::format("machine={} max_cycles={} tsc_skew={} strict={} expect={} interval={}\n",
                  defaults.machine.profile.name, text_of(defaults.max_cycles),
                  text_of(defaults.tsc_skew), defaults.strict, defaults.expect, defaults.interval);
  if (defaults.jitter) {
    text += fmt::format("jitter={}:{}\n", defaults.jitter->seed, defaults.jitter->cycles);
  }
  return text;
}

Returned has_file(lua_State* L) {
  const std::optional<std::string> name = text_at(L, 1);
  if (!name) return problem("has_file: the name of a file is wanted");
  const FileResult<bool> there = session_of(L).files.exists(*name);
  if (!there) return problem(there.error().message);
  lua_pushboolean(L, *there ? 1 : 0);
  return 1;
}

Returned inputs_digest(lua_State* L) {
  const std::optional<std::string> points = text_at(L, 1);
  if (!points) return problem("inputs_digest: a text is wanted");
  Session& session = session_of(L);
  const std::string text = inputs_text(session) + *points;
  if (!session.limits.charge(kInstructionsPerDigest + text.size())) {
    return problem(session.limits.text());
  }
  // A letter in front: a table reads a word of digits as a number.
  const std::uint64_t hash = isa::hash_bytes(std::as_bytes(std::span(text)));
  return push_text(L, fmt::format("h{:016x}", hash)) ? Returned(1) : problem_on_stack();
}

Returned end_share(lua_State* L) {
  Session& session = session_of(L);
  session.log(text_at(L, 1).value_or(""));
  session.points_left_out = true;
  session.limits.trip(Trip::Finished);
  return problem(session.limits.text());
}

}  // namespace wse::script
