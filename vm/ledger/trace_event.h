// One event of a trace, as writers of traces get it.
//
//     start     a vector instruction starts, and may issue from cycle `until` on
//     issue     elements of it issue; `in`: colours of which a wavelet is taken; `out`: one is sent
//     end       it has finished
//     scalar    scalar code of the main thread runs up to cycle `until`
//     wait      a thread waited from cycle `since` on, and continues in this one
//     task      the picker starts a task, perhaps with a wavelet that it has just taken
//     task_end  it has ended, and the main thread is free
//     halt      the PE halts
//     move      a router moves a wavelet
//     enter     a wavelet of a stream comes to a router
//     take      a wavelet leaves the down-ramp: for a task, for nobody, or to end an instruction
//     position, teardown, teardown_exit    of a switch, act from the next cycle
//     mark, print, trap
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/image/image.h"
#include "isa/machine/fabric.h"
#include "isa/machine/topology.h"
#include "vm/contract/boundary.h"
#include "vm/contract/queue_counts.h"
#include "vm/ledger/record.h"

namespace wse::vm {

struct TraceEvent {
  enum class Kind : std::uint8_t {
    Start,
    Issue,
    End,
    Scalar,
    Wait,
    Task,
    TaskEnd,
    Halt,
    Move,
    Enter,
    Take,
    Position,
    Teardown,
    TeardownExit,
    Mark,
    Print,
    Trap,
  };
  // A thread waited for one of these; `number` says which one.
  enum class For : std::uint8_t {
    Input,        // a wavelet of that colour
    Output,       // room on that colour
    Fifo,         // an element in that FIFO, or room
    Slot,         // the issue slot
    Microthread,  // the end of that microthread
    Save,         // a microthread to write a descriptor register back
  };

  Kind kind = Kind::Issue;
  Cycle cycle = 0;
  PeId pe = 0;
  std::uint32_t thread = kMainThread;
  Cycle since = 0;
  Cycle until = 0;
  For reason = For::Slot;
  std::uint32_t number = 0;
  std::uint32_t colour = kNoColour;
  std::uint32_t position = 0;
  isa::Port from = isa::Port::Ramp;
  std::uint32_t to = 0;  // ports, as bits
  std::uint32_t data = 0;
  bool control = false;     // a control wavelet
  std::uint64_t first = 0;  // of elements
  std::uint64_t count = 0;
  std::array<std::uint32_t, kInputs> in = {kNoColour, kNoColour, kNoColour};
  std::uint32_t out = kNoColour;
  isa::SourceLine where{};           // of the instruction
  std::string_view text{};           // of a mark, a print or a task; valid during the call
  const TrapRecord* trap = nullptr;  // valid during the call
};

// A reader of the events of a run. They ascend by cycle, except that marks and prints of a scalar
// stretch come where the stretch began.
class TraceSink {
 public:
  TraceSink() = default;
  TraceSink(const TraceSink&) = delete;
  TraceSink& operator=(const TraceSink&) = delete;
  virtual ~TraceSink() = default;

  // The machine calls it once, before all events. Both live until the last of them.
  virtual void begin(const isa::Image& image, const isa::Topology& mesh) = 0;
  // A machine that has taken up what another one did tells the words in its queues, after begin().
  virtual void stand(PeId /*pe*/, std::uint32_t /*colour*/, QueuePort /*port*/,
                     std::uint32_t /*words*/) {}
  virtual void add(const TraceEvent& event) = 0;
};

}  // namespace wse::vm
