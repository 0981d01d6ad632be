// One decision for all threads, in each of them: nobody leads.
#include "vm/run/run_loop.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/support/state_archive.h"

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

StripReport RunLoop::report_of(const Strip& strip, bool first, bool asked, Cycle now) {
  return {.next = strip.next(),
          .note = strip.ledger.notes.next(),
          .finish = strip.ledger.counters.latest_finish,
          .trapped = strip.trap.first().has_value(),
          .interrupted = first && options_.interrupt != nullptr &&
                         options_.interrupt->load(std::memory_order_relaxed),
          .failed = false,
          .asks = first && !asked && is_time_to_tell(),
          .is_done = true,
          .busy_pes = asked ? strip.ledger.activity.busy_pes(now) : 0};
}

RunLoop::Decision RunLoop::decide(const StripReport& all, Cycle now) const {
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
  bool asked = false;
  for (Cycle now = options_.last.value_or(kBefore);;) {
    StripReport all;
    for (const auto& strip : strips_) {
      all.join(report_of(*strip, strip == *strips_.begin(), asked, now));
    }
    const Decision decision = decide(communicator_.join_others(all), now);
    if (asked && communicator_.runs(0)) options_.progress(now, decision.busy_pes);
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

// A thread for each strip that this process runs.
class RunLoop::Team {
 public:
  explicit Team(RunLoop& loop) : loop_(loop) {
    for (const auto& strip : loop.strips_) members_.emplace_back(*strip);
  }

  End run() {
    loop_.threads_.run([this](std::size_t k) { work(members_[k], k == 0); });
    rethrow(false);
    rethrow(true);
    return end_;
  }

 private:
  // A strip of this process. While it waits for others its transport serves them.
  struct Member final : Server {
    explicit Member(Strip& its_strip) : strip(its_strip), transport(*its_strip.transport) {}
    // Keeps the first exception of the strip.
    template <class Work>
    void guarded(Work work) {
      try {
        work();
      } catch (const LostStrip&) {
        fail(true);
      } catch (...) {
        fail(false);
      }
    }
    void fail(bool another) {
      if (failure == nullptr) has_lost_another = another;
      if (failure == nullptr) failure = std::current_exception();
    }
    bool serve() override {
      bool served = false;
      guarded([&] { served = transport.serve(); });
      return served;
    }
    Server* server() { return transport.meets() ? this : nullptr; }

    Strip& strip;
    Transport& transport;
    std::exception_ptr failure;
    bool has_lost_another = false;  // failure: another strip's is the cause
  };

  // Throws what a strip threw. A strip that has lost another one tells less than that one.
  void rethrow(bool has_lost_another) const {
    for (const Member& member : members_) {
      if (member.failure == nullptr || member.has_lost_another != has_lost_another) continue;
      std::rethrow_exception(member.failure);
    }
  }

  // `leads`: among the strips of this process.
  void work(Member& self, bool leads) {
    self.guarded([&] { do_cycles(self, leads); });
  }

  // Throws only where it cannot meet the other strips.
  void do_cycles(Member& self, bool leads) {
    Strip& strip = self.strip;
    Reduce& reduce = loop_.communicator_.reduce(strip.number);
    const bool reports = strip.number == 0;
    Cycle now = loop_.options_.last.value_or(kBefore);
    bool asked = false;
    for (;;) {
      StripReport report = loop_.report_of(strip, leads, asked, now);
      report.failed = self.failure != nullptr;
      const Decision decision = loop_.decide(reduce.join(report, self.server()), now);
      if (asked && reports) {
        self.guarded([&] { loop_.options_.progress(now, decision.busy_pes); });
      }
      asked = decision.asks;
      if (decision.has_notes) {
        if (leads) self.guarded([&] { loop_.tell_notes(decision.notes_end); });
        reduce.meet(self.server());
        if (leads) self.guarded([&] { loop_.release_told_notes(); });
      }
      strip.ledger.counters.finished(decision.finish);
      self.guarded([&] { strip.transport->take_in(); });
      if (loop_.must_read_links(loop_.links_end(decision))) {
        reduce.meet(self.server());
        if (leads) self.guarded([&] { loop_.read_links(loop_.links_end(decision)); });
        reduce.meet(self.server());
      }
      if (decision.over) return close(self, decision.end, leads);
      now = decision.next;
      self.guarded([&] { step(strip, now); });
      if (strip.transport->meets()) {
        reduce.meet(self.server());
        self.guarded([&] { strip.transport->meet(now); });
      }
    }
  }

  // A machine in which nothing happens any more has halted once all its strips are done.
  void close(Member& self, End end, bool leads) {
    if (end.status == RunStatus::Deadlock) {
      StripReport report;
      report.is_done = self.strip.cores->standstill().all_done(end.now);
      if (isa::mutant(isa::Mutant::FirstIsDone) && self.strip.number > 0) report.is_done = true;
      report = loop_.communicator_.reduce(self.strip.number).join(report, self.server());
      if (report.is_done) end.status = RunStatus::Halted;
    }
    if (leads) end_ = end;
  }

  RunLoop& loop_;
  std::deque<Member> members_;
  End end_;
};

RunLoop::End RunLoop::run() {
  if (!options_.last) {
    for (const auto& strip : strips_) strip->cores->start();
  }
  const bool is_alone = strips_.size() == 1 && communicator_.link(strips_[0].number).strips() == 1;
  if (!options_.traced && !is_alone) return Team(*this).run();
  End end = options_.traced ? run_in_turn() : run_alone(strips_[0]);
  if (end.status == RunStatus::Deadlock) {
    StripReport report;
    for (const auto& strip : strips_) {
      report.is_done &= strip->cores->standstill().all_done(end.now);
    }
    if (communicator_.join_others(report).is_done) end.status = RunStatus::Halted;
  }
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

// A process that runs all strips releases its notes itself.
void RunLoop::tell_notes(Cycle end) {
  if (communicator_.link(strips_[0].number).strips() == strips_.size()) return release_notes(end);
  for (const auto& strip : strips_) {
    strip->ledger.notes.release(end, [this](const Note& note) { due_.push_back(note); });
  }
  if (communicator_.runs(0) || isa::mutant(isa::Mutant::NotesUntold)) return;
  StateWriter writer;
  writer.list(due_, 1, [&](Note& note) { note.pass(writer); });
  communicator_.tell(std::move(writer.written()));
  due_.clear();
}

void RunLoop::release_told_notes() {
  for (const MessageBytes& told : communicator_.take_told()) {
    StateReader reader(told);
    std::vector<Note> notes;
    reader.list(notes, Note::kLeastBytes, [&](Note& note) { note.pass(reader); });
    due_.insert(due_.end(), notes.begin(), notes.end());
  }
  // Strips follow each other, each with its notes in their order: a stable sort keeps that.
  std::ranges::stable_sort(due_, {}, &Note::cycle);
  for (const Note& note : due_) options_.note(note);
  due_.clear();
}

bool RunLoop::is_time_to_tell() {
  if (!options_.progress || Clock::now() < told_ + kBetweenProgress) return false;
  told_ = Clock::now();
  return true;
}

}  // namespace wse::vm
