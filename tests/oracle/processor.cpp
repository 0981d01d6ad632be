// The phases of a processor's cycle, and what they leave behind for the counters.
#include "tests/oracle/processor.h"

#include <algorithm>

#include "tests/oracle/descriptors.h"

namespace wse::oracle {
Processor::Processor(const isa::Profile& profile, Routers& routers, Outcome& outcome,
                     std::uint32_t pe, const Jitter& jitter)
    : profile_(profile), routers_(routers), outcome_(outcome), pe_(pe), jitter_(jitter) {}

void Processor::place(const isa::Program& program, std::vector<std::uint32_t> slots,
                      std::uint32_t seed) {
  program_ = &program;
  slots_ = std::move(slots);
  random_ = seed;
  main_ = Main::Running;
  ready_at_ = busy_until_ = jitter_.lateness(pe_, 0, 0);
  for (const isa::Fifo& fifo : program.fifos) {
    fifos_.emplace_back(fifo, program.symbols[fifo.symbol]);
  }
  memory.bytes.resize(program.data_bytes());
  bind_tasks();
}

void Processor::act(Cycle now) {
  did_something_ = false;
  up_ramp_used_ = false;
  issued_ = false;
  fifo_end_ = Ready::NotNow;
  std::erase_if(drain_from_,
                [&](Cycle from) { return from + profile_.vector_drain_cycles <= now; });
  for (Fifo& fifo : fifos_) fifo.begin_cycle();
  drop_null_entries(now);
  if (!has_program()) return;
  see_teardowns(now);
  for (bool again = true; again;) {
    again = finish_flights(now);
    again = run_main(now) || again;
    again = pick(now) || again;
    did_something_ = did_something_ || again;
  }
}

// Whatever the PE does, and also where no program is.
void Processor::drop_null_entries(Cycle now) {
  for (std::uint32_t colour = 0; colour < routers_.colours(); ++colour) {
    Queue& down = routers_.channel(pe_, colour).down;
    const Wavelet* head = down.head(now);
    if (head == nullptr || !head->control || entry_of(head->word) != kNullEntry) continue;
    note_taken(colour, Happening::Sort::Move, now);
    pop(colour);
    did_something_ = true;
  }
}

bool Processor::finish_flights(Cycle now) {
  bool any = false;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    const std::optional<Flight>& flight = flights_[thread];
    if (!flight || !flight->finish || *flight->finish > now) continue;
    finish(thread, now);
    any = true;
  }
  return any;
}

void Processor::finish(std::size_t thread, Cycle now) {
  Flight flight = *std::move(flights_[thread]);
  flights_[thread].reset();
  finishes_.push_back({now, static_cast<std::uint32_t>(thread)});
  if (flight.destination.kind == Operand::Kind::Register) {
    registers_[flight.destination.reg] = flight.accumulator;
  }
  const auto save = [&](const Operand& operand) {
    if (operand.saves_to == ~0u) return;
    descriptors_[operand.saves_to].position = position_behind(operand.descriptor, flight.done);
  };
  if (flight.scalars && flight.length > 0 && flight.scalars->saves_to != ~0u) {
    descriptors_[flight.scalars->saves_to].position =
        position_behind(flight.scalars->descriptor, flight.done / flight.per_scalar);
  }
  for (const Operand& source : flight.sources) save(source);
  save(flight.destination);
  flight.end_claim(now);
  if (thread == 0) {
    left_ = flight.is_unbounded() ? ~0u : static_cast<std::uint32_t>(flight.length - flight.done);
  }
  const bool awaited = main_ == Main::InVector || main_ == Main::WaitsForThread;
  if (awaited && awaited_ == thread) {
    main_ = Main::Running;
    ready_at_ = now;
  }
  if (main_ != Main::Halted) {
    const std::uint32_t id =
        flight.code.completes_slot != 0 ? slots_[flight.code.completes] : flight.code.completes;
    complete(flight.code.completion_action(), id, now);
  }
}

void Processor::trap(Cycle cycle, isa::Trap cause) {
  outcome_.raise({cycle, pe_, cause});
  main_ = Main::Trapped;
}

// A PE that only serves may wait for the first element of what it takes in.
bool Processor::is_done() const {
  if (!has_program()) return true;
  if (!program_->passive && main_ != Main::Halted) return false;
  return std::ranges::none_of(flights_, [this](const std::optional<Flight>& flight) {
    if (!flight || flight->is_unbounded()) return false;
    const bool takes_in = std::ranges::any_of(flight->operands(), [&](const Operand* operand) {
      const bool pops = operand->kind == Operand::Kind::Fifo && operand != &flight->destination;
      return pops || operand->receives();
    });
    return !(program_->passive && takes_in && flight->done == 0);
  });
}

bool Processor::waits_for_time(Cycle now) const {
  if (main_ == Main::Running || busy_until_ > now || drained_ > now) return true;
  return std::ranges::any_of(slot_until_, [now](Cycle until) { return until > now; }) ||
         std::ranges::any_of(flights_, [now](const std::optional<Flight>& flight) {
           return flight && (flight->may_issue > now || flight->finish);
         });
}

// Start: before the first cycle in which an element may issue. Drain: after the last issue.
bool Processor::worked(Cycle now) const {
  if (issued_ || busy_until_ > now || drains(now)) return true;
  return std::ranges::any_of(flights_, [now](const std::optional<Flight>& flight) {
    if (!flight) return false;
    const bool ends = flight->finish && *flight->finish > now && flight->cut_in != now;
    return flight->sets_up(now) || ends;
  });
}

Activity Processor::activity(Cycle now) const {
  const bool held = std::ranges::any_of(slot_until_, [now](Cycle until) { return until > now; });
  if (issued_ || busy_until_ > now || drains(now)) return Activity::Busy;
  bool waits_output = fifo_end_ == Ready::NoRoom;
  bool waits_input = fifo_end_ == Ready::NoInput;
  for (const std::optional<Flight>& flight : flights_) {
    if (!flight) continue;
    const Cycle drain = goes_on(*flight) ? 0 : profile_.vector_drain_cycles;
    if (flight->sets_up(now) || (flight->finish && now + drain >= *flight->finish)) {
      return Activity::Busy;
    }
    if (flight->finish) continue;
    const Ready state = ready(*flight, now);
    waits_output = waits_output || state == Ready::NoRoom;
    waits_input = waits_input || state == Ready::NoInput;
  }
  if (held) return Activity::MemoryStall;
  if (waits_output) return Activity::WaitOutput;
  return waits_input ? Activity::WaitInput : Activity::Idle;
}

bool Processor::waits_for_fifo(Cycle now) const {
  if (fifo_end_ != Ready::NotNow) return true;
  return std::ranges::any_of(flights_, [&](const std::optional<Flight>& flight) {
    if (!flight || flight->finish) return false;
    const Ready state = ready(*flight, now);
    if (state != Ready::NoRoom && state != Ready::NoInput) return false;
    return std::ranges::any_of(flight->operands(), [&](const Operand* operand) {
      if (operand->kind != Operand::Kind::Fifo) return false;
      const Fifo& fifo = fifos_[operand->descriptor.fifo];
      return operand == &flight->destination ? fifo.is_full() : fifo.is_empty();
    });
  });
}

}  // namespace wse::oracle
