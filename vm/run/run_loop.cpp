// One decision for all threads, in each of them: nobody leads.
#include "vm/run/run_loop.h"

#include <algorithm>
#include <array>
#include <exception>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/support/barrier.h"

namespace wse::vm {
namespace {

constexpr Cycle kMostCyclesAtOnce = 4096;  // then somebody may want to know how far it is
constexpr std::uint64_t kMostPeCyclesAtOnce = 1 << 26;  // of a large machine fewer
constexpr std::chrono::milliseconds kBetweenProgress{500};
constexpr Cycle kBefore = kNever;  // as the last cycle: none was done yet

}  // namespace

RunLoop::End RunLoop::run_alone(Strip& strip) {
  const Cycle most_cycles =
      std::clamp<Cycle>(kMostPeCyclesAtOnce / strip.pes.size(), 1, kMostCyclesAtOnce);
  Cycle now = options_.last.value_or(0);
  for (;;) {
    const Cycle next = strip.next();
    if (strip.ledger.notes.next() < next) release_notes(std::min(next, options_.max_cycles));
    if (next == kNever) return {RunStatus::Deadlock, now};
    read_links(std::min(next, options_.max_cycles));
    if (next >= options_.max_cycles) return {RunStatus::CycleLimit, options_.max_cycles - 1};
    strip.cores->step(next);
    const Cycle slice = options_.links != nullptr ? options_.links->due() : kNever;
    const Cycle until =
        std::min({strip.agenda.next(), options_.max_cycles, next + most_cycles, slice});
    now = strip.transport->run(next, std::max(until, next + 1), options_.interrupt) - 1;
    if (strip.trap.first()) {
      release_notes(now + 1);
      return {RunStatus::Trap, now};
    }
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
      return {RunStatus::Interrupted, now};
    }
    if (is_time_to_tell()) options_.progress(now, strip.ledger.activity.busy_pes(now));
  }
}

RunLoop::StripReport RunLoop::report_of(const Strip& strip, bool first, bool asked, Cycle now) {
  return {.next = strip.next(),
          .note = strip.ledger.notes.next(),
          .finish = strip.ledger.counters.latest_finish,
          .trapped = strip.trap.first().has_value(),
          .interrupted = first && options_.interrupt != nullptr &&
                         options_.interrupt->load(std::memory_order_relaxed),
          .failed = false,
          .asks = first && !asked && is_time_to_tell(),
          .busy_pes = asked ? strip.ledger.activity.busy_pes(now) : 0};
}

template <class Reports>
RunLoop::Decision RunLoop::decide(const Reports& reports, Cycle now) const {
  StripReport all;
  for (const StripReport& report : reports) {
    all.next = std::min(all.next, report.next);
    all.note = std::min(all.note, report.note);
    all.finish = std::max(all.finish, report.finish);
    all.trapped |= report.trapped;
    all.interrupted |= report.interrupted;
    all.failed |= report.failed;
    all.asks |= report.asks;
    all.busy_pes += report.busy_pes;
  }
  const bool begun = now != kBefore;
  Decision decision;
  decision.next = all.next;
  decision.finish = all.finish;
  decision.asks = all.asks;
  decision.busy_pes = all.busy_pes;
  decision.end.now = begun ? now : 0;
  const auto over = [&decision](RunStatus status) {
    decision.over = true;
    decision.end.status = status;
  };
  const bool ends_here = all.trapped && !isa::mutant(isa::Mutant::NotesOfATrap);
  decision.notes_end = ends_here ? now + 1 : std::min(all.next, options_.max_cycles);
  decision.has_notes = all.note < decision.notes_end;
  if (all.failed) {
    over(RunStatus::Interrupted);
  } else if (all.trapped) {
    over(RunStatus::Trap);
  } else if (begun && all.interrupted) {
    decision.has_notes = false;
    over(RunStatus::Interrupted);
  } else if (all.next == kNever) {
    over(RunStatus::Deadlock);
  } else if (all.next >= options_.max_cycles + (isa::mutant(isa::Mutant::LimitLate) ? 1 : 0)) {
    decision.end.now = options_.max_cycles - 1;
    over(RunStatus::CycleLimit);
  }
  return decision;
}

void RunLoop::step(Strip& strip, Cycle now) {
  strip.cores->step(now);
  strip.transport->run(now, now + 1, nullptr);
}

