// The processes that run one script over several ranks (ranks/ranks.h). Every rank runs the whole
// script; rank 0, which leads, alone prints and writes files, and the points of sweeps are shared.
//
//     all      begin()              the same wsevm, script, arguments and options everywhere
//     leader   share_write()        writes once all ranks have come to the same place; the others
//              ...                  continue with what came of it
//     all      sweeps               team_sweep.h
//     all      finish()             the leader's end is the end of all
//
// Ranks that run one program have the leader ask the others for what it needs of them: ask(),
// serve(), release().
//
// No rank waits without an end: where all run the script, as long as ten times what it took to get
// there itself, and a minute; in a sweep until nothing has been heard for kSilence; where ranks
// beat (ranks/ranks.h), for their silence. Must never let two ranks write one file.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ranks/ranks.h"
#include "scripts/host/file_room.h"
#include "scripts/host/script_result.h"
#include "scripts/host/wire.h"

namespace wse::script {

// Why the script ends, and what the user is told.
struct TeamEnd {
  Ending ending = Ending::Fine;
  std::string message;
};

template <class T>
using TeamResult = std::expected<T, TeamEnd>;

class Team {
 public:
  // The subject of a note, on which the rest of it depends.
  enum class Kind : std::uint8_t {
    Here,     // to the leader: the identity of a rank
    Go,       // the leader's answer: all begin
    Writes,   // to the leader: the file that the script writes next
    Wrote,    // the leader's answer
    Asks,     // from the leader: a question,
    Answers,  // to the leader: what was asked for
    Joins,    // to the leader: a sweep begins
    Starts,   // the leader's answer: its points
    Grant,    // from the leader: a point to run
    Frame,    // to the leader: what a worker process sent
    Gone,     // to the leader: the status with which a worker process ended
    Alive,    // nothing but that the sender works
    Over,     // from the leader: the rows of the sweep, or its error
    Leaves,   // to the leader: how the script ended
    Bye       // from the leader: how it ended for all
  };

  struct Note {
    Kind kind = Kind::Alive;
    std::string body;
  };

  // Named texts that are alike on all ranks.
  using Identity = std::vector<std::pair<std::string, std::string>>;

  static constexpr std::chrono::seconds kSilence{30};

  explicit Team(ranks::Ranks& ranks);

  bool leads() const { return ranks_.rank() == 0; }
  int size() const { return ranks_.size(); }
  int on_host() const { return ranks_.on_host(); }
  // Returns how many hosts the ranks have, by their names.
  std::size_t hosts() const;
  bool finished() const { return finished_; }
  // Whether all ranks have come to their end: else the others must be stopped.
  bool all_left() const { return all_left_; }

  // Returns "rank 2 (host b)".
  std::string name_of(int rank) const;

  // A flag that ends all waiting.
  void listen_to(const std::atomic<bool>* interrupt) { interrupt_ = interrupt; }

  // Compares the ranks. Errors: why none begins; for ranks that do not lead without a message,
  // which the leader prints.
  TeamResult<void> begin(const Identity& identity);

  // Calls write() on the leader once all ranks have come here with the same path. Returns what
  // came of it.
  TeamResult<FileResult<void>> share_write(const std::string& path,
                                           const std::function<FileResult<void>()>& write);

  // For the leader: returns the answer of a rank that serves.
  TeamResult<std::string> ask(int rank, std::string question);
  // For the leader: the others serve no longer, and get what it has found out.
  void release(const std::string& found = {});
  // For the others: answers what the leader asks until it releases all. Returns what it has found.
  TeamResult<std::string> serve(
      const std::function<std::string(const std::string& question)>& answer_to);

  // Ends the work of all ranks; `mine` is how the script ended here. Returns how it ended for all,
  // with a message on the leader, or where the leader does not answer.
  TeamEnd finish(TeamEnd mine);

  // For sweeps.
  void send(int to, Kind kind, std::string body = {});
  void send_to_all(Kind kind, const std::string& body);
  // Takes up what has come. Returns the next note of that rank, if there is one.
  std::optional<Note> take(int from);
  // Returns one note of this kind of each other rank, in their order.
  TeamResult<std::vector<std::string>> gather(Kind kind);
  // Returns the next note of the leader; its Bye is an error without a message.
  TeamResult<Note> answer();
  // Remembers the leader's Bye; returns an end without a message.
  TeamEnd taken_bye(const Note& note);
  // Sends Alive to the leader, or to all others, if the last time is long ago.
  void beat();
  // Returns how long nothing has come from that rank.
  std::chrono::steady_clock::duration silence(int rank) const;
  // Returns the end of a rank that the leader has Leaves or nothing of.
  TeamEnd end_of(int rank, const Note& leaves) const;
  TeamEnd lost(int rank, std::chrono::steady_clock::duration silence) const;
  // A meeting of all ranks is over: the time of the next one counts from here.
  void has_met();

 private:
  struct Peer {
    std::deque<Note> notes;
    std::chrono::steady_clock::time_point heard;
    bool left = false;  // it has sent Leaves
  };

  std::chrono::steady_clock::duration patience() const;
  // Returns whether a rank that is waited for until that time is given up.
  bool is_given_up(int rank, std::chrono::steady_clock::time_point until) const;
  void pump();
  TeamResult<Note> await(int from, std::chrono::steady_clock::duration patience);
  TeamResult<Note> await(int from, Kind kind);
  TeamResult<void> lead_begin(const Identity& identity);
  static bool did_more(const Peer& peer);
  TeamEnd checked_end(int rank);
  TeamEnd lead_finish(TeamEnd mine);
  TeamEnd follow_finish(TeamEnd mine);

  ranks::Ranks& ranks_;
  std::vector<Peer> peers_;
  const std::atomic<bool>* interrupt_ = nullptr;
  std::chrono::steady_clock::time_point met_;
  std::chrono::steady_clock::time_point beat_;
  std::optional<TeamEnd> bye_;
  bool finished_ = false;
  bool all_left_ = false;
};

template <class T>
std::string bytes_of(T value) {
  Outgoing out;
  pass(out, value);
  return std::move(out.bytes);
}

}  // namespace wse::script
