// The trace: what happened when, one JSON object per line, for scripts and pictures.
//
//     {"cycle":5,"pe":[1,0],"event":"move","colour":"red","from":"west","to":["ramp"],"data":1065353216}
//     {"cycle":5,"pe":[1,0],"event":"position","colour":"red","position":2}
//     {"cycle":5,"pe":[1,0],"event":"issue","thread":"main","first":0,"count":1}
//     {"cycle":9,"pe":[1,0],"event":"trap","text":"assertion","line":"a.wsa:7","detail":"3 == 4"}
//
// Events: start, issue, end, move (with "control":true if it is one), position, teardown,
// teardown_exit (these three act from the next cycle), mark, print, task (picked), halt, and at the
// end of a run that traps trap: the one that the record names.
// Lines ascend by cycle, except that marks and prints of a scalar stretch are where the stretch
// began. A Tracer without a sink costs one test per event.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "isa/image/image.h"
#include "isa/machine/fabric.h"
#include "isa/machine/topology.h"
#include "vm/contract/boundary.h"
#include "vm/ledger/record.h"

namespace wse::vm {

struct TraceFilter {
  std::uint32_t x0 = 0;  // the rectangle of PEs, inclusive
  std::uint32_t y0 = 0;
  std::uint32_t x1 = ~0u;
  std::uint32_t y1 = ~0u;
  Cycle first = 0;  // cycles, inclusive
  Cycle last = kNever;
};

class Tracer {
 public:
  using Sink = std::function<void(std::string_view line)>;

  Tracer(const isa::Image& image, const isa::Topology& mesh) : image_(image), mesh_(mesh) {}

  void open(Sink sink, const TraceFilter& filter) {
    sink_ = std::move(sink);
    filter_ = filter;
  }
  bool is_open() const { return sink_ != nullptr; }

  // The wavelet goes from port `rx` to the ports `tx`.
  void move(Cycle cycle, PeId pe, std::uint32_t colour, isa::Port rx, std::uint32_t tx,
            std::uint32_t data, bool control) {
    if (wants(cycle, pe)) write_move(cycle, pe, colour, rx, tx, data, control);
  }
  void position(Cycle cycle, PeId pe, std::uint32_t colour, std::uint32_t position) {
    if (wants(cycle, pe)) write_position(cycle, pe, colour, position);
  }
  void teardown(Cycle cycle, PeId pe, std::uint32_t colour, bool begins) {
    if (wants(cycle, pe)) write_teardown(cycle, pe, colour, begins);
  }
  void issue(Cycle cycle, ThreadId thread, std::uint64_t first, std::uint32_t count) {
    if (wants(cycle, thread.pe)) write_issue(cycle, thread, first, count);
  }
  // Start and end of a vector instruction: `text` is "start" or "end".
  void instruction(Cycle cycle, ThreadId thread, std::string_view text, const isa::Program& program,
                   std::uint32_t pc) {
    if (wants(cycle, thread.pe)) write_instruction(cycle, thread, text, program.line_of(pc));
  }
  // mark, print, task, halt: `text` is the name of the mark, what is printed, the name of the task,
  // nothing.
  void note(Cycle cycle, PeId pe, std::string_view event, std::string_view text) {
    if (wants(cycle, pe)) write_note(cycle, pe, event, text);
  }

  void trap(const TrapRecord& trap) {
    if (wants(trap.cycle, mesh_.pe_at(trap.x, trap.y))) write_trap(trap);
  }

 private:
  bool wants(Cycle cycle, PeId pe) const { return sink_ && matches(cycle, pe); }
  bool matches(Cycle cycle, PeId pe) const;
  std::string head(Cycle cycle, PeId pe, std::string_view event) const;
  void write_move(Cycle cycle, PeId pe, std::uint32_t colour, isa::Port rx, std::uint32_t tx,
                  std::uint32_t data, bool control);
  void write_position(Cycle cycle, PeId pe, std::uint32_t colour, std::uint32_t position);
  void write_teardown(Cycle cycle, PeId pe, std::uint32_t colour, bool begins);
  void write_issue(Cycle cycle, ThreadId thread, std::uint64_t first, std::uint32_t count);
  void write_instruction(Cycle cycle, ThreadId thread, std::string_view text,
                         const isa::SourceLine& line);
  void write_note(Cycle cycle, PeId pe, std::string_view event, std::string_view text);
  void write_trap(const TrapRecord& trap);

  const isa::Image& image_;
  const isa::Topology& mesh_;
  Sink sink_;
  TraceFilter filter_;
};

// "main", or "ut3" for microthread 3.
std::string thread_text(std::uint32_t thread);

// The text as a JSON string, quotes included; bytes that are not printable ASCII are escaped.
std::string json_string(std::string_view text);

}  // namespace wse::vm
