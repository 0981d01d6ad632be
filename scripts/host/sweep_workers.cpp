// Frames from workers: a kind, then what belongs to it.
#include "scripts/host/sweep_workers.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "scripts/host/crew.h"
#include "scripts/host/sweep_point.h"
#include "scripts/host/user_line.h"
#include "scripts/host/watch.h"
#include "scripts/host/wire.h"

namespace wse::script {
namespace {

enum class Kind : std::uint8_t { Begins, Prints, Logs, Ends };

// For starting a worker, and for what it does unseen if it is stopped.
constexpr std::uint64_t kInstructionsPerWorker = 100'000;

// What points may have printed before their turn; above it their turn has come.
constexpr std::size_t kHeldTextBytes = std::size_t{64} << 20;

template <class Wire, class End>
void pass_end(Wire& wire, End& end) {
  pass(wire, end.fine);
  pass(wire, end.fields);
  pass(wire, end.message);
  pass(wire, end.ending);
  pass(wire, end.trip);
  pass(wire, end.runs);
  pass(wire, end.asked);
  pass(wire, end.files);
}

std::string text_frame(Kind kind, std::string_view text) {
  return static_cast<char>(kind) + std::string(text);
}

std::string begin_frame(std::uint64_t point) {
  Outgoing out;
  const Kind kind = Kind::Begins;
  pass(out, kind);
  pass(out, point);
  return std::move(out.bytes);
}

std::string end_frame(PointEnd& end) {
  Outgoing out;
  const Kind kind = Kind::Ends;
  pass(out, kind);
  pass_end(out, end);
  return std::move(out.bytes);
}

// Ends a worker that will never come to the end of its point.
GiveUp give_up_in(const Session& session, Crew::Seat& seat) {
  if (session.options.unsafe || !session.options.give_up) return {};
  return [&session, &seat](const std::string& why) {
    PointEnd end;
    end.message = fmt::format("{}: {}", session.options.file, why);
    end.ending = Ending::BadInput;
    seat.send(end_frame(end));
    ::_exit(0);
  };
}

// All that a worker does.
void work_on_points(lua_State* L, std::uint64_t count, std::uint32_t workers, Crew::Seat& seat) {
  Session& session = session_of(L);
  session.become_worker(workers, seat.stop(), seat.work());
  session.inputs.take_news();  // what was known before is no news to the parent
  session.print_to = [&seat](std::string_view text) { seat.send(text_frame(Kind::Prints, text)); };
  session.log_to = [&seat](std::string_view line) { seat.send(text_frame(Kind::Logs, line)); };
  const Watch watch(session.limits, give_up_in(session, seat));
  while (true) {
    const std::uint64_t point = seat.take_point();
    if (point >= count || seat.stop()) return;
    seat.send(begin_frame(point));
    session.result.runs.clear();
    PointEnd end = run_point(L, point);
    if (seat.stop()) return;
    end.runs = std::move(session.result.runs);
    end.asked.assign(session.asked.begin(), session.asked.end());
    end.files = session.inputs.take_news();
    session.limits.tell_work();
    seat.send(end_frame(end));
    if (!end.fine) return;
  }
}

class Gatherer {
 public:
  Gatherer(lua_State* L, std::uint64_t count, std::uint64_t done, Crew crew,
           const std::function<void()>& progress)
      : L_(L),
        session_(session_of(L)),
        count_(count),
        crew_(std::move(crew)),
        progress_(progress),
        charged_(done) {}

  Returned run() {
    while (!crew_.empty()) {
      if (!charge_work()) return end_with(problem(session_.limits.text()));
      const std::optional<Crew::Report> report = crew_.next();
      if (!report) continue;
      const Returned taken = report->ended ? take_end(*report) : take_frame(*report);
      if (!taken) return end_with(taken);
    }
    if (rows_ == count_ && charge_work()) return 0;
    if (rows_ == count_) return problem(session_.limits.text());
    return end_with(problem("wse.sweep: the worker processes ended too early", Ending::Exhausted));
  }

 private:
  // What a point after `first_` told, kept until its turn.
  struct Point {
    std::vector<std::pair<Kind, std::string>> texts;
    std::vector<vm::Record> runs;
    bool done = false;
  };

  // What the workers have done since the last time, and whether that may continue.
  bool charge_work() {
    const std::uint64_t work = crew_.work();
    return session_.limits.charge(work - std::exchange(charged_, work));
  }

  Returned take_frame(const Crew::Report& report) {
    const auto kind = static_cast<Kind>(report.frame.at(0));
    Incoming in(std::string_view(report.frame).substr(1));
    std::optional<std::uint64_t>& point = point_of_[report.worker];
    if (kind == Kind::Begins) {
      pass(in, point.emplace());
      return 0;
    }
    if (kind != Kind::Ends) {
      if (point) take_text(*point, kind, report.frame.substr(1));
      return 0;
    }
    PointEnd end;
    pass_end(in, end);
    const std::uint64_t ended = *std::exchange(point, std::nullopt);
    if (in.failed()) return problem("wse.sweep: a worker process sent nonsense");
    return take_point_end(ended, end);
  }

