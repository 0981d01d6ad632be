// Compares ranks before a run, and collects their shares after it.
#include "vm/cli/shared_run.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "isa/support/hash.h"
#include "isa/support/own_file.h"
#include "vm/cli/ranks_option.h"
#include "vm/run/joined_machine.h"

namespace wse::cli {
namespace {

Failure failure_of(script::TeamEnd end) { return {std::move(end.message), code_of(end.ending)}; }

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string profile_text(const isa::Profile& profile) {
  std::string text = profile.name;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    text += fmt::format(" {}", profile.*parameter.member);
  }
  return text;
}

std::string option_text(const RunCommand& command) {
  const auto or_none = [](const std::optional<std::uint64_t>& number) {
    return number ? fmt::format("{}", *number) : std::string("none");
  };
  std::string text = fmt::format("{} {} {} {} {} {} {}", command.source.transport,
                                 command.source.threads.value_or(1), or_none(command.max_cycles),
                                 or_none(command.tsc_skew), command.slices, !command.list.empty(),
                                 !command.profile.empty() || !command.report.empty());
  if (command.jitter) text += fmt::format(" {} {}", command.jitter->seed, command.jitter->cycles);
  for (const auto& [name, file] : command.in) text += " " + name;
  return text;
}

}  // namespace

Outcome<void> check_shared(const RunCommand& command) {
  const std::pair<bool, const char*> refused[] = {{!command.trace.empty(), "--trace"},
                                                  {!command.path.empty(), "--path"},
                                                  {!command.checkpoint.empty(), "--checkpoint"},
                                                  {!command.restore.empty(), "--restore"},
                                                  {command.interval, "--interval"}};
  for (const auto& [is_asked, option] : refused) {
    if (is_asked) {
      return failure(
          fmt::format("{}: ranks that run one program cannot do that; start one process "
                      "without --ranks",
                      option));
    }
  }
  return {};
}

Outcome<void> SharedRun::begin(const vm::Machine& machine, const RunCommand& command) {
  const auto begun = team_.begin({{"wsevm", hex(isa::own_file_hash())},
                                  {"program, or other values of its constants",
                                   hex(isa::hash_bytes(isa::write_image(machine.image())))},
                                  {"machine", profile_text(machine.profile())},
                                  {"option", option_text(command)}});
  if (!begun) return std::unexpected(failure_of(begun.error()));
  return {};
}

Outcome<std::unique_ptr<vm::Machine>> SharedRun::join(std::unique_ptr<vm::Machine> own) {
  const vm::MessageBytes share = vm::JoinedMachine::share_of(*own);
  std::string bytes(sizeof(vm::Traffic) + share.size(), '\0');
  std::memcpy(bytes.data(), &medium_.traffic(), sizeof(vm::Traffic));
  if (!share.empty()) std::memcpy(bytes.data() + sizeof(vm::Traffic), share.data(), share.size());
  auto all = team_.collect(std::move(bytes));
  if (!all) return std::unexpected(failure_of(all.error()));
  if (!leads()) return nullptr;
  std::vector<vm::MessageBytes> shares;
  for (std::string& one : *all) {
    vm::Traffic sent;
    if (one.size() < sizeof sent) return failure("the share of a rank is broken");
    std::memcpy(&sent, one.data(), sizeof sent);
    traffic_.add(sent);
    const auto rest = std::as_bytes(std::span(one)).subspan(sizeof sent);
    shares.emplace_back(rest.begin(), rest.end());
    one = {};
  }
  auto joined = vm::JoinedMachine::join(std::move(own), shares);
  if (!joined) return failure("ranks", joined.error());
  return std::move(*joined);
}

Outcome<ExitCode> SharedRun::finish(ExitCode code) {
  script::TeamEnd end = team_.finish({ending_of(code), {}});
  if (leads() && code != ExitCode::Fine) return code;
  if (!end.message.empty()) return std::unexpected(failure_of(std::move(end)));
  return code_of(end.ending);
}

std::string SharedRun::traffic_text() const {
  return fmt::format(
      "ranks: {}, {} reductions, {} messages to {} bytes, {} of borders, {} of words asked for",
      team_.size(), traffic_.exchanges, traffic_.frames, traffic_.bytes, traffic_.messages,
      traffic_.mails);
}

}  // namespace wse::cli
