// The leader's side: TeamCrews, to which workers of all ranks are alike. The others' side:
// Follower.
#include "scripts/host/team_sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "scripts/host/gatherer.h"
#include "scripts/host/session.h"
#include "scripts/host/sweep_frames.h"
#include "scripts/host/sweep_point.h"
#include "scripts/host/sweep_workers.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/team.h"
#include "scripts/host/user_line.h"
#include "vm/support/host_threads.h"

namespace wse::script {
namespace {

using Kind = Team::Kind;

constexpr std::uint32_t kMaxTeamWorkers = 256;
constexpr std::chrono::milliseconds kTeamLook{1};  // at pipes, from one look at notes to the next

// A rank's word about itself as a sweep begins.
struct Joining {
  std::uint32_t workers = 0;
  std::uint64_t programs = 0;  // given to wse.run so far
  std::string place;           // of the sweep in the script
};

template <class Wire>
void pass_joining(Wire& wire, Joining& joining) {
  pass(wire, joining.workers);
  pass(wire, joining.programs);
  pass(wire, joining.place);
}

// A frame from a worker of another rank, or the status with which the worker ended.
struct Parcel {
  std::uint64_t worker = 0;
  std::uint64_t work = 0;  // of all workers of its rank
  int status = 0;
  std::string frame;
};

template <class Wire>
void pass_parcel(Wire& wire, Parcel& parcel) {
  pass(wire, parcel.worker);
  pass(wire, parcel.work);
  pass(wire, parcel.status);
  pass(wire, parcel.frame);
}

struct SweepEnd {
  bool fine = true;
  std::vector<UserTable> rows;
  std::string message;
  Ending ending = Ending::Fine;
};

template <class Wire>
void pass_sweep_end(Wire& wire, SweepEnd& end) {
  pass(wire, end.fine);
  pass(wire, end.rows);
  pass(wire, end.message);
  pass(wire, end.ending);
}

// Processors that ranks of one host share where the launcher binds them to none.
std::uint32_t workers_of_rank(const Session& session) {
  if (session.options.threads) return std::min(*session.options.threads, kMaxTeamWorkers);
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  const long each = std::max(1L, online / std::max(1, session.team->on_host()));
  return std::min({vm::host_processors(), static_cast<std::uint32_t>(each), kMaxTeamWorkers});
}

Joining joining_of(lua_State* L) {
  const Session& session = session_of(L);
  return {workers_of_rank(session), session.programs, find_user_line(L).prefix()};
}

std::uint32_t share_of_host(const Session& session, std::uint32_t workers) {
  return workers * static_cast<std::uint32_t>(session.team->on_host());
}

// The list of flat tables at the index.
isa::Result<std::vector<UserTable>> tables_at(lua_State* L, int index) {
  std::vector<UserTable> tables(lua_rawlen(L, index));
  for (std::size_t k = 0; k < tables.size(); ++k) {
    lua_rawgeti(L, index, static_cast<lua_Integer>(k) + 1);
    const isa::Status read = read_flat_table(L, lua_gettop(L), tables[k]);
    lua_pop(L, 1);
    if (!read) return isa::fail(read.error());
  }
  return tables;
}

bool push_tables(lua_State* L, const std::vector<UserTable>& tables) {
  return protect(L, 0, [&tables](lua_State* inner) {
    lua_createtable(inner, static_cast<int>(std::min<std::size_t>(tables.size(), 1 << 20)), 0);
    for (std::size_t k = 0; k < tables.size(); ++k) {
      push_fields(inner, tables[k]);
      lua_rawseti(inner, -2, static_cast<lua_Integer>(k) + 1);
    }
    return 1;
  });
}

// Ends the script: the team does.
std::unexpected<BindingError> end_by(Session& session, const TeamEnd& end) {
  session.end_by(end);
  return problem(session.limits.text(), end.ending);
}

// The workers of all ranks.
class TeamCrews final : public Workforce {
 public:
  TeamCrews(Session& session, Crew own, std::uint64_t count)
      : session_(session), team_(*session.team), own_(std::move(own)), count_(count) {
    for (const std::uint32_t workers : session.team_workers) ranks_.push_back({workers, 0});
    ranks_.front().idle = static_cast<std::uint32_t>(own_.size());
    grant();
  }

  bool empty() const override { return ended_ == count_; }

  std::uint64_t work() const override {
    std::uint64_t sum = own_.work();
    for (const Rank& rank : ranks_) sum += rank.work;
    return sum;
  }

