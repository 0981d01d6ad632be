// Forks workers, which run points and send frames.
#include "scripts/host/sweep_workers.h"

#include <fmt/format.h>
#include <unistd.h>

#include "scripts/host/gatherer.h"
#include "scripts/host/sweep_frames.h"
#include "scripts/host/watch.h"

namespace wse::script {
namespace {

// For starting a worker, and for what it does unseen if it is stopped.
constexpr std::uint64_t kInstructionsPerWorker = 100'000;

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

// Runs points in a worker until there are no more.
void work_on_points(lua_State* L, std::uint64_t count, std::uint32_t workers, Crew::Seat& seat) {
  Session& session = session_of(L);
  session.become_worker(workers, seat.stop(), seat.work());
  session.inputs.take_news();  // what was known before is no news to the parent
  session.print_to = [&seat](std::string_view text) {
    seat.send(text_frame(FrameKind::Prints, text));
  };
  session.log_to = [&seat](std::string_view line) { seat.send(text_frame(FrameKind::Logs, line)); };
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

// The crew of a sweep that runs on this host alone.
class OwnCrew final : public Workforce {
 public:
  explicit OwnCrew(Crew crew) : crew_(std::move(crew)) {}
  bool empty() const override { return crew_.empty(); }
  std::uint64_t work() const override { return crew_.work(); }
  std::optional<Crew::Report> next() override { return crew_.next(); }

 private:
  Crew crew_;
};

}  // namespace

std::expected<Crew, BindingError> start_workers(lua_State* L, std::uint64_t count,
                                                std::uint32_t workers, std::uint32_t share,
                                                Crew::Points points) {
  Session& session = session_of(L);
  if (!session.limits.charge(workers * kInstructionsPerWorker)) {
    return problem(session.limits.text());
  }
  const HeldOutputs held(session.options);
  auto crew = Crew::start(
      workers, session.limits.work(),
      [&](Crew::Seat& seat) { work_on_points(L, count, share, seat); }, points);
  if (!crew) return problem("wse.sweep: " + crew.error(), Ending::Exhausted);
  return std::move(*crew);
}

Returned run_in_workers(lua_State* L, std::uint64_t count, std::uint32_t workers,
                        const std::function<void()>& progress) {
  auto crew = start_workers(L, count, workers, workers, Crew::Points::InOrder);
  if (!crew) return std::unexpected(crew.error());
  OwnCrew own(std::move(*crew));
  return gather_points(L, count, session_of(L).limits.work(), own, progress);
}

}  // namespace wse::script
