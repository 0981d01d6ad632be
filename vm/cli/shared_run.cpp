// Compares ranks before a run, and takes what they have after it.
#include "vm/cli/shared_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "isa/support/hash.h"
#include "isa/support/own_file.h"
#include "vm/cli/checkpoints.h"
#include "vm/cli/ranks_option.h"
#include "vm/front/array_rows.h"
#include "vm/front/memory_fit.h"
#include "vm/run/joined_machine.h"
#include "vm/run/share.h"

namespace wse::cli {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{16} << 20;  // of a share

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string profile_text(const isa::Profile& profile) {
  std::string text = profile.name;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    text += fmt::format(" {}", profile.*parameter.member);
  }
  return text;
}

// Returns the symbols that the leader reads in the joined machine.
std::vector<std::string> shown_symbols(const vm::Machine& machine, const RunCommand& command) {
  std::vector<std::string> names = command.show;
  for (const auto& [name, file] : command.pictures) names.push_back(name);
  for (const Dump& dump : command.dumps) names.push_back(dump.symbol);
  if (command.expect) {
    for (const isa::Expectation& expectation : machine.image().expectations) {
      names.push_back(expectation.symbol);
    }
  }
  std::ranges::sort(names);
  const auto again = std::ranges::unique(names);
  names.erase(again.begin(), again.end());
  return names;
}

std::string option_text(const vm::Machine& machine, const RunCommand& command) {
  const auto or_none = [](const std::optional<std::uint64_t>& number) {
    return number ? fmt::format("{}", *number) : std::string("none");
  };
  std::string text = fmt::format("{} {} {} {} {} {} {}", command.source.transport,
                                 command.source.threads.value_or(1), or_none(command.max_cycles),
                                 or_none(command.tsc_skew), command.slices, !command.list.empty(),
                                 !command.profile.empty() || !command.report.empty());
  text += fmt::format(" {} {}", !command.checkpoint.empty(), or_none(command.checkpoint_at));
  if (command.jitter) text += fmt::format(" {} {}", command.jitter->seed, command.jitter->cycles);
  for (const auto& [name, file] : command.in) text += " " + name;
  for (const auto& [name, file] : command.out) text += " " + name;
  for (const std::string& name : shown_symbols(machine, command)) text += " " + name;
  return text;
}

// Returns the most memory that this process has had.
std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