  std::optional<Crew::Report> next() override {
    team_.beat();
    for (int rank = 1; rank < team_.size(); ++rank) {
      if (auto report = report_of(rank)) return report;
    }
    std::optional<Crew::Report> report = own_.next(kTeamLook);
    if (report && is_end_frame(report->frame)) point_ended(0);
    return report;
  }

 private:
  struct Rank {
    std::uint32_t idle = 0;  // workers without a point
    std::uint64_t work = 0;
  };

  // Takes the next report of another rank. A rank that cannot continue ends the script.
  std::optional<Crew::Report> report_of(int rank) {
    std::optional<Team::Note> note = team_.take(rank);
    if (!note) {
      const auto silence = team_.silence(rank);
      if (silence > Team::kSilence) session_.end_by(team_.lost(rank, silence));
      return std::nullopt;
    }
    if (note->kind == Kind::Leaves) {
      session_.end_by(team_.end_of(rank, *note));
      return std::nullopt;
    }
    Parcel parcel;
    Incoming in(note->body);
    pass_parcel(in, parcel);
    if (in.failed()) return std::nullopt;
    ranks_[static_cast<std::size_t>(rank)].work = parcel.work;
    const std::size_t worker = static_cast<std::size_t>(rank) * kMaxTeamWorkers * 2 + parcel.worker;
    Crew::Report report{worker, std::move(parcel.frame), std::nullopt, team_.name_of(rank)};
    if (note->kind == Kind::Gone) report.ended = parcel.status;
    if (is_end_frame(report.frame)) point_ended(rank);
    return report;
  }

  void point_ended(int rank) {
    ++ended_;
    ++ranks_[static_cast<std::size_t>(rank)].idle;
    grant();
  }

  // Gives the next points to the ranks that have the most idle workers.
  void grant() {
    while (next_point_ < count_) {
      const auto most = std::ranges::max_element(ranks_, {}, &Rank::idle);
      if (most->idle == 0) return;
      --most->idle;
      const auto rank = static_cast<int>(most - ranks_.begin());
      if (rank == 0) {
        own_.grant(next_point_);
      } else {
        team_.send(rank, Kind::Grant, bytes_of(next_point_));
      }
      ++next_point_;
    }
  }

  Session& session_;
  Team& team_;
  Crew own_;
  std::uint64_t count_;
  std::vector<Rank> ranks_;
  std::uint64_t next_point_ = 0;
  std::uint64_t ended_ = 0;
};

// A rank that runs points for the leader.
class Follower {
 public:
  Follower(Session& session, Crew crew)
      : session_(session), team_(*session.team), crew_(std::move(crew)) {}

  // Returns how the sweep ended. Errors: this rank, or the team, ends.
  TeamResult<SweepEnd> run() {
    while (session_.limits.charge(0)) {
      team_.beat();
      while (std::optional<Team::Note> note = team_.take(0)) {
        if (note->kind == Kind::Bye) return std::unexpected(team_.taken_bye(*note));
        if (note->kind == Kind::Over) return over(*note);
        if (note->kind == Kind::Grant) grant(*note);
      }
      if (const auto silence = team_.silence(0); silence > Team::kSilence) {
        return std::unexpected(team_.lost(0, silence));
      }
      if (std::optional<Crew::Report> report = crew_.next(kTeamLook)) send(*report);
    }
    return std::unexpected(TeamEnd{session_.ending_of({}), session_.limits.text()});
  }

  static TeamResult<SweepEnd> over(const Team::Note& note) {
    SweepEnd end;
    Incoming in(note.body);
    pass_sweep_end(in, end);
    if (!in.failed()) return end;
    return std::unexpected(TeamEnd{Ending::BadInput, "rank 0 sent nonsense"});
  }

 private:
  void grant(const Team::Note& note) {
    std::uint64_t point = 0;
    Incoming in(note.body);
    pass(in, point);
    crew_.grant(point);
  }

  void send(Crew::Report& report) {
    Parcel parcel{report.worker, crew_.work(), report.ended.value_or(0), std::move(report.frame)};
    Outgoing out;
    pass_parcel(out, parcel);
    team_.send(0, report.ended ? Kind::Gone : Kind::Frame, std::move(out.bytes));
  }

