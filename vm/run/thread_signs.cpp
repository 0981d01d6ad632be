// Finds what the thread waits for, and counts there.
#include "vm/run/thread_signs.h"

#include "vm/run/parts.h"

namespace wse::vm {

ThreadSigns::ThreadSigns(const Machine& machine, ThreadId thread) : thread_(thread) {
  const Core& core = machine.parts_->strips.core(thread.pe);
  const auto look_at_thread = [&](std::uint32_t number) {
    const bool is_known = number < core.program->threads && core.in_flight.find(number) != nullptr;
    if (is_known) return look_at(*core.in_flight.find(number));
    are_sure_ = false;
  };
  if (thread.thread != kMainThread) {
    look_at_thread(thread.thread);
  } else if (core.main == Core::Main::Free) {
    is_picker_ = true;
    are_sure_ = (core.in_flight.threads() & 1u << kMainThread) == 0;
  } else if (core.main == Core::Main::Vector) {
    look_at_thread(kMainThread);
  } else if (core.main == Core::Main::Waiting) {
    look_at_thread(core.awaited);
  } else if (core.main == Core::Main::Saving) {
    for (const InFlight& f : core.in_flight) look_at(f);
  } else {
    are_sure_ = false;
  }
  last_ = read(machine);
}

void ThreadSigns::look_at(const InFlight& instruction) {
  const Plan& plan = *instruction.plan;
  are_sure_ = are_sure_ && instruction.is_moving() && plan.flow.has_fabric();
  threads_ |= 1u << plan.thread;
}

bool ThreadSigns::have_changed(const Machine& machine) {
  std::vector<std::uint64_t> here = read(machine);
  const bool are_other = here != last_;
  last_ = std::move(here);
  return are_other;
}

std::vector<std::uint64_t> ThreadSigns::read(const Machine& machine) const {
  const Machine::Parts& p = *machine.parts_;
  const PeId pe = thread_.pe;
  if (!p.is_shown) {
    p.communicator->work_alone(true);
    p.strips.of(pe).transport->flush(p.now + 1, false);
    p.communicator->work_alone(false);
  }
  if (is_picker_) return {p.strips.core(pe).picked};
  std::vector<std::uint64_t> signs;
  for (const WaitingThread& moving : p.strips.waiting(pe, p.now)) {
    if ((threads_ >> moving.thread.thread & 1) == 0) continue;
    signs.push_back(moving.thread.thread);
    signs.push_back(moving.issued);
  }
  const Arrived arrived = p.strips.of(pe).transport->counts().arrived(pe);
  signs.push_back(arrived.pushed[static_cast<std::size_t>(QueuePort::DownRamp)]);
  signs.push_back(arrived.waiting_down);
  signs.push_back(arrived.pushed[static_cast<std::size_t>(QueuePort::UpRamp)]);
  return signs;
}

}  // namespace wse::vm
