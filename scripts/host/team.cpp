// Notes between the leader and each other rank; the others never speak to each other.
#include "scripts/host/team.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

namespace wse::script {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kTeamStep = 500us;               // of waiting
constexpr auto kBeat = 2s;                      // from one Alive to the next
constexpr Clock::duration kTeamPatience = 60s;  // beside ten times the way
constexpr int kWays = 10;
constexpr Clock::duration kLastWords = 3s;  // for ranks that are about to end too

constexpr auto kChannel = ranks::Channel::Scripts;

template <class Wire>
void pass_end(Wire& wire, TeamEnd& end) {
  pass(wire, end.ending);
  pass(wire, end.message);
}

std::string end_bytes(TeamEnd end) {
  Outgoing out;
  pass_end(out, end);
  return std::move(out.bytes);
}

TeamEnd end_in(std::string_view bytes) {
  TeamEnd end;
  Incoming in(bytes);
  pass_end(in, end);
  return end;
}

// Names and texts in turn.
std::vector<std::string> words_of(const Team::Identity& identity) {
  std::vector<std::string> words;
  for (const auto& [name, text] : identity) {
    words.push_back(name);
    words.push_back(text);
  }
  return words;
}

std::string quoted_line(const std::string& message) {
  return message.substr(0, message.find_last_not_of('\n') + 1);
}

// Notes of a sweep that ended by an error may come after it.
bool is_of_a_sweep(const Team::Note& note) {
  return note.kind == Team::Kind::Frame || note.kind == Team::Kind::Gone;
}

long long seconds_of(Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

}  // namespace

Team::Team(ranks::Ranks& ranks)
    : ranks_(ranks),
      peers_(static_cast<std::size_t>(ranks.size())),
      met_(Clock::now()),
      beat_(Clock::now()) {
  for (Peer& peer : peers_) peer.heard = Clock::now();
}

std::string Team::name_of(int rank) const {
  return fmt::format("rank {} ({})", rank, ranks_.host(rank));
}

std::size_t Team::hosts() const {
  std::set<std::string> names;
  for (int rank = 0; rank < size(); ++rank) names.insert(ranks_.host(rank));
  return names.size();
}

Clock::duration Team::patience() const { return kTeamPatience + kWays * (Clock::now() - met_); }

bool Team::is_given_up(int rank, Clock::time_point until) const {
  const std::optional<ranks::Patience> unheard = ranks_.silence(rank);
  return unheard ? *unheard >= ranks::Ranks::kMostSilence : Clock::now() >= until;
}

Clock::duration Team::silence(int rank) const {
  return Clock::now() - peers_.at(static_cast<std::size_t>(rank)).heard;
}

void Team::has_met() {
  met_ = Clock::now();
  for (Peer& peer : peers_) peer.heard = met_;
}

// A rank that cannot be reached any more is missed by whoever waits for it.
void Team::send(int to, Kind kind, std::string body) {
  body.insert(body.begin(), static_cast<char>(kind));
  static_cast<void>(ranks_.send(to, kChannel, std::move(body)));
}

void Team::send_to_all(Kind kind, const std::string& body) {
  for (int rank = 0; rank < size(); ++rank) {
    if (rank != ranks_.rank()) send(rank, kind, body);
  }
}

void Team::beat() {
  if (Clock::now() - beat_ < kBeat) return;
  beat_ = Clock::now();
  leads() ? send_to_all(Kind::Alive, {}) : send(0, Kind::Alive);
}

void Team::pump() {
  while (true) {
    isa::Result<std::optional<ranks::Message>> message = ranks_.receive(kChannel);
    if (!message || !*message || (*message)->bytes.empty()) return;
    Peer& peer = peers_.at(static_cast<std::size_t>((*message)->from));
    Note note{static_cast<Kind>((*message)->bytes.front()), (*message)->bytes.substr(1)};
    peer.heard = Clock::now();
    if (note.kind == Kind::Leaves) peer.left = true;
    if (note.kind != Kind::Alive) peer.notes.push_back(std::move(note));
  }
}

std::optional<Team::Note> Team::take(int from) {
  pump();
  std::deque<Note>& notes = peers_.at(static_cast<std::size_t>(from)).notes;
  if (notes.empty()) return std::nullopt;
  Note note = std::move(notes.front());
  notes.pop_front();
  return note;
}

TeamEnd Team::lost(int rank, Clock::duration silence) const {
  return {Ending::Exhausted,
          fmt::format("{} has not been heard for {} s: its process or host is gone, or stopped",
                      name_of(rank), seconds_of(silence))};
}

TeamEnd Team::end_of(int rank, const Note& leaves) const {
  TeamEnd end = end_in(leaves.body);
  if (end.ending != Ending::Fine) {
    end.message = fmt::format("{}: {}", name_of(rank), quoted_line(end.message));
    return end;
  }
  return {Ending::BadInput,
          fmt::format("{} has ended its script, while {} has not: a script does the same on all "
                      "ranks, and asks neither time nor chance what to do",
                      name_of(rank), name_of(0))};
}

TeamResult<Team::Note> Team::await(int from, Clock::duration patience) {
  const auto until = Clock::now() + patience;
  while (true) {
    if (std::optional<Note> note = take(from)) return std::move(*note);
    if (interrupt_ != nullptr && *interrupt_) {
      return std::unexpected(TeamEnd{Ending::Interrupted, "interrupted"});
    }
    if (is_given_up(from, until)) {
      const std::optional<ranks::Patience> unheard = ranks_.silence(from);
      return std::unexpected(lost(from, unheard ? *unheard : patience));
    }
    beat();
    std::this_thread::sleep_for(kTeamStep);
  }
}

TeamResult<std::vector<std::string>> Team::gather(Kind kind) {
  std::vector<std::string> bodies;
  for (int rank = 1; rank < size(); ++rank) {
    TeamResult<Note> note = await(rank, kind);
    if (!note) return std::unexpected(note.error());
    bodies.push_back(std::move(note->body));
  }
  has_met();
  return bodies;
}

TeamResult<Team::Note> Team::await(int from, Kind kind) {
  TeamResult<Note> note = await(from, patience());
  while (note && is_of_a_sweep(*note)) note = await(from, patience());
  if (!note) return note;
  if (note->kind == Kind::Leaves) return std::unexpected(end_of(from, *note));
  if (note->kind == kind) return note;
  return std::unexpected(
      TeamEnd{Ending::BadInput,
              fmt::format("{} and {} are at different places of the script, which does the same "
                          "on all ranks, and asks neither time nor chance what to do",
                          name_of(from), name_of(0))});
}

TeamResult<std::string> Team::ask(int rank, std::string question) {
  send(rank, Kind::Asks, std::move(question));
  TeamResult<Note> note = await(rank, Kind::Answers);
  if (!note) return std::unexpected(note.error());
  return std::move(note->body);
}

void Team::release(const std::string& found) {
  send_to_all(Kind::Go, found);
  has_met();
}

TeamResult<std::string> Team::serve(
    const std::function<std::string(const std::string& question)>& answer_to) {
  while (true) {
    TeamResult<Note> note = answer();
    if (!note) return std::unexpected(note.error());
    if (note->kind == Kind::Go) return std::move(note->body);
    if (note->kind == Kind::Asks) send(0, Kind::Answers, answer_to(note->body));
  }
}

TeamEnd Team::taken_bye(const Note& note) {
  bye_ = TeamEnd{end_in(note.body).ending, {}};
  return *bye_;
}

TeamResult<Team::Note> Team::answer() {
  TeamResult<Note> note = await(0, 2 * patience());  // the leader waits for others first
  if (note && note->kind == Kind::Bye) return std::unexpected(taken_bye(*note));
  if (note) has_met();
  return note;
}

TeamResult<void> Team::lead_begin(const Identity& identity) {
  const TeamResult<std::vector<std::string>> all = gather(Kind::Here);
  if (!all) return std::unexpected(all.error());
  const std::vector<std::string> wanted = words_of(identity);
  for (std::size_t k = 0; k < all->size(); ++k) {
    std::vector<std::string> found;
    Incoming in((*all)[k]);
    pass(in, found);
    if (found == wanted && !in.failed()) continue;
    const auto differ = std::ranges::mismatch(wanted, found);
    const auto at = static_cast<std::size_t>(differ.in1 - wanted.begin());
    const std::string& what = identity.at(std::min(at / 2, identity.size() - 1)).first;
    return std::unexpected(
        TeamEnd{Ending::BadInput, fmt::format("{} has another {} than {}; all ranks take the same",
                                              name_of(static_cast<int>(k) + 1), what, name_of(0))});
  }
  return {};
}

TeamResult<void> Team::begin(const Identity& identity) {
  if (!leads()) {
    std::vector<std::string> words = words_of(identity);
    Outgoing out;
    pass(out, words);
    send(0, Kind::Here, std::move(out.bytes));
    const TeamResult<Note> go = answer();
    if (!go) return std::unexpected(go.error());
    return {};
  }
  TeamResult<void> begun = lead_begin(identity);
  if (begun) send_to_all(Kind::Go, {});
  return begun;
}

TeamResult<FileResult<void>> Team::share_write(const std::string& path,
                                               const std::function<FileResult<void>()>& write) {
  struct Outcome {
    bool fine = true;
    bool exhausted = false;
    std::string message;
  } outcome;
  const auto pass_outcome = [&outcome](auto& wire) {
    pass(wire, outcome.fine);
    pass(wire, outcome.exhausted);
    pass(wire, outcome.message);
  };
  if (!leads()) {
    send(0, Kind::Writes, path);
    const TeamResult<Note> note = answer();
    if (!note) return std::unexpected(note.error());
    Incoming in(note->body);
    pass_outcome(in);
    if (outcome.fine) return FileResult<void>();
    return FileResult<void>(
        std::unexpected(isa::FileError{std::move(outcome.message), outcome.exhausted}));
  }
  const TeamResult<std::vector<std::string>> paths = gather(Kind::Writes);
  if (!paths) return std::unexpected(paths.error());
  for (std::size_t k = 0; k < paths->size(); ++k) {
    if ((*paths)[k] == path) continue;
    return std::unexpected(
        TeamEnd{Ending::BadInput,
                fmt::format("{} writes {} where {} writes {}; a script does the same on all ranks",
                            name_of(static_cast<int>(k) + 1), (*paths)[k], name_of(0), path)});
  }
  FileResult<void> written = write();
  if (!written) outcome = {false, written.error().exhausted, written.error().message};
  Outgoing out;
  pass_outcome(out);
  send_to_all(Kind::Wrote, out.bytes);
  return written;
}

// Whether the rank has come to a place that the leader's script has not.
bool Team::did_more(const Peer& peer) {
  return std::ranges::any_of(peer.notes, [](const Note& note) {
    return !is_of_a_sweep(note) && note.kind != Kind::Leaves;
  });
}

// Returns how the script of that rank ended, which must be as the leader's did.
TeamEnd Team::checked_end(int rank) {
  const Peer& peer = peers_.at(static_cast<std::size_t>(rank));
  const Clock::duration most = patience();
  const auto until = Clock::now() + most;
  while (!peer.left && !did_more(peer) && !is_given_up(rank, until)) {
    if (interrupt_ != nullptr && *interrupt_) return {Ending::Interrupted, "interrupted"};
    beat();
    pump();
    std::this_thread::sleep_for(kTeamStep);
  }
  if (did_more(peer)) {
    return {
        Ending::BadInput,
        fmt::format("{} did more than {}; a script does the same on all ranks, and asks neither "
                    "time nor chance what to do",
                    name_of(rank), name_of(0))};
  }
  if (!peer.left) return lost(rank, most);
  if (peer.notes.empty()) return {};
  const Note& leaves = peer.notes.back();
  return end_in(leaves.body).ending == Ending::Fine ? TeamEnd() : end_of(rank, leaves);
}

// Where the leader ends badly the others may be anywhere: they are told, and have a moment to end.
TeamEnd Team::lead_finish(TeamEnd mine) {
  for (int rank = 1; rank < size() && mine.ending == Ending::Fine; ++rank) mine = checked_end(rank);
  send_to_all(Kind::Bye, end_bytes({mine.ending, {}}));
  const auto until = Clock::now() + kLastWords;
  const auto have_left = [this] {
    return std::all_of(peers_.begin() + 1, peers_.end(),
                       [](const Peer& peer) { return peer.left; });
  };
  while (!have_left() && Clock::now() < until) {
    pump();
    std::this_thread::sleep_for(kTeamStep);
  }
  all_left_ = have_left();
  return mine;
}

TeamEnd Team::follow_finish(TeamEnd mine) {
  send(0, Kind::Leaves, end_bytes(mine));
  const auto until = Clock::now() + patience();
  while (!bye_ && !is_given_up(0, until)) {
    std::optional<Note> note = take(0);
    if (note && note->kind == Kind::Bye) taken_bye(*note);
    if (!note) std::this_thread::sleep_for(kTeamStep);
  }
  all_left_ = bye_.has_value();
  if (bye_) return *bye_;
  if (mine.ending == Ending::Fine) mine = lost(0, silence(0));
  mine.message = fmt::format("{}: {}", name_of(ranks_.rank()), mine.message);
  return mine;
}

TeamEnd Team::finish(TeamEnd mine) {
  finished_ = true;
  if (!leads()) return follow_finish(std::move(mine));
  return lead_finish(std::move(mine));
}

}  // namespace wse::script