  Session& session_;
  Team& team_;
  Crew crew_;
};

// Waits for the points of the sweep, and runs them until it is over.
TeamResult<SweepEnd> follow(lua_State* L) {
  Session& session = session_of(L);
  Team& team = *session.team;
  Joining joining = joining_of(L);
  Outgoing out;
  pass_joining(out, joining);
  team.send(0, Kind::Joins, std::move(out.bytes));
  TeamResult<Team::Note> note = team.answer();
  if (!note) return std::unexpected(note.error());
  if (note->kind == Kind::Over) return Follower::over(*note);
  std::vector<UserTable> points;
  Incoming in(note->body);
  pass(in, points);
  lua_settop(L, kSweepRun);
  if (in.failed() || !push_tables(L, points)) {
    return std::unexpected(TeamEnd{Ending::Exhausted, "no memory for the points of a sweep"});
  }
  auto crew = start_workers(L, points.size(), joining.workers,
                            share_of_host(session, joining.workers), Crew::Points::Granted);
  if (!crew) return std::unexpected(TeamEnd{crew.error().ending, crew.error().message});
  return Follower(session, std::move(*crew)).run();
}

}  // namespace

Returned team_role(lua_State* L) {
  const Session& session = session_of(L);
  if (session.team == nullptr || session.in_team_sweep || session.sweeps > 0) return 0;
  return push_text(L, session.team->leads() ? "leads" : "follows") ? Returned(1)
                                                                   : problem_on_stack();
}

Returned begin_sweep(lua_State* L) {
  Session& session = session_of(L);
  const Joining mine = joining_of(L);
  const TeamResult<std::vector<std::string>> all = session.team->gather(Kind::Joins);
  if (!all) return end_by(session, all.error());
  session.team_workers = {mine.workers};
  for (std::size_t k = 0; k < all->size(); ++k) {
    Joining joining;
    Incoming in((*all)[k]);
    pass_joining(in, joining);
    if (in.failed() || joining.place != mine.place || joining.programs != mine.programs) {
      return end_by(session,
                    {Ending::BadInput,
                     fmt::format("{}{} is at another sweep, or ran other programs before: a script "
                                 "does the same on all ranks, and asks neither time nor chance "
                                 "what to do",
                                 mine.place, session.team->name_of(static_cast<int>(k) + 1))});
    }
    session.team_workers.push_back(joining.workers);
  }
  session.in_team_sweep = true;
  return 0;
}

Returned end_sweep(lua_State* L) {
  Session& session = session_of(L);
  SweepEnd end;
  end.fine = lua_toboolean(L, 1) != 0;
  if (end.fine) {
    isa::Result<std::vector<UserTable>> rows = tables_at(L, 2);
    if (!rows) return problem("wse.sweep: " + rows.error());
    end.rows = std::move(*rows);
  } else {
    lua_settop(L, 2);
    end.message = text_of_error(L);
    end.ending = session.ending_of(end.message);
  }
  Outgoing out;
  pass_sweep_end(out, end);
  session.team->send_to_all(Kind::Over, out.bytes);
  session.team->has_met();
  session.in_team_sweep = false;
  return 0;
}

Returned follow_sweep(lua_State* L) {
  if (!lua_isfunction(L, kSweepRun)) return problem("follow_sweep: a function is wanted");
  Session& session = session_of(L);
  const TeamResult<SweepEnd> end = follow(L);
  if (!end) return end_by(session, end.error());
  session.team->has_met();
  session.points_left_out = true;  // the leader knows which arguments were asked for
  if (end->fine) return push_tables(L, end->rows) ? Returned(1) : problem_on_stack();
  session.endings.note(end->message, end->ending);
  push_text(L, end->message);
  return problem_on_stack();
}

Returned run_in_team(lua_State* L, std::uint64_t count, const std::function<void()>& progress) {
  Session& session = session_of(L);
  isa::Result<std::vector<UserTable>> points = tables_at(L, kSweepPoints);
  if (!points) return problem("wse.sweep: " + points.error());
  const std::uint32_t workers = session.team_workers.front();
  auto crew =
      start_workers(L, count, workers, share_of_host(session, workers), Crew::Points::Granted);
  if (!crew) return std::unexpected(crew.error());
  const std::uint64_t done = session.limits.work();
  Outgoing out;
  pass(out, *points);
  session.team->send_to_all(Kind::Starts, out.bytes);
  TeamCrews crews(session, std::move(*crew), count);
  return gather_points(L, count, done, crews, progress);
}

}  // namespace wse::script
