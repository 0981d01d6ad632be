// A trace for Perfetto: a process for each PE, and in it
//
//     main, ut0 ..    slices: tasks, in them vector instructions and scalar code, in those waits
//     router          instants where switches move; words of streams that come
//     marks           instants of marks and prints
//     words east ..   counters: words over each link in each 64 cycles
//     queue red ..    the most words that were in a queue at once in each 64 cycles
//
// A flow leads from an instruction that sends to the instructions and tasks that take its words, in
// the order in which they do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "vm/events/bins.h"
#include "vm/events/perfetto_writer.h"
#include "vm/events/word_origins.h"
#include "vm/ledger/trace_event.h"

namespace wse::vm {

class PerfettoTrace : public TraceSink {
 public:
  // `bytes` gets the trace piece by piece. What happens before cycle `first` and after `last` is
  // not written, but must come, so that words are known.
  explicit PerfettoTrace(PerfettoWriter::Bytes bytes, Cycle first = 0, Cycle last = kNever);

  PerfettoTrace(const PerfettoTrace&) = delete;
  PerfettoTrace& operator=(const PerfettoTrace&) = delete;

  void begin(const isa::Image& image, const isa::Topology& mesh) override {
    image_ = &image;
    mesh_ = &mesh;
  }
  void stand(PeId pe, std::uint32_t colour, QueuePort port, std::uint32_t words) override {
    words_.stand(pe, colour, port, words);
  }
  void add(const TraceEvent& event) override;
  // After the last event: ends what has begun. The machine may be gone.
  void finish();

 private:
  // A slice that has begun, of a thread.
  struct Slice {
    enum class Kind : std::uint8_t { Task, Instruction };
    Kind kind = Kind::Task;
    std::string name{};
    std::uint64_t number = 0;           // of an instruction: that of its flow
    bool is_written = false;            // it has begun within the cycles that are written
    std::set<std::uint64_t> senders{};  // whose words it has taken
  };
  struct Thread {
    PerfettoWriter::Track track = 0;
    std::vector<Slice> open{};
    std::uint32_t over = 0;  // instructions whose slice has ended before their end came
  };
  struct Counter {
    PerfettoWriter::Track track = 0;
    BinSum words{};
  };
  struct Level {  // of a queue
    std::string colour;
    std::optional<PerfettoWriter::Track> track{};
    BinMost words{};
  };
  using Place = std::tuple<PeId, std::uint32_t, QueuePort>;
  struct Pe {
    PerfettoWriter::Track process = 0;
    std::map<std::uint32_t, Thread> threads{};
    std::optional<PerfettoWriter::Track> router{};
    std::optional<PerfettoWriter::Track> marks{};
    std::map<isa::Port, Counter> links{};
    std::uint64_t sender = 0;  // of the word that was taken last for a task
  };

  bool is_written(Cycle cycle) const { return cycle >= first_ && cycle <= last_; }
  Pe& pe_of(PeId pe);
  Thread& thread_of(PeId pe, std::uint32_t thread);
  void open(PeId pe, std::uint32_t thread, Slice slice, const TraceEvent& event,
            const PerfettoWriter::Event& told);
  void close(Thread& thread, Cycle cycle);
  void close_instructions(Thread& thread, Cycle cycle);
  void write_begin(Thread& thread, Slice& slice, Cycle cycle, const PerfettoWriter::Event& told);

  void start(const TraceEvent& event);
  void end(const TraceEvent& event);
  void issue(const TraceEvent& event);
  void task(const TraceEvent& event);
  void task_end(const TraceEvent& event);
  void within(const TraceEvent& event, Cycle from, Cycle to, const std::string& name);
  void move(const TraceEvent& event);
  void tell_router(const TraceEvent& event);
  void tell_mark(const TraceEvent& event);
  void write_level(const Place& queue, Level& level, Cycle begin, std::uint64_t words);
  auto writes(const Counter& counter) {
    return [this, &counter](Cycle begin, std::uint64_t words) {
      writer_.count(counter.track, std::max(begin, first_), words);
    };
  }
  std::string wait_text(const TraceEvent& event) const;
  std::string place(const isa::SourceLine& where) const { return image_->place_text(where); }

  PerfettoWriter writer_;
  Cycle first_;
  Cycle last_;
  const isa::Image* image_ = nullptr;
  const isa::Topology* mesh_ = nullptr;
  WordOrigins words_;
  std::map<PeId, Pe> pes_{};
  std::map<Place, Level> levels_{};
  std::uint64_t instructions_ = 0;
  Cycle now_ = 0;    // of the last event
  Cycle cycle_ = 0;  // of this one
};

}  // namespace wse::vm
