// Takes frames of workers apart, and keeps what comes before its turn.
#include "scripts/host/gatherer.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <map>

#include "scripts/host/session.h"
#include "scripts/host/sweep_frames.h"
#include "scripts/host/user_line.h"

namespace wse::script {
namespace {

// The most that points may have printed before their turn; above it their turn has come.
constexpr std::size_t kHeldTextBytes = std::size_t{64} << 20;

class Gatherer {
 public:
  Gatherer(lua_State* L, std::uint64_t count, std::uint64_t done, Workforce& crew,
           const std::function<void()>& progress)
      : L_(L),
        session_(session_of(L)),
        count_(count),
        crew_(crew),
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
  // The texts and runs of a point after `first_`, kept until its turn.
  struct Point {
    std::vector<std::pair<FrameKind, std::string>> texts;
    std::vector<vm::Record> runs;
    bool done = false;
  };

  // Charges the work of the workers since the last time. False: a limit has tripped.
  bool charge_work() {
    const std::uint64_t work = crew_.work();
    return session_.limits.charge(work - std::exchange(charged_, work));
  }

  Returned take_frame(const Crew::Report& report) {
    const auto kind = static_cast<FrameKind>(report.frame.at(0));
    Incoming in(std::string_view(report.frame).substr(1));
    std::optional<std::uint64_t>& point = point_of_[report.worker];
    if (kind == FrameKind::Begins) {
      pass(in, point.emplace());
      return 0;
    }
    if (kind != FrameKind::Ends) {
      if (point) take_text(*point, kind, report.frame.substr(1));
      return 0;
    }
    PointEnd end;
    pass_point_end(in, end);
    const std::uint64_t ended = *std::exchange(point, std::nullopt);
    if (in.failed()) return problem("wse.sweep: a worker process sent nonsense");
    if (!report.place.empty()) end.files.clear();  // numbers of files belong to a host
    return take_point_end(ended, end);
  }

  void tell(const std::pair<FrameKind, std::string>& text) {
    if (text.first == FrameKind::Prints) {
      session_.print(text.second);
    } else {
      session_.log(text.second);
    }
  }

  void take_text(std::uint64_t point, FrameKind kind, std::string text) {
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

  // Passes on what is held, in the order of the points; no more will come.
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
    end.message = fmt::format("{}wse.sweep: a worker process{}{} {}", find_user_line(L_).prefix(),
                              report.place.empty() ? "" : " of ", report.place, how);
    end.ending = Ending::Exhausted;
    if (point) return point_problem(L_, *point, end);
    session_.endings.note(end.message, end.ending);
    push_text(L_, end.message);
    return problem_on_stack();
  }

  lua_State* L_;
  Session& session_;
  std::uint64_t count_;
  Workforce& crew_;
  const std::function<void()>& progress_;
  std::uint64_t charged_;  // of the crew's work
  std::map<std::uint64_t, Point> points_;
  std::map<std::size_t, std::optional<std::uint64_t>> point_of_;  // of a worker, while it runs one
  std::uint64_t first_ = 0;                                       // all before it are done
  std::uint64_t rows_ = 0;
  std::size_t held_bytes_ = 0;
};

}  // namespace

Returned gather_points(lua_State* L, std::uint64_t count, std::uint64_t done, Workforce& workers,
                       const std::function<void()>& progress) {
  return Gatherer(L, count, done, workers, progress).run();
}

}  // namespace wse::script