RunLoop::End RunLoop::run_in_turn() {
  std::vector<StripReport> reports(strips_.size());
  bool asked = false;
  for (Cycle now = options_.last.value_or(kBefore);;) {
    for (std::size_t k = 0; k < reports.size(); ++k) {
      reports[k] = report_of(strips_[k], k == 0, asked, now);
    }
    const Decision decision = decide(reports, now);
    if (asked) options_.progress(now, decision.busy_pes);
    asked = decision.asks;
    if (decision.has_notes) release_notes(decision.notes_end);
    for (const auto& strip : strips_) strip->ledger.counters.finished(decision.finish);
    for (const auto& strip : strips_) strip->transport->take_in();
    read_links(links_end(decision));
    if (decision.over) return decision.end;
    now = decision.next;
    for (const auto& strip : strips_) strip->cores->step(now);
    for (const auto& strip : strips_) strip->transport->run(now, now + 1, nullptr);
  }
}

// A thread for each strip.
class RunLoop::Team {
 public:
  explicit Team(RunLoop& loop)
      : loop_(loop), barrier_(static_cast<std::uint32_t>(loop.strips_.size())) {
    for (std::vector<Padded>& reports : reports_) reports.resize(loop.strips_.size());
    failures_.resize(loop.strips_.size());
  }

  End run() {
    loop_.threads_.run([this](std::size_t k) { work(k); });
    for (const std::exception_ptr& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
    return end_;
  }

 private:
  struct alignas(64) Padded : StripReport {};

  template <class Work>
  void guarded(std::size_t k, Work work) {
    try {
      work();
    } catch (...) {
      failures_[k] = std::current_exception();
    }
  }

  void wait(std::size_t k) {
    const auto self = static_cast<std::uint32_t>(k);
    Transport& transport = *loop_.strips_[k].transport;
    if (!transport.meets()) return barrier_.wait(self);
    barrier_.wait(self, [&] {
      bool served = false;
      guarded(k, [&] { served = transport.serve(); });
      return served;
    });
  }

  void work(std::size_t k) {
    Strip& strip = loop_.strips_[k];
    Cycle now = loop_.options_.last.value_or(kBefore);
    bool asked = false;
    for (std::size_t round = 0;; ++round) {
      std::vector<Padded>& reports = reports_[round % reports_.size()];
      static_cast<StripReport&>(reports[k]) = loop_.report_of(strip, k == 0, asked, now);
      reports[k].failed = failures_[k] != nullptr;
      wait(k);
      const Decision decision = loop_.decide(reports, now);
      if (asked && k == 0) guarded(k, [&] { loop_.options_.progress(now, decision.busy_pes); });
      asked = decision.asks;
      if (decision.has_notes) {
        if (k == 0) guarded(k, [&] { loop_.release_notes(decision.notes_end); });
        wait(k);
      }
      strip.ledger.counters.finished(decision.finish);
      guarded(k, [&] { strip.transport->take_in(); });
      if (loop_.must_read_links(loop_.links_end(decision))) {
        wait(k);
        if (k == 0) guarded(k, [&] { loop_.read_links(loop_.links_end(decision)); });
        wait(k);
      }
      if (decision.over) {
        if (k == 0) end_ = decision.end;
        return;
      }
      now = decision.next;
      guarded(k, [&] { step(strip, now); });
      if (strip.transport->meets()) {
        wait(k);
        guarded(k, [&] { strip.transport->meet(now); });
      }
    }
  }

  RunLoop& loop_;
  Barrier barrier_;
  // Reports of this round and of the one before, which others may still read.
  std::array<std::vector<Padded>, 2> reports_;
  std::vector<std::exception_ptr> failures_;
  End end_;
};

RunLoop::End RunLoop::run() {
  if (!options_.last) {
    for (const auto& strip : strips_) strip->cores->start();
  }
  End end = options_.traced       ? run_in_turn()
            : strips_.size() == 1 ? run_alone(strips_[0])
                                  : Team(*this).run();
  if (end.status == RunStatus::Deadlock && strips_.all_done(end.now))
    end.status = RunStatus::Halted;
  return end;
}

Cycle RunLoop::links_end(const Decision& decision) const {
  const bool goes_on = !decision.over || decision.end.status == RunStatus::CycleLimit;
  return goes_on ? std::min(decision.next, options_.max_cycles) : 0;
}

void RunLoop::read_links(Cycle end) {
  while (must_read_links(end)) {
    options_.links->take([this](Cycle now, LinkSums& sums) {
      for (const auto& strip : strips_) strip->transport->counts().read_links(now, sums);
    });
  }
}

void RunLoop::release_notes(Cycle end) {
  for (;;) {
    Cycle cycle = kNever;
    for (const auto& strip : strips_) cycle = std::min(cycle, strip->ledger.notes.next());
    if (cycle >= end) return;
    for (const auto& strip : strips_) strip->ledger.notes.release(cycle + 1, options_.note);
  }
}

bool RunLoop::is_time_to_tell() {
  if (!options_.progress || Clock::now() < told_ + kBetweenProgress) return false;
  told_ = Clock::now();
  return true;
}

}  // namespace wse::vm