  void tell(const std::pair<Kind, std::string>& text) {
    if (text.first == Kind::Prints) {
      session_.print(text.second);
    } else {
      session_.log(text.second);
    }
  }

  void take_text(std::uint64_t point, Kind kind, std::string text) {
    if (point == first_) return tell({kind, text});
    held_bytes_ += text.size();
    points_[point].texts.emplace_back(kind, std::move(text));
    if (held_bytes_ <= kHeldTextBytes) return;
    for (auto& [number, later] : points_) tell_all(later);
  }

  void tell_all(Point& point) {
    for (const auto& text : point.texts) {
      tell(text);
      held_bytes_ -= text.second.size();
    }
    point.texts.clear();
  }

  Returned take_point_end(std::uint64_t number, PointEnd& end) {
    session_.asked.insert(end.asked.begin(), end.asked.end());
    session_.inputs.merge(end.files);
    if (!end.fine) return take_failure(number, end);
    Point& point = points_[number];
    point.runs = std::move(end.runs);
    point.done = true;
    pass_points_that_are_done();
    if (!deliver(L_, number, end.fields)) return problem_on_stack();
    ++rows_;
    progress_();
    return 0;
  }

  Returned take_failure(std::uint64_t number, PointEnd& end) {
    settle();
    keep_runs(end.runs);
    if (end.trip == Trip::Instructions) session_.limits.trip(end.trip);
    return point_problem(L_, number, end);
  }

  void keep_runs(std::vector<vm::Record>& runs) {
    auto& all = session_.result.runs;
    all.insert(all.end(), std::make_move_iterator(runs.begin()),
               std::make_move_iterator(runs.end()));
    runs.clear();
  }

  void pass_points_that_are_done() {
    for (auto next = points_.find(first_); next != points_.end(); next = points_.find(first_)) {
      tell_all(next->second);
      if (!next->second.done) return;
      keep_runs(next->second.runs);
      points_.erase(next);
      ++first_;
    }
  }

  // No more will come: what is held comes out, in the order of the points.
  void settle() {
    for (auto& [number, point] : points_) {
      tell_all(point);
      keep_runs(point.runs);
    }
    points_.clear();
  }

  Returned end_with(Returned why) {
    settle();
    return why;
  }

  // A worker is gone: fine if it had nothing to do.
  Returned take_end(const Crew::Report& report) {
    const std::optional<std::uint64_t>& point = point_of_[report.worker];
    if (!point && *report.ended == 0) return 0;
    std::string how = "ended by itself: out of memory";
    if (WIFSIGNALED(*report.ended)) {
      const int signal = WTERMSIG(*report.ended);
      how = fmt::format("was ended by signal {} ({}){}", signal, ::strsignal(signal),
                        signal == SIGKILL ? ", as the system does when memory runs out" : "");
    }
    PointEnd end;
    end.message = fmt::format("{}wse.sweep: a worker process {}", find_user_line(L_).prefix(), how);
    end.ending = Ending::Exhausted;
    if (point) return point_problem(L_, *point, end);
    session_.endings.note(end.message, end.ending);
    push_text(L_, end.message);
    return problem_on_stack();
  }

  lua_State* L_;
  Session& session_;
  std::uint64_t count_;
  Crew crew_;
  const std::function<void()>& progress_;
  std::uint64_t charged_;  // of the crew's work
  std::map<std::uint64_t, Point> points_;
  std::map<std::size_t, std::optional<std::uint64_t>> point_of_;  // of a worker, while it runs one
  std::uint64_t first_ = 0;                                       // all before it are done
  std::uint64_t rows_ = 0;
  std::size_t held_bytes_ = 0;
};

// Holds the outputs of the engine while workers are forked.
class HeldOutputs {
 public:
  explicit HeldOutputs(const Options& options) : options_(options) {
    if (options_.hold_outputs) options_.hold_outputs(true);
  }
  HeldOutputs(const HeldOutputs&) = delete;
  HeldOutputs& operator=(const HeldOutputs&) = delete;
  ~HeldOutputs() {
    if (options_.hold_outputs) options_.hold_outputs(false);
  }

 private:
  const Options& options_;
};

isa::Result<Crew> start_crew(const Session& session, std::uint32_t workers, std::uint64_t done,
                             const std::function<void(Crew::Seat&)>& work) {
  const HeldOutputs held(session.options);
  return Crew::start(workers, done, work);
}

}  // namespace

Returned run_in_workers(lua_State* L, std::uint64_t count, std::uint32_t workers,
                        const std::function<void()>& progress) {
  Session& session = session_of(L);
  if (!session.limits.charge(workers * kInstructionsPerWorker)) {
    return problem(session.limits.text());
  }
  const std::uint64_t done = session.limits.work();
  auto crew = start_crew(session, workers, done,
                         [&](Crew::Seat& seat) { work_on_points(L, count, workers, seat); });
  if (!crew) return problem("wse.sweep: " + crew.error(), Ending::Exhausted);
  return Gatherer(L, count, done, std::move(*crew), progress).run();
}

}  // namespace wse::script
