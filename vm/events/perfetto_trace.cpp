// Slices that lie in each other, from events that do not say so.
#include "vm/events/perfetto_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vm/ledger/trace_lines.h"
#include "vm/load/channel_map.h"

namespace wse::vm {
namespace {

using Kind = TraceEvent::Kind;

}  // namespace

PerfettoTrace::PerfettoTrace(PerfettoWriter::Bytes bytes, Cycle first, Cycle last)
    : writer_(std::move(bytes)),
      first_(first),
      last_(last),
      words_([this](PeId pe, std::uint32_t colour, QueuePort port, std::size_t words) {
        const auto [changed, is_new] = levels_.try_emplace({pe, colour, port});
        if (is_new) changed->second.colour = image_->colour_name(colour);
        changed->second.words.change(words, cycle_, [&](Cycle begin, std::uint64_t most) {
          write_level(changed->first, changed->second, begin, most);
        });
      }) {}

PerfettoTrace::Pe& PerfettoTrace::pe_of(PeId pe) {
  const auto [known, is_new] = pes_.try_emplace(pe);
  if (is_new) {
    known->second.process =
        writer_.add_process(fmt::format("PE({}, {})", mesh_->x_of(pe), mesh_->y_of(pe)));
  }
  return known->second;
}

PerfettoTrace::Thread& PerfettoTrace::thread_of(PeId pe, std::uint32_t thread) {
  Pe& here = pe_of(pe);
  const auto [known, is_new] = here.threads.try_emplace(thread);
  if (is_new) known->second.track = writer_.add_thread(here.process, thread_text(thread));
  return known->second;
}

// ---- slices

void PerfettoTrace::write_begin(Thread& thread, Slice& slice, Cycle cycle,
                                const PerfettoWriter::Event& told) {
  writer_.begin(thread.track, std::max(cycle, first_), told);
  slice.is_written = true;
}

void PerfettoTrace::open(PeId pe, std::uint32_t thread, Slice slice, const TraceEvent& event,
                         const PerfettoWriter::Event& told) {
  Thread& of = thread_of(pe, thread);
  if (is_written(event.cycle)) write_begin(of, slice, event.cycle, told);
  of.open.push_back(std::move(slice));
}

// A slice that began before the cycles that are written begins with them.
void PerfettoTrace::close(Thread& thread, Cycle cycle) {
  Slice& slice = thread.open.back();
  if (!slice.is_written && cycle > first_ && first_ > 0 && now_ >= first_) {
    for (Slice& outer : thread.open) {
      if (!outer.is_written) {
        write_begin(thread, outer, first_, {.name = outer.name, .starts_flow = outer.number});
      }
    }
  }
  if (slice.is_written) writer_.end(thread.track, std::min(cycle, last_));
  thread.open.pop_back();
}

void PerfettoTrace::close_instructions(Thread& thread, Cycle cycle) {
  while (!thread.open.empty() && thread.open.back().kind == Slice::Kind::Instruction) {
    close(thread, cycle);
    ++thread.over;
  }
}

void PerfettoTrace::start(const TraceEvent& event) {
  close_instructions(thread_of(event.pe, event.thread), event.cycle);
  const std::string name = place(event.where);
  std::string takes;
  for (const std::uint32_t colour : event.in) {
    if (colour != kNoColour) takes += (takes.empty() ? "" : ", ") + image_->colour_name(colour);
  }
  const std::string sends = event.out == kNoColour ? "" : image_->colour_name(event.out);
  PerfettoWriter::Event told{.name = name,
                             .notes = {{.name = "may issue from", .number = event.until}}};
  if (event.count != kNoBound) told.notes.push_back({.name = "elements", .number = event.count});
  if (!takes.empty()) told.notes.push_back({.name = "takes", .text = takes});
  if (!sends.empty()) told.notes.push_back({.name = "sends", .text = sends});
  Slice slice{.kind = Slice::Kind::Instruction, .name = name};
  if (event.out != kNoColour) slice.number = ++instructions_;
  told.starts_flow = slice.number;
  open(event.pe, event.thread, std::move(slice), event, told);
}

void PerfettoTrace::end(const TraceEvent& event) {
  Thread& thread = thread_of(event.pe, event.thread);
  if (thread.over > 0) {
    --thread.over;
  } else if (!thread.open.empty() && thread.open.back().kind == Slice::Kind::Instruction) {
    close(thread, event.cycle);
  }
}

void PerfettoTrace::issue(const TraceEvent& event) {
  Thread& thread = thread_of(event.pe, event.thread);
  const bool has_slice =
      !thread.open.empty() && thread.open.back().kind == Slice::Kind::Instruction;
  for (const std::uint32_t colour : event.in) {
    if (colour == kNoColour) continue;
    const std::uint64_t sender = words_.take(event.pe, colour, QueuePort::DownRamp);
    if (sender == 0 || !has_slice || !thread.open.back().senders.insert(sender).second) continue;
    if (!is_written(event.cycle)) continue;
    writer_.instant(thread.track, event.cycle,
                    {.name = "takes " + image_->colour_name(colour), .ends_flow = sender});
  }
  if (event.out == kNoColour) return;
  words_.put(event.pe, event.out, QueuePort::UpRamp, has_slice ? thread.open.back().number : 0);
}

void PerfettoTrace::task(const TraceEvent& event) {
  const std::uint64_t sender = std::exchange(pe_of(event.pe).sender, 0);
  const std::string name = fmt::format("task {}", event.text);
  open(event.pe, kMainThread, {.kind = Slice::Kind::Task, .name = name}, event,
       {.name = name, .ends_flow = sender});
}

void PerfettoTrace::task_end(const TraceEvent& event) {
  Thread& thread = thread_of(event.pe, kMainThread);
  close_instructions(thread, event.cycle);
  while (!thread.open.empty()) close(thread, event.cycle);
}

// A slice of which both ends are known.
void PerfettoTrace::within(const TraceEvent& event, Cycle from, Cycle to, const std::string& name) {
  if (!is_written(event.cycle)) return;
  const Thread& thread = thread_of(event.pe, event.thread);
  writer_.begin(thread.track, std::max(from, first_), {.name = name});
  writer_.end(thread.track, to);
}

std::string PerfettoTrace::wait_text(const TraceEvent& event) const {
  switch (event.reason) {
    case TraceEvent::For::Input: return "waits for " + image_->colour_name(event.number);
    case TraceEvent::For::Output: return "waits for room on " + image_->colour_name(event.number);
    case TraceEvent::For::Fifo: return "waits for a FIFO";
    case TraceEvent::For::Slot: return "waits for the issue slot";
    case TraceEvent::For::Microthread:
      return fmt::format("waits for {}", thread_text(event.number + 1));
    case TraceEvent::For::Save: return "waits for a position";
  }
  return {};
}

// ---- other tracks

void PerfettoTrace::move(const TraceEvent& event) {
  words_.move(event, *mesh_);
  for_each_port(event.to & ~isa::bit(isa::Port::Ramp), [&](isa::Port port) {
    if (!is_written(event.cycle)) return;
    Pe& here = pe_of(event.pe);
    const auto [known, is_new] = here.links.try_emplace(port);
    if (is_new) {
      known->second.track =
          writer_.add_counter(here.process, fmt::format("words {}", isa::text(port)));
    }
    known->second.words.add(event.cycle, writes(known->second));
  });
}

void PerfettoTrace::write_level(const Place& queue, Level& level, Cycle begin,
                                std::uint64_t words) {
  const auto& [pe, colour, port] = queue;
  const auto here = pes_.find(pe);  // another PE is not traced
  const bool is_over = begin + kTraceBin <= first_ || begin > last_;
  if (here == pes_.end() || is_over || (words == 0 && !level.track)) return;
  if (!level.track) {
    const std::string_view name = port == QueuePort::UpRamp ? "up-ramp"
                                  : port == QueuePort::DownRamp
                                      ? "down-ramp"
                                      : isa::text(static_cast<isa::Port>(port));
    level.track =
        writer_.add_counter(here->second.process, fmt::format("queue {} {}", level.colour, name));
  }
  writer_.count(*level.track, std::max(begin, first_), words);
}

void PerfettoTrace::tell_router(const TraceEvent& event) {
  if (!is_written(event.cycle)) return;
  Pe& here = pe_of(event.pe);
  if (!here.router) here.router = writer_.add_track(here.process, "router");
  const std::string colour = image_->colour_name(event.colour);
  std::string name;
  switch (event.kind) {
    case Kind::Position: name = fmt::format("{} in position {}", colour, event.position); break;
    case Kind::Teardown: name = colour + " torn down"; break;
    case Kind::TeardownExit: name = colour + " no longer torn down"; break;
    default: name = "a word of a stream on " + colour; break;
  }
  writer_.instant(*here.router, event.cycle, {.name = name});
}

void PerfettoTrace::tell_mark(const TraceEvent& event) {
  if (!is_written(event.cycle)) return;
  Pe& here = pe_of(event.pe);
  if (!here.marks) here.marks = writer_.add_track(here.process, "marks");
  const std::string_view text = event.kind == Kind::Trap ? "trap" : event.text;
  writer_.instant(*here.marks, event.cycle, {.name = text});
}

// ---- events

void PerfettoTrace::add(const TraceEvent& event) {
  now_ = std::max(now_, event.cycle);
  cycle_ = event.cycle;
  switch (event.kind) {
    case Kind::Start: return start(event);
    case Kind::End: return end(event);
    case Kind::Issue: return issue(event);
    case Kind::Task: return task(event);
    case Kind::TaskEnd:
    case Kind::Halt: return task_end(event);
    case Kind::Scalar:
      return within(event, event.cycle, event.until, "scalar " + place(event.where));
    case Kind::Wait: return within(event, event.since, event.cycle, wait_text(event));
    case Kind::Move: return move(event);
    case Kind::Enter:
      words_.put(event.pe, event.colour, input_queue(event.from), 0);
      return tell_router(event);
    case Kind::Take:
      pe_of(event.pe).sender = words_.take(event.pe, event.colour, QueuePort::DownRamp);
      return;
    case Kind::Position:
    case Kind::Teardown:
    case Kind::TeardownExit: return tell_router(event);
    case Kind::Mark:
    case Kind::Print:
    case Kind::Trap: return tell_mark(event);
  }
}

void PerfettoTrace::finish() {
  for (auto& [number, pe] : pes_) {
    for (auto& [thread, of] : pe.threads) {
      while (!of.open.empty()) close(of, now_ + 1);
    }
    for (auto& [port, counter] : pe.links) counter.words.end(writes(counter));
  }
  for (auto& known : levels_) {
    known.second.words.end([&](Cycle begin, std::uint64_t most) {
      write_level(known.first, known.second, begin, most);
    });
  }
}

}  // namespace wse::vm
