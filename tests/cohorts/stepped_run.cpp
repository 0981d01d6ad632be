// The loop of RunLoop::run_alone, a turn at a time.
#include "tests/cohorts/stepped_run.h"

#include <algorithm>
#include <ctime>

#include "vm/run/parts.h"

namespace wse::vm {
namespace {

constexpr Cycle kMostCyclesAtOnce = 4096;

// Returns the processor's seconds that `work` takes.
template <class Work>
double seconds_of(Work work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

SteppedRun::SteppedRun(Machine& machine) : parts_(*machine.parts_), strip_(parts_.strips[0]) {
  machine.begin({});
  strip_.cores->start();
}

Cycle SteppedRun::next() const { return strip_.trap.first() ? kNever : strip_.next(); }

std::vector<PeId> SteppedRun::due() const {
  const Cycle now = next();
  std::vector<PeId> due;
  if (strip_.agenda.next() != now) return due;
  strip_.agenda.for_each([&](PeId pe, Cycle cycle) {
    if (cycle == now) due.push_back(pe);
  });
  std::ranges::sort(due);
  const auto repeated = std::ranges::unique(due);
  due.erase(repeated.begin(), repeated.end());
  return due;
}

void SteppedRun::visit() {
  now_ = next();
  seconds_in_cores_ += seconds_of([&] { strip_.cores->step(now_); });
}

void SteppedRun::move() {
  const Cycle until = std::min(strip_.agenda.next(), now_ + kMostCyclesAtOnce);
  Cycle end = 0;
  seconds_in_transport_ +=
      seconds_of([&] { end = strip_.transport->run(now_, std::max(until, now_ + 1), nullptr); });
  if (!is_over()) return;
  strip_.transport->flush(end, true);
  strip_.transport->counts().count_unfinished();
}

std::string SteppedRun::trap() const {
  return strip_.trap.first() ? strip_.trap.first()->detail : "";
}

const Loaded& SteppedRun::loaded() const { return parts_.loaded; }

wafer::Grid SteppedRun::grid() const {
  const PeRange all{0, parts_.mesh.pes()};
  return wafer::Grid(parts_.mesh, wafer::Box::around(parts_.mesh, all, [&](PeId pe) {
                       return parts_.loaded.program_at(pe) != nullptr ||
                              parts_.channels.colours(pe) != 0;
                     }));
}

bool SteppedRun::is_on_planes() const { return parts_.on_wafer; }

}  // namespace wse::vm
