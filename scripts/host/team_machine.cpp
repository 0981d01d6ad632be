// Ranks have bytes ready, and the leader asks for them piece by piece.
#include "scripts/host/team_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <tuple>
#include <vector>

#include "vm/checkpoint/checkpoint.h"
#include "vm/run/share.h"
#include "vm/run/state_pieces.h"
#include "vm/support/state_archive.h"

namespace wse::script {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Answers with a piece of the bytes; a question is where it begins. They must live longer.
TeamMachine::Answer pieces_of(std::span<const std::byte> bytes) {
  return [bytes](const std::string& question) {
    std::uint64_t first = 0;
    Incoming(question).raw(&first, sizeof first);
    const auto rest = bytes.subspan(std::min<std::size_t>(first, bytes.size()));
    return text_of(rest.first(std::min(kPieceBytes, rest.size())));
  };
}

BindingError error_of(const isa::Error& error) {
  return {error.message, error.exhausted ? Ending::Exhausted : Ending::BadInput, false};
}

}  // namespace

std::expected<TeamPlan, BindingError> TeamMachine::plan_run(Session& session,
                                                            const Team::Identity& identity,
                                                            TeamPlan leaders) {
  Team& team = *session.team;
  const auto end = [&session](const TeamEnd& why) {
    session.end_by(why);
    return problem(session.limits.text());
  };
  if (const auto met = team.begin(identity); !met) return end(met.error());
  if (team.leads()) {
    team.release(bytes_of(leaders));
    return leaders;
  }
  const auto told = team.serve([](const std::string&) { return std::string(); });
  if (!told) return end(told.error());
  TeamPlan plan;
  Incoming in(*told);
  pass(in, plan);
  if (in.failed()) return problem("wse.run: a broken answer of the first rank");
  return plan;
}

Done TeamMachine::check_reachable(const std::string& what) const {
  if (session_.team != nullptr && session_.sweeps == 0) return {};
  return problem(
      fmt::format("{}: ranks have this machine together, which all read at once; read "
                  "it before the sweep, whose points run on one rank each",
                  what));
}

std::unexpected<BindingError> TeamMachine::ended(const TeamEnd& end) {
  session_.end_by(end);
  return problem(session_.limits.text());
}

std::expected<std::string, BindingError> TeamMachine::serve(const Answer& answer) {
  auto told = team().serve(answer);
  if (!told) return ended(told.error());
  return std::move(*told);
}

std::expected<vm::MessageBytes, BindingError> TeamMachine::bytes_of_rank(int rank) {
  vm::MessageBytes all;
  while (true) {
    const auto answer = team().ask(rank, bytes_of(std::uint64_t{all.size()}));
    if (!answer) return ended(answer.error());
    const auto piece = std::as_bytes(std::span(*answer));
    all.insert(all.end(), piece.begin(), piece.end());
    if (piece.size() < kPieceBytes) return all;
  }
}

Done TeamMachine::run(HeldMachine own, const vm::RunOptions& options,
                      const std::function<Done(vm::Machine& machine)>& take_up) try {
  std::tie(own_, bytes_) = own.take();
  own_->begin(options);
  if (take_up) {
    if (Done done = take_up(*own_); !done) return done;
  }
  own_->advance(options.max_cycles);
  return gather();
} catch (const vm::LostStrip& lost) {
  return ended({Ending::Exhausted, lost.what()});
}

Done TeamMachine::gather() {
  const vm::MessageBytes share = vm::JoinedMachine::share_of(*own_, {});
  const auto join = [&]() -> std::expected<bool, BindingError> {
    auto joined = vm::JoinedMachine::begin_beside(*own_, ranks());
    if (!joined) return std::unexpected(error_of(joined.error()));
    for (int rank = 0; rank < team().size(); ++rank) {
      std::expected<vm::MessageBytes, BindingError> other;
      if (rank > 0) other = bytes_of_rank(rank);
      if (!other) return std::unexpected(other.error());
      const auto added = joined->add(rank == 0 ? share : *other);
      if (!added) return std::unexpected(error_of(added.error()));
    }
    joined_ = joined->finish();
    return true;
  };
  const auto joined = tell<bool>("wse.run", pieces_of(share), join);
  if (!joined) return std::unexpected(joined.error());
  return {};
}

Done TeamMachine::fetch(const std::string& symbol) {
  if (fetched_.contains(symbol)) return {};
  const vm::MessageBytes mine = vm::JoinedMachine::symbol_of(*own_, symbol);
  const auto take = [&]() -> std::expected<bool, BindingError> {
    for (int rank = 0; rank < team().size(); ++rank) {
      std::expected<vm::MessageBytes, BindingError> other;
      if (rank > 0) other = bytes_of_rank(rank);
      if (!other) return std::unexpected(other.error());
      if (vm::JoinedMachine::take_symbol(*joined_, symbol, rank == 0 ? mine : *other)) continue;
      return problem(fmt::format("{}: a broken answer", team().name_of(rank)));
    }
    return true;
  };
  const auto taken = tell<bool>(symbol, pieces_of(mine), take);
  if (!taken) return std::unexpected(taken.error());
  fetched_.insert(symbol);
  return {};
}

std::expected<std::vector<std::byte>, BindingError> TeamMachine::gather_state(
    vm::StatePieces& pieces) {
  std::optional<BindingError> lost;
  const auto fetch = [&](std::uint32_t rank,
                         vm::StatePieces::Request request) -> std::optional<vm::MessageBytes> {
    vm::StateWriter question;
    request.pass(question);
    const auto answer = team().ask(static_cast<int>(rank), text_of(question.written()));
    if (!answer) {
      lost = ended(answer.error()).error();
      return std::nullopt;
    }
    const auto bytes = std::as_bytes(std::span(*answer));
    return vm::MessageBytes(bytes.begin(), bytes.end());
  };
  std::vector<std::byte> file;
  const auto sink = [&file](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
    return true;
  };
  const auto written = vm::write_checkpoint(*own_, pieces, ranks(), fetch, sink);
  if (lost) return std::unexpected(*lost);
  if (!written) return std::unexpected(error_of(written.error()));
  return file;
}

std::expected<std::vector<std::byte>, BindingError> TeamMachine::checkpoint() try {
  if (const Done fine = check_reachable("record:checkpoint"); !fine) {
    return std::unexpected(fine.error());
  }
  const vm::RunStatus status = vm::Share(*own_).status();
  if (status != vm::RunStatus::CycleLimit && status != vm::RunStatus::Interrupted) {
    return problem("record:checkpoint: no checkpoint: the run is over; stop it at a cycle before");
  }
  return whole_state();
} catch (const vm::LostStrip& lost) {
  return ended({Ending::Exhausted, lost.what()});
}

std::expected<std::vector<std::byte>, BindingError> TeamMachine::whole_state() {
  std::optional<vm::StatePieces> pieces;
  if (vm::StatePieces::has_any(*own_)) pieces.emplace(*own_);
  const auto answer = [&pieces](const std::string& question) {
    vm::StatePieces::Request request;
    vm::StateReader reader(std::as_bytes(std::span(question)));
    request.pass(reader);
    return text_of(pieces ? pieces->piece(request) : vm::StatePieces::none());
  };
  std::vector<std::byte> file;
  const auto written =
      tell<bool>("record:checkpoint", answer, [&]() -> std::expected<bool, BindingError> {
        auto state = gather_state(*pieces);
        if (!state) return std::unexpected(state.error());
        file = std::move(*state);
        return true;
      });
  if (!written) return std::unexpected(written.error());
  if (pieces) pieces->end();
  return file;
}

}  // namespace wse::script