template <class T, std::size_t N>
std::string text_of(std::span<T, N> values) {
  const auto all = std::as_bytes(values);
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

// A question of the leader to another rank.
struct SharedRun::Question {
  enum class Kind : std::uint32_t {
    About,
    Rows,  // the elements of an array at the PEs first .. end - 1
    Share  // its bytes from `first` on, kPieceBytes or what is left
  };
  Kind kind = Kind::About;
  std::uint32_t array = 0;  // number of --out
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  std::string text() const { return text_of(std::span(this, 1)); }
  vm::PeRange pes() const { return {static_cast<vm::PeId>(first), static_cast<vm::PeId>(end)}; }
};

Outcome<void> check_shared(const RunCommand& command) {
  const std::pair<bool, const char*> refused[] = {{!command.trace.empty(), "--trace"},
                                                  {!command.path.empty(), "--path"},
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

SharedRun::SharedRun(ranks::Ranks& ranks, script::Team& team, const std::atomic<bool>& interrupt)
    : team_(team), channel_(ranks), medium_(channel_), checkpoint_(team) {
  team_.listen_to(&interrupt);
  ranks.beat();
}

Outcome<void> SharedRun::begin(const vm::Machine& machine, const RunCommand& command,
                               isa::InputList& inputs) {
  const Outcome<std::string> restored = restored_text(command, inputs);
  if (!restored) return std::unexpected(restored.error());
  const auto begun = team_.begin({{"wsevm", hex(isa::own_file_hash())},
                                  {"program, or other values of its constants",
                                   hex(isa::hash_bytes(isa::write_image(machine.image())))},
                                  {"machine", profile_text(machine.profile())},
                                  {"checkpoint to go on from", *restored},
                                  {"option", option_text(machine, command)}});
  team_.listen_to(nullptr);  // the run listens, and what it has done is still told
  if (!begun) return std::unexpected(failure_of(begun.error()));
  return {};
}

// ---- what ranks that do not lead answer

Outcome<void> SharedRun::serve(vm::Machine& machine, const RunCommand& command) {
  const About mine = about_this(machine);
  const vm::MessageBytes share =
      vm::JoinedMachine::share_of(machine, shown_symbols(machine, command));
  const auto answer = [&](const std::string& text) -> std::string {
    Question question;
    if (text.size() == sizeof question) std::memcpy(&question, text.data(), sizeof question);
    switch (question.kind) {
      case Question::Kind::About: return text_of(std::span(&mine, 1));
      case Question::Kind::Share: {
        const std::size_t first = std::min<std::size_t>(question.first, share.size());
        const std::size_t left = share.size() - first;
        return text_of(std::span(share).subspan(first, std::min<std::size_t>(kPieceBytes, left)));
      }
      case Question::Kind::Rows: {
        const std::string& array = command.out.at(question.array).first;
        const auto rows = front::array_rows(machine, array, question.pes());
        return rows ? text_of(std::span(*rows)) : std::string();
      }
    }
    return {};
  };
  const auto served = team_.serve(answer);
  if (!served) return std::unexpected(failure_of(served.error()));
  return {};
}

// ---- what the leader asks

std::unexpected<Failure> SharedRun::broken_answer(int rank) const {
  return failure(team_.name_of(rank) + ": a broken answer");
}

SharedRun::About SharedRun::about_this(vm::Machine& machine) const {
  return {vm::Share(machine).all_pes(), medium_.traffic(), peak_bytes()};
}

Outcome<SharedRun::About> SharedRun::about(int rank) {
  const auto answer = team_.ask(rank, Question().text());
  if (!answer) return std::unexpected(failure_of(answer.error()));
  About about;
  if (answer->size() != sizeof about) return broken_answer(rank);
  std::memcpy(&about, answer->data(), sizeof about);
  return about;
}

Outcome<void> SharedRun::learn_of_all(const About& mine) {
  abouts_.push_back(mine);
  for (int rank = 1; rank < team_.size(); ++rank) {
    const Outcome<About> other = about(rank);
    if (!other) return std::unexpected(other.error());
    abouts_.push_back(*other);
  }
  return {};
}

Outcome<std::string> SharedRun::take_rows(vm::Machine& own, const std::string& array,
                                          const Question& question, int rank) {
  if (rank == 0) {
    const auto mine = front::array_rows(own, array, question.pes());
    if (!mine) return std::unexpected(mine.error());
    return text_of(std::span(*mine));
  }
  auto answer = team_.ask(rank, question.text());
  if (!answer) return std::unexpected(failure_of(answer.error()));
  return std::move(*answer);
}

Outcome<std::optional<isa::OutputFile>> SharedRun::take_array(vm::Machine& own,
                                                              const NameAndFile& out,
                                                              std::uint32_t number,
                                                              isa::InputList& inputs) {
  if (front::is_stream(own, out.first)) return std::nullopt;
  const isa::Result<vm::ArrayInfo> array = own.array(out.first);
  if (!array) return failure(array.error());
  const Outcome<std::string> head = front::array_head(own, out.first);
  if (!head) return std::unexpected(head.error());
  auto file = isa::OutputFile::open(out.second, inputs);
  if (!file) return failure(file.error());
  if (const auto done = file->write(bytes_of(*head)); !done) return failure(done.error());
  const vm::PeId piece = front::rows_in_piece(*array) * own.image().width;
  for (std::size_t rank = 0; rank < abouts_.size(); ++rank) {
    const vm::PeRange& pes = abouts_[rank].pes;
    for (vm::PeId first = pes.first; first < pes.end; first += std::min(piece, pes.end - first)) {
      const vm::PeId end = first + std::min(piece, pes.end - first);
      const Question question{Question::Kind::Rows, number, first, end};
      const auto rows = take_rows(own, out.first, question, static_cast<int>(rank));
      if (!rows) return std::unexpected(rows.error());
      if (rows->size() != front::rows_bytes(own, *array, question.pes())) {
        return broken_answer(static_cast<int>(rank));
      }
      if (const auto done = file->write(bytes_of(*rows)); !done) return failure(done.error());
    }
  }
  return std::move(*file);
}

Outcome<bool> SharedRun::commit(std::size_t k) {
  auto& file = files_.at(k);
  if (!file) return std::unexpected(file.error());
  if (!*file) return false;
  if (const auto done = (*file)->commit(); !done) return failure(done.error());
  return true;
}

Outcome<vm::MessageBytes> SharedRun::share_of(int rank) {
  vm::MessageBytes share;
  while (true) {
    const Question question{Question::Kind::Share, 0, share.size(), 0};
    const auto answer = team_.ask(rank, question.text());
    if (!answer) return std::unexpected(failure_of(answer.error()));
    const auto bytes = bytes_of(*answer);
    share.insert(share.end(), bytes.begin(), bytes.end());
    if (bytes.size() < kPieceBytes) return share;
  }
}

Outcome<std::unique_ptr<vm::Machine>> SharedRun::join(std::unique_ptr<vm::Machine> own,
                                                      const RunCommand& command,
                                                      isa::InputList& inputs) {
  const std::vector<std::string> symbols = shown_symbols(*own, command);
  const About mine = about_this(*own);
  vm::MessageBytes share = vm::JoinedMachine::share_of(*own, symbols);
  if (const Outcome<void> known = learn_of_all(mine); !known) {
    return std::unexpected(known.error());
  }
  for (std::uint32_t k = 0; k < command.out.size(); ++k) {
    files_.push_back(take_array(*own, command.out[k], k, inputs));
  }
  auto joined =
      vm::JoinedMachine::begin(std::move(own), static_cast<std::uint32_t>(team_.size()), symbols);
  if (!joined) return failure("ranks", joined.error());
  for (int rank = 0; rank < team_.size(); ++rank) {
    if (rank > 0) {
      Outcome<vm::MessageBytes> other = share_of(rank);
      if (!other) return std::unexpected(other.error());
      share = std::move(*other);
    }
    if (const auto added = joined->add(share); !added) return failure("ranks", added.error());
  }
  team_.release();
  return joined->finish();
}

Outcome<ExitCode> SharedRun::finish(ExitCode code) {
  script::TeamEnd end = team_.finish({ending_of(code), {}});
  if (leads() && code != ExitCode::Fine) return code;
  if (!end.message.empty()) return std::unexpected(failure_of(std::move(end)));
  return code_of(end.ending);
}

std::string SharedRun::traffic_text() const {
  vm::Traffic all;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  for (const About& about : abouts_) {
    all.add(about.traffic);
    least = std::min(least, about.peak_bytes);
    most = std::max(most, about.peak_bytes);
  }
  return fmt::format(
      "ranks         {} on {} hosts, with {} to {} each; {} reductions, {} messages of {} bytes, "
      "with {} of borders and {} of words asked for",
      team_.size(), team_.hosts(), front::size_text(least), front::size_text(most), all.exchanges,
      all.frames, all.bytes, all.messages, all.mails);
}

}  // namespace wse::cli
